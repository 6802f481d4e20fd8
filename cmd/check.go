package cmd

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/spec"
)

// check is one run of rules over skills.
type check struct {
	rules []spec.Rule
	jobs  int
	fix   fixMode
	// nested says that skills within skills are checked on their own.
	nested  bool
	timings bool
	// begin starts to show how many skills are done.
	begin func() *progress
}

// outcome is what one skill gives.
type outcome struct {
	skill    report.Skill
	findings []report.Finding
	errors   []report.Error
	nested   int
	fixed    int
	diff     []byte
	timings  []time.Duration // loading, then one for each rule
}

// run checks the skills that args stand for, several at a time and while the
// search for them goes on. The order of its report depends on neither.
func (c *check) run(ctx context.Context, s search, args []string) (*report.Report, []byte, error) {
	var mu sync.Mutex
	outcomes := map[string]outcome{}
	shown := c.begin()
	defer shown.end()
	workers := startPool(ctx, c.jobs, func(s skillDir) {
		o := c.directory(s)
		mu.Lock()
		defer mu.Unlock()
		outcomes[s.dir] = o
		shown.done.Add(1)
	})
	t, err := s.resolve(ctx, args, workers.add)
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
	r, diff := c.merge(sorted, t)
	return r, diff, nil
}

// directory checks the skill in one directory. A fault of the tool over one
// skill must not hide what the others are found to have.
func (c *check) directory(s skillDir) (o outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			o = failed(s.dir, fmt.Sprintf("internal error: %v; please report it with this skill: %s", fault, issuesURL))
		}
	}()
	start := time.Now()
	skill, err := s.load()
	if err != nil {
		return failed(s.dir, plainError(err).Error())
	}
	return c.skill(s.dir, skill, time.Since(start))
}

// failed is the outcome for a skill that could not be examined.
func failed(dir, message string) outcome {
	slash := filepath.ToSlash(dir)
	return outcome{
		skill:  report.Skill{Path: slash, Status: report.StatusError},
		errors: []report.Error{{Path: slash, Message: message}},
	}
}

// skill checks a skill that has been read from dir.
func (c *check) skill(dir string, s *spec.Skill, loading time.Duration) outcome {
	slash := filepath.ToSlash(dir)
	o := outcome{timings: []time.Duration{loading}, nested: len(s.Nested())}
	s = c.applyFixes(dir, s, &o)
	for _, err := range s.Errors {
		o.errors = append(o.errors, skillError(slash, err))
	}
	lines := map[int]string{} // a long line may hold many findings
	for _, d := range c.validate(s, &o) {
		f := report.Finding{Diagnostic: d, Skill: slash}
		if !d.Range.IsZero() && d.Path == s.File {
			if _, known := lines[d.Range.Start.Line]; !known {
				lines[d.Range.Start.Line] = sourceLine(s, d)
			}
			f.Line = lines[d.Range.Start.Line]
		}
		o.findings = append(o.findings, f)
	}
	o.skill = report.Skill{
		Path:   slash,
		Name:   s.Frontmatter.Name,
		Status: status(o),
		Files:  len(s.Files),
		Bytes:  s.Bytes(),
	}
	return o
}

// validate runs the rules, each on its own where their times are asked for.
func (c *check) validate(s *spec.Skill, o *outcome) []spec.Diagnostic {
	if !c.timings {
		return spec.Validate(s, c.rules...)
	}
	var found []spec.Diagnostic
	for _, rule := range c.rules {
		start := time.Now()
		found = append(found, spec.Validate(s, rule)...)
		o.timings = append(o.timings, time.Since(start))
	}
	spec.SortDiagnostics(found)
	return found
}

func status(o outcome) report.Status {
	if len(o.errors) > 0 {
		return report.StatusError
	}
	for _, f := range o.findings {
		if f.Severity == spec.Error {
			return report.StatusInvalid
		}
	}
	return report.StatusValid
}

// skillError places an error about a file of a skill.
func skillError(skill string, err error) report.Error {
	if at, ok := err.(*spec.PathError); ok {
		return report.Error{Path: path.Join(skill, at.Path), Message: plainError(at.Err).Error()}
	}
	return report.Error{Path: skill, Message: plainError(err).Error()}
}

// finding places a diagnostic about a skill in a report.
func finding(skill string, s *spec.Skill, d spec.Diagnostic) report.Finding {
	return report.Finding{Diagnostic: d, Skill: skill, Line: sourceLine(s, d)}
}

