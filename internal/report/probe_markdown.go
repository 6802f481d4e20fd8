package report

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// probeMarkdown writes a summary for pages that show Markdown, such as that of
// a run of GitHub Actions.
type probeMarkdown struct{}

// maxMarkdownResults bounds the results in the summary of one server: GitHub
// shows a megabyte, and nobody reads that much. The count of the rest is said.
const maxMarkdownResults = 100

// ReportProbe writes p.
func (probeMarkdown) ReportProbe(w io.Writer, p *Probe) error {
	b := bufio.NewWriter(w)
	for i := range p.Audits {
		if i > 0 {
			fmt.Fprintln(b)
		}
		markdownAudit(b, &p.Audits[i])
	}
	return b.Flush()
}

func markdownAudit(w io.Writer, a *ProbeAudit) {
	fmt.Fprintf(w, "## Skills of %s: %s\n", markdownText(a.name(), maxShownURI), a.Verdict)
	for _, e := range a.Errors {
		fmt.Fprintf(w, "\n**error**: %s\n", markdownText(e.Message, maxShownMessage))
	}
	if a.Report == nil {
		return
	}
	s := &a.Report.Server
	fmt.Fprintf(w, "\nServer: %s, MCP %s over %s\n", markdownText(strings.TrimSpace(s.Name+" "+s.Version), maxShownName),
		markdownText(s.Protocol, maxShownName), transportNames[s.Transport])
	fmt.Fprintf(w, "\n| group | | results |\n| --- | --- | --- |\n")
	for _, g := range a.groups() {
		said := g.summary()
		if skipped := skips(g); g.status() == mcpprobe.Skip && len(skipped) == 1 {
			said = markdownText(skipped[0].message, maxShownMessage)
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", g.group, statusWord[g.status()], said)
	}
	markdownResults(w, a)
	var parts []string
	for _, o := range outcomes {
		parts = append(parts, fmt.Sprintf("%d %s", a.countOutcome(o), o))
	}
	fmt.Fprintf(w, "\nSkills: %s.\n", strings.Join(parts, ", "))
	fmt.Fprintf(w, "\nChecks: %s.\n", statusCounts(a.count, a.expected(), true))
	for _, bound := range a.Budget {
		if bound.Ended != "" {
			fmt.Fprintf(w, "\nStopped by %s: %s\n", bound.Name, markdownText(bound.Ended, maxShownMessage))
		}
	}
}

func markdownResults(w io.Writer, a *ProbeAudit) {
	n := 0
	for i := range a.Report.Results {
		r := &a.Report.Results[i]
		if r.Status == mcpprobe.Pass || r.Status == mcpprobe.Skip {
			continue
		}
		if n++; n == 1 {
			fmt.Fprintf(w, "\n| result | check | about | what is wrong |\n| --- | --- | --- | --- |\n")
		}
		if n > maxMarkdownResults {
			continue
		}
		fmt.Fprintf(w, "| %s | [%s](%s) | %s | %s |\n", statusOf(r), r.Check.ID, CheckURL(r.Check.ID),
			markdownText(subject(r), maxShownURI), markdownText(r.Message, maxShownMessage))
	}
	if n > maxMarkdownResults {
		fmt.Fprintf(w, "\n%d more results are not shown.\n", n-maxMarkdownResults)
	}
}

// markdownText makes text from a server fit for the middle of a line of
// Markdown. Whatever could be markup, HTML, an address or a mention is written
// as an entity.
func markdownText(text string, n int) string {
	var b strings.Builder
	for _, r := range term.Escape(clip(text, n)) {
		if strings.ContainsRune("\\`*_[]()<>#|&~@:$", r) {
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return webAddress.ReplaceAllString(b.String(), "$1&#46;")
}

// webAddress is what GitHub makes a link of without a scheme.
var webAddress = regexp.MustCompile(`(?i)(www)\.`)
