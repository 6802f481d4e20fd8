package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/digest"
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
			"out; the text format lists them.",
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
			&cli.StringFlag{Name: "write", Usage: "write the JSON manifest to `FILE`, if anything in it changed"},
			&cli.StringFlag{Name: "check", Usage: "compare with the manifest in `FILE`, print what differs, and exit with 1 if anything does"},
		}, searchFlags(), jobsFlags()),
		examples: []example{
			{"what a server would publish for the skills below skills/", "skilltool manifest skills/ -f json"},
			{"the digests of one skill, to be checked in its folder", "skilltool manifest skills/pdf-tools -f sha256sum > pdf-tools.sha256"},
			{"keep a manifest up to date, and check it in CI", "skilltool manifest skills/ --check skills.json || skilltool manifest skills/ --write skills.json"},
		},
		exits: []exitCode{
			{exitOK, "all skills can be served"},
			{exitFindings, "some cannot, or --check found a difference"},
			{exitFailure, "usage error, a missing path, no skill found, or a file that could not be read"},
			{exitInterrupted, "interrupted"},
		},
		action: runManifest,
	}
}

var manifestFormats = []string{"text", "json", "jsonl", "sha256sum", "native"}

// served is one skill as it would be published.
type served struct {
	dir      string // absolute and slash-separated
	files    int
	manifest *digest.Manifest
	entry    digest.Skill
	name     string
	findings []report.Finding
	errors   []report.Error
}

// servable reports whether the skill has an entry.
func (s *served) servable() bool { return s.entry.URI != "" }

// publisher makes entries of skills.
type publisher struct {
	prefix  digest.Prefix
	dynamic []string
	jobs    int
}

func newPublisher(c *cli.Context) (publisher, error) {
	p := publisher{dynamic: c.StringSlice("dynamic"), jobs: c.Int("jobs")}
	var err error
	if prefix := c.String("uri-prefix"); prefix != "" {
		if p.prefix, err = digest.ParsePrefix(prefix); err != nil {
			return p, usagef("--uri-prefix: %w", err)
		}
	}
	if scheme := c.String("scheme"); scheme != "" {
		if p.prefix.Scheme != "" && p.prefix.Scheme != scheme {
			return p, usagef("--scheme is %q and --uri-prefix has %q", scheme, p.prefix.Scheme)
		}
		if err := digest.CheckScheme(scheme); err != nil {
			return p, usagef("--scheme: %w", err)
		}
		p.prefix.Scheme = scheme
	}
	return p, nil
}

// publish reads the skills of t, several at a time.
func (p publisher) publish(ctx context.Context, t targets) ([]served, error) {
	all := make([]served, len(t.dirs))
	err := parallel(ctx, p.jobs, len(t.dirs), func(i int) { all[i] = p.skill(ctx, t.dirs[i], t.below[t.dirs[i]]) })
	if err != nil {
		return nil, err
	}
	reportDuplicateURIs(all)
	return all, nil
}

// skill reads one skill and makes its entry, unless something forbids that.
func (p publisher) skill(ctx context.Context, dir, below string) served {
	s := served{dir: filepath.ToSlash(dir)}
	skill, manifest, errs := readSkill(ctx, dir)
	s.errors = errs
	if skill == nil {
		return s
	}
	s.name = skill.Frontmatter.Name
	for _, d := range spec.Validate(skill) {
		if forbidsServing(d) {
			s.findings = append(s.findings, finding(s.dir, skill, d))
		}
	}
	s.manifest, s.files = manifest, len(skill.Files)
	if len(s.findings) > 0 || len(s.errors) > 0 {
		return s
	}
	if below == "." {
		below = s.name
	}
	entry, err := digest.NewSkill(p.prefix.Dir(below), skill, manifest)
	if err != nil {
		s.errors = append(s.errors, report.Error{Path: s.dir, Message: err.Error()})
		return s
	}
	s.entry = entry
	if slices.Contains(p.dynamic, s.name) {
		s.entry.Dynamic, s.entry.Resources = true, nil
	}
	for _, over := range s.entry.OverLimits() {
		s.findings = append(s.findings, digestFinding(s.dir, digest.RuleFileLimit, ".", "the skill has "+over))
	}
	return s
}

// forbidsServing reports whether a finding keeps a skill from being served: any
// error of the specification but those about files that are left out anyway.
func forbidsServing(d spec.Diagnostic) bool {
	return d.Severity == spec.Error && !strings.HasPrefix(d.RuleID, "symlink-") && d.RuleID != "special-file" ||
		strings.HasPrefix(d.RuleID, "symlink-") && d.Path == spec.SkillFile
}

