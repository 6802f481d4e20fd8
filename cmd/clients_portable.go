package cmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/spec"
)

// maxPortableFixes bounds how many fixes one file gets in a run. It is far above
// what is needed; it ends a pair of fixes that undo each other.
const maxPortableFixes = 200

// portable is one run of --portable.
type portable struct {
	profiles []*clients.Profile
	fix      fixMode
	nested   bool
}

// runPortable says in what skills leave the portable core, and mends what is
// safe.
func runPortable(c *cli.Context, e *env, chosen *chosenProfiles, reports []reportFile, start time.Time) error {
	s, err := newSearch(c)
	if err != nil {
		return err
	}
	p := &portable{profiles: chosen.profiles, nested: s.nested}
	switch {
	case c.Bool("diff"):
		p.fix = fixDiff
	case c.Bool("fix"):
		p.fix = fixWrite
	}
	r, changes, err := p.run(c.Context, e, s, c.Int("jobs"))
	if err != nil {
		return err
	}
	if err := describeRun(c, r); err != nil {
		return err
	}
	r.FailLevel = spec.Warning
	r.ExitCode = p.exitCode(r, len(changes) > 0, c.Bool("exit-zero"))
	if p.fix == fixDiff {
		_, err = e.stdout.Write(changes)
	}
	for i := 0; i < len(reports) && p.fix != fixDiff && err == nil; i++ {
		err = e.writeReport(r, reports[i])
	}
	if err != nil {
		return err
	}
	r.Elapsed = time.Since(start)
	e.comment(r)
	if r.ExitCode != exitOK {
		return exitStatus(r.ExitCode)
	}
	return nil
}

// exitCode judges: each finding fails, and with --diff each difference.
func (p *portable) exitCode(r *report.Report, differs, exitZero bool) int {
	failing := differs
	if p.fix != fixDiff {
		failing = !exitZero && slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Severity >= r.FailLevel })
	}
	switch {
	case len(r.Errors) > 0:
		return exitFailure
	case failing:
		return exitFindings
	}
	return exitOK
}

func (p *portable) run(ctx context.Context, e *env, s search, jobs int) (*report.Report, []byte, error) {
	var mu sync.Mutex
	outcomes := map[string]outcome{}
	shown := e.startProgress("skills")
	defer shown.end()
	workers := startPool(ctx, jobs, func(s skillDir) {
		o := p.directory(s)
		mu.Lock()
		defer mu.Unlock()
		outcomes[s.dir] = o
		shown.done.Add(1)
	})
	t, err := s.resolve(ctx, e.args, workers.add)
	if waitErr := workers.wait(); err == nil {
		err = waitErr
	}
	if err != nil {
		return nil, nil, err
	}
	sorted := make([]outcome, len(t.dirs))
	for i, dir := range t.dirs {
		sorted[i] = outcomes[dir]
	}
	c := &check{nested: p.nested}
	r, changes := c.merge(sorted, t)
	r.Rules = clients.Rules()
	return r, changes, nil
}

// directory looks at one skill. A fault of the tool over one skill must not hide
// what the others are found to have.
func (p *portable) directory(s skillDir) (o outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			o = failed(s.dir, fmt.Sprintf("internal error: %v; please report it with this skill: %s", fault, issuesURL))
		}
	}()
	skill, err := s.load()
	if err != nil {
		return failed(s.dir, plainError(err).Error())
	}
	slash := filepath.ToSlash(s.dir)
	o = outcome{nested: len(skill.Nested())}
	skill, found := p.mend(s.dir, skill, &o)
	for _, err := range skill.Errors {
		o.errors = append(o.errors, skillError(slash, err))
	}
	for _, d := range found {
		o.findings = append(o.findings, finding(slash, skill, d))
	}
	o.skill = report.Skill{Path: slash, Name: skill.Frontmatter.Name, Status: status(o), Files: len(skill.Files), Bytes: skill.Bytes()}
	return o
}

// mend applies safe fixes as the mode says, and gives the skill as it is
// afterwards with what is left to find.
func (p *portable) mend(dir string, s *spec.Skill, o *outcome) (*spec.Skill, []spec.Diagnostic) {
	found := clients.Portable(s, clients.PlaceOf(s), p.profiles)
	if p.fix == fixOffer || s.Source == nil {
		return s, found
	}
	mended, left, applied := p.mendAll(s, found)
	if applied == 0 {
		return s, found
	}
	name := filepath.Join(dir, s.File)
	if p.fix == fixDiff {
		shown := name
		if workDir, err := os.Getwd(); err == nil {
			shown = displayPath(workDir, name)
		}
		o.diff = diff.Diff(filepath.ToSlash(shown), s.Source, filepath.ToSlash(shown), mended.Source)
		return s, found
	}
	if err := replaceFile(dir, s.File, s.Source, mended.Source); err != nil {
		o.errors = append(o.errors, report.Error{Path: filepath.ToSlash(name), Message: "the fixes were not written: " + err.Error()})
		return s, found
	}
	o.fixed = applied
	return mended, left
}

// mendAll applies one fix at a time and looks again, so that each is tried
// against the file as it is by then: none makes a prediction worse, and so all
// together do not. A fix that does not take its finding away is not repeated.
func (p *portable) mendAll(s *spec.Skill, found []spec.Diagnostic) (*spec.Skill, []spec.Diagnostic, int) {
	applied := 0
	refused := map[string]bool{}
	for range maxPortableFixes {
		d, fix := firstSafe(found, refused)
		if fix == nil {
			break
		}
		next := s.WithSource(edited(s.Source, fix.Edits))
		left := clients.Portable(next, clients.PlaceOf(next), p.profiles)
		if countLike(left, d) >= countLike(found, d) {
			refused[fixKey(d, fix)] = true
			continue
		}
		s, found = next, left
		applied++
	}
	return s, found, applied
}

// countLike counts the findings of the same rule about the same field.
func countLike(found []spec.Diagnostic, like *spec.Diagnostic) int {
	n := 0
	for i := range found {
		if found[i].RuleID == like.RuleID && found[i].Field == like.Field {
			n++
		}
	}
	return n
}

func fixKey(d *spec.Diagnostic, fix *spec.Fix) string {
	return d.RuleID + "\x00" + d.Field + "\x00" + fix.Title
}

// firstSafe gives the first fix that may be applied unseen, with its finding, or
// nil.
func firstSafe(found []spec.Diagnostic, refused map[string]bool) (*spec.Diagnostic, *spec.Fix) {
	for i := range found {
		for k := range found[i].Fixes {
			fix := &found[i].Fixes[k]
			if fix.Safety == spec.Safe && len(fix.Edits) > 0 && !refused[fixKey(&found[i], fix)] {
				return &found[i], fix
			}
		}
	}
	return nil, nil
}

// edited gives a text with edits that do not overlap.
func edited(source []byte, edits []spec.Edit) []byte {
	edits = slices.SortedFunc(slices.Values(edits), func(a, b spec.Edit) int { return a.Range.Start.Offset - b.Range.Start.Offset })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(out, source[at:e.Range.Start.Offset]...)
		out = append(out, e.Text...)
		at = e.Range.End.Offset
	}
	return append(out, source[at:]...)
}
