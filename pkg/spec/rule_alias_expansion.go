package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "alias-expansion",
		Title:       "aliases stand for a bounded number of values",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-Y1",
		Since:       since,
		Why: "Aliases of lists of aliases multiply: a few lines stand for millions of values, and a reader that " +
			"writes them out runs out of memory.",
		Mend: "Write the values out.",
	},
	Check: func(p *Pass) {
		root := p.Skill.Frontmatter.Root
		if root.tooManyAliases() {
			p.Report(Diagnostic{
				Range:   root.Range,
				Message: fmt.Sprintf("written out, the aliases stand for more than %d values", MaxAliasNodes),
			})
		}
	},
})
