package cmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/spec"
)

func diffCommand() *command {
	return &command{
		name:    "diff",
		usage:   "OLD NEW",
		summary: "show what changed between skills or manifests",
		description: "Compares skills, file by file and frontmatter field by field. Each side is a skill's directory, a " +
			"directory with skills, or a file with a manifest: an entry of the MCP Skills extension, {\"skills\": […]}, or a " +
			"native manifest. One skill is compared with one whatever their names; several are paired by the ends of their " +
			"paths.",
		arguments: []argument{{"OLD", "a directory or a manifest"}, {"NEW", "the same, to compare with"}},
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
	if c.Bool("name-only") && c.String("output-format") == "json" {
		return usagef("--name-only goes with the text format")
	}
	var sides [2][]side
	for i, arg := range e.args {
		var err error
		if sides[i], err = e.readSides(c, arg); err != nil {
			return fmt.Errorf("%q: %w", arg, err)
		}
	}
	pairs := pairSides(sides[0], sides[1])
	diffs := diffSkills(pairs)
	one := len(pairs) == 1 && pairs[0].old != nil && pairs[0].new != nil
	var b bytes.Buffer
	for _, d := range diffs {
		if c.Bool("name-only") {
			d.writeNames(&b, !one)
		} else {
			d.write(&b, !one)
		}
	}
	text, err := b.Bytes(), error(nil)
	if c.String("output-format") == "json" {
		text, err = report.MarshalJSON(newDiffDocument(e.args, diffs))
	}
	if err == nil {
		_, err = e.stdout.Write(text)
	}
	if err == nil && c.Bool("exit-code") && len(diffs) > 0 {
		return exitStatus(exitFindings)
	}
	return err
}

// side is one skill of a side of a comparison.
type side struct {
	name string // for people: a URI or a path
	path string // to pair skills by
	digest.Side
	faults []digest.Fault
}

// readSides reads the skills of a directory or a manifest.
func (e *env) readSides(c *cli.Context, arg string) ([]side, error) {
	if info, err := os.Stat(arg); arg != "-" && err != nil {
		return nil, plainError(err)
	} else if arg != "-" && info.IsDir() {
		return e.readFolders(c, arg)
	}
	list, err := e.readManifest(arg)
	if err != nil {
		return nil, err
	}
	sides := sidesOf(list)
	for _, s := range sides {
		for _, fault := range s.faults {
			return nil, fmt.Errorf("the manifest is invalid: %s", fault.Message)
		}
	}
	return sides, nil
}

// sidesOf gives the skills of a manifest.
func sidesOf(list []digest.Expected) []side {
	sides := make([]side, len(list))
	for i := range list {
		sides[i] = side{name: expectedName(list[i]), path: expectedPath(list[i]), Side: list[i].Side(), faults: list[i].Faults}
	}
	return sides
}

// expectedName names a skill of a manifest for people.
func expectedName(e digest.Expected) string {
	if e.URI != "" {
		return e.URI
	}
	return expectedPath(e)
}

// expectedPath gives where a manifest has a skill: below its scheme, or below
// what was searched.
func expectedPath(e digest.Expected) string {
	switch {
	case e.URI != "":
		_, below, _ := strings.Cut(e.URI, "://")
		return strings.TrimSuffix(below, "/"+spec.SkillFile)
	case e.Path != "":
		return e.Path
	}
	return e.Name
}

// readFolders reads the skill in a directory, or those below it.
func (e *env) readFolders(c *cli.Context, arg string) ([]side, error) {
	t, err := search{}.resolve(c.Context, []string{arg}, nil)
	if err != nil {
		return nil, err
	}
	errs := t.errors
	sides := make([]side, len(t.dirs))
	for i, dir := range t.dirs {
		skill, manifest, failed := readSkill(c.Context, skillDir{dir: dir})
		if errs = append(errs, failed...); len(failed) > 0 {
			continue
		}
		frontmatter, err := skill.Frontmatter.JSON()
		if err != nil {
			e.notef("%s: its frontmatter is not compared: %v", term.Escape(arg), err)
		}
		below := t.below[dir]
		if below == "." {
			below = filepath.Base(dir)
		}
		sides[i] = side{name: below, path: below, Side: manifest.Side(frontmatter)}
	}
	return sides, firstError(errs)
}

// firstError makes an error of what could not be examined.
func firstError(errs []report.Error) error {
	if len(errs) == 0 {
		return nil
	}
	workDir, err := realPath(".")
	if err != nil {
		return err
	}
	return errors.New(displayPath(workDir, errs[0].Path) + ": " + errs[0].Message)
}

// sidePair is a skill on both sides, or on one.
type sidePair struct{ old, new *side }

// pairSides pairs one skill with one, and several by the ends of their paths.
func pairSides(old, now []side) []sidePair {
	if len(old) == 1 && len(now) == 1 {
		return []sidePair{{&old[0], &now[0]}}
	}
	return pairBy(old, now, matchPaths(sidePaths(old), sidePaths(now)))
}

// pairExactly pairs skills of the same name.
func pairExactly(old, now []side) []sidePair {
	index := map[string]int{}
	for j := range now {
		index[now[j].name] = j
	}
	match := make([]int, len(old))
	for i := range old {
		match[i] = -1
		if j, ok := index[old[i].name]; ok {
			match[i] = j
			delete(index, old[i].name)
		}
	}
	return pairBy(old, now, match)
}

func sidePaths(sides []side) []string {
	paths := make([]string, len(sides))
	for i := range sides {
		paths[i] = sides[i].path
	}
	return paths
}

// pairBy gives the pairs of a match, and those that have no partner, sorted by
// name.
func pairBy(old, now []side, match []int) []sidePair {
	var pairs []sidePair
	matched := make([]bool, len(now))
	for i := range old {
		p := sidePair{old: &old[i]}
		if j := match[i]; j >= 0 {
			p.new, matched[j] = &now[j], true
		}
		pairs = append(pairs, p)
	}
	for j := range now {
		if !matched[j] {
			pairs = append(pairs, sidePair{new: &now[j]})
		}
	}
	slices.SortStableFunc(pairs, func(a, b sidePair) int { return strings.Compare(a.name(), b.name()) })
	return pairs
}

func (p sidePair) name() string {
	if p.new != nil {
		return p.new.name
	}
	return p.old.name
}

// skillDiff is what changed in one skill.
type skillDiff struct {
	name string
	kind digest.ChangeKind
	digest.Diff
	faults []digest.Fault // of the old side
}

// diffSkills gives the skills in which something changed.
func diffSkills(pairs []sidePair) []skillDiff {
	var all []skillDiff
	for _, p := range pairs {
		d := skillDiff{name: p.name(), kind: digest.Changed}
		switch {
		case p.old == nil:
			d.kind = digest.Added
			d.Diff = digest.Compare(digest.Side{}, p.new.Side)
		case p.new == nil:
			d.kind = digest.Removed
			d.Diff = digest.Compare(p.old.Side, digest.Side{})
		default:
			d.Diff, d.faults = digest.Compare(p.old.Side, p.new.Side), p.old.faults
			if d.Empty() && len(d.faults) == 0 {
				continue
			}
		}
		all = append(all, d)
	}
	return all
}

// write writes a line for each change; named, below one for the skill. Of a
// skill that came or went the name says enough.
func (d skillDiff) write(b *bytes.Buffer, named bool) {
	indent := ""
	if named {
		fmt.Fprintf(b, "%-8s %s\n", d.kind, term.Escape(d.name))
		indent = "  "
		if d.kind != digest.Changed {
			return
		}
	}
	for _, fault := range d.faults {
		fmt.Fprintf(b, "%sinvalid  %s\n", indent, term.Escape(fault.Message))
	}
	if d.Dynamic != nil {
		fmt.Fprintf(b, "%schanged  resources: %s\n", indent, map[bool]string{true: "dynamic now, without digests", false: "listed now, dynamic before"}[*d.Dynamic])
	}
	for _, f := range d.Files {
		fmt.Fprintf(b, "%s%-8s %s%s\n", indent, f.Kind, term.Escape(f.Path), fileDetail(f))
	}
	for _, c := range d.Fields {
		fmt.Fprintf(b, "%s%-8s frontmatter %s: %s\n", indent, c.Kind, term.Escape(c.Field()), fieldDetail(c))
	}
}

// writeNames writes the paths of changed files.
func (d skillDiff) writeNames(w io.Writer, named bool) {
	for _, f := range d.Files {
		name := f.Path
		if named {
			name = path.Join(strings.TrimSuffix(d.name, "/"+spec.SkillFile), f.Path)
			if strings.Contains(d.name, "://") {
				name = digest.FileURI(strings.TrimSuffix(d.name, "/"+spec.SkillFile), f.Path)
			}
		}
		fmt.Fprintln(w, term.Escape(name))
	}
}

// fileDetail says what else there is to know of a change, in parentheses.
func fileDetail(f digest.FileDiff) string {
	var parts []string
	switch {
	case f.Kind == digest.Modified && f.OldSize >= 0 && f.OldSize == f.NewSize:
		parts = append(parts, fmt.Sprintf("%d bytes as before, but others", f.NewSize))
	case f.Kind == digest.Modified && f.OldSize >= 0 && f.NewSize >= 0:
		parts = append(parts, fmt.Sprintf("%d bytes, %d before", f.NewSize, f.OldSize))
	case f.Kind == digest.Added && f.NewSize >= 0:
		parts = append(parts, fmt.Sprintf("%d bytes", f.NewSize))
	case f.Kind == digest.Removed && f.OldSize >= 0:
		parts = append(parts, fmt.Sprintf("%d bytes", f.OldSize))
	}
	if f.ModeChanged() {
		parts = append(parts, map[bool]string{true: "executable now", false: "not executable any more"}[*f.NewExecutable])
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

func fieldDetail(c digest.FieldChange) string {
	switch c.Kind {
	case digest.Added:
		return shown(c.New)
	case digest.Removed:
		return shown(c.Old)
	}
	return shown(c.Old) + " -> " + shown(c.New)
}

// shown shortens a JSON value for a line.
func shown(raw []byte) string {
	const most = 200
	text := []rune(string(raw))
	if len(text) > most {
		text = append(text[:most], '…')
	}
	return term.Escape(string(text))
}

// diffDocument is the JSON form of a difference; schemas/diff.schema.json
// describes it.
type diffDocument struct {
	Schema  string          `json:"$schema"`
	Version int             `json:"version"`
	Old     string          `json:"old"`
	New     string          `json:"new"`
	Skills  []diffSkillJSON `json:"skills"`
}

type diffSkillJSON struct {
	Skill   string            `json:"skill"`
	Kind    digest.ChangeKind `json:"kind"`
	Dynamic *bool             `json:"dynamic"`
	Files   []diffFile        `json:"files"`
	Fields  []diffField       `json:"fields"`
}

type diffFile struct {
	Path          string            `json:"path"`
	Kind          digest.ChangeKind `json:"kind"`
	OldSize       *int64            `json:"old_size"`
	NewSize       *int64            `json:"new_size"`
	OldExecutable *bool             `json:"old_executable"`
	NewExecutable *bool             `json:"new_executable"`
}

type diffField struct {
	Field string            `json:"field"`
	Kind  digest.ChangeKind `json:"kind"`
	Old   json.RawMessage   `json:"old,omitempty"`
	New   json.RawMessage   `json:"new,omitempty"`
}

const diffSchemaURL = "https://github.com/skilltool/skilltool/schemas/diff.schema.json"

func newDiffDocument(args []string, diffs []skillDiff) diffDocument {
	document := diffDocument{
		Schema: diffSchemaURL, Version: 1, Old: filepath.ToSlash(args[0]), New: filepath.ToSlash(args[1]), Skills: []diffSkillJSON{},
	}
	for _, d := range diffs {
		s := diffSkillJSON{Skill: d.name, Kind: d.kind, Dynamic: d.Dynamic, Files: []diffFile{}, Fields: []diffField{}}
		for _, f := range d.Files {
			s.Files = append(s.Files, diffFile{f.Path, f.Kind, known(f.OldSize), known(f.NewSize), f.OldExecutable, f.NewExecutable})
		}
		for _, c := range d.Fields {
			s.Fields = append(s.Fields, diffField{c.Pointer, c.Kind, c.Old, c.New})
		}
		document.Skills = append(document.Skills, s)
	}
	return document
}

// known gives nil for a size that is not known.
func known(size int64) *int64 {
	if size < 0 {
		return nil
	}
	return &size
}
