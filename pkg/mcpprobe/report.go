package mcpprobe

import (
	"time"

	"github.com/skilltool/skilltool/pkg/spec"
)

// Verdict is the outcome of an audit.
type Verdict string

// The verdicts. An audit that a bound stopped is incomplete unless something
// failed before: it is never a pass.
const (
	VerdictPass       Verdict = "pass"
	VerdictFail       Verdict = "fail"
	VerdictIncomplete Verdict = "incomplete"
)

// Outcome is what an audit says of one skill.
type Outcome string

// The outcomes. OutcomeUnverifiable is a dynamic skill: it carries no digests
// (C-4).
const (
	OutcomeVerified     Outcome = "verified"
	OutcomeFailed       Outcome = "failed"
	OutcomeUnverifiable Outcome = "unverifiable"
	OutcomeIncomplete   Outcome = "incomplete"
)

// SkillReport is what an audit says of one skill.
type SkillReport struct {
	URI     string
	Name    string
	Outcome Outcome
	// Dynamic skills have no manifest.
	Dynamic bool
	// Listed is false for a skill that was asked for by URI.
	Listed bool
	// Files are in the order of the entry.
	Files []FileReport
	// Diagnostics are the findings of the validator on what is served, where
	// AuditOptions.Content asked for them. Their paths are relative to the
	// skill.
	Diagnostics []spec.Diagnostic
}

// FileState is what an audit says of one file.
type FileState string

// The states. FileSkipped was not asked for: a bound, or an error before it.
const (
	FileVerified     FileState = "verified"
	FileMismatch     FileState = "mismatch"
	FileUnreadable   FileState = "unreadable"
	FileUnverifiable FileState = "unverifiable"
	FileSkipped      FileState = "skipped"
)

// FileReport is what an audit says of one file of a skill.
type FileReport struct {
	URI   string
	State FileState
	// Size and Digest are those listed, HaveSize and HaveDigest those seen; -1
	// and "" where there is none.
	Size       int64
	Digest     string
	HaveSize   int64
	HaveDigest string
	// Message says what is wrong; "" for a verified file.
	Message string
}

// Report is the outcome of an audit. Nothing in it depends on the order in
// which answers came.
type Report struct {
	Server Server
	// Results are sorted by group, check, skill, URI and message; passes are
	// folded.
	Results []Result
	// Skills are sorted by URI.
	Skills  []SkillReport
	Pages   int
	Traffic Traffic
	// Elapsed is the time of the whole audit.
	Elapsed time.Duration
	// GroupElapsed is the time spent in requests of each stage.
	GroupElapsed map[Group]time.Duration
	// Bounds are the bounds that ended something, by name, and what was seen;
	// sorted.
	Bounds  []LimitError
	Verdict Verdict
	// Fatal is the error that ended the audit early, or nil: the connection
	// was lost, the extension is not declared, credentials were refused.
	Fatal error

	// Incomplete says that something could not be examined: a bound, an error
	// of the connection, a server that wants input first.
	Incomplete bool
}

// judge gives the verdict on the results as they are.
func (r *Report) judge() Verdict {
	switch {
	case r.Count(Fail) > 0:
		return VerdictFail
	case r.Incomplete || r.Count(Error) > 0:
		return VerdictIncomplete
	}
	return VerdictPass
}

// Count gives the number of results with a status: for passes, of the things
// that passed; expected failures count as nothing.
func (r *Report) Count(status Status) int {
	n := 0
	for _, result := range r.Results {
		if result.Status == status && !result.Expected {
			n += result.Count
		}
	}
	return n
}
