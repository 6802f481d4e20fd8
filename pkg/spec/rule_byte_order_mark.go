package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "byte-order-mark",
		Title:       "SKILL.md starts without a byte order mark",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-F5",
		Since:       since,
		Why: "With a byte order mark the file does not begin with three hyphens. The reference validator and " +
			"several clients then see no frontmatter: the skill is dropped, or loses its name and description.",
		Mend: "Save the file as UTF-8 without a byte order mark (\"UTF-8\", not \"UTF-8 with BOM\").",
	},
	Check: func(p *Pass) {
		if p.Skill.Split.BOM {
			r := p.Skill.Span(0, len(bom))
			p.Report(Diagnostic{
				Range:   r,
				Message: `SKILL.md starts with a byte order mark (U+FEFF); it must start with "---"`,
				Fixes:   []Fix{p.replace("remove the byte order mark", Safe, r, "")},
			})
		}
	},
})
