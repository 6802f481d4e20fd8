package spec

import (
	"fmt"
	"unicode/utf8"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "name-ascii",
		Title:       "name has only ASCII characters",
		Category:    CategorySpec,
		Severity:    Warning,
		Requirement: "AS-N2",
		Since:       since,
		Why: "The specification names a-z and 0-9, and its reference validator takes lower-case letters and digits " +
			"of any script. Most clients and MCP servers take ASCII alone.",
		Mend: "Write the name in a-z, 0-9 and hyphens.",
	},
	Check: stringCheck(FieldName, func(p *Pass, value *Node) {
		if isBlank(value.Text) || len(badNameParts(value.Text)) > 0 {
			return
		}
		for _, r := range value.Text {
			if r >= utf8.RuneSelf {
				p.reportField(FieldName, value, Diagnostic{
					Message: fmt.Sprintf("name %q has %s; most clients take only a-z, 0-9 and \"-\"", clip(value.Text, 64), describeRune(r)),
				})
				return
			}
		}
	}),
})
