package spec

import (
	"cmp"
	"fmt"
	"slices"
)

// Severity says how much a finding weighs. Severities are ordered: a greater
// one weighs more.
type Severity int

// The severities, from the lightest to the heaviest.
const (
	// Info is advice.
	Info Severity = iota + 1
	// Warning marks what conforms to the specification and will hurt somebody.
	Warning
	// Error marks what does not conform to the specification.
	Error
)

var severityNames = map[Severity]string{Info: "info", Warning: "warning", Error: "error"}

// String gives "info", "warning" or "error".
func (s Severity) String() string {
	if name, ok := severityNames[s]; ok {
		return name
	}
	return fmt.Sprintf("Severity(%d)", int(s))
}

// MarshalText gives the same words as String; it fails for a value that is no
// severity.
func (s Severity) MarshalText() ([]byte, error) {
	if name, ok := severityNames[s]; ok {
		return []byte(name), nil
	}
	return nil, fmt.Errorf("severity %d is not known", int(s))
}

// UnmarshalText takes "info", "warning" or "error".
func (s *Severity) UnmarshalText(text []byte) error {
	for severity, name := range severityNames {
		if name == string(text) {
			*s = severity
			return nil
		}
	}
	return fmt.Errorf("severity %q is not known; use error, warning or info", text)
}

// Safety says whether a fix may be applied unseen.
type Safety string

// The tiers of safety.
const (
	// Safe fixes keep the meaning that the author wrote.
	Safe Safety = "safe"
	// Unsafe fixes may change it and want to be looked at.
	Unsafe Safety = "unsafe"
)

// Edit replaces the bytes of Range in the file Path by Text.
type Edit struct {
	// Path is slash-separated and relative to the skill's directory.
	Path  string
	Range Range
	Text  string
}

// Fix is one way to mend a finding. Its edits belong together and do not
// overlap.
type Fix struct {
	// Title says in a few words what the fix does, in the imperative.
	Title  string
	Safety Safety
	Edits  []Edit
}

// Related is a second place that helps to understand a finding.
type Related struct {
	// Path is slash-separated and relative to the skill's directory.
	Path    string
	Range   Range
	Message string
}

// Diagnostic is one finding about a skill. Findings are values: a skill that
// breaks every rule is no failure of the program that looks at it.
type Diagnostic struct {
	RuleID   string
	Severity Severity
	// Path is the file that the finding is about, slash-separated and relative
	// to the skill's directory; "." is the directory itself.
	Path string
	// Field is a JSON Pointer (RFC 6901) into the frontmatter, or "" where the
	// finding is not about a field.
	Field string
	// Range is the exact place in the file; the zero Range is the whole file.
	Range Range
	// Message says what is and what is allowed: lower case, no full stop.
	// Text of the skill in it is quoted with %q.
	Message string
	// Help says what to do about it, or adds a fact; it may be empty.
	Help    string
	Related []Related
	Fixes   []Fix
}

// SortDiagnostics puts ds in the one order that every report uses: by path,
// position, rule and message.
func SortDiagnostics(ds []Diagnostic) {
	slices.SortStableFunc(ds, CompareDiagnostics)
}

// CompareDiagnostics orders by path, position, rule and message, and gives
// what cmp.Compare gives.
func CompareDiagnostics(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset),
		cmp.Compare(a.Range.End.Offset, b.Range.End.Offset),
		cmp.Compare(a.RuleID, b.RuleID),
		cmp.Compare(a.Message, b.Message),
	)
}
