package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "compatibility-length",
		Title:       "compatibility has at most 500 characters",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-C1",
		Since:       since,
		Why:         "Clients that enforce the bound drop the skill. A character is a Unicode code point.",
		Mend:        "Shorten it, and move the details to the body.",
	},
	Check: stringCheck(FieldCompatibility, func(p *Pass, value *Node) {
		p.tooLong(FieldCompatibility, value, MaxCompatibilityLength)
	}),
})
