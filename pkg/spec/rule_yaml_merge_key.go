package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "yaml-merge-key",
		Title:       "there is no merge key",
		Category:    CategorySpec,
		Severity:    Warning,
		Requirement: "AS-Y1",
		Since:       since,
		Why: "\"<<\" merges another mapping in YAML 1.1 and is an ordinary key in YAML 1.2. Two readers see two " +
			"different mappings.",
		Mend: "Write the fields out.",
	},
	Check: func(p *Pass) {
		p.walk(func(pointer string, n *Node, isKey bool) {
			if isKey && n.Text == "<<" && n.Style == Plain {
				p.Report(Diagnostic{
					Field:   pointer,
					Range:   n.Range,
					Message: `"<<" is an ordinary key in YAML 1.2 and merges a mapping in YAML 1.1; write the fields out`,
				})
			}
		})
	},
})
