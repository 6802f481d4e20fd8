package spec

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "untrimmed-length",
		Title:       "a text keeps its bound with the blanks around it",
		Category:    CategorySpec,
		Severity:    Warning,
		Requirement: "AS-D1",
		Since:       since,
		Why: "A block scalar ends with a line break that nobody sees. The reference validator counts it, so a " +
			"description of exactly 1,024 characters is one too long for it.",
		Mend: "Write >- or |- instead of > or |, or shorten the text.",
	},
	Check: func(p *Pass) {
		for field, most := range map[string]int{FieldDescription: MaxDescriptionLength, FieldCompatibility: MaxCompatibilityLength} {
			stringCheck(field, func(p *Pass, value *Node) {
				n, trimmed := utf8.RuneCountInString(value.Text), utf8.RuneCountInString(strings.TrimSpace(value.Text))
				if n > most && trimmed <= most && trimmed > 0 {
					p.reportField(field, value, Diagnostic{
						Message: fmt.Sprintf("%s has %d characters with the white space around it; some readers count it, and allow %d", field, n, most),
					})
				}
			})(p)
		}
	},
})
