package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "skill-md-regular",
		Title:       "SKILL.md is a regular file",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-F1",
		Since:       since,
		Why:         "A folder, a pipe or a device called SKILL.md cannot be read as the skill's text. Nothing is loaded.",
		Mend:        "Put a regular file in its place.",
	},
	Check: func(p *Pass) {
		switch p.Skill.FileProblem {
		case FileNotRegular:
			p.Report(Diagnostic{Message: "SKILL.md is " + whatIs(p.Skill) + "; it must be a regular file"})
		case FileUnreachable:
			p.files(Symlink, func(f File) {
				if f.Path == p.Skill.File && f.Link.State == LinkInside {
					what := "a folder"
					if !f.Link.Mode.IsDir() {
						what = specialKind(f.Link.Mode)
					}
					p.Report(Diagnostic{Message: "SKILL.md is a link to " + what + "; it must be a regular file"})
				}
			})
		}
	},
})

// whatIs names what stands in the place of SKILL.md.
func whatIs(s *Skill) string {
	for _, f := range s.Files {
		if f.Path == s.File {
			return specialKind(f.Mode)
		}
	}
	return "a folder"
}
