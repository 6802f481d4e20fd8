package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "yaml-tag",
		Title:       "values have no tags",
		Category:    CategorySpec,
		Severity:    Warning,
		Requirement: "AS-Y1",
		Since:       since,
		Why: "A tag such as !!str asks the reader for a type. The reference validator refuses tags, several loaders " +
			"fail on those they do not know, and readers that go by lines show the tag as text.",
		Mend: "Remove the tag, and quote the value if it is meant as text.",
	},
	Check: func(p *Pass) {
		p.walk(func(pointer string, n *Node, _ bool) {
			if n.Tag != "" {
				p.Report(Diagnostic{
					Field:   pointer,
					Range:   n.Mark,
					Message: fmt.Sprintf("the tag %q asks for a type; several readers refuse tags", clip(n.Tag, 40)),
				})
			}
		})
	},
})
