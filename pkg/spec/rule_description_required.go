package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "description-required",
		Title:       "there is a description",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-D1",
		Since:       since,
		Why: "An agent chooses a skill by its description. Without one some clients take a line of the body, others " +
			"hide the skill, and most drop it.",
		Mend: "Add \"description:\" with what the skill does and when to use it.",
	},
	Check: func(p *Pass) { p.required(FieldDescription) },
})
