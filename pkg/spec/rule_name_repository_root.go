package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "name-repository-root",
		Title:       "a skill has a folder of its own below the repository's root",
		Category:    CategorySpec,
		Severity:    Warning,
		Requirement: "AS-N3",
		Since:       since,
		Why: "Where SKILL.md stands at the root of a repository, the folder is called whatever the clone was called. " +
			"The name that the author gave may differ from it, and clients that compare the two drop the skill.",
		Mend: "Move the skill into a folder with its name, or clone the repository into one.",
	},
	Check: nameCheck(nameDiffersAtRoot, func(p *Pass, value *Node) {
		p.reportField(FieldName, value, Diagnostic{
			Message: fmt.Sprintf("name is %q and the repository's folder is called %q; they should be equal", clip(value.Text, 64), p.Skill.DirName),
		})
	}),
})
