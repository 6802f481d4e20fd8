package spec

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// explain says what is wrong with the value of a field that the YAML parser
// refused, and offers the quoted value where that is sure to be meant.
func (y *yamlText) explain(e entry, pointer string, err *syntaxError) Diagnostic {
	e.key = fieldPath(pointer)
	if d, ok := y.tabFault(e); ok {
		d.Field = pointer
		return d
	}
	for line := e.first; line < e.last; line++ {
		if d, ok := y.complexKey(line); ok {
			return d
		}
	}
	fault := y.fieldFault(e, pointer)
	if fault == nil {
		d := y.generic(err)
		d.Field = pointer
		return d
	}
	d := Diagnostic{
		RuleID:  fault.rule,
		Field:   pointer,
		Range:   y.span(fault.at.Start, fault.at.End),
		Message: fault.message,
		Help:    fault.help,
	}
	if fault.quote {
		d.Fixes = y.quoteFix(e, fault.inner)
		for i := range d.Fixes {
			if fault.unsure {
				d.Fixes[i].Safety = Unsafe
			}
		}
	}
	return d
}

// fieldFault finds the cause of a syntax error in a field. Where the lines below
// the first one may be fields or items, quotes around all of it would swallow
// them.
func (y *yamlText) fieldFault(e entry, pointer string) *fault {
	if y.isItem(e.value.Start) && y.line(e.value.Start) > e.first {
		return y.listFault(e)
	}
	found := y.valueFault(e)
	line, key, looksLikeField := y.indentedField(e)
	if looksLikeField && isKnownField(key) && (found == nil || y.line(found.at.Start) >= line || found.quote) {
		at := y.starts[line] + indentOf(y.text[y.starts[line]:])
		return &fault{
			rule:    "yaml-syntax",
			at:      Span{at, at + len(key)},
			message: fmt.Sprintf("%q is indented, so it continues %s; a field starts in the same column as the one above it", key, e.key),
		}
	}
	if found != nil && (looksLikeField || pointer == "/"+FieldMetadata) {
		found.quote = false
	}
	return found
}

// isItem reports whether a list item starts at an offset.
func (y *yamlText) isItem(at int) bool {
	return strings.HasPrefix(y.text[min(at, len(y.text)):], "- ")
}

// indentedField gives the first line below that of the key that looks like a
// field.
func (y *yamlText) indentedField(e entry) (line int, key string, ok bool) {
	for line := e.first + 1; line < e.last; line++ {
		if key, _, ok := cutKey(strings.TrimLeft(y.text[y.starts[line]:y.lineEnd(line)], " ")); ok {
			return line, key, true
		}
	}
	return 0, "", false
}

// listFault finds the item of a list that cannot be read: the first line whose
// text, without its hyphens and its key, is no value.
func (y *yamlText) listFault(e entry) *fault {
	for line := y.line(e.value.Start); line < e.last; line++ {
		at := y.starts[line]
		for at < y.lineEnd(line) && (y.text[at] == ' ' || y.isItem(at)) {
			at++
		}
		_, behind, ok := cutKey(y.text[at:y.lineEnd(line)])
		if !ok {
			behind = 0
		}
		item := entry{first: line, last: line + 1, key: e.key, keyAt: at, colon: at + behind}
		item.value = y.valueSpan(item)
		if item.value.Empty() {
			continue
		}
		if _, err := y.parse(line, line+1); err != nil {
			if found := y.valueFault(item); found != nil {
				found.quote = false
				return found
			}
		}
	}
	return nil
}

// fault is one cause of a syntax error.
type fault struct {
	rule    string
	at      Span
	message string
	help    string
	// quote says that quoting the whole value mends it, and unsure that it may
	// not be what was meant.
	quote, unsure bool
	// inner says that the value has its outer quotes already.
	inner bool
}

// valueFault finds the cause of a syntax error in the value of a field.
func (y *yamlText) valueFault(e entry) *fault {
	value := e.value.of([]byte(y.text))
	if len(value) == 0 {
		return nil
	}
	switch value[0] {
	case '"', '\'':
		return y.quoteFault(e)
	case '[', '{':
		return y.bracketFault(e)
	case '|', '>':
		return y.blockFault(e)
	}
	if f := y.reservedFault(e); f != nil {
		return f
	}
	return y.colonFault(e)
}

