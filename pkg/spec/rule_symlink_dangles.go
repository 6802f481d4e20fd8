package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "symlink-dangles",
		Title:       "every symbolic link has a target",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-S4",
		Since:       since,
		Why:         "There is nothing at the end of the link. Whoever opens it fails.",
		Mend:        "Remove the link, or put the file in its place.",
	},
	Check: linkCheck(LinkDangles, func(f File) string {
		return fmt.Sprintf("this symbolic link leads to %q, where nothing is", f.Link.Target)
	}),
})
