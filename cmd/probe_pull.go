package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/near"
	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

func probePullCommand() *command {
	return &command{
		name:    "pull",
		usage:   "TARGET [URI...] | [URI...] -- COMMAND ARG...",
		summary: "save verified copies of skills",
		description: "Reads skills and saves those whose files all have the size and the digest that their entries give. " +
			"SKILL.md is read first; nothing else is read of a skill whose SKILL.md does not verify, and nothing is left " +
			"of a skill that fails. Without a URI all listed skills are pulled.\n\n" +
			"A skill goes to DIR/LABEL/SKILL/NAME, where LABEL is that of the server and SKILL the URI of the skill's " +
			"directory, encoded so that two skills never meet. A file .skilltool-origin.json beside it says where it came " +
			"from. A copy that somebody changed is not replaced.\n\n" +
			"Read what you pull before an agent does: a folder that clients search for skills is refused.",
		arguments: []argument{
			probeTargetArgument(),
			{"URI", "the URI of a SKILL.md, listed or not, or the name of a listed skill where it is the only one of that name"},
			probeProgramArgument(),
		},
		maxArgs:      anyArgs,
		takesProgram: true,
		flags: askingFlags(
			&cli.StringFlag{Name: "dir", Usage: "save below `DIR`"},
			&cli.StringFlag{Name: "lock", Usage: "pull only what `FILE` approves, as probe --lock does"},
			&cli.BoolFlag{Name: "allow-dynamic", Usage: "pull skills that carry no digests too, unverified"},
			forceFlag(),
		),
		examples: []example{
			{"all skills of a server", "skilltool probe pull https://example.com/mcp --dir skills-to-read"},
			{"one of them", "skilltool probe pull https://example.com/mcp pdf-tools --dir skills-to-read"},
			{"only what was approved before", "skilltool probe pull https://example.com/mcp --dir vendor --lock lock.json"},
		},
		exits:  askingExits("every skill was saved, or is there already", "some skill does not verify, is not approved, or cannot be saved as it is"),
		action: runProbePull,
	}
}

// forceFlag lets --save and --dir name a folder that clients search.
func forceFlag() cli.Flag {
	return &cli.BoolFlag{Name: "force", Usage: "save into a folder that clients search for skills, where they are loaded unread"}
}

func runProbePull(c *cli.Context, e *env) error {
	if c.String("dir") == "" {
		return usagef("probe pull needs --dir DIR, the directory to save below")
	}
	var lock *mcpprobe.Lock
	if name := c.String("lock"); c.IsSet("lock") {
		var err error
		if lock, err = readLock(name); err != nil {
			return err
		}
	}
	own := len(e.args)
	if e.program == nil && !c.IsSet("server") {
		own = max(0, own-1)
	}
	return ask(c, e, own, func(ctx context.Context, a *asking) (probeAnswer, error) {
		saver, err := openSaver(c, "--dir", c.String("dir"), a.client.Server().Label, a.target)
		if err != nil {
			return nil, err
		}
		defer saver.Close()
		p := &pulling{asking: a, saver: saver, lock: lock, answer: &pullAnswer{dir: c.String("dir"), redact: redactor(a.target)}}
		err = p.all(ctx)
		if len(p.answer.skills) == 0 && err == nil {
			a.note("the server lists no skill")
		}
		return p.answer, err
	})
}

// openSaver opens the directory of a flag to save into.
func openSaver(c *cli.Context, flag, dir, label string, t probeTarget) (*mcpprobe.Saver, error) {
	saver, err := mcpprobe.NewSaver(mcpprobe.SaveOptions{
		Dir: dir, Label: label, Server: redactor(t)(t.Show), Insist: c.Bool("force"), Dynamic: c.Bool("allow-dynamic"),
	})
	var refused *mcpprobe.ClientFolderError
	if errors.As(err, &refused) {
		return nil, usagef("%s: %w; choose another directory, or insist with --force", flag, err)
	}
	return saver, err
}

// redactor hides the secrets of a target.
func redactor(t probeTarget) func(string) string {
	if t.Redact == nil {
		return func(text string) string { return text }
	}
	return t.Redact
}

// pulling is one run of pull.
type pulling struct {
	*asking
	saver  *mcpprobe.Saver
	lock   *mcpprobe.Lock
	answer *pullAnswer
}

