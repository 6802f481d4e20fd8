package near

import (
	"strings"
	"testing"
)

func TestWord(t *testing.T) {
	candidates := []string{"validate", "version", "new", "rule", "completion"}
	for word, want := range map[string]string{
		"validte": "validate", "vaildate": "validate", "VALIDATE": "validate", "comp": "completion",
		"rlue": "rule", "nwe": "new", "ve": "version", "v": "", "xyz": "", "": "",
		strings.Repeat("x", 1<<20): "",
	} {
		if got := Word(word, candidates); got != want {
			t.Errorf("Word(%.20q) = %q, want %q", word, got, want)
		}
	}
}
