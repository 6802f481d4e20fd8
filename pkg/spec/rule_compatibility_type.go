package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "compatibility-type",
		Title:       "compatibility is a string",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-C1",
		Since:       since,
		Why:         "It is one text for people and agents to read. Typed readers drop a skill with a list or a number here.",
		Mend:        "Write what the skill needs as one sentence.",
	},
	Check: typeCheck(FieldCompatibility),
})
