package mcpprobe

import (
	"fmt"
	"path"

	"github.com/skilltool/skilltool/internal/near"
)

// selects reports whether patterns choose a check: by its id, its group, or a
// glob over either.
func selects(only, leave []string, check *CheckInfo) bool {
	return (len(only) == 0 || matchesAny(only, check)) && !matchesAny(leave, check)
}

func matchesAny(patterns []string, check *CheckInfo) bool {
	for _, pattern := range patterns {
		if ok, _ := path.Match(pattern, check.ID); ok {
			return true
		}
		if ok, _ := path.Match(pattern, string(check.Group)); ok {
			return true
		}
	}
	return false
}

// SelectionError says that a pattern chooses no check.
type SelectionError struct {
	Pattern string
	// Near is the id or group that may have been meant, or "".
	Near string
}

func (e *SelectionError) Error() string {
	message := fmt.Sprintf("there is no check or group %q", clip(e.Pattern))
	if e.Near != "" {
		message += fmt.Sprintf("; did you mean %q", e.Near)
	}
	return message
}

// CheckSelection gives a *SelectionError for the first pattern of
// AuditOptions.Only and AuditOptions.Leave that chooses no check, and nil where
// each chooses one.
func CheckSelection(only, leave []string) error {
	for _, pattern := range append(append([]string{}, only...), leave...) {
		if err := checkPattern(pattern); err != nil {
			return err
		}
	}
	return nil
}

func checkPattern(pattern string) error {
	var words []string
	for _, group := range Groups() {
		words = append(words, string(group))
	}
	for _, check := range Checks() {
		if matchesAny([]string{pattern}, check) {
			return nil
		}
		words = append(words, check.ID)
	}
	return &SelectionError{Pattern: pattern, Near: near.Word(pattern, words)}
}

// isKept reports a check that is not made by Audit, since it is about what the
// user keeps: a lock, or what was expected.
func isKept(check *CheckInfo) bool {
	return check == checkLockApproved || check == checkExpectedContent || check == checkExpectedFailureStale
}