// all pulls what was asked for. A skill that fails stops no other one; a
// connection that is gone does.
func (p *pulling) all(ctx context.Context) error {
	var listed []*mcpprobe.Entry
	if len(p.args) == 0 || !allURIs(p.args) {
		for entry, err := range p.client.ListSkills(ctx) {
			if err != nil {
				return err
			}
			listed = append(listed, entry)
		}
	}
	if len(p.args) == 0 {
		for _, entry := range listed {
			if err := p.one(ctx, entry, entry.URI); err != nil {
				return err
			}
		}
		return nil
	}
	for _, arg := range p.args {
		entry, err := p.find(ctx, listed, arg)
		if err != nil {
			err = p.fail(arg, err)
		} else {
			err = p.one(ctx, entry, arg)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func isURI(arg string) bool { return strings.Contains(arg, "://") }

func allURIs(args []string) bool {
	for _, arg := range args {
		if !isURI(arg) {
			return false
		}
	}
	return true
}

// find gives the entry of a URI, listed or not, or of a name that only one
// listed skill has (C-7).
func (p *pulling) find(ctx context.Context, listed []*mcpprobe.Entry, arg string) (*mcpprobe.Entry, error) {
	if isURI(arg) {
		return p.client.GetSkill(ctx, arg)
	}
	var found []*mcpprobe.Entry
	var uris, names []string
	for _, entry := range listed {
		names = append(names, entry.Name)
		if entry.Name == arg {
			found, uris = append(found, entry), append(uris, entry.URI)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		if word := near.Word(arg, names); word != "" {
			return nil, fmt.Errorf("no listed skill has this name; did you mean %q?", word)
		}
		return nil, errors.New("no listed skill has this name")
	}
	return nil, fmt.Errorf("%d skills have this name; take one of their URIs: %s", len(found), strings.Join(uris, ", "))
}

// one pulls a skill that was asked for as arg.
func (p *pulling) one(ctx context.Context, entry *mcpprobe.Entry, arg string) error {
	var approve func(*mcpprobe.Entry) error
	if p.lock != nil {
		approve = func(e *mcpprobe.Entry) error { return p.lock.Approves(p.client.Server().Label, e) }
	}
	pulled, err := p.client.Pull(ctx, p.saver, entry, approve)
	if err != nil {
		return p.fail(arg, err)
	}
	shown := p.answer.redact(pulled.Entry.URI)
	if pulled.Refetched {
		p.note("%s: its entry had changed and was fetched again", shown)
	}
	if pulled.Entry.Dynamic {
		p.note("%s: the skill is dynamic, so that nothing of it is verified", shown)
	}
	p.answer.skills = append(p.answer.skills, pulledSkill{
		URI: shown, Name: p.answer.redact(pulled.Entry.Name), Status: map[bool]string{true: "saved", false: "unchanged"}[pulled.Changed],
		Path: path.Join(filepath.ToSlash(p.answer.dir), pulled.Path), Files: pulled.Files,
		Verified: !pulled.Entry.Dynamic, Refetched: pulled.Refetched,
	})
	return nil
}

// fail keeps the failure of one skill, and gives back what ends the run.
func (p *pulling) fail(arg string, err error) error {
	_, code := classify(err)
	var limit *mcpprobe.LimitError
	oneFile := errors.As(err, &limit) && limit.Bound == "max-file-bytes"
	if code != exitFindings && code != exitFailure && !oneFile {
		return err
	}
	if isIOError(err) {
		p.answer.broken = true
	}
	p.answer.skills = append(p.answer.skills, pulledSkill{
		URI: p.answer.redact(arg), Status: "failed", Message: p.answer.redact(err.Error()),
	})
	return nil
}

// isIOError reports an error of the file system, after which nobody knows
// whether the skill is good.
func isIOError(err error) bool {
	var number syscall.Errno
	return errors.As(err, &number) || errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist)
}

// pullAnswer is the answer to pull.
type pullAnswer struct {
	dir    string
	redact func(string) string
	skills []pulledSkill
	// broken says that something could not be written.
	broken bool
}

// pulledSkill is a skill in JSON.
type pulledSkill struct {
	URI       string `json:"uri"`
	Name      string `json:"name"`
	Status    string `json:"status"`
	Path      string `json:"path"`
	Files     int    `json:"files"`
	Verified  bool   `json:"verified"`
	Refetched bool   `json:"refetched"`
	Message   string `json:"message"`
}

func (p *pullAnswer) code() int {
	code := exitOK
	for _, s := range p.skills {
		if s.Status == "failed" {
			code = exitFindings
		}
	}
	if p.broken {
		code = exitFailure
	}
	return code
}

func (p *pullAnswer) write(w io.Writer) error {
	for _, s := range p.skills {
		detail := s.Message
		if s.Status != "failed" {
			detail = fmt.Sprintf("%s (%s)", s.Path, countedFiles(s.Files))
		}
		if _, err := fmt.Fprintf(w, "%-9s  %s\n           %s\n", s.Status, shorten(s.URI, 1000), shorten(detail, 2000)); err != nil {
			return err
		}
	}
	return nil
}

func countedFiles(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

func (p *pullAnswer) document(head report.ProbeHead) any {
	skills := p.skills
	if skills == nil {
		skills = []pulledSkill{}
	}
	return struct {
		report.ProbeHead
		Dir    string        `json:"dir"`
		Skills []pulledSkill `json:"skills"`
	}{head, filepath.ToSlash(p.dir), skills}
}
