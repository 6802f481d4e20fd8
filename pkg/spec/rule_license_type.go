package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "license-type",
		Title:       "license is a string",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-L1",
		Since:       since,
		Why:         "The licence is a name, or the name of a file. Typed readers drop a skill with another type.",
		Mend:        "Quote the value.",
	},
	Check: typeCheck(FieldLicense),
})
