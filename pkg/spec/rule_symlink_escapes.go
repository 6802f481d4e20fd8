package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "symlink-escapes",
		Title:       "no symbolic link leaves the skill",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-S4",
		Since:       since,
		Why:         "What a link outside points at is not part of the skill: it is missing on every other machine, and a tool that follows it gives away a file that nobody meant to publish.",
		Mend:        "Put a copy of the file in its place.",
	},
	Check: linkCheck(LinkEscapes, func(f File) string {
		return fmt.Sprintf("this symbolic link leads to %q, outside the skill", f.Link.Target)
	}),
})
