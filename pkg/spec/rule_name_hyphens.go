package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "name-hyphens",
		Title:       "hyphens in a name stand alone and between other characters",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-N2",
		Since:       since,
		Why:         "A name that starts or ends with a hyphen, or has two in a row, is refused by several clients and by the reference validator.",
		Mend:        "Remove the hyphens that are too many, and rename the folder with it.",
	},
	Check: stringCheck(FieldName, func(p *Pass, value *Node) {
		if bad := badHyphens(value.Text); bad != "" {
			p.reportField(FieldName, value, Diagnostic{
				Message: fmt.Sprintf("name %q %s", clip(value.Text, 64), bad),
				Fixes:   p.renameFix(value),
			})
		}
	}),
})
