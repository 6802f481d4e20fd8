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

// Bounds of what one file gets in a run: rounds of fixes together, and fixes one
// by one. They are above what is needed; they end fixes that undo each other.
const (
	maxPortableRounds = 10
	maxPortableFixes  = 50
)

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
	input, err := readInputSkill(c, e, p.fix)
	if err != nil {
		return err
	}
	var r *report.Report
	var changes []byte
	if input != nil {
		r, changes = p.report([]outcome{p.skill(input.dir, input.skill)}, targets{base: input.base})
	} else if r, changes, err = p.run(c.Context, e, s, c.Int("jobs")); err != nil {
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
	r, changes := p.report(sorted, t)
	return r, changes, nil
}

// report puts the outcomes of all skills into one report.
func (p *portable) report(outcomes []outcome, t targets) (*report.Report, []byte) {
	c := &check{nested: p.nested}
	r, changes := c.merge(outcomes, t)
	r.Rules = clients.Rules()
	return r, changes
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
	return p.skill(s.dir, skill)
}

// skill looks at a skill that has been read from dir.
func (p *portable) skill(dir string, skill *spec.Skill) outcome {
	slash := filepath.ToSlash(dir)
	o := outcome{nested: len(skill.Nested())}
	skill, found := p.mend(dir, skill, &o)
	for _, err := range skill.Errors {
		o.errors = append(o.errors, skillError(slash, err))
	}
	for _, d := range found {
		o.findings = append(o.findings, finding(slash, skill, d))
	}
	o.skill = report.Skill{Path: slash, Name: skill.Frontmatter.Name, Status: status(o), Files: max(1, len(skill.Files)), Bytes: skill.Bytes()}
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

// mendAll applies all fixes that do not touch each other, looks whether any
// client does worse than before, and looks again. Where one does, the fixes are
// applied one by one.
func (p *portable) mendAll(s *spec.Skill, found []spec.Diagnostic) (*spec.Skill, []spec.Diagnostic, int) {
	applied := 0
	for range maxPortableRounds {
		edits, n := safeEdits(found)
		if n == 0 {
			return s, found, applied
		}
		next := s.WithSource(spec.ApplyEdits(s.Source, edits))
		if p.worse(s, next) {
			break
		}
		left := clients.Portable(next, clients.PlaceOf(next), p.profiles)
		if len(left) >= len(found) {
			break
		}
		s, found, applied = next, left, applied+n
	}
	return p.mendSingly(s, found, applied)
}

// worse reports whether a client does worse with a skill after a change.
func (p *portable) worse(before, after *spec.Skill) bool {
	a, b := clients.NewDocument(before, clients.PlaceOf(before)), clients.NewDocument(after, clients.PlaceOf(after))
	return slices.ContainsFunc(p.profiles, func(profile *clients.Profile) bool {
		return clients.Worse(a.Predict(profile), b.Predict(profile))
	})
}

// safeEdits gives the edits of the first safe fix of each finding, as far as
// they do not touch each other, and the number of fixes.
func safeEdits(found []spec.Diagnostic) ([]spec.Edit, int) {
	var edits []spec.Edit
	n := 0
	for i := range found {
		_, fix := firstSafe(found[i:i+1], nil)
		if fix == nil || slices.ContainsFunc(fix.Edits, func(e spec.Edit) bool { return touches(edits, e) }) {
			continue
		}
		edits = append(edits, fix.Edits...)
		n++
	}
	return edits, n
}

// touches reports whether an edit overlaps or meets one of the last edits; those
// of findings come in the order of their places.
func touches(edits []spec.Edit, e spec.Edit) bool {
	const near = 16
	return slices.ContainsFunc(edits[max(0, len(edits)-near):], func(other spec.Edit) bool {
		return e.Range.Start.Offset <= other.Range.End.Offset && other.Range.Start.Offset <= e.Range.End.Offset
	})
}

// mendSingly applies one fix at a time and looks again, so that each is tried
// against the file as it is by then. A fix that does not take its finding away is
// not repeated.
func (p *portable) mendSingly(s *spec.Skill, found []spec.Diagnostic, applied int) (*spec.Skill, []spec.Diagnostic, int) {
	refused := map[string]bool{}
	for range maxPortableFixes {
		d, fix := firstSafe(found, refused)
		if fix == nil {
			break
		}
		next := s.WithSource(spec.ApplyEdits(s.Source, fix.Edits))
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
