package clients

import (
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// scanner reads fields line by line, without regard to YAML. It gives what it
// found by key.
type scanner func(text string, content spec.Span) map[string]value

// scanners are the readers that go by lines, by the names of profiles.
var scanners = map[string]scanner{
	"scan-typed":    scanTyped,
	"scan-plain":    scanPlain,
	"scan-two":      scanTwo,
	"scan-patterns": scanPatterns,
	"scan-flat":     scanFlat,
}

// line is one line of a content: its text without line end, and its place.
type line struct {
	text string
	at   int
}

func linesOf(text string, content spec.Span) []line {
	var lines []line
	for at := content.Start; at < content.End; {
		end, next := lineEnd(text[:content.End], at)
		lines = append(lines, line{text[at:end], at})
		at = next
	}
	return lines
}

// cutField gives key and value around the first colon of a line, and where the
// value starts.
func (l line) cutField() (key, rest string, at int, ok bool) {
	i := strings.IndexByte(l.text, ':')
	if i < 0 {
		return "", "", 0, false
	}
	raw := l.text[i+1:]
	rest = trim(raw)
	start := l.at + i + 1
	if rest != "" {
		start += strings.Index(raw, rest)
	}
	return trim(l.text[:i]), rest, start, true
}

func textValue(text string, at int) value {
	return value{kind: str, text: text, at: spec.Span{Start: at, End: at + len(text)}, schema: schemas["typed"]}
}

// scanTyped splits each line at its first colon, wherever it is indented, and
// gives numbers, booleans and null their types. Items of lists and indented
// lines below a key without a value make a list and a map of it. Only double
// quotes around a whole value are taken off. (Qwen Code, as shipped.)
func scanTyped(text string, content spec.Span) map[string]value {
	fields := map[string]value{}
	var lines []line
	for _, l := range linesOf(text, content) {
		if t := trim(l.text); t != "" && t[0] != '#' {
			lines = append(lines, l)
		}
	}
	arrayKey, objectKey, inArray, inObject := "", "", false, false
	var items []string
	endArray := func() {
		fields[arrayKey] = value{kind: list, text: strings.Join(items, ","), schema: schemas["typed"]}
		inArray, items, arrayKey = false, nil, ""
	}
	for i, l := range lines {
		if strings.HasPrefix(l.text, "  - ") {
			inArray = true
			items = append(items, trim(l.text[4:]))
			continue
		}
		if inArray {
			endArray()
		}
		if strings.HasPrefix(l.text, "  ") && inObject {
			continue
		}
		if inObject {
			fields[objectKey] = value{kind: mapping, text: "[object Object]", schema: schemas["typed"]}
			inObject, objectKey = false, ""
		}
		key, rest, at, ok := l.cutField()
		switch {
		case !ok:
		case rest != "":
			fields[key] = typedValue(rest, at)
		default:
			arrayKey = key
			if i+1 < len(lines) && strings.HasPrefix(lines[i+1].text, "  ") && !strings.HasPrefix(lines[i+1].text, "  - ") {
				inObject, objectKey, arrayKey = true, key, ""
			}
		}
	}
	if inArray {
		endArray()
	}
	if inObject {
		fields[objectKey] = value{kind: mapping, text: "[object Object]", schema: schemas["typed"]}
	}
	return fields
}

// typedValue gives a value its type as scanTyped does.
func typedValue(rest string, at int) value {
	v := textValue(rest, at)
	switch {
	case rest == "true" || rest == "false":
		v.kind = boolean
	case rest == "null":
		v.kind = null
	case len(rest) > 1 && rest[0] == '"' && strings.HasSuffix(rest, `"`):
		v.text = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(rest[1 : len(rest)-1])
	case mayBeNumber(rest) && !strings.Contains(rest, "_"):
		if f, ok := number(rest); ok && jsNumber(f) != "Infinity" && jsNumber(f) != "NaN" {
			v.kind, v.text = integer, jsNumber(f)
		}
	}
	return v
}

// scanPlain splits each line at its first colon, wherever it is indented, and
// keeps the text behind it, quotes and all. Lines that start with a hyphen below
// a key without a value make a list of it. (Letta Code.)
func scanPlain(text string, content spec.Span) map[string]value {
	fields := map[string]value{}
	key, open, items := "", false, 0
	for _, l := range linesOf(text, content) {
		if strings.HasPrefix(trim(l.text), "-") && open {
			items++
			continue
		}
		if open && items > 0 {
			fields[key] = value{kind: list, schema: schemas["typed"], node: &spec.Node{Kind: spec.Sequence}}
			open, items = false, 0
		}
		k, rest, at, ok := l.cutField()
		if !ok || l.text[0] == ':' {
			continue
		}
		key, open, items = k, true, 0
		if rest != "" {
			fields[key] = textValue(rest, at)
			open = false
		}
	}
	if open && items > 0 {
		fields[key] = value{kind: list, schema: schemas["typed"], node: &spec.Node{Kind: spec.Sequence}}
	}
	return fields
}

// scanTwo finds only name and description, at the start of a line, and joins
// the indented lines below a description. (The fallback of Gemini CLI.)
func scanTwo(text string, content spec.Span) map[string]value {
	fields := map[string]value{}
	lines := linesOf(text, content)
	for i := 0; i < len(lines); i++ {
		key, rest, at, ok := lines[i].cutField()
		if !ok || key != spec.FieldName && key != spec.FieldDescription {
			continue
		}
		if !strings.HasPrefix(trim(lines[i].text), key+":") {
			continue
		}
		if key == spec.FieldName {
			fields[key] = textValue(rest, at)
			continue
		}
		var parts []string
		if rest != "" {
			parts = append(parts, rest)
		}
		for i+1 < len(lines) && lines[i+1].text != "" && strings.IndexByte(" \t", lines[i+1].text[0]) >= 0 && trim(lines[i+1].text) != "" {
			i++
			parts = append(parts, trim(lines[i].text))
		}
		v := textValue(strings.Join(parts, " "), at)
		v.at.End = lines[i].at + len(lines[i].text)
		fields[key] = v
	}
	return fields
}

// patternKey is a key in column 1 as a pattern finds it: a word and a colon.
var patternKey = lazily(`^([\pL\p{Nd}_-]+)[ \t]*:`)

// scanPatterns finds fields in column 1 whose key is a word, in any case. The
// value may stand on a later line, and swallows a field that stands there.
// Quotes around the whole value are taken off, whichever they are; without them
// a block is read with its indicator. (Agent Framework.)
func scanPatterns(text string, content spec.Span) map[string]value {
	fields := map[string]value{}
	lines := linesOf(text, content)
	for i := 0; i < len(lines); i++ {
		m := patternKey().FindStringSubmatchIndex(lines[i].text)
		if m == nil {
			continue
		}
		key := foldedKey(lines[i].text[m[2]:m[3]])
		rest, at := strings.TrimSpace(lines[i].text[m[1]:]), lines[i].at+m[1]
		for rest == "" && i+1 < len(lines) {
			i++
			rest, at = strings.TrimSpace(lines[i].text), lines[i].at
		}
		if rest == "" {
			break
		}
		at += strings.Index(text[at:], rest)
		v := textValue(rest, at)
		switch {
		case len(rest) > 2 && strings.ContainsAny(rest[:1], "\"'") && strings.ContainsAny(rest[len(rest)-1:], "\"'"):
			v.text = rest[1 : len(rest)-1]
		case rest[0] == '|' || rest[0] == '>':
			last := i
			for last+1 < len(lines) && (trim(lines[last+1].text) == "" || strings.IndexByte(" \t", lines[last+1].text[0]) >= 0) {
				last++
			}
			v.text = blockText(rest, lines[i+1:last+1])
			if last > i {
				v.at.End = lines[last].at + len(lines[last].text)
			}
			i = last
		}
		fields[key] = v
	}
	return fields
}

// blockText joins the lines of a block: kept for |, and one line for >.
func blockText(header string, lines []line) string {
	var parts []string
	indent := -1
	for _, l := range lines {
		t := strings.TrimRight(l.text, " \t\r")
		if n := len(t) - len(strings.TrimLeft(t, " \t")); t != "" && (indent < 0 || n < indent) {
			indent = n
		}
		parts = append(parts, t)
	}
	for i, t := range parts {
		parts[i] = t[min(max(indent, 0), len(t)):]
	}
	if header[0] == '>' {
		return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
	}
	text := strings.TrimRight(strings.Join(parts, "\n"), "\n")
	if strings.Contains(header, "-") || text == "" {
		return text
	}
	return text + "\n"
}

// scanFlat splits each line at its first colon, indented or not, so that nested
// keys become fields, and takes quotes off. (Spring AI.)
func scanFlat(text string, content spec.Span) map[string]value {
	fields := map[string]value{}
	for _, l := range linesOf(text, content) {
		key, rest, at, ok := l.cutField()
		if !ok || key == "" || key[0] == '#' {
			continue
		}
		if len(rest) > 1 && (rest[0] == '"' || rest[0] == '\'') && rest[len(rest)-1] == rest[0] {
			rest, at = rest[1:len(rest)-1], at+1
		}
		fields[key] = textValue(rest, at)
	}
	return fields
}
