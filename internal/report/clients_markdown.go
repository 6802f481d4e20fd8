package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/spec"
)

// maxMarkdownReasons bounds the reasons in a summary of Markdown; the count of
// the rest is said.
const maxMarkdownReasons = 200

// clientsMarkdown writes a summary for pages that show Markdown.
type clientsMarkdown struct{}

// ReportClients writes the matrix as a table, and the reasons as a list.
func (clientsMarkdown) ReportClients(w io.Writer, c *Clients) error {
	b := bufio.NewWriter(w)
	g := newGrid(c)
	fmt.Fprintf(b, "## What clients do with %s\n\n", count(len(c.Rows), "skill"))
	if len(g.rows) == 0 {
		fmt.Fprintf(b, "As written in %s.\n", counted(len(c.Profiles), "client", "clients"))
	} else {
		markdownGrid(b, c, g)
	}
	for _, e := range c.Errors {
		fmt.Fprintf(b, "\n**error**: %s: %s\n", markdownText(relative(c.Base, e.Path), maxShownURI), markdownText(e.Message, maxShownMessage))
	}
	for _, note := range c.Notes {
		fmt.Fprintf(b, "\n%s.\n", markdownText(note, maxShownMessage))
	}
	return b.Flush()
}

func markdownGrid(b *bufio.Writer, c *Clients, g grid) {
	labels := c.Labels()
	b.WriteString("| skill |")
	for _, j := range g.columns {
		fmt.Fprintf(b, " %s |", markdownText(labels[j], maxShownName))
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(g.columns)) + "\n")
	for _, i := range g.rows {
		fmt.Fprintf(b, "| %s |", markdownText(relative(c.Base, c.Rows[i].Path), maxShownURI))
		for _, j := range g.columns {
			p := &c.Rows[i].Cells[j]
			word := string(p.Outcome)
			switch {
			case p.Outcome == clients.Loads:
				word = ""
			case p.Outcome == clients.Dropped && p.Told != clients.OnScreen:
				word = "**drop**, silent"
			case OutcomeSeverity(p.Outcome) == spec.Error:
				word = "**" + word + "**"
			}
			fmt.Fprintf(b, " %s |", word)
		}
		b.WriteString("\n")
	}
	if g.loading > 0 {
		fmt.Fprintf(b, "\n%s everything as written.\n", counted(g.loading, "client loads", "clients load"))
	}
	if g.same > 0 {
		fmt.Fprintf(b, "\n%s as written everywhere.\n", counted(g.same, "skill loads", "skills load"))
	}
	for i := range c.Findings {
		if i == maxMarkdownReasons {
			fmt.Fprintf(b, "\n%d more reasons are not listed here.\n", len(c.Findings)-i)
			return
		}
		markdownReason(b, c, i)
	}
}

func markdownReason(b *bufio.Writer, c *Clients, i int) {
	f := &c.Findings[i]
	if i == 0 {
		b.WriteString("\n### Why\n\n")
	}
	fmt.Fprintf(b, "- %s%s [%s](%s): %s\n", markdownText(relative(c.Base, join(f.Skill, f.Path)), maxShownURI), showPosition(f.Range),
		f.RuleID, RuleURL(f.RuleID), markdownText(f.Message, maxShownMessage))
	for _, phrase := range impactPhrases(c.Impacts[i]) {
		fmt.Fprintf(b, "  - %s\n", markdownText(phrase, maxShownMessage))
	}
	if fix := f.bestFix(); fix != nil {
		fmt.Fprintf(b, "  - fix: %s\n", markdownText(fix.Title, maxShownMessage))
	}
}
