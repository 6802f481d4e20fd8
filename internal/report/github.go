package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/spec"
)

// githubReporter writes workflow commands, which GitHub Actions shows as
// annotations.
type githubReporter struct{}

// Report writes one command on a line for each finding, and for each error.
func (githubReporter) Report(w io.Writer, r *Report) error {
	b := bufio.NewWriter(w)
	for i := range r.Findings {
		f := &r.Findings[i]
		message := term.Escape(f.Message)
		if f.Help != "" {
			message += "\n" + term.Escape(f.Help)
		}
		fmt.Fprintf(b, "::%s file=%s,%s,title=%s::%s\n", githubLevel(f.Severity),
			githubPath(r, join(f.Skill, f.Path)), githubPlace(f.Range),
			githubProperty.Replace(term.Escape(f.RuleID)), githubData.Replace(message))
	}
	for _, e := range r.Errors {
		file := ""
		if e.Path != "" {
			file = "file=" + githubPath(r, e.Path) + ",line=1,"
		}
		fmt.Fprintf(b, "::error %stitle=not examined::%s\n", file, githubData.Replace(term.Escape(e.Message)))
	}
	return b.Flush()
}

func githubLevel(severity spec.Severity) string {
	if severity == spec.Info {
		return "notice"
	}
	return severity.String()
}

func githubPath(r *Report, path string) string {
	return githubProperty.Replace(term.Escape(relative(r.Base, path)))
}

// githubPlace gives the place of an annotation. A whole file is line 1, where
// GitHub shows an annotation without a line too. Columns go only with a span
// in one line: GitHub's API refuses them for a longer one.
func githubPlace(r spec.Range) string {
	switch {
	case r.IsZero():
		return "line=1"
	case r.End.Line > r.Start.Line:
		return fmt.Sprintf("line=%d,endLine=%d", r.Start.Line, r.End.Line)
	}
	return fmt.Sprintf("line=%d,col=%d,endLine=%d,endColumn=%d", r.Start.Line, r.Start.Column, r.End.Line, r.End.Column)
}

// githubData and githubProperty escape a command's message and its properties,
// as @actions/core does; in a property a comma or colon would end it.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
