package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "json-value",
		Title:       "every value has a form in JSON",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-Y1",
		Since:       since,
		Why: "MCP servers publish the frontmatter as JSON. Infinity, \"not a number\" and a key that is a list or a " +
			"mapping have no place there, so such a skill cannot be served.",
		Mend: "Quote the value if it is text. Write keys as plain words.",
	},
	Check: func(p *Pass) {
		forward("json-value")(p)
		p.walk(func(pointer string, n *Node, isKey bool) {
			switch {
			case isKey && (n.Resolve() == nil || n.Resolve().Kind == Mapping || n.Resolve().Kind == Sequence):
				p.Report(Diagnostic{
					Field:   pointer,
					Range:   n.Range,
					Message: fmt.Sprintf("this key is %s; JSON allows only text as a key", n.Kind),
				})
			case n.Kind == Float && !isKey && !onlyString(pointer):
				if _, ok := jsonNumber(n.Text); !ok {
					p.Report(Diagnostic{
						Field:   pointer,
						Range:   n.Range,
						Message: fmt.Sprintf("%q is a number that JSON cannot hold", n.Text),
						Fixes:   p.quoteNode(n),
					})
				}
			}
		})
	},
})