// digestFinding is a finding under a rule of pkg/digest.
func digestFinding(skill, rule, path, message string) report.Finding {
	severity := spec.Error
	for _, info := range digest.Rules() {
		if info.ID == rule {
			severity = info.Severity
		}
	}
	return report.Finding{Skill: skill, Diagnostic: spec.Diagnostic{RuleID: rule, Severity: severity, Path: path, Message: message}}
}

// reportDuplicateURIs takes the entries of all but the first skill with a URI
// away: a server can only serve one of them (AS-S6).
func reportDuplicateURIs(all []served) {
	first := map[string]string{}
	for i := range all {
		s := &all[i]
		if !s.servable() {
			continue
		}
		before, taken := first[s.entry.URI]
		if !taken {
			first[s.entry.URI] = s.dir
			continue
		}
		s.findings = append(s.findings, digestFinding(s.dir, digest.RuleDuplicateURI, ".",
			fmt.Sprintf("the URI %q is that of %s too; --uri-prefix or a common directory to search tells them apart", s.entry.URI, filepath.Base(filepath.Dir(before))+"/"+filepath.Base(before))))
		s.entry = digest.Skill{}
	}
}

func runManifest(c *cli.Context, e *env) error {
	start := time.Now()
	p, err := newPublisher(c)
	if err != nil {
		return err
	}
	if c.String("write") != "" && c.String("check") != "" {
		return usagef("--write and --check exclude each other")
	}
	t, err := resolveSkills(c, e)
	if err != nil {
		return err
	}
	all, err := p.publish(c.Context, t)
	if err != nil {
		return err
	}
	differs, err := printManifest(c, e, p, all)
	if err != nil {
		return err
	}
	return concludeManifest(e, t, all, differs, start)
}

// printManifest writes what was asked for, and reports whether --check found a
// difference.
func printManifest(c *cli.Context, e *env, p publisher, all []served) (bool, error) {
	for _, name := range p.dynamic {
		if !slices.ContainsFunc(all, func(s served) bool { return s.name == name }) {
			return false, usagef("--dynamic: no skill is called %q", name)
		}
	}
	if file := c.String("check"); file != "" {
		return checkManifest(e, file, all)
	}
	if file := c.String("write"); file != "" {
		return false, writeManifest(e, file, all)
	}
	switch c.String("output-format") {
	case "json":
		text, err := manifestJSON(all)
		if err != nil {
			return false, err
		}
		_, err = e.stdout.Write(text)
		return false, err
	case "jsonl":
		return false, printJSONLines(e.stdout, all)
	case "sha256sum":
		return false, printSums(e.stdout, all)
	case "native":
		return false, printNative(e.stdout, all)
	}
	return false, printManifestText(e.stdout, all)
}

// manifestJSON gives {"skills": […]} as servers load it.
func manifestJSON(all []served) ([]byte, error) {
	return indented(digest.Skills{Skills: entries(all)})
}

// indented gives a value as JSON for files that people look at.
func indented(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func entries(all []served) []digest.Skill {
	list := []digest.Skill{}
	for _, s := range all {
		if s.servable() {
			list = append(list, s.entry)
		}
	}
	slices.SortFunc(list, func(a, b digest.Skill) int { return strings.Compare(a.URI, b.URI) })
	return list
}

func printJSONLines(w io.Writer, all []served) error {
	for _, entry := range entries(all) {
		line, err := entry.MarshalJSON()
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\n", line); err != nil {
			return err
		}
	}
	return nil
}

func printSums(w io.Writer, all []served) error {
	if len(all) > 1 {
		return usagef("-f sha256sum is about one skill, to be checked in its folder; %d were found", len(all))
	}
	for _, s := range all {
		if s.manifest != nil {
			if _, err := w.Write(s.manifest.Sums()); err != nil {
				return err
			}
		}
	}
	return nil
}

