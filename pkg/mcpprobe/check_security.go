package mcpprobe

import (
	"fmt"
	"unicode"
)

var checkControl = register(CheckInfo{
	ID: "control-characters", Group: GroupSecurity, Level: Should, Requirement: "C-8",
	Title: "no text of the server has control characters",
	Doc: "Control characters and terminal escapes in a name, a description, a URI or a SKILL.md rewrite what a terminal shows: a " +
		"user may approve something else than is there. Hosts have to neutralise them, and a well-meaning server has no use " +
		"for them. That this is a warning is a decision of this project.\n\n" +
		"Remove everything below U+0020 but tabs and line ends, and U+007F to U+009F.",
})

var checkHidden = register(CheckInfo{
	ID: "hidden-characters", Group: GroupSecurity, Level: Should, Requirement: "C-8",
	Title: "no text of the server has invisible characters or such that change the direction of text",
	Doc: "Bidirectional overrides show text in another order than a model reads it; tag characters and zero-width blanks are " +
		"read and not shown at all. Both are used to hide instructions from whoever reviews a skill. That this is a " +
		"warning is a decision of this project.\n\n" +
		"Remove U+202A to U+202E, U+2066 to U+2069, U+200B, U+2060 and U+E0000 to U+E007F.",
})

var checkPublicScope = register(CheckInfo{
	ID: "cache-scope-public", Group: GroupSecurity, Level: Should, Requirement: "S-LST3",
	Title: "a server that got credentials marks no answer as public",
	Doc: "`cacheScope: \"public\"` allows a cache to give the answer to everybody. Where the server wants credentials its answers " +
		"are not for everybody.\n\n" +
		"Send `\"private\"` where an answer needs credentials.",
})

var checkAllowedTools = register(CheckInfo{
	ID: "allowed-tools", Group: GroupSecurity, Level: May, Requirement: "C-8",
	Title: "no skill asks for tools with allowed-tools",
	Doc: "A server that fills in `allowed-tools` asks for access on the user's machine. Hosts must ignore it for skills that come " +
		"over MCP, unless the user has approved it for that skill. It is legal and noted.\n\n" +
		"Do not count on it: say in the body which tools the skill needs.",
})

// judgeStrings judges the text of an entry.
func (s *skillAudit) judgeStrings() {
	clean := true
	n := 0
	forEachString(s.entry.Raw, func(pointer, text string) bool {
		if problem := hiddenProblem(text); problem != "" {
			clean = false
			n++
			s.reportHidden(s.about(""), clipTo(pointer, 80), text)
		}
		return n < maxProblems
	})
	if clean {
		s.pass(checkControl, 1)
		s.pass(checkHidden, 1)
	}
	fields, _ := object(s.entry.Frontmatter)
	problem := ""
	if tools, ok := fields["allowed-tools"]; ok {
		problem = "the skill asks for tools: " + clipTo(compact(tools), 80) + "; hosts ignore that without the user's consent"
	}
	s.judge(checkAllowedTools, s.about(""), problem)
}

// judgeServerStrings judges what the server says of itself.
func (a *auditor) judgeServerStrings() {
	for _, said := range []struct{ where, text string }{
		{"the server's name", a.server.Name}, {"the server's version", a.server.Version}, {"the server's instructions", a.server.Instructions},
	} {
		a.judgeHidden(subject{}, said.where, said.text)
	}
}

// judgeHidden judges one text.
func (a *auditor) judgeHidden(about subject, where, text string) {
	if hiddenProblem(text) == "" {
		a.pass(checkControl, 1)
		a.pass(checkHidden, 1)
		return
	}
	a.reportHidden(about, where, text)
}

func (a *auditor) reportHidden(about subject, where, text string) {
	for _, kind := range []struct {
		check *CheckInfo
		is    func(rune) bool
	}{{checkControl, isControl}, {checkHidden, isHiddenRune}} {
		if r, n := firstRune(text, kind.is); n > 0 {
			a.fault(kind.check, about, fmt.Sprintf("%s has %U%s", where, r, others(n)))
		}
	}
}

func others(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" and %s more such characters", thousands(int64(n-1)))
}

// hiddenProblem reports, cheaply, a text with anything to tell of.
func hiddenProblem(text string) string {
	for _, r := range text {
		if isControl(r) || isHiddenRune(r) {
			return fmt.Sprintf("%U", r)
		}
	}
	return ""
}

func firstRune(text string, is func(rune) bool) (first rune, n int) {
	for _, r := range text {
		if is(r) {
			if n++; n == 1 {
				first = r
			}
		}
	}
	return first, n
}

// isControl reports control characters, but for tabs, line ends and the form
// feed, which old sources have between pages.
func isControl(r rune) bool {
	return unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' && r != '\f'
}

func isHiddenRune(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200b || r == 0x2060 || r >= 0xe0000 && r <= 0xe007f
}

// judgeScope notes an answer that a cache may give to everybody.
func (a *auditor) judgeScope(r *reply, scope string) {
	if !a.server.Authenticated {
		a.skip(checkPublicScope, "no credentials were sent")
		return
	}
	problem := ""
	if scope == "public" {
		problem = fmt.Sprintf("the answers to %s have the cacheScope public, and credentials were sent for them", r.Method)
	}
	a.tally(checkPublicScope, r.URI, problem)
}
