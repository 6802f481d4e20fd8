package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "yaml-colon",
		Title:       "a colon and a blank stand within quotes",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-Y3",
		Since:       since,
		Why:         "In an unquoted value a colon followed by a blank starts a nested field, so the frontmatter is no YAML any more. It is the commonest fault in the field: about twenty of thirty clients drop the skill for it.",
		Mend:        "Put the value in double quotes.",
	},
	Check: forward("yaml-colon"),
})
