package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "symlink-loops",
		Title:       "no symbolic link leads back to itself",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-S4",
		Since:       since,
		Why:         "A link to itself or to a folder above it never ends. Walkers run into their bounds or for ever.",
		Mend:        "Remove the link.",
	},
	Check: linkCheck(LinkLoops, func(f File) string {
		return fmt.Sprintf("this symbolic link leads to %q and so back to itself", f.Link.Target)
	}),
})