// sourceLine gives the line that a finding starts on.
func sourceLine(s *spec.Skill, d spec.Diagnostic) string {
	if d.Range.IsZero() || d.Path != s.File {
		return ""
	}
	at := min(d.Range.Start.Offset, len(s.Source))
	start := bytes.LastIndexByte(s.Source[:at], '\n') + 1
	line, _, _ := bytes.Cut(s.Source[start:], []byte("\n"))
	return string(bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("\uFEFF")), []byte("\r")))
}

// merge puts the outcomes of all skills into one report.
func (c *check) merge(outcomes []outcome, t targets) (*report.Report, []byte) {
	r := &report.Report{Base: filepath.ToSlash(t.base), Errors: t.errors, Notes: t.notes}
	for _, rule := range c.rules {
		r.Rules = append(r.Rules, rule.RuleInfo)
	}
	nested := 0
	var diff []byte
	for _, o := range outcomes {
		r.Skills = append(r.Skills, o.skill)
		r.Findings = append(r.Findings, o.findings...)
		r.Errors = append(r.Errors, o.errors...)
		r.Fixed += o.fixed
		diff = append(diff, o.diff...)
		nested += o.nested
	}
	if nested > 0 && !c.nested {
		r.Notes = append(r.Notes, nestedNote(nested))
	}
	fingerprint(r)
	if c.timings {
		r.Timings = c.sumTimings(outcomes)
	}
	return r, diff
}

func nestedNote(n int) string {
	if n == 1 {
		return "1 skill stands within another skill; --nested checks it on its own too"
	}
	return fmt.Sprintf("%d skills stand within other skills; --nested checks them on their own too", n)
}

func (c *check) sumTimings(outcomes []outcome) []report.Timing {
	timings := []report.Timing{{Name: "load"}}
	for _, rule := range c.rules {
		timings = append(timings, report.Timing{Name: rule.ID})
	}
	for _, o := range outcomes {
		for i, d := range o.timings {
			timings[i].Duration += d
		}
	}
	return timings
}

// fingerprint gives each finding a mark that stays when lines move: it is made
// of the rule, the skill's place below the base, the file, the field and the
// text, and of a count where all of these are the same.
func fingerprint(r *report.Report) {
	seen := map[string]int{}
	for i := range r.Findings {
		f := &r.Findings[i]
		key := strings.Join([]string{
			f.RuleID, displayPath(filepath.FromSlash(r.Base), f.Skill), f.Path, f.Field,
			strings.Join(strings.Fields(f.Line), " "), f.Message,
		}, "\x00")
		seen[key]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, seen[key]))
		f.Fingerprint = hex.EncodeToString(sum[:16])
	}
}

// checkInput checks text from standard input as if it were the file name.
func (c *check) checkInput(stdin io.Reader, name string) (*report.Report, []byte, error) {
	source, err := io.ReadAll(io.LimitReader(stdin, spec.MaxSkillFileBytes+1))
	if err != nil {
		return nil, nil, fmt.Errorf("reading standard input: %w", err)
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, nil, err
	}
	dir := filepath.Dir(abs)
	if real, err := realPath(dir); err == nil {
		dir = real
	}
	skill, err := spec.LoadDir(dir)
	if err != nil {
		skill = &spec.Skill{DirName: filepath.Base(dir)}
	}
	skill = skill.WithSource(source)
	skill.File, skill.FileProblem = spec.SkillFile, spec.FileOK
	workDir, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	t := targets{base: baseOf(workDir, []string{dir})}
	o := c.skill(dir, skill, 0)
	o.skill.Files = max(1, o.skill.Files) // the text itself, where nothing is on disk
	r, diff := c.merge([]outcome{o}, t)
	return r, diff, nil
}

// selectRules gives the rules that --select and --ignore leave, by id, category
// or glob. A word that fits none is a usage error.
func selectRules(all []spec.Rule, selected, ignored []string) ([]spec.Rule, error) {
	for _, list := range [][]string{selected, ignored} {
		for _, word := range list {
			if !slices.ContainsFunc(all, func(r spec.Rule) bool { return fits(r.RuleInfo, word) }) {
				return nil, unknownRule(word)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(r spec.Rule) bool {
		in := len(selected) == 0 || slices.ContainsFunc(selected, func(word string) bool { return fits(r.RuleInfo, word) })
		return !in || slices.ContainsFunc(ignored, func(word string) bool { return fits(r.RuleInfo, word) })
	}), nil
}

// fits reports whether a word of --select or --ignore means a rule.
func fits(rule spec.RuleInfo, word string) bool {
	if word == rule.ID || word == string(rule.Category) {
		return true
	}
	ok, err := path.Match(word, rule.ID)
	return err == nil && ok
}
