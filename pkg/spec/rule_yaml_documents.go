package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "yaml-documents",
		Title:       "the frontmatter is one YAML document",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-Y1",
		Since:       since,
		Why: "A line of three dots ends a YAML document, and so does a line that starts with three hyphens and goes " +
			"on. What stands behind it is another document: some clients read the first one, others refuse both.",
		Mend: "Remove the marker. The frontmatter is closed by a line of exactly three hyphens.",
	},
	Check: func(p *Pass) {
		if p.Skill.extraDocument < 0 {
			return
		}
		y := p.Skill.yaml
		line := y.line(p.Skill.extraDocument)
		p.Report(Diagnostic{
			Range:   y.span(y.starts[line], y.lineEnd(line)),
			Message: "a second YAML document starts here; the frontmatter must be one",
			Help:    `"..." does not close the frontmatter; a line "---" does`,
		})
	},
})
