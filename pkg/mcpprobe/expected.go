package mcpprobe

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// The bounds of a file of expected failures, which people write.
const (
	maxExpectedBytes = 1 << 20
	maxExpectedLines = 10_000
)

// ExpectedFailure is a failure that a user knows of.
type ExpectedFailure struct {
	// Line is where it stands in its file, from 1.
	Line  int
	Check *CheckInfo
	// Glob is held against the URI of the skill, its name, and the URI of the
	// file; "" fits all.
	Glob string
}

func (x ExpectedFailure) String() string {
	if x.Glob == "" {
		return x.Check.ID
	}
	return x.Check.ID + " " + x.Glob
}

// ExpectedFailuresError says what is wrong with a file of expected failures.
type ExpectedFailuresError struct {
	Line int
	// Check is a word that names no check, or "".
	Check   string
	Message string
}

func (e *ExpectedFailuresError) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Message)
}

// ParseExpectedFailures reads lines of the id of a check and, where only some
// skills or files are meant, a glob: "*" fits any characters but "/", "**" as a
// whole segment any segments. "#" at the beginning of a line or behind a blank
// starts a comment. The error is an *ExpectedFailuresError.
func ParseExpectedFailures(text []byte) ([]ExpectedFailure, error) {
	switch {
	case len(text) > maxExpectedBytes:
		return nil, &ExpectedFailuresError{Message: fmt.Sprintf("the file is larger than %d bytes", maxExpectedBytes)}
	case !utf8.Valid(text):
		return nil, &ExpectedFailuresError{Message: "the file is no UTF-8"}
	}
	known := map[string]*CheckInfo{}
	for _, check := range Checks() {
		known[check.ID] = check
	}
	var list []ExpectedFailure
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		number++
		if number > maxExpectedLines {
			return nil, &ExpectedFailuresError{number, "", fmt.Sprintf("the file has more than %d lines", maxExpectedLines)}
		}
		x, err := parseExpected(line, known)
		if err != nil {
			err.Line = number
			return nil, err
		}
		if x != nil {
			x.Line = number
			list = append(list, *x)
		}
	}
	return list, nil
}

// parseExpected reads one line, and gives nil for one without a check.
func parseExpected(line string, known map[string]*CheckInfo) (*ExpectedFailure, *ExpectedFailuresError) {
	words := strings.Fields(line)
	if i := slices.IndexFunc(words, func(word string) bool { return word[0] == '#' }); i >= 0 {
		words = words[:i]
	}
	switch {
	case len(words) == 0:
		return nil, nil
	case known[words[0]] == nil:
		return nil, &ExpectedFailuresError{Check: words[0], Message: fmt.Sprintf("there is no check %q", clip(words[0]))}
	case len(words) > 2:
		return nil, &ExpectedFailuresError{Message: fmt.Sprintf(
			"%d words; a line is the id of a check and, where wanted, one glob", len(words))}
	}
	x := &ExpectedFailure{Check: known[words[0]]}
	if len(words) == 2 {
		x.Glob = words[1]
	}
	if !doublestar.ValidatePattern(x.Glob) {
		return nil, &ExpectedFailuresError{Message: fmt.Sprintf("%q is no glob", clip(x.Glob))}
	}
	return x, nil
}

// MarkExpected marks the failures and warnings of a report that are expected,
// so that they fail nothing, and gives a failure for each line that fits none:
// it would hide the next one. file is the name that those show. Lines are not
// judged where their check was not made, or the audit ended early.
func (r *Report) MarkExpected(file string, list []ExpectedFailure) []Result {
	names := map[string]string{}
	for _, skill := range r.Skills {
		names[skill.URI] = skill.Name
	}
	made := map[*CheckInfo]bool{}
	used := make([]bool, len(list))
	for i := range r.Results {
		result := &r.Results[i]
		made[result.Check] = true
		if result.Status != Fail && result.Status != Warn {
			continue
		}
		for j, x := range list {
			if x.Check == result.Check && x.fits(result, names[result.Skill]) {
				result.Expected, used[j] = true, true
			}
		}
	}
	var stale []Result
	for j, x := range list {
		result := Result{Check: checkExpectedFailureStale, Status: Fail, Count: 1}
		switch {
		case used[j]:
			continue
		case r.Fatal != nil || len(r.Bounds) > 0:
			result.Status = Skip
			result.Message = fmt.Sprintf("%s:%d: %q is not judged: the audit ended early", file, x.Line, x)
		case !made[x.Check]:
			result.Status = Skip
			result.Message = fmt.Sprintf("%s:%d: %q is not judged: the check was not made", file, x.Line, x)
		default:
			result.Message = fmt.Sprintf("%s:%d: %q fits no failure any more; remove the line", file, x.Line, x)
		}
		stale = append(stale, result)
	}
	return stale
}

// fits reports whether the glob names a result's skill or file.
func (x ExpectedFailure) fits(r *Result, name string) bool {
	if x.Glob == "" {
		return true
	}
	for _, subject := range []string{r.Skill, r.URI, name} {
		if subject != "" && doublestar.MatchUnvalidated(x.Glob, subject) {
			return true
		}
	}
	return false
}
