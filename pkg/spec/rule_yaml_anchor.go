package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "yaml-anchor",
		Title:       "values are written out, without anchors and aliases",
		Category:    CategorySpec,
		Severity:    Warning,
		Requirement: "AS-Y1",
		Since:       since,
		Why: "Anchors and aliases are YAML, but the reference validator refuses them, and readers that go by lines " +
			"show \"&name\" as part of the value.",
		Mend: "Write the value in each place.",
	},
	Check: func(p *Pass) {
		p.walk(func(pointer string, n *Node, _ bool) {
			switch {
			case n.Kind == Alias:
				p.Report(Diagnostic{
					Field:   pointer,
					Range:   n.Range,
					Message: fmt.Sprintf("the alias %q stands for another value; several readers refuse aliases", "*"+clip(n.Text, 40)),
				})
			case n.Anchor != "":
				p.Report(Diagnostic{
					Field:   pointer,
					Range:   n.Mark,
					Message: fmt.Sprintf("the anchor %q marks this value; several readers refuse anchors", "&"+clip(n.Anchor, 40)),
				})
			}
		})
	},
})
