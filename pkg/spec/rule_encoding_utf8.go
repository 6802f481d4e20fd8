package spec

import (
	"fmt"
	"unicode/utf8"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "encoding-utf8",
		Title:       "SKILL.md is UTF-8",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-F6",
		Since:       since,
		Why: "Clients read SKILL.md as UTF-8. Text in another encoding is dropped by some of them, shown with " +
			"replacement characters by others, and can stop the loading of a whole folder.",
		Mend: "Save the file as UTF-8 without a byte order mark.",
	},
	Check: func(p *Pass) {
		e, source := p.Skill.Encoding, p.Skill.Source
		if e.Name == "" || e.Bad < 0 {
			return
		}
		if e.wide() {
			p.Report(Diagnostic{
				Range:   p.Skill.Span(0, min(2, len(source))),
				Message: fmt.Sprintf("SKILL.md is %s; it must be UTF-8", e.Name),
				Help:    "convert it, or save it anew as UTF-8 without a byte order mark",
			})
			return
		}
		p.Report(Diagnostic{
			Range:   p.Skill.Span(e.Bad, e.Bad+1),
			Message: fmt.Sprintf("byte 0x%02X at offset %d is no UTF-8; SKILL.md must be UTF-8", source[e.Bad], e.Bad),
			Help:    latinHelp(source, e.Bad),
		})
	},
})

// latinHelp guesses what a byte that is no UTF-8 comes from. A lone one among
// ASCII is a letter of a single-byte encoding; next to others it may be UTF-8
// that was cut.
func latinHelp(source []byte, at int) string {
	isASCII := func(i int) bool { return i < 0 || i >= len(source) || source[i] < utf8.RuneSelf }
	if isASCII(at-1) && isASCII(at+1) && source[at] >= 0xa0 {
		return "it looks like a single-byte encoding such as Latin-1 or Windows-1252; save the file as UTF-8"
	}
	return "save the file as UTF-8"
}
