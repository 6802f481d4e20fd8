package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "encoding-nul",
		Title:       "SKILL.md holds no NUL",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-F6",
		Since:       since,
		Why:         "A NUL marks a file as binary for many tools: it is served as a blob, or cut off at the NUL.",
		Mend:        "Remove the NUL. If there are many, the file is probably in another encoding than UTF-8.",
	},
	Check: func(p *Pass) {
		if e := p.Skill.Encoding; e.Name != "" && !e.wide() && e.NUL >= 0 {
			p.Report(Diagnostic{
				Range:   p.Skill.Span(e.NUL, e.NUL+1),
				Message: "SKILL.md holds a NUL byte; it must be text",
			})
		}
	},
})
