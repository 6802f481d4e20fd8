package spec

import (
	"fmt"
	"unicode/utf8"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "name-length",
		Title:       "name has at most 64 characters",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-N1",
		Since:       since,
		Why:         "Clients drop a skill with a longer name, or cut it. A character is a Unicode code point.",
		Mend:        "Choose a shorter name, and rename the folder with it.",
	},
	Check: stringCheck(FieldName, func(p *Pass, value *Node) {
		if len(value.Text) > MaxNameLength && p.fails("/name", "maxLength") {
			p.reportField(FieldName, value, Diagnostic{
				Message: fmt.Sprintf("name has %d characters; at most %d are allowed", utf8.RuneCountInString(value.Text), MaxNameLength),
			})
		}
	}),
})
