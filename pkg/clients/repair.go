package clients

import (
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// repairs are what clients do to a content that their reader refused, line by
// line, before they try again. Each gives the line, or the lines, to read
// instead.
var repairs = map[string]func(line string) string{
	"quote-marks":  quoteMarks,
	"quote-plain":  quotePlain,
	"block-colons": blockColons,
	"quote-colons": quoteColons,
}

var (
	marksLine = lazily(`^([A-Za-z_-]+):\s+(.+)$`)
	marks     = lazily("[{}\\[\\]*&#!|>%@`]|: ")
	wordLine  = lazily(`^([a-zA-Z_][a-zA-Z0-9_]*)\s*:\s*(.*)$`)
	anyLine   = lazily(`^(\s*\w[\w-]*):\s+(.+)$`)
	plainLine = lazily(`^([A-Za-z0-9_-]+):\s+(.+)$`)
)

// quoteMarks puts quotes around a value with a character that means something
// in YAML, unless it has quotes at both ends. (Claude Code.)
func quoteMarks(line string) string {
	m := marksLine().FindStringSubmatch(line)
	if m == nil || quotedWhole(m[2]) || !marks().MatchString(m[2]) {
		return line
	}
	return m[1] + ": " + doubleQuote(m[2])
}

func quotedWhole(value string) bool {
	value = trimRight(value)
	return strings.HasPrefix(value, `"`) && strings.HasSuffix(value, `"`) || strings.HasPrefix(value, "'") && strings.HasSuffix(value, "'")
}

func doubleQuote(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}

// quotePlain puts quotes around every unquoted value that no YAML reader takes
// as it is. (Codex.)
func quotePlain(line string) string {
	m := plainLine().FindStringSubmatch(line)
	if m == nil || strings.IndexByte("\"'|>[{&!#", m[2][0]) >= 0 {
		return line
	}
	if !strings.Contains(m[2], ": ") && !strings.HasSuffix(m[2], ":") && strings.IndexByte("`@%*", m[2][0]) < 0 {
		return line
	}
	return m[1] + ": " + doubleQuote(m[2])
}

// blockColons makes a block of a value with a colon. (OpenCode and its kin.)
func blockColons(line string) string {
	if t := trim(line); t == "" || t[0] == '#' || line[0] == ' ' || line[0] == '\t' {
		return line
	}
	m := wordLine().FindStringSubmatch(line)
	if m == nil {
		return line
	}
	value := trim(m[2])
	if value == "" || value == ">" || value == "|" || value[0] == '"' || value[0] == '\'' || !strings.Contains(value, ":") {
		return line
	}
	return m[1] + ": |-\n  " + value
}

// quoteColons puts quotes around an unquoted value with a colon, without a look
// at quotes within it. (Strands.)
func quoteColons(line string) string {
	m := anyLine().FindStringSubmatch(line)
	if m == nil || !strings.Contains(m[2], ":") || m[2][0] == '"' || m[2][0] == '\'' {
		return line
	}
	return m[1] + `: "` + m[2] + `"`
}

// repair gives a content with each of its lines repaired; ok is false where
// nothing changed.
func repair(how, text string, content spec.Span) (repaired string, ok bool) {
	mend := repairs[how]
	var b strings.Builder
	for _, l := range linesOf(text, content) {
		line := strings.TrimSuffix(l.text, "\r")
		mended := mend(line)
		ok = ok || mended != line
		b.WriteString(mended)
		b.WriteByte('\n')
	}
	return b.String(), ok
}

// placeOf gives where the value of a field stands in a content that was read in
// another form: on the line that starts with its key.
func placeOf(text string, content spec.Span, key string) spec.Span {
	for _, l := range linesOf(text, content) {
		if k, rest, at, ok := l.cutField(); ok && foldedKey(k) == foldedKey(key) {
			return spec.Span{Start: at, End: at + len(rest)}
		}
	}
	return spec.Span{Start: content.Start, End: content.Start}
}
