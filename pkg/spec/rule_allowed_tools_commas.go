package spec

import (
	"fmt"
	"strings"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "allowed-tools-commas",
		Title:       "blanks separate the tools, not commas",
		Category:    CategorySpec,
		Severity:    Warning,
		Requirement: "AS-T1",
		Since:       since,
		Why: "By the specification \"Read, Write\" names a tool \"Read,\". Claude Code and others take commas as well, " +
			"but a client that keeps to the specification finds no such tool.",
		Mend: "Replace the commas by blanks. Commas within parentheses may stay.",
	},
	Check: stringCheck(FieldAllowedTools, func(p *Pass, value *Node) {
		if !hasToolComma(value.Text) {
			return
		}
		tools := SplitTools(withoutCommas(value.Text))
		d := Diagnostic{
			Message: fmt.Sprintf("allowed-tools separates tools by commas; one tool would be called %q", firstWithComma(value.Text)),
		}
		pair := p.Skill.Frontmatter.Root.pair(FieldAllowedTools)
		unsure := strings.ContainsAny(value.Text, "[]{}\"'\\") // lists, patterns and quotes may hold commas of their own
		if !unsure && pair.Value.Kind != Alias && value.Range.Start.Line == value.Range.End.Line {
			d.Fixes = p.rewrite(value, "separate the tools by blanks", Safe, strings.Join(tools, " "))
		}
		p.reportField(FieldAllowedTools, value, d)
	}),
})

// hasToolComma reports whether a comma stands outside parentheses.
func hasToolComma(value string) bool { return withoutCommas(value) != value }

// withoutCommas replaces the commas outside parentheses and braces by blanks.
func withoutCommas(value string) string {
	depth := 0
	return strings.Map(func(r rune) rune {
		switch {
		case r == '(' || r == '{':
			depth++
		case r == ')' || r == '}':
			depth = max(0, depth-1)
		case r == ',' && depth == 0:
			return ' '
		}
		return r
	}, value)
}

func firstWithComma(value string) string {
	for _, tool := range SplitTools(value) {
		if hasToolComma(tool) {
			return clip(tool, 40)
		}
	}
	return ","
}