func printNative(w io.Writer, all []served) error {
	list := digest.NativeSet{Schema: digest.NativeSchemaURL, Version: digest.NativeVersion, Skills: []digest.Native{}}
	for _, s := range all {
		if s.servable() {
			list.Skills = append(list.Skills, s.manifest.Native())
		}
	}
	text, err := indented(list)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// printManifestText prints a table for each skill.
func printManifestText(w io.Writer, all []served) error {
	var b strings.Builder
	for _, s := range all {
		if !s.servable() {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(term.Escape(s.entry.URI) + "\n")
		if s.entry.Dynamic {
			b.WriteString("  dynamic: no digests are published\n")
			continue
		}
		for _, f := range s.manifest.Entries {
			fmt.Fprintf(&b, "  %s %10d  %s\n", f.Digest.Hex(), f.Size, term.Escape(f.Path))
		}
		fmt.Fprintf(&b, "  %d of %d files, %d of %d bytes\n", len(s.manifest.Entries), digest.MaxResources, s.manifest.Size(), digest.MaxBytes)
		for _, left := range s.manifest.LeftOut {
			fmt.Fprintf(&b, "  left out: %s (%s)\n", term.Escape(left.Path), left.Reason)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeManifest writes the JSON manifest, in one step, if it is another one
// than the file holds.
func writeManifest(e *env, file string, all []served) error {
	for _, s := range all {
		if len(s.errors) > 0 {
			return nil // what could not be read must not vanish from the file
		}
	}
	text, err := manifestJSON(all)
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, text) {
		e.notef("%s is up to date", term.Escape(file))
		return nil
	}
	if err := writeAtomic(file, text); err != nil {
		return fmt.Errorf("the manifest cannot be written to %q: %w", file, plainError(err))
	}
	e.notef("%s was written", term.Escape(file))
	return nil
}

// checkManifest compares with the manifest in a file and prints what differs.
func checkManifest(e *env, file string, all []served) (bool, error) {
	text, err := readBounded(file, digest.MaxManifestBytes)
	if err != nil {
		return false, fmt.Errorf("--check: %q: %w", file, plainError(err))
	}
	old, err := digest.ReadManifest(text)
	if err != nil {
		return false, fmt.Errorf("--check: %q: %w", file, err)
	}
	fresh, err := manifestJSON(all)
	if err != nil {
		return false, err
	}
	now, err := digest.ReadManifest(fresh)
	if err != nil {
		return false, err
	}
	changes := diffManifests(old, now)
	_, err = io.WriteString(e.stdout, changes)
	return changes != "", err
}

// diffManifests says what changed from one set of entries to another, a line
// for each change; "" says that nothing did.
func diffManifests(old, now []digest.Expected) string {
	before, after := byURI(old), byURI(now)
	var b strings.Builder
	for _, uri := range sortedKeys(before, after) {
		was, hadBefore := before[uri]
		is, hasNow := after[uri]
		switch {
		case !hadBefore:
			fmt.Fprintf(&b, "added    %s\n", term.Escape(uri))
		case !hasNow:
			fmt.Fprintf(&b, "removed  %s\n", term.Escape(uri))
		default:
			b.WriteString(diffEntry(uri, was, is))
		}
	}
	return b.String()
}

func diffEntry(uri string, was, is digest.Expected) string {
	var b strings.Builder
	for _, fault := range was.Faults {
		fmt.Fprintf(&b, "  invalid  %s\n", term.Escape(fault.Message))
	}
	if was.Dynamic != is.Dynamic {
		fmt.Fprintf(&b, "  changed  resources: dynamic is %v now\n", is.Dynamic)
	}
	changes := digest.Compare(
		digest.Side{Files: was.Files, Frontmatter: was.Frontmatter},
		digest.Side{Files: is.Files, Frontmatter: is.Frontmatter},
	)
	writeChanges(&b, changes, "  ")
	if b.Len() == 0 {
		return ""
	}
	return "changed  " + term.Escape(uri) + "\n" + b.String()
}

func byURI(list []digest.Expected) map[string]digest.Expected {
	m := make(map[string]digest.Expected, len(list))
	for _, e := range list {
		m[e.URI] = e
	}
	return m
}

func sortedKeys[V any](maps ...map[string]V) []string {
	var keys []string
	for _, m := range maps {
		for key := range m {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// concludeManifest reports on standard error what cannot be served, and gives
// the exit code.
func concludeManifest(e *env, t targets, all []served, differs bool, start time.Time) error {
	r := &report.Report{Base: filepath.ToSlash(t.base), Errors: t.errors, Notes: t.notes, FailLevel: spec.Error}
	for _, s := range all {
		status := report.StatusValid
		if !s.servable() {
			status = report.StatusInvalid
		}
		if len(s.errors) > 0 {
			status = report.StatusError
		}
		r.Skills = append(r.Skills, report.Skill{Path: s.dir, Name: s.name, Status: status, Files: s.files})
		r.Findings = append(r.Findings, s.findings...)
		r.Errors = append(r.Errors, s.errors...)
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

// commentReport prints findings and summary on standard error.
func commentReport(e *env, r *report.Report) error {
	workDir, err := realPath(".")
	if err != nil {
		return errors.New("the working directory cannot be found")
	}
	r.WorkDir = filepath.ToSlash(workDir)
	options := e.options(e.stderr)
	reporter, err := report.New("concise", options)
	if err != nil {
		return err
	}
	if err := reporter.Report(e.stderr, r); err != nil {
		return err
	}
	fmt.Fprint(e.stderr, report.ErrorLines(r, options))
	if !e.quiet {
		fmt.Fprint(e.stderr, report.NoteLines(r, options))
		fmt.Fprintln(e.stderr, report.Summary(r, options))
	}
	return nil
}
