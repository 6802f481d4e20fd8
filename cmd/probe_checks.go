package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/docs"
	"github.com/skilltool/skilltool/internal/gen"
	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// checkDocument is a check in JSON.
type checkDocument struct {
	ID          string         `json:"id"`
	Title       string         `json:"title"`
	Group       mcpprobe.Group `json:"group"`
	Level       mcpprobe.Level `json:"level"`
	Requirement string         `json:"requirement"`
	Negative    bool           `json:"negative"`
	Doc         string         `json:"doc"`
	Example     string         `json:"example,omitempty"`
	Good        string         `json:"good,omitempty"`
	URL         string         `json:"url"`
}

func newCheckDocument(check *mcpprobe.CheckInfo) checkDocument {
	return checkDocument{
		ID: check.ID, Title: check.Title, Group: check.Group, Level: check.Level, Requirement: check.Requirement,
		Negative: check.Negative, Doc: check.Doc, Example: check.Example, Good: check.Good, URL: report.CheckURL(check.ID),
	}
}

// runListChecks lists the checks and connects to nothing.
func runListChecks(c *cli.Context, e *env) error {
	checks := mcpprobe.Checks()
	switch format := c.String("output-format"); format {
	case "json":
		documents := make([]checkDocument, len(checks))
		for i, check := range checks {
			documents[i] = newCheckDocument(check)
		}
		return printJSON(e.stdout, documents)
	case "markdown":
		_, err := io.WriteString(e.stdout, gen.CheckTable(checks, false))
		return err
	case "text":
		_, err := io.WriteString(e.stdout, checkTable(checks))
		return err
	default:
		return usagef("--list-checks has no format %q; use text, json or markdown", format)
	}
}

// checkTable lists checks for people, in columns, group by group.
func checkTable(checks []*mcpprobe.CheckInfo) string {
	id, requirement := 0, 0
	for _, check := range checks {
		id, requirement = max(id, len(check.ID)), max(requirement, len(check.Requirement))
	}
	var b strings.Builder
	group := mcpprobe.Group("")
	for _, check := range checks {
		if check.Group != group {
			if group != "" {
				b.WriteByte('\n')
			}
			group = check.Group
			fmt.Fprintf(&b, "%s\n", group)
		}
		fmt.Fprintf(&b, "  %-*s  %-6s  %-*s  %s\n", id, check.ID, check.Level, requirement, check.Requirement, check.Title)
	}
	return b.String()
}

// explainCheck gives a check as text for people.
func explainCheck(check *mcpprobe.CheckInfo) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", check.ID, check.Title)
	fmt.Fprintf(&b, "check of probe, group %s, %s, requirement %s\n", check.Group, check.Level, check.Requirement)
	for _, section := range []struct{ title, text string }{
		{"Why", wrapParagraphs(check.Doc)},
		{"Fails", check.Example},
		{"Passes", check.Good},
	} {
		if section.text != "" {
			fmt.Fprintf(&b, "\n%s\n%s", section.title, indentBlock(section.text))
		}
	}
	return b.String()
}

func wrapParagraphs(text string) string {
	var parts []string
	for part := range strings.SplitSeq(text, "\n\n") {
		parts = append(parts, gen.Wrap(part))
	}
	return strings.Join(parts, "\n\n")
}

// findCheck gives the check with an id, or nil.
func findCheck(id string) *mcpprobe.CheckInfo {
	checks := mcpprobe.Checks()
	if at := slices.IndexFunc(checks, func(check *mcpprobe.CheckInfo) bool { return check.ID == id }); at >= 0 {
		return checks[at]
	}
	return nil
}

// showCheck is rule show for a check.
func showCheck(c *cli.Context, e *env, check *mcpprobe.CheckInfo) error {
	switch c.String("output-format") {
	case "json":
		return printJSON(e.stdout, newCheckDocument(check))
	case "markdown":
		page, ok := docs.Check(check.ID)
		if !ok {
			return fmt.Errorf("check %s has no page", check.ID)
		}
		_, err := io.WriteString(e.stdout, page)
		return err
	}
	_, err := io.WriteString(e.stdout, explainCheck(check))
	return err
}
