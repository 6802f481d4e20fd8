package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/digest"
)

func diffCommand() *command {
	return &command{
		name:    "diff",
		usage:   "OLD NEW",
		summary: "show what changed between two skills or manifests",
		description: "Compares two skills, file by file and field by field. Each side is a skill's directory, or a file " +
			"with the manifest of one skill: an entry of the MCP Skills extension or a native manifest.",
		arguments: []argument{{"OLD", "a skill's directory or a manifest"}, {"NEW", "the same, to compare with"}},
		minArgs:   2,
		maxArgs:   2,
		flags: []cli.Flag{
			&choiceFlag{
				StringFlag: &cli.StringFlag{Name: "output-format", Aliases: []string{"f"}, Value: "text", Usage: "print as `FORMAT`"},
				choices:    []string{"text", "json"},
			},
			&cli.BoolFlag{Name: "exit-code", Usage: "exit with 1 if anything changed"},
			&cli.BoolFlag{Name: "name-only", Usage: "print only the paths of changed files"},
		},
		examples: []example{
			{"what an update would change", "skilltool diff .agents/skills/pdf-tools ~/src/skills/pdf-tools"},
			{"did the server's entry change?", "skilltool diff --exit-code old-entry.json new-entry.json"},
		},
		exits: []exitCode{
			{exitOK, "done"},
			{exitFindings, "something changed, with --exit-code"},
			{exitFailure, "usage error, or a side that could not be read"},
			{exitInterrupted, "interrupted"},
		},
		action: runDiff,
	}
}

func runDiff(c *cli.Context, e *env) error {
	var sides [2]digest.Side
	for i, arg := range e.args {
		side, err := readSide(c, arg)
		if err != nil {
			return fmt.Errorf("%q: %w", arg, err)
		}
		sides[i] = side
	}
	d := digest.Compare(sides[0], sides[1])
	var err error
	switch {
	case c.Bool("name-only"):
		err = printNames(e.stdout, d)
	case c.String("output-format") == "json":
		err = printDiffJSON(e.stdout, e.args, d)
	default:
		var b strings.Builder
		writeChanges(&b, d, "")
		_, err = io.WriteString(e.stdout, b.String())
	}
	if err != nil {
		return err
	}
	if c.Bool("exit-code") && !d.Empty() {
		return exitStatus(exitFindings)
	}
	return nil
}

// readSide reads a skill's directory or a manifest.
func readSide(c *cli.Context, arg string) (digest.Side, error) {
	info, err := os.Stat(arg)
	if err != nil {
		return digest.Side{}, plainError(err)
	}
	if !info.IsDir() {
		return readManifestSide(arg)
	}
	skill, manifest, errs := readSkill(c.Context, arg)
	for _, e := range errs {
		return digest.Side{}, fmt.Errorf("%s: %s", e.Path, e.Message)
	}
	frontmatter, err := skill.Frontmatter.JSON()
	if err != nil {
		frontmatter = nil // the files can be compared all the same
	}
	return manifest.Side(frontmatter), nil
}

func readManifestSide(file string) (digest.Side, error) {
	text, err := readBounded(file, digest.MaxManifestBytes)
	if err != nil {
		return digest.Side{}, plainError(err)
	}
	list, err := digest.ReadManifest(text)
	if err != nil {
		return digest.Side{}, err
	}
	if len(list) != 1 {
		return digest.Side{}, fmt.Errorf("the manifest holds %d skills; diff compares one with one", len(list))
	}
	for _, fault := range list[0].Faults {
		return digest.Side{}, fmt.Errorf("the manifest is invalid: %s", fault.Message)
	}
	return digest.Side{Files: list[0].Files, Frontmatter: list[0].Frontmatter}, nil
}

func printNames(w io.Writer, d digest.Diff) error {
	for _, f := range d.Files {
		if _, err := fmt.Fprintln(w, term.Escape(f.Path)); err != nil {
			return err
		}
	}
	return nil
}

// diffDocument is the JSON form of a difference.
type diffDocument struct {
	Schema  string      `json:"$schema"`
	Version int         `json:"version"`
	Old     string      `json:"old"`
	New     string      `json:"new"`
	Files   []diffFile  `json:"files"`
	Fields  []diffField `json:"fields"`
}

type diffFile struct {
	Path string            `json:"path"`
	Kind digest.ChangeKind `json:"kind"`
	// OldSize and NewSize are null where there is no such file, or its size is
	// not known.
	OldSize    *int64 `json:"old_size"`
	NewSize    *int64 `json:"new_size"`
	ModeOnly   bool   `json:"mode_only"`
	Executable bool   `json:"executable"`
}

type diffField struct {
	Field string            `json:"field"`
	Kind  digest.ChangeKind `json:"kind"`
	Old   json.RawMessage   `json:"old,omitempty"`
	New   json.RawMessage   `json:"new,omitempty"`
}

const diffSchemaURL = "https://github.com/skilltool/skilltool/schemas/diff.schema.json"

func printDiffJSON(w io.Writer, args []string, d digest.Diff) error {
	document := diffDocument{
		Schema: diffSchemaURL, Version: 1, Old: args[0], New: args[1], Files: []diffFile{}, Fields: []diffField{},
	}
	for _, f := range d.Files {
		document.Files = append(document.Files, diffFile{f.Path, f.Kind, known(f.OldSize), known(f.NewSize), f.ModeOnly, f.Executable})
	}
	for _, c := range d.Fields {
		document.Fields = append(document.Fields, diffField{c.Pointer, c.Kind, c.Old, c.New})
	}
	text, err := indented(document)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// known gives nil for a size that is not known.
func known(size int64) *int64 {
	if size < 0 {
		return nil
	}
	return &size
}

// writeChanges writes a line for each change, behind an indent.
func writeChanges(b *strings.Builder, d digest.Diff, indent string) {
	for _, f := range d.Files {
		fmt.Fprintf(b, "%s%-8s %s%s\n", indent, f.Kind, term.Escape(f.Path), fileDetail(f))
	}
	for _, c := range d.Fields {
		fmt.Fprintf(b, "%s%-8s frontmatter %s%s\n", indent, c.Kind, term.Escape(fieldName(c.Pointer)), fieldDetail(c))
	}
}

// fileDetail says what else there is to know of a change.
func fileDetail(f digest.FileDiff) string {
	switch {
	case f.ModeOnly && f.Executable:
		return " (executable now)"
	case f.ModeOnly:
		return " (not executable any more)"
	case f.Kind == digest.Changed && f.OldSize >= 0 && f.NewSize >= 0:
		return fmt.Sprintf(" (%d bytes, %d before)", f.NewSize, f.OldSize)
	case f.Kind == digest.Added && f.NewSize >= 0:
		return fmt.Sprintf(" (%d bytes)", f.NewSize)
	}
	return ""
}

// fieldName writes a JSON Pointer as metadata.version.
func fieldName(pointer string) string {
	return strings.NewReplacer("/", ".", "~1", "/", "~0", "~").Replace(strings.TrimPrefix(pointer, "/"))
}

func fieldDetail(c digest.FieldChange) string {
	switch c.Kind {
	case digest.Added:
		return ": " + shown(c.New)
	case digest.Removed:
		return ": " + shown(c.Old)
	}
	return ": " + shown(c.Old) + " -> " + shown(c.New)
}

// shown shortens a JSON value for a line.
func shown(raw []byte) string {
	const most = 200
	text := []rune(term.Escape(string(raw)))
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}
