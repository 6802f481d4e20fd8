package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "description-type",
		Title:       "description is a string",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-D1",
		Since:       since,
		Why:         "Clients drop a skill whose description is a number, a list or a mapping, or show it in a form that nobody wrote.",
		Mend:        "Quote the value, or write the list as a sentence.",
	},
	Check: typeCheck(FieldDescription),
})
