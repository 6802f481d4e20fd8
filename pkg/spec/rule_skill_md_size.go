package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "skill-md-size",
		Title:       "SKILL.md has at most 16 MiB",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-F9",
		Since:       since,
		Why:         "A host of the MCP Skills extension need not take more than 16 MiB for a whole skill, and no client reads such a text.",
		Mend:        "Move the bulk into files that SKILL.md refers to.",
	},
	Check: func(p *Pass) {
		if p.Skill.Oversize {
			p.Report(Diagnostic{Message: fmt.Sprintf("SKILL.md is larger than %d bytes; it is not read", MaxSkillFileBytes)})
		}
	},
})
