package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "skill-md-name",
		Title:       "the file of a skill is called SKILL.md",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-F2",
		Since:       since,
		Why: "Clients look for a file named exactly SKILL.md. Under another name the skill loads on disks that " +
			"ignore case and vanishes without a word on those that do not, and MCP servers address SKILL.md.",
		Mend: "Rename the file to SKILL.md. On a disk that ignores case rename it twice, so that Git notices.",
	},
	Check: func(p *Pass) {
		if p.Skill.FileProblem == FileMisnamed {
			p.Report(Diagnostic{
				Message: fmt.Sprintf("the file is called %q; it must be called %q", p.Skill.File, SkillFile),
				Help:    fmt.Sprintf("git mv %s %s", p.Skill.File, SkillFile),
			})
		}
	},
})
