package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "yaml-tab",
		Title:       "spaces indent, not tabs",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-Y1",
		Since:       since,
		Why:         "YAML forbids tabs as indentation. Most clients drop the skill.",
		Mend:        "Indent with two spaces.",
	},
	Check: forward("yaml-tab"),
})
