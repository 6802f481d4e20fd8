package spec

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "description-length",
		Title:       "description has at most 1,024 characters",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-D1",
		Since:       since,
		Why: "Clients drop a skill with a longer description, or cut it. A character is a Unicode code point; blanks " +
			"and line ends around the text do not count.",
		Mend: "Shorten it: keep what the skill does and the words by which to find it, and move the rest to the body.",
	},
	Check: stringCheck(FieldDescription, func(p *Pass, value *Node) {
		p.tooLong(FieldDescription, value, MaxDescriptionLength)
	}),
})

// tooLong reports a value that has too many characters when trimmed.
func (p *Pass) tooLong(field string, value *Node, most int) {
	if len(value.Text) <= most || !p.fails("/"+field, "maxLength") {
		return
	}
	if n := utf8.RuneCountInString(strings.TrimSpace(value.Text)); n > most {
		p.reportField(field, value, Diagnostic{
			Message: fmt.Sprintf("%s has %d characters; at most %d are allowed", field, n, most),
		})
	}
}
