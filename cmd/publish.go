package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/spec"
)

// publisher makes entries of skills.
type publisher struct {
	prefix  digest.Prefix
	dynamic []string
	rules   []spec.Rule
}

func newPublisher(c *cli.Context) (publisher, error) {
	p := publisher{dynamic: c.StringSlice("dynamic"), rules: servingRules()}
	var err error
	if prefix := c.String("uri-prefix"); prefix != "" {
		if p.prefix, err = digest.ParsePrefix(prefix); err != nil {
			return p, usagef("--uri-prefix: %w", err)
		}
	}
	scheme := c.String("scheme")
	switch {
	case scheme == "":
		return p, nil
	case p.prefix.Scheme != "" && p.prefix.Scheme != scheme:
		return p, usagef("--scheme is %q and --uri-prefix has %q", scheme, p.prefix.Scheme)
	}
	if err := digest.CheckScheme(scheme); err != nil {
		return p, usagef("--scheme: %w", err)
	}
	p.prefix.Scheme = scheme
	return p, nil
}

// servingRules are the rules of validate that matter to a server: those whose
// findings keep a skill from being served, and the one about scalars that hosts
// read differently in the entry and in SKILL.md.
func servingRules() []spec.Rule {
	return slices.DeleteFunc(spec.Rules(), func(r spec.Rule) bool {
		return r.Severity != spec.Error && r.ID != "symlink-inside" && r.ID != "ambiguous-scalar"
	})
}

// served is one skill as it would be published.
type served struct {
	dir      string // absolute and slash-separated
	path     string // below the argument, ending in the name
	name     string
	files    int
	bytes    int64
	nested   int // skills below it that have no entry
	manifest *digest.Manifest
	// frontmatter is nil for a skill that cannot be served.
	frontmatter json.RawMessage
	entry       digest.Skill
	findings    []report.Finding
	errors      []report.Error
}

// servable reports whether the skill has an entry.
func (s *served) servable() bool { return s.entry.URI != "" }

// report gives what a report says of the skill.
func (s *served) report() report.Skill {
	status := report.StatusValid
	switch {
	case len(s.errors) > 0:
		status = report.StatusError
	case !s.servable():
		status = report.StatusInvalid
	}
	return report.Skill{Path: s.dir, Name: s.name, Status: status, Files: s.files, Bytes: s.bytes}
}

// publish reads the skills that the arguments stand for and makes their entries,
// sorted by directory.
func publish(ctx context.Context, c *cli.Context, e *env, p publisher) (targets, []served, error) {
	t, all, err := readSkills(ctx, c, e, p.read)
	if err != nil {
		return t, nil, err
	}
	workDir, err := realPath(".")
	if err != nil {
		return t, nil, err
	}
	for i := range all {
		if c.Bool("nested") {
			all[i].nested = 0
		}
		p.place(&all[i], t.below[t.dirs[i]])
	}
	reportDuplicates(all, workDir)
	return t, all, nil
}

// read reads one skill and finds out whether it can be served.
func (p publisher) read(ctx context.Context, d skillDir) served {
	s := served{dir: filepath.ToSlash(d.dir)}
	skill, manifest, errs := readSkill(ctx, d)
	if s.errors = errs; skill == nil {
		return s
	}
	s.name, s.manifest = skill.Frontmatter.Name, manifest
	s.files, s.bytes, s.nested = len(skill.Files), skill.Bytes(), len(skill.Nested())
	leftOut := map[string]bool{}
	for _, left := range manifest.LeftOut {
		leftOut[left.Path] = left.Path != spec.SkillFile
	}
	for _, d := range spec.Validate(skill, p.rules...) {
		if !leftOut[d.Path] {
			s.findings = append(s.findings, finding(s.dir, skill, forServing(d)))
		}
	}
	if len(s.errors) > 0 || s.hasError() {
		return s
	}
	frontmatter, err := skill.Frontmatter.JSON()
	if err != nil {
		s.errors = append(s.errors, report.Error{Path: s.dir, Message: err.Error()})
		return s
	}
	s.frontmatter = frontmatter
	return s
}

// forServing makes an error of a link in place of SKILL.md, which no server
// reads. Fixes are for validate to apply.
func forServing(d spec.Diagnostic) spec.Diagnostic {
	d.Fixes = nil
	if strings.HasPrefix(d.RuleID, "symlink-") {
		d.Severity = spec.Error
		d.Message += "; no link is served"
	}
	return d
}

func (s *served) hasError() bool {
	return slices.ContainsFunc(s.findings, func(f report.Finding) bool { return f.Severity == spec.Error })
}

func (s *served) add(rule, message string) {
	s.findings = append(s.findings, digestFinding(s.dir, rule, ".", message))
}

// place gives a skill its URI and so its entry. below is its path below the
// argument that led to it.
func (p publisher) place(s *served, below string) {
	if s.path = below; below == "." {
		s.path = s.name
	}
	if s.frontmatter == nil || !p.hasURI(s) {
		return
	}
	s.entry = digest.NewSkill(p.prefix.Dir(s.path), s.frontmatter, s.manifest)
	if slices.Contains(p.dynamic, s.name) {
		s.entry.Dynamic, s.entry.Resources = true, nil
	}
	for _, over := range s.entry.OverLimits() {
		s.add(digest.RuleFileLimit, "the skill has "+over)
	}
}

// hasURI wants a path that ends in the skill's name and makes a URI (S-ENT2,
// S-ENT3).
func (p publisher) hasURI(s *served) bool {
	for _, segment := range strings.Split(s.path, "/") {
		if err := digest.CheckSegment(segment); err != nil {
			s.add(digest.RuleEntryURI, fmt.Sprintf("the path %q makes no URI: %v", s.path, err))
			return false
		}
	}
	if last := path.Base(s.path); last != s.name {
		f := digestFinding(s.dir, "name-directory", spec.SkillFile,
			fmt.Sprintf("the URI must end in the name %q, and the skill's folder is called %q", s.name, last))
		s.findings = append(s.findings, f)
		return false
	}
	return true
}

// digestFinding is a finding under a rule of pkg/digest, or an error.
func digestFinding(skill, rule, path, message string) report.Finding {
	severity := spec.Error
	for _, info := range digest.Rules() {
		if info.ID == rule {
			severity = info.Severity
		}
	}
	return report.Finding{Skill: skill, Diagnostic: spec.Diagnostic{RuleID: rule, Severity: severity, Path: path, Message: message}}
}

// reportDuplicates takes the entries of all but the first skill with a URI away:
// a server can only serve one of them (AS-S6). Skills that share a name only
// are a warning (S-LST5).
func reportDuplicates(all []served, workDir string) {
	uris, names := map[string]string{}, map[string]string{}
	for i := range all {
		s := &all[i]
		if !s.servable() {
			continue
		}
		shown := displayPath(workDir, s.dir)
		if first, taken := uris[s.entry.URI]; taken {
			s.add(digest.RuleDuplicateURI, fmt.Sprintf("%q and %q have one URI, %s; a common folder as argument, or --uri-prefix, tells them apart",
				first, shown, s.entry.URI))
			s.entry = digest.Skill{}
			continue
		}
		uris[s.entry.URI] = shown
		if first, taken := names[s.name]; taken {
			s.add(digest.RuleDuplicateName, fmt.Sprintf("%q and %q have one name, %q; hosts show both under it", first, shown, s.name))
			continue
		}
		names[s.name] = shown
	}
}
