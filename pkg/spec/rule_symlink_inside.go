package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "symlink-inside",
		Title:       "files of a skill are no symbolic links",
		Category:    CategorySpec,
		Severity:    Warning,
		Requirement: "AS-S4",
		Since:       since,
		Why:         "A link is never part of a manifest, an archive or what a server gives out, and some clients and installers skip it or drop the whole skill.",
		Mend:        "Put a copy of the file in its place, or refer to the target.",
	},
	Check: linkCheck(LinkInside, func(f File) string {
		return fmt.Sprintf("this is a symbolic link to %q within the skill; archives and servers leave it out", f.Link.Target)
	}),
})
