package cmd

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

func probeReadCommand() *command {
	return &command{
		name:    "read",
		usage:   probeURIUsage,
		summary: "read one file of a skill, verified",
		description: "Finds the skill that the file belongs to, reads the file, and prints its bytes if they have the size " +
			"and the digest that the skill's entry gives (of SKILL.md also the frontmatter). What does not verify is not " +
			"printed. The files of a dynamic skill carry no digests: they are printed, with a note that nobody can verify " +
			"them.\n\n" +
			"On a terminal control characters are made visible, and what is no text is refused.",
		arguments:    []argument{probeTargetArgument(), {"URI", "the URI of the file"}, probeProgramArgument()},
		minArgs:      1,
		maxArgs:      2,
		takesProgram: true,
		flags: askingFlags(
			&cli.StringFlag{Name: "skill", Usage: "the file belongs to the skill with this `URI`; it is looked for without"},
			&cli.StringFlag{Name: "output-file", Aliases: []string{"o"}, Usage: "write the bytes to `FILE`, in one step"},
		),
		examples: []example{
			{"the instructions of a skill", "skilltool probe read https://example.com/mcp skill://pdf-tools/SKILL.md"},
			{"keep one of its files", "skilltool probe read https://example.com/mcp skill://pdf-tools/a.pdf -o a.pdf"},
		},
		exits:  askingExits("the file was read, and verified unless its skill is dynamic", "it does not verify, no skill has it, or the server refused the request"),
		action: runProbeRead,
	}
}

func runProbeRead(c *cli.Context, e *env) error {
	return ask(c, e, 1, func(ctx context.Context, a *asking) (probeAnswer, error) {
		uri := a.args[0]
		entry, err := owningSkill(ctx, a.client, c.String("skill"), uri)
		if err != nil {
			return nil, err
		}
		if mustProblems(entry) > 0 {
			a.problems(entry)
			return nil, &mcpprobe.VerificationError{
				Skill: entry.URI, URI: uri, Message: fmt.Sprintf("the entry of the skill %q breaks the specification, so nothing of it is read", entry.URI),
			}
		}
		file, err := a.client.ReadFile(ctx, entry, uri)
		if err != nil {
			return nil, err
		}
		if !file.Verified {
			a.note("%s is of a dynamic skill: its integrity cannot be checked", uri)
		}
		return a.deliver(&fileAnswer{entry: entry, file: file}, c.String("output-file"))
	})
}

// deliver writes the file where it was asked for. What goes to standard output
// must do a terminal no harm.
func (a *asking) deliver(f *fileAnswer, path string) (probeAnswer, error) {
	switch {
	case path != "":
		if err := writeAtomic(path, f.file.Content); err != nil {
			return nil, fmt.Errorf("%q cannot be written: %w", path, plainError(err))
		}
		f.written = true
	case !a.json && term.IsTerminal(a.e.stdout):
		if !utf8.Valid(f.file.Content) || bytes.IndexByte(f.file.Content, 0) >= 0 {
			return nil, errors.New("the file is no text, and standard output is a terminal; -o FILE keeps it")
		}
		f.visible = true
	}
	return f, nil
}

// maxGuesses bounds the directories that are asked about before the listing is:
// deeper paths are found there.
const maxGuesses = 16

// owningSkill finds the skill that a file belongs to: that of the innermost
// directory that has one. skills/get answers for unlisted skills too, and takes
// no listing.
func owningSkill(ctx context.Context, client *mcpprobe.Client, skill, uri string) (*mcpprobe.Entry, error) {
	if skill != "" {
		return client.GetSkill(ctx, skill)
	}
	for _, guess := range skillGuesses(uri) {
		entry, err := client.GetSkill(ctx, guess)
		var refused *mcpprobe.RPCError
		switch {
		case err == nil && covers(entry, uri):
			return entry, nil
		case err != nil && !errors.As(err, &refused):
			return nil, err
		}
	}
	var found *mcpprobe.Entry
	for entry, err := range client.ListSkills(ctx) {
		if err != nil {
			return nil, err
		}
		if covers(entry, uri) && (found == nil || len(entry.Dir) > len(found.Dir)) {
			found = entry
		}
	}
	if found == nil {
		return nil, &mcpprobe.VerificationError{URI: uri, Part: mcpprobe.PartURI, Message: fmt.Sprintf("no skill of the server has a file %q", uri)}
	}
	return found, nil
}

// covers reports whether a file is one of the entry's, or may be one of a
// dynamic skill.
func covers(entry *mcpprobe.Entry, uri string) bool {
	if entry.Dynamic {
		return entry.Dir != "" && strings.HasPrefix(uri, entry.Dir+"/")
	}
	return slices.ContainsFunc(entry.Resources, func(r mcpprobe.Resource) bool { return r.URI == uri })
}

// skillGuesses gives the SKILL.md of every directory that a file is in, the
// innermost first.
func skillGuesses(uri string) []string {
	_, rest, ok := strings.Cut(uri, "://")
	if !ok {
		return nil
	}
	scheme := uri[:len(uri)-len(rest)]
	var guesses []string
	for len(guesses) < maxGuesses {
		cut := strings.LastIndexByte(rest, '/')
		if cut <= 0 {
			break
		}
		rest = rest[:cut]
		guesses = append(guesses, scheme+rest+"/SKILL.md")
	}
	return guesses
}

// fileAnswer is the answer to read.
type fileAnswer struct {
	entry *mcpprobe.Entry
	file  *mcpprobe.File
	// written says that the bytes are in a file, and visible that a terminal
	// gets them.
	written, visible bool
}

func (f *fileAnswer) code() int { return exitOK }

func (f *fileAnswer) write(w io.Writer) error {
	switch {
	case f.written:
		return nil
	case !f.visible:
		_, err := w.Write(f.file.Content)
		return err
	}
	for line := range strings.Lines(string(f.file.Content)) {
		text, end := strings.CutSuffix(line, "\n")
		columns := strings.Split(text, "\t")
		for i, column := range columns {
			columns[i] = term.Escape(column)
		}
		text = strings.Join(columns, "\t")
		if end {
			text += "\n"
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

// readFile is a file in JSON. It has one of Text and Blob, or none where the
// bytes went to a file.
type readFile struct {
	URI      string  `json:"uri"`
	Skill    string  `json:"skill"`
	MIMEType string  `json:"mime_type"`
	Size     int     `json:"size"`
	Digest   string  `json:"digest"`
	Verified bool    `json:"verified"`
	Text     *string `json:"text,omitempty"`
	Blob     *string `json:"blob,omitempty"`
}

func (f *fileAnswer) document(head report.ProbeHead) any {
	out := readFile{
		URI: f.file.URI, Skill: f.entry.URI, MIMEType: f.file.MIMEType, Size: len(f.file.Content),
		Digest: digest.Of(f.file.Content).String(), Verified: f.file.Verified,
	}
	switch {
	case f.written:
	case utf8.Valid(f.file.Content):
		text := string(f.file.Content)
		out.Text = &text
	default:
		blob := base64.StdEncoding.EncodeToString(f.file.Content)
		out.Blob = &blob
	}
	return struct {
		report.ProbeHead
		File readFile `json:"file"`
	}{head, out}
}
