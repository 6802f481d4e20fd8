// Package report writes what a check found, in every output format.
//
// A command fills one Report and hands it to the Reporter of each format that
// was asked for. A Report is complete before it is written: reporters format
// and never judge.
package report

import (
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
	// Notes are facts about the run itself, for people.
	Notes    []string
	Fixed    int
	ExitCode int
	Elapsed  time.Duration
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
