package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "frontmatter-size",
		Title:       "the frontmatter has at most 64 KiB, 4,000 lines, 4,000 tabs and 64 levels",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-F9",
		Since:       since,
		Why: "Clients read a bounded part of each file when they look for skills, and YAML parsers take quadratic " +
			"time on long and deep input. A frontmatter past the bound is not read at all.",
		Mend: "Move what is long into the body or into a file of its own.",
	},
	Check: forward("frontmatter-size"),
})
