package gen

import (
	"fmt"
	"strings"

	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// CheckPage gives docs/checks/<id>.md from a check.
func CheckPage(check *mcpprobe.CheckInfo) string {
	var b strings.Builder
	b.WriteString(generated)
	fmt.Fprintf(&b, "# %s\n\n%s.\n\n", check.ID, markdown(upperFirst(check.Title)))
	b.WriteString("| level | group | requirement |\n| --- | --- | --- |\n")
	fmt.Fprintf(&b, "| %s | %s | %s |\n", check.Level, check.Group, check.Requirement)
	fmt.Fprintf(&b, "\n## Why\n\n%s\n", wrapMarkdown(check.Doc))
	if check.Negative {
		b.WriteString("\nThe check asks for what a server has to refuse; `--no-negative` leaves it out.\n")
	}
	if check.Example != "" {
		fmt.Fprintf(&b, "\n## Fails\n\n%s", fence(language(check.Example), check.Example))
	}
	if check.Good != "" {
		fmt.Fprintf(&b, "\n## Passes\n\n%s", fence(language(check.Good), check.Good))
	}
	return b.String()
}

// language names that of an excerpt.
func language(text string) string {
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") || strings.HasPrefix(text, "\"") {
		return "json"
	}
	return "text"
}

// wrapMarkdown fills the lines of paragraphs that are Markdown already. Blocks
// with a structure of their own (lists, tables, code) stay as they are.
func wrapMarkdown(text string) string {
	var parts []string
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if !strings.HasPrefix(part, " ") && !strings.ContainsAny(part[:min(1, len(part))], "-*|`>#0123456789") {
			part = Wrap(part)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "\n\n")
}

// CheckIndex gives docs/checks/README.md.
func CheckIndex(checks []*mcpprobe.CheckInfo) string {
	var b strings.Builder
	b.WriteString(generated)
	b.WriteString("# Checks of `skilltool probe`\n\n")
	b.WriteString("`skilltool explain ID` prints any of these pages, and [probe.md](../probe.md) says how to read a report.\n" +
		"A check of level MUST fails, one of SHOULD warns, one of MAY gives information.\n\n")
	b.WriteString(CheckTable(checks, true))
	return b.String()
}

// CheckTable lists checks in a Markdown table, with links to their pages if
// linked.
func CheckTable(checks []*mcpprobe.CheckInfo, linked bool) string {
	var b strings.Builder
	b.WriteString("| check | group | level | requirement | what holds |\n| --- | --- | --- | --- | --- |\n")
	for _, check := range checks {
		name := "`" + check.ID + "`"
		if linked {
			name = fmt.Sprintf("[%s](%s.md)", check.ID, check.ID)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", name, check.Group, check.Level, check.Requirement, cell(check.Title))
	}
	return b.String()
}