// reserved says why a character cannot start an unquoted value.
var reserved = map[byte]string{
	'@': "is reserved in YAML",
	'`': "is reserved in YAML",
	'%': "starts a directive in YAML",
	'*': "starts an alias in YAML",
	'&': "starts an anchor in YAML",
	'!': "starts a tag in YAML",
	',': "separates list items in YAML",
	']': "closes a list in YAML",
	'}': "closes a mapping in YAML",
}

// startsAlone says the same of characters that mean something only with a blank
// behind them.
var startsAlone = map[byte]string{
	'-': "starts a list item in YAML",
	'?': "starts a key in YAML",
}

func (y *yamlText) reservedFault(e entry) *fault {
	first := y.text[e.value.Start]
	shown := string(first)
	why, ok := reserved[first]
	if alone := e.value.End == e.value.Start+1; !ok && (alone || y.text[e.value.Start+1] == ' ') && y.line(e.value.Start) == e.first {
		why, ok = startsAlone[first]
		if ok && !alone {
			shown += " "
		}
	}
	if !ok {
		return nil
	}
	return &fault{
		rule:    "yaml-syntax",
		at:      Span{e.value.Start, e.value.Start + 1},
		message: fmt.Sprintf("%s starts with %q, which %s; quote the value", e.key, shown, why),
		quote:   first != '-' || e.last == e.first+1,
		unsure:  first == '&' || first == '!',
	}
}

// colonFault finds the unquoted colon and blank that makes a nested field of
// the rest of a value (AS-Y3).
func (y *yamlText) colonFault(e entry) *fault {
	for i := e.value.Start; i < e.value.End; i++ {
		if y.text[i] != ':' || i+1 < e.value.End && strings.IndexByte(" \t\n", y.text[i+1]) < 0 {
			continue
		}
		f := &fault{
			rule:    "yaml-colon",
			unsure:  strings.IndexByte("!&", y.text[e.value.Start]) >= 0,
			at:      Span{i, i + 1},
			message: fmt.Sprintf("%s has an unquoted \": \" behind %q, which starts a nested field in YAML; quote the value", e.key, lastWord(y.text[e.value.Start:i])),
			quote:   true,
		}
		if line := y.line(i); line > e.first {
			if key, _, ok := cutKey(strings.TrimLeft(y.text[y.starts[line]:y.lineEnd(line)], " ")); ok {
				f.help = fmt.Sprintf("if %s is a field of its own, it must start in the same column as %s", key, e.key)
			}
		}
		return f
	}
	return nil
}

// lastWord gives the end of the text in front of a fault, enough to find it by
// eye.
func lastWord(text string) string {
	text = strings.TrimRight(text, " \t\n")
	if i := strings.LastIndexAny(text, " \t\n"); i >= 0 {
		text = text[i+1:]
	}
	return clip(text, 40)
}

