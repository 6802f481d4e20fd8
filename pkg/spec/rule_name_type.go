package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "name-type",
		Title:       "name is a string",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-N1",
		Since:       since,
		Why: "Unquoted digits are a number in YAML, and true is a boolean. Several clients drop a skill whose name " +
			"is no string, and a manifest cannot hold it.",
		Mend: "Quote the name, or choose one with a letter.",
	},
	Check: typeCheck(FieldName),
})
