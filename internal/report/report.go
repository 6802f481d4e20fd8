// Package report writes what a check found, in every output format.
//
// A command fills one Report and hands it to the Reporter of each format that
// was asked for. A Report is complete before it is written: reporters format
// and never judge.
package report

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"github.com/skilltool/skilltool/pkg/spec"
)

// Report is the outcome of one run of a checking command.
type Report struct {
	Tool    Tool
	Command string
	// Base is the absolute, slash-separated directory that machine formats
	// make paths relative to; WorkDir is the one for people. Paths outside
	// stay absolute.
	Base    string
	WorkDir string
	// Rules are the rules that ran, sorted by id.
	Rules []spec.RuleInfo
	// Skills are sorted by path.
	Skills []Skill
	// Findings are sorted by path, position, rule and message.
	Findings []Finding
	// Suppressed were found and silenced; they weigh nothing.
	Suppressed []Suppressed
	// Errors name what could not be examined. With any of them there is no
	// verdict.
	Errors []Error
	// Verdicts are those of a comparing command, sorted by the skill's path.
	Verdicts []Verdict
	// Notes are facts about the run itself, for people.
	Notes    []string
	Fixed    int
	ExitCode int
	// FailLevel is the lightest severity that fails the run; zero stands for
	// spec.Error.
	FailLevel spec.Severity
	Elapsed   time.Duration
	// Timings is nil unless durations were asked for, so that two runs give
	// the same bytes.
	Timings []Timing
}

// Tool names the program that wrote the report.
type Tool struct{ Name, Version, Commit string }

// Skill is one skill that was examined.
type Skill struct {
	// Path is the skill's directory, absolute and slash-separated.
	Path string
	// Name is the name in the frontmatter, or "" without one.
	Name   string
	Status Status
	Files  int
	Bytes  int64
}

// Status is the outcome for one skill.
type Status string

// The outcomes for a skill.
const (
	// StatusValid skills have no finding of severity error.
	StatusValid Status = "valid"
	// StatusInvalid skills have at least one.
	StatusInvalid Status = "invalid"
	// StatusError marks skills that could not be examined whole.
	StatusError Status = "error"
)

// Finding is a diagnostic with what a report shows around it.
type Finding struct {
	spec.Diagnostic
	// Skill is the Path of the skill that it is about. The Diagnostic's own
	// paths are relative to it.
	Skill string
	// Line is the source line at the start of Range, whole and without its
	// line end; "" for a finding without a place.
	Line string
	// Fingerprint stays the same when lines move. It is unique in a report.
	Fingerprint string
}

// Suppressed is a finding that something silenced.
type Suppressed struct {
	Finding
	// By says what silenced it.
	By string
	// InSource is set where By is a comment in the skill itself.
	InSource bool
}

// Error is a place that could not be examined.
type Error struct {
	// Path is absolute and slash-separated, or "" where no path is to blame.
	Path    string
	Message string
}

// Timing is the time that one part of the run took, over all workers.
type Timing struct {
	Name     string
	Duration time.Duration
}

// Verdict says how one skill compares with what is expected of it.
type Verdict struct {
	// Skill is the Path of the skill, or where it would be.
	Skill string
	// State is ok, explained, unverifiable, tampered, missing (listed and not
	// there), unlisted (there and not listed) or error (not examined whole).
	State string
	// Note explains the state where no file does.
	Note string
	// Files are sorted by path.
	Files []FileVerdict
}

// FileVerdict says how one file compares.
type FileVerdict struct {
	// Path is relative to the skill.
	Path string
	// State is ok, modified, missing, extra or mode.
	State string
	// Message says what differs; it is "" for ok.
	Message string
	// Explained says what harmless change makes the difference, and
	// Unverifiable why nobody can tell; both may be "".
	Explained    string
	Unverifiable string
}

// Count gives the number of findings of one severity.
func (r *Report) Count(severity spec.Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == severity {
			n++
		}
	}
	return n
}

// Fixable gives the number of findings that a safe fix would mend.
func (r *Report) Fixable() int {
	n := 0
	for _, f := range r.Findings {
		if fix := f.bestFix(); fix != nil && fix.Safety == spec.Safe {
			n++
		}
	}
	return n
}

// Files gives the number of files of all skills.
func (r *Report) Files() int {
	n := 0
	for _, s := range r.Skills {
		n += s.Files
	}
	return n
}

// fails reports whether findings of a severity fail the run.
func (r *Report) fails(severity spec.Severity) bool {
	return severity >= cmp.Or(r.FailLevel, spec.Error)
}

// rulesByID indexes the rules that ran.
func (r *Report) rulesByID() map[string]*spec.RuleInfo {
	rules := make(map[string]*spec.RuleInfo, len(r.Rules))
	for i := range r.Rules {
		rules[r.Rules[i].ID] = &r.Rules[i]
	}
	return rules
}

// bestFix is the first safe fix, else the first, else nil.
func (f *Finding) bestFix() *spec.Fix {
	for i := range f.Fixes {
		if f.Fixes[i].Safety == spec.Safe {
			return &f.Fixes[i]
		}
	}
	if len(f.Fixes) > 0 {
		return &f.Fixes[0]
	}
	return nil
}

// sourceLine is Line as columns count it: a byte order mark is not part of it.
func (f *Finding) sourceLine() string {
	if f.Range.Start.Line == 1 {
		return strings.TrimPrefix(f.Line, "\uFEFF")
	}
	return f.Line
}

// RuleURL gives the address of a rule's page.
func RuleURL(id string) string {
	return "https://github.com/skilltool/skilltool/blob/main/docs/rules/" + url.PathEscape(id) + ".md"
}