func (y *yamlText) quoteFault(e entry) *fault {
	quote := y.text[e.value.Start : e.value.Start+1]
	end := quotedEnd(y.text, e.value.Start)
	if bad := badEscape(y.text[e.value.Start:min(end, e.value.End)]); quote == `"` && bad >= 0 {
		return y.escapeFault(e, e.value.Start+bad)
	}
	if end > e.value.End || end == e.value.Start+1 || y.text[end-1:end] != quote || endsEscaped(y.text[e.value.Start:end], quote) {
		return &fault{
			rule:    "yaml-syntax",
			at:      Span{e.value.Start, e.value.Start + 1},
			message: fmt.Sprintf("the quote %s that starts %s is never closed", quote, e.key),
			help:    "add the closing quote, or remove the opening one",
		}
	}
	f := y.trailing(e, end, "quote")
	if f != nil && strings.HasSuffix(y.text[:e.value.End], quote) && strings.IndexByte(" \t\n", y.text[end]) < 0 {
		// A word goes on behind the quote, as in 'the cook's list': the outer
		// quotes are meant as quotes, and those within as text.
		text := y.text[e.value.Start:e.value.End]
		f.inner, f.unsure = true, strings.Contains(text, `\`) || strings.HasSuffix(text, quote+quote)
	}
	return f
}

// endsEscaped reports whether a quoted text that reaches the end of the file
// ends in a quote that is no closing one.
func endsEscaped(text, quote string) bool {
	if quote == `"` {
		inner := strings.TrimSuffix(text, quote)
		return (len(inner)-len(strings.TrimRight(inner, `\`)))%2 == 1
	}
	return strings.Count(text, quote)%2 == 1
}

// badEscape gives the offset of the first backslash in a double-quoted scalar
// that starts no escape of YAML 1.2, or -1.
func badEscape(quoted string) int {
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}
	for i := 1; i+1 < len(quoted); i++ {
		if quoted[i] != '\\' {
			continue
		}
		next := quoted[i+1]
		if n := digits[next]; n > 0 {
			code, err := strconv.ParseUint(hexPrefix(quoted[i+2:], n), 16, 32)
			if err != nil || len(hexPrefix(quoted[i+2:], n)) < n || code > unicode.MaxRune {
				return i
			}
		} else if strings.IndexByte("0abtnvfre \"/\\N_LP\t\r\n", next) < 0 {
			return i
		}
		i++
	}
	return -1
}

func hexPrefix(text string, most int) string {
	n := 0
	for n < len(text) && n < most && strings.IndexByte("0123456789abcdefABCDEF", text[n]) >= 0 {
		n++
	}
	return text[:n]
}

func (y *yamlText) escapeFault(e entry, at int) *fault {
	_, size := utf8.DecodeRuneInString(y.text[at+1:])
	d := escapeProblem(e.key, y.text[at:at+1+size], Range{})
	return &fault{rule: d.RuleID, at: Span{at, at + 1 + size}, message: d.Message, help: d.Help}
}

func escapeProblem(name, escape string, r Range) Diagnostic {
	return Diagnostic{
		RuleID:  "yaml-syntax",
		Range:   r,
		Message: fmt.Sprintf("%s has %q within double quotes, which is no escape of YAML", named(name), escape),
		Help:    `within single quotes a backslash is an ordinary character; within double quotes write \\`,
	}
}

func (y *yamlText) bracketFault(e entry) *fault {
	open := y.text[e.value.Start]
	if strings.HasPrefix(y.text[e.value.Start:], "{{") {
		return &fault{
			rule:    "yaml-syntax",
			at:      Span{e.value.Start, e.value.Start + 2},
			message: fmt.Sprintf("%s starts with \"{{\", which opens two mappings in YAML; quote the value", e.key),
			quote:   true,
		}
	}
	end := bracketEnd(y.text[:e.value.End], e.value.Start)
	if end < 0 {
		return &fault{
			rule:    "yaml-syntax",
			at:      Span{e.value.Start, e.value.Start + 1},
			message: fmt.Sprintf("the bracket %q that starts %s is never closed", string(open), e.key),
			help:    "close it, or quote the value if it is text",
		}
	}
	return y.trailing(e, end, "bracket")
}

// trailing finds text behind what closes a value at end, named as mark.
func (y *yamlText) trailing(e entry, end int, mark string) *fault {
	rest := strings.TrimLeft(y.text[end:e.value.End], " \t\n")
	if rest == "" || rest[0] == '#' {
		return nil
	}
	at := e.value.End - len(rest)
	return &fault{
		rule:    "yaml-syntax",
		at:      Span{at, e.value.End},
		message: fmt.Sprintf("%s goes on behind its closing %s with %q; quote the whole value", e.key, mark, clip(rest, 40)),
		quote:   true,
	}
}

// bracketEnd gives the offset behind the bracket that closes the one at start,
// or -1. Brackets within quotes do not count.
func bracketEnd(text string, start int) int {
	depth := 0
	for i := start; i < len(text); i++ {
		switch text[i] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'':
			if strings.IndexByte("[{,: \n", text[i-1]) >= 0 {
				i = quotedEnd(text, i) - 1
			}
		}
	}
	return -1
}

// blockFault finds text on the line of a block scalar's indicator, or a line of
// it that is not indented.
func (y *yamlText) blockFault(e entry) *fault {
	line := y.text[e.value.Start:min(y.lineEnd(y.line(e.value.Start)), e.value.End)]
	rest := strings.TrimLeft(line[1:], "0123456789+-")
	text := strings.TrimLeft(rest, " \t")
	if text == "" || text[0] == '#' {
		return nil
	}
	at := e.value.Start + len(line) - len(text)
	return &fault{
		rule:    "yaml-syntax",
		at:      Span{at, at + len(text)},
		message: fmt.Sprintf("%s has text on the line of its %q; the text of a block starts on the next line", e.key, line[:1]),
		help:    "start the text on the next line, indented, or quote the value",
	}
}

// tabFault finds a tab that indents a line (AS-Y1).
func (y *yamlText) tabFault(e entry) (Diagnostic, bool) {
	for line := e.first; line < e.last; line++ {
		text := y.text[y.starts[line]:y.lineEnd(line)]
		blank := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
		if i := strings.IndexByte(blank, '\t'); i >= 0 && len(blank) < len(text) {
			d := y.tab(y.starts[line]+i, y.starts[line]+len(blank))
			d.Fixes = y.spacesFix(e)
			return d, true
		}
	}
	return Diagnostic{}, false
}

func (y *yamlText) tab(from, to int) Diagnostic {
	return Diagnostic{
		RuleID:  "yaml-tab",
		Range:   y.span(from, to),
		Message: "a tab indents this line; YAML allows only spaces",
	}
}

// spacesFix offers two spaces for each tab that indents a line of a field. It
// offers nothing where tabs and spaces are mixed, or where the field cannot be
// read afterwards.
func (y *yamlText) spacesFix(e entry) []Fix {
	fix := Fix{Title: "indent with spaces", Safety: Safe}
	text := ""
	for line := e.first; line < e.last; line++ {
		whole := y.text[y.starts[line]:y.lineEnd(line)]
		rest := strings.TrimLeft(whole, " \t")
		blank := whole[:len(whole)-len(rest)]
		tabs := strings.Count(blank, "\t")
		if tabs > 0 && tabs < len(blank) {
			return nil
		}
		if tabs > 0 {
			blank = strings.Repeat("  ", tabs)
			r := y.span(y.starts[line], y.starts[line]+tabs)
			fix.Edits = append(fix.Edits, Edit{Path: SkillFile, Range: r, Text: blank})
		}
		text += blank + rest + "\n"
	}
	if !y.readsAs(text, Mapping, String) {
		return nil
	}
	return []Fix{fix}
}

// readsAs reports whether a text is one field whose value is of one of kinds.
func (y *yamlText) readsAs(text string, kinds ...Kind) bool {
	source := []byte(text)
	probe := newYAMLText(source, Span{0, len(source)}, newLineIndex(source), y.resolve)
	doc, err := probe.parse(0, len(probe.starts))
	if err != nil || doc.root == nil || doc.root.Kind != Mapping || len(doc.root.Pairs) != 1 {
		return false
	}
	return slices.Contains(kinds, doc.root.Pairs[0].Value.Kind)
}

// complexKey is the finding about a key that is written with a question mark
// and is no plain text: YAML allows it, the parser does not read it, and JSON
// has no place for it.
func (y *yamlText) complexKey(line int) (Diagnostic, bool) {
	text := y.text[y.starts[line]:y.lineEnd(line)]
	key := strings.TrimSpace(text)
	if !strings.HasPrefix(key, "? ") {
		return Diagnostic{}, false
	}
	key = strings.TrimSpace(key[2:])
	kind := Mapping
	if strings.HasPrefix(key, "[") || strings.HasPrefix(key, "- ") {
		kind = Sequence
	}
	from := y.starts[line] + strings.Index(text, key)
	return Diagnostic{
		RuleID:  "json-value",
		Range:   y.span(from, from+len(key)),
		Message: fmt.Sprintf("this key is %s; JSON allows only text as a key", kind),
	}, true
}

// noField gives the finding about a line that belongs to no field. A line with
// a control character gets one about that.
func (y *yamlText) noField(line int) []Diagnostic {
	from, to := y.starts[line], y.lineEnd(line)
	text := y.text[from:to]
	if strings.ContainsFunc(text, isForbidden) || strings.HasPrefix(text, ": ") {
		return nil // that character, or the key above, is the fault
	}
	if d, ok := y.complexKey(line); ok {
		return []Diagnostic{d}
	}
	trimmed := strings.TrimLeft(text, " \t")
	blank := len(text) - len(trimmed)
	if strings.Contains(text[:blank], "\t") {
		return []Diagnostic{y.tab(from, from+blank)}
	}
	from += blank
	if key, _, ok := cutKey(trimmed); ok {
		return []Diagnostic{{
			RuleID:  "yaml-syntax",
			Range:   y.span(from, from+len(key)),
			Message: fmt.Sprintf("%q is indented by %d; the fields of one mapping start in the same column", key, blank),
		}}
	}
	d := Diagnostic{
		RuleID:  "yaml-syntax",
		Range:   y.span(from, to),
		Message: fmt.Sprintf("%q is no field; a field is a key, a colon and a blank", clip(strings.TrimSpace(text), 40)),
		Help:    "a line that continues the value above must be indented",
	}
	if key := y.gluedKey(line, indentOf(text)); key != nil {
		at := from + len(key.Text) + 1
		d.Range = y.span(at-1, at)
		d.Message = fmt.Sprintf("the blank behind %q is missing", key.Text+":")
		d.Help = ""
		if !isPlainSafe(strings.TrimSpace(text[blank+len(key.Text)+1:])) {
			return []Diagnostic{d}
		}
		d.Fixes = []Fix{{Title: "add the blank", Safety: Safe, Edits: []Edit{{Path: SkillFile, Range: y.span(at, at), Text: " "}}}}
	}
	return []Diagnostic{d}
}

// isForbidden reports a character that YAML does not allow anywhere, NUL left
// out: that has a rule of its own.
func isForbidden(r rune) bool { return r != 0 && r < ' ' && r != '\t' || r == 0x7f }

// generic is the finding in the parser's own words.
func (y *yamlText) generic(err *syntaxError) Diagnostic {
	end := min(err.offset+1, len(y.text))
	return Diagnostic{
		RuleID:  "yaml-syntax",
		Range:   y.span(err.offset, max(end, err.offset)),
		Message: "the frontmatter is no YAML: " + plainWords(err.message),
	}
}

// plainWords says what the parser says in words of the author's, where it is
// one of the things that it says often.
func plainWords(message string) string {
	for _, known := range []struct{ part, words string }{
		{"value is not allowed in this context", "text stands here where a field or a deeper indent is expected"},
		{"unexpected scalar value type", "a value is missing, or stands in the wrong place"},
		{"non-map value is specified", "this line is no field; a field is a key, a colon and a blank"},
		{"surrogate pair", "an escape stands for half a character"},
		{"block sequence entries are not allowed", "a list item stands where none is allowed"},
		{"could not find flow map content", "the braces hold no mapping"},
		{"mapping value is not allowed", "a colon and a blank stand where no field may start"},
	} {
		if strings.Contains(message, known.part) {
			return known.words
		}
	}
	return strings.ToLower(message[:min(1, len(message))]) + message[min(1, len(message)):]
}

// structured finds what quotes around a value of several lines would make text
// of: comments, list items, and a block.
var structured = regexp.MustCompile(`\n[ \t]*(?:#|- )|[|>][1-9+-]*[ \t\r]*\n`)

// quoteFix offers the quoted value, if the field can be read with it. Of a value
// that has its outer quotes only what is within is quoted anew. Text behind a
// " #" may be meant as a comment: then the fix is not safe.
func (y *yamlText) quoteFix(e entry, inner bool) []Fix {
	r := y.span(e.value.Start, e.value.End)
	source := string(y.lines.text[r.Start.Offset:r.End.Offset])
	fix := Fix{Title: "quote the value", Safety: Safe}
	if inner {
		source = source[1 : len(source)-1]
		fix.Title = "quote the value so that the quotes within are text"
	} else if strings.Contains(source, " #") {
		fix.Safety = Unsafe
	}
	quoted := quote(source)
	if structured.MatchString(source) || y.hasBroken(e.value.Start, e.value.End) || !y.readsAs(y.text[y.starts[e.first]:e.value.Start]+strings.ReplaceAll(quoted, "\r\n", "\n")+"\n", String) {
		return nil
	}
	fix.Edits = []Edit{{Path: SkillFile, Range: r, Text: quoted}}
	return []Fix{fix}
}

// quote writes text as a YAML scalar that every reader understands: double
// quotes where nothing needs an escape, single ones else. Line ends stay.
func quote(text string) string {
	if !strings.ContainsAny(text, "\"\\") {
		return `"` + text + `"`
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// beyondParser finds what YAML forbids and the parser lets pass: aliases
// without an anchor, values that start with an indicator, escapes that are
// none, control characters, and tabs that indent.
func (y *yamlText) beyondParser(nodes []visited) []Diagnostic {
	var problems []Diagnostic
	var quoted []Range // and blocks
	for _, v := range nodes {
		if v.node.Style != Plain && v.node.Style != Flow {
			quoted = append(quoted, v.node.Range)
		}
		if d, ok := y.scalarFault(v); ok {
			d.Field = v.pointer
			problems = append(problems, d)
		}
	}
	return append(problems, y.badCharacters(quoted)...)
}

// scalarFault finds what is wrong with one scalar, and marks it as Unknown if
// it stands for nothing.
func (y *yamlText) scalarFault(v visited) (Diagnostic, bool) {
	n := v.node
	source := y.lines.text[n.Range.Start.Offset:n.Range.End.Offset]
	switch {
	case n.Kind == Alias && n.Target == nil && strings.HasPrefix(v.pointer, "/"+FieldAllowedTools+"/"):
		n.Kind = Unknown
		tool := v.pointer[strings.LastIndexByte(v.pointer, '/')+1:]
		return Diagnostic{
			RuleID:  "yaml-colon",
			Range:   n.Range,
			Message: fmt.Sprintf("a tool has an unquoted \": \" behind %q, which starts a nested field in YAML; quote the tool", clip(tool, 40)),
		}, true
	case n.Kind == Alias && n.Target == nil:
		n.Kind = Unknown
		return Diagnostic{
			RuleID:  "yaml-syntax",
			Range:   n.Range,
			Message: fmt.Sprintf("%q is an alias in YAML and there is no anchor %q; quote the value", clip("*"+n.Text, 40), clip("&"+n.Text, 40)),
			Fixes:   y.quoteNode(n, string(source), Unsafe),
		}, true
	case (n.Style == DoubleQuoted || n.Style == SingleQuoted) && y.gluedComment(n):
		end := n.Range.End.Offset
		return Diagnostic{
			RuleID:  "yaml-syntax",
			Range:   y.lines.span(end, end+1),
			Message: "a comment starts right behind the closing quote; a blank must stand before it",
		}, true
	case n.Style == DoubleQuoted:
		return y.shortEscape(v, string(source))
	case n.Style == Plain && n.isScalar() && len(source) > 0 && !v.isKey:
		return y.badStart(v, source)
	}
	return Diagnostic{}, false
}

// gluedComment reports a "#" right behind a quoted scalar.
func (y *yamlText) gluedComment(n *Node) bool {
	end := n.Range.End.Offset
	return end < len(y.lines.text) && y.lines.text[end] == '#'
}

// shortEscape finds an escape in a double-quoted scalar that the parser takes
// all the same.
func (y *yamlText) shortEscape(v visited, source string) (Diagnostic, bool) {
	at := badEscape(source)
	if at < 0 {
		return Diagnostic{}, false
	}
	_, size := utf8.DecodeRuneInString(source[at+1:])
	from := v.node.Range.Start.Offset + at
	return escapeProblem(fieldPath(v.pointer), source[at:at+1+size], y.lines.span(from, from+1+size)), true
}

// badStart finds a plain scalar whose first character no plain scalar may have,
// or with a colon and a blank in it.
func (y *yamlText) badStart(v visited, source []byte) (Diagnostic, bool) {
	if i := bytes.Index(source, []byte(": ")); i >= 0 {
		from := v.node.Range.Start.Offset + i
		return Diagnostic{
			RuleID:  "yaml-colon",
			Range:   y.lines.span(from, from+1),
			Message: fmt.Sprintf("%s has an unquoted \": \" behind %q, which starts a nested field in YAML; quote the value", named(fieldPath(v.pointer)), lastWord(string(source[:i]))),
		}, true
	}
	why, bad := reserved[source[0]]
	if !bad && len(source) == 1 {
		why, bad = startsAlone[source[0]]
	}
	if !bad {
		return Diagnostic{}, false
	}
	from := v.node.Range.Start.Offset
	return Diagnostic{
		RuleID:  "yaml-syntax",
		Range:   y.lines.span(from, from+1),
		Message: fmt.Sprintf("%s starts with %q, which %s; quote the value", named(fieldPath(v.pointer)), source[:1], why),
		Fixes:   y.quoteNode(v.node, string(source), Safe),
	}, true
}

func (y *yamlText) quoteNode(n *Node, source string, safety Safety) []Fix {
	return []Fix{{Title: "quote the value", Safety: safety, Edits: []Edit{{Path: SkillFile, Range: n.Range, Text: quote(source)}}}}
}

// badCharacters finds control characters, and tabs that indent lines. Within
// quotes and blocks a tab is content, and so is DEL within quotes.
func (y *yamlText) badCharacters(quoted []Range) []Diagnostic {
	var problems []Diagnostic
	inside := func(offset int) bool {
		return slices.ContainsFunc(quoted, func(r Range) bool { return r.Contains(offset) })
	}
	for line, start := range y.starts {
		text := y.text[start:y.lineEnd(line)]
		for i := range len(text) {
			at := y.origin[line] + i
			if c := y.lines.text[at]; isForbidden(rune(c)) && (c != 0x7f || !inside(at)) {
				problems = append(problems, Diagnostic{
					RuleID:  "yaml-syntax",
					Range:   y.span(start+i, start+i+1),
					Message: fmt.Sprintf("the control character U+%04X is not allowed in YAML", c),
				})
				break
			}
		}
		if d, ok := y.emptyKey(line); ok && !inside(y.origin[line]) {
			problems = append(problems, d)
		}
		blank := len(text) - len(strings.TrimLeft(text, "\t "))
		_, _, isField := cutKey(text[blank:])
		indents := strings.HasPrefix(text, "\t") || isField && strings.Contains(text[:blank], "\t")
		if indents && blank < len(text) && text[blank] != '#' && !inside(y.origin[line]) {
			problems = append(problems, y.tab(start+strings.IndexByte(text, '\t'), start+blank))
		}
	}
	return problems
}

var pathReplacer = strings.NewReplacer("/", ".", "~1", "/", "~0", "~")

// emptyKey finds a field without a key, which the parser drops. Behind a key
// with a question mark the colon is in its place.
func (y *yamlText) emptyKey(line int) (Diagnostic, bool) {
	text := y.text[y.starts[line]:y.lineEnd(line)]
	at := indentOf(text)
	if !strings.HasPrefix(text[at:], ": ") && text[at:] != ":" || strings.Contains(y.text, "? ") {
		return Diagnostic{}, false
	}
	return Diagnostic{
		RuleID:  "json-value",
		Range:   y.span(y.starts[line]+at, y.starts[line]+at+1),
		Message: "a key is missing in front of this colon; JSON allows only text as a key",
	}, true
}

// fieldPath writes a JSON Pointer as a person would: metadata.version.
func fieldPath(pointer string) string {
	return pathReplacer.Replace(strings.TrimPrefix(pointer, "/"))
}
