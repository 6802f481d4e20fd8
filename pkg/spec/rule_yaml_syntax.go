package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "yaml-syntax",
		Title:       "the frontmatter is YAML",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-F3",
		Since:       since,
		Why:         "Text that is no YAML is not loaded. Some clients repair the commonest faults, others drop the skill and say nothing.",
		Mend:        "Put quotes around a value that holds more than words: double quotes if there are none within it, single quotes otherwise.",
	},
	Check: forward("yaml-syntax"),
})
