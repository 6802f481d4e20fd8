package cmd

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/spec"
)

func manifestCommand() *command {
	return &command{
		name:    "manifest",
		usage:   "[PATH...]",
		summary: "show what an MCP server would publish for skills",
		description: "Prints the entries of the MCP Skills extension (io.modelcontextprotocol/skills) for the skills that " +
			"the arguments stand for: the URI, the frontmatter as JSON, and every file with its digest and size. Digests " +
			"are over the bytes on disk.\n\n" +
			"A skill that cannot be served is reported on standard error with the rule that it breaks, and the others come " +
			"out. Files that no server gives out (links, version control data, caches, what .skillignore names) are left " +
			"out; the text format lists them.\n\n" +
			"The URI of a skill is skill://NAME where the argument is the skill itself, and skill:// with its path below " +
			"the argument where that was searched. --write and --check do nothing where some file could not be read.",
		arguments: []argument{{"PATH", "a skill's directory, a directory to search for skills, or any file of a skill; none is \".\""}},
		maxArgs:   anyArgs,
		flags: slices.Concat([]cli.Flag{
			&choiceFlag{
				StringFlag: &cli.StringFlag{Name: "output-format", Aliases: []string{"f"}, Value: "text", Usage: "print as `FORMAT`"},
				choices:    manifestFormats,
			},
			&cli.StringFlag{Name: "uri-prefix", Usage: "start every URI with `PREFIX`, such as skill://acme/billing"},
			&cli.StringFlag{Name: "scheme", Usage: "use the URI scheme `SCHEME` instead of skill"},
			&cli.StringSliceFlag{Name: "dynamic", Usage: "the content of the skill `NAME` is generated: publish no digests for it"},
			&cli.StringFlag{Name: "write", Usage: "write the manifest (json, or native with -f) to `FILE`, if anything in it changed"},
			&cli.StringFlag{Name: "check", Usage: "compare with the manifest in `FILE`, print what differs, and exit with 1 if anything does"},
		}, searchFlags(), jobsFlags()),
		examples: []example{
			{"what a server would publish for the skills below skills/", "skilltool manifest skills/ -f json"},
			{"the digests of one skill, to be checked in its folder", "skilltool manifest skills/pdf-tools -f sha256sum > pdf-tools.sha256"},
			{"keep a manifest up to date", "skilltool manifest skills/ --write skills.json"},
			{"fail in CI when it is not", "skilltool manifest skills/ --check skills.json"},
		},
		exits: []exitCode{
			{exitOK, "all skills can be served, and --check found no difference"},
			{exitFindings, "some cannot, or --check found a difference"},
			{exitFailure, "usage error, a missing path, no skill found, or a file that could not be read"},
			{exitInterrupted, "interrupted"},
		},
		action: runManifest,
	}
}

var manifestFormats = []string{"text", "json", "jsonl", "sha256sum", "native"}

func runManifest(c *cli.Context, e *env) error {
	start := time.Now()
	m, err := newManifestRun(c, e)
	if err != nil {
		return err
	}
	t, all, err := publish(c.Context, c, e, m.publisher)
	if err != nil {
		return err
	}
	if err := m.checkDynamic(all); err != nil {
		return err
	}
	r := manifestReport(t, all)
	differs, err := m.output(r, all)
	if err != nil {
		return err
	}
	r.Elapsed = time.Since(start)
	if err := commentReport(e, r); err != nil {
		return err
	}
	switch {
	case len(r.Errors) > 0:
		return exitStatus(exitFailure)
	case differs, r.Count(spec.Error) > 0:
		return exitStatus(exitFindings)
	}
	return nil
}

// manifestRun is one run of the command, as its flags describe it.
type manifestRun struct {
	e            *env
	publisher    publisher
	format       string
	write, check string
}

func newManifestRun(c *cli.Context, e *env) (*manifestRun, error) {
	m := &manifestRun{e: e, format: c.String("output-format"), write: c.String("write"), check: c.String("check")}
	var err error
	if m.publisher, err = newPublisher(c); err != nil {
		return nil, err
	}
	byFile := m.format == "native" || m.format == "sha256sum"
	switch {
	case byFile && len(m.publisher.dynamic) > 0:
		return nil, usagef("--dynamic publishes no digests, and -f %s is nothing but digests", m.format)
	case m.write != "" && m.check != "":
		return nil, usagef("--write and --check exclude each other")
	case m.write == "" && m.check == "":
		return m, nil
	case !c.IsSet("output-format"):
		m.format = "json"
	case m.format != "json" && m.format != "native":
		return nil, usagef("--write and --check go with -f json and -f native, not with %s", m.format)
	}
	return m, nil
}

// checkDynamic wants a skill for each name of --dynamic.
func (m *manifestRun) checkDynamic(all []served) error {
	for _, name := range m.publisher.dynamic {
		if !slices.ContainsFunc(all, func(s served) bool { return s.name == name }) {
			return usagef("--dynamic: no skill is called %q", name)
		}
	}
	return nil
}

// output writes or compares what was asked for, and reports whether --check
// found a difference. What could not be read must not vanish from a file, nor
// be taken for a difference.
func (m *manifestRun) output(r *report.Report, all []served) (bool, error) {
	file := m.write + m.check
	switch {
	case file == "":
		text, err := renderManifest(m.format, all)
		if err == nil {
			_, err = m.e.stdout.Write(text)
		}
		return false, err
	case len(r.Errors) > 0:
		r.Notes = append(r.Notes, file+" was not "+map[bool]string{true: "written", false: "compared"}[m.write != ""]+": something could not be read")
		return false, nil
	case m.write != "":
		return false, m.writeFile(r, all)
	}
	return m.checkFile(all)
}

// manifestReport collects what there is to say about the skills.
func manifestReport(t targets, all []served) *report.Report {
	r := &report.Report{
		Command: "manifest", Base: filepath.ToSlash(t.base), Errors: t.errors, Notes: t.notes, FailLevel: spec.Error,
	}
	nested := 0
	for _, s := range all {
		r.Skills = append(r.Skills, s.report())
		r.Findings = append(r.Findings, s.findings...)
		r.Errors = append(r.Errors, s.errors...)
		nested += s.nested
	}
	if nested > 0 {
		r.Notes = append(r.Notes, nestedEntries(nested))
	}
	return r
}

func nestedEntries(n int) string {
	if n == 1 {
		return "1 skill stands within another skill; --nested gives it an entry of its own too"
	}
	return fmt.Sprintf("%d skills stand within other skills; --nested gives them entries of their own too", n)
}

// commentReport prints findings and summary on standard error.
func commentReport(e *env, r *report.Report) error {
	workDir, err := realPath(".")
	if err != nil {
		return errors.New("the working directory cannot be found")
	}
	r.WorkDir = filepath.ToSlash(workDir)
	reporter, err := report.New("concise", e.options(e.stderr))
	if err != nil {
		return err
	}
	if err := reporter.Report(e.stderr, r); err != nil {
		return err
	}
	e.comment(r)
	return nil
}
