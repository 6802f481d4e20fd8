package spec

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "file-name",
		Title:       "file names have no backslash and no control character, and are UTF-8",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-S4",
		Since:       since,
		Why: "A backslash is part of a name here and separates folders elsewhere; archives forbid it. A control " +
			"character or a byte that is no UTF-8 cannot be written in a manifest, and can hide in a listing.",
		Mend: "Rename the file.",
	},
	Check: func(p *Pass) {
		for _, f := range p.Skill.Files {
			if bad := badFileName(f.Path); bad != "" {
				p.Report(Diagnostic{Path: f.Path, Message: fmt.Sprintf("the path %q %s", f.Path, bad)})
			}
		}
	},
})

// badFileName says what is wrong with a path, or gives "".
func badFileName(path string) string {
	switch {
	case !utf8.ValidString(path):
		return "is no UTF-8"
	case strings.Contains(path, `\`):
		return "holds a backslash, which separates folders elsewhere"
	}
	for _, r := range path {
		if unicode.IsControl(r) {
			return fmt.Sprintf("holds the control character U+%04X", r)
		}
	}
	return ""
}
