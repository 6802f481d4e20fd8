package report_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/internal/report"
)

// githubCommand is the whole grammar of a line: no property holds a colon or
// comma, and no line break is left anywhere.
var githubCommand = regexp.MustCompile(`^::(error|warning|notice) [a-zA-Z]+=[^,:\r\n]*(,[a-zA-Z]+=[^,:\r\n]*)*::[^\r\n]*$`)

// checkGitHub holds output to one command on a line and nothing else.
func checkGitHub(t testing.TB, got string, r *report.Report) {
	t.Helper()
	if got == "" && len(r.Findings)+len(r.Errors) == 0 {
		return
	}
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if want := len(r.Findings) + len(r.Errors); len(lines) != want {
		t.Errorf("there are %d lines, want %d:\n%s", len(lines), want, got)
	}
	for _, line := range lines {
		if !githubCommand.MatchString(line) {
			t.Errorf("this is no command, or more than one: %q", line)
		}
	}
}

func TestGitHub(t *testing.T) {
	for _, fixture := range fixtures {
		r := fixture()
		checkGitHub(t, write(t, "github", report.Options{}, r), r)
	}
}
