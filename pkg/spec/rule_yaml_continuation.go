package spec

import (
	"strings"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "yaml-continuation",
		Title:       "the lines of a quoted value are indented",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-Y1",
		Since:       since,
		Why: "A quoted value that goes on in the first column is no YAML in a mapping, though some parsers let it " +
			"pass. Readers that go by lines take the line for a field.",
		Mend: "Indent every line of the value, or write it on one line. Line breaks in a quoted value are read as blanks.",
	},
	Check: func(p *Pass) {
		y := p.Skill.yaml
		p.walk(func(pointer string, n *Node, _ bool) {
			if n.Style != SingleQuoted && n.Style != DoubleQuoted {
				return
			}
			for line := n.Range.Start.Line + 1; line <= n.Range.End.Line; line++ {
				p.continuation(y, line, pointer)
			}
		})
	},
})

// continuation reports a line of a quoted value that starts in column 1.
func (p *Pass) continuation(y *yamlText, line int, pointer string) {
	i := line - y.position(0).Line
	if i >= len(y.starts) {
		return
	}
	text := y.text[y.starts[i]:y.lineEnd(i)]
	if text == "" || strings.IndexByte(" \t", text[0]) >= 0 {
		return
	}
	r := y.span(y.starts[i], y.lineEnd(i))
	p.Report(Diagnostic{
		Field:   pointer,
		Range:   r,
		Message: "this line of a quoted value starts in column 1; it must be indented",
		Fixes:   []Fix{p.replace("indent the line", Safe, Range{r.Start, r.Start}, "  ")},
	})
}
