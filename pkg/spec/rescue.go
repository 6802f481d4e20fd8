package spec

import (
	"regexp"
	"slices"
	"strings"
)

// keyPattern is a key with its colon as people write them in frontmatter: one
// word or a quoted one.
var keyPattern = regexp.MustCompile(`^("[^"[:cntrl:]]*"|'[^'[:cntrl:]]*'|[\p{L}\p{N}_$.<][^\s:[:cntrl:]]*)[ \t]*:(?:[ \t]|$)`)

// cutKey gives the key at the start of a line and the offset behind its colon.
func cutKey(line string) (key string, behind int, ok bool) {
	m := keyPattern.FindStringSubmatchIndex(line)
	if m == nil {
		return "", 0, false
	}
	key = line[m[2]:m[3]]
	return strings.Trim(key, `"'`), m[3] + strings.IndexByte(line[m[3]:], ':') + 1, true
}

// entry is one field of a text that could not be parsed as a whole: its first
// line and the lines below it up to the next field.
type entry struct {
	first, last int // lines, last exclusive
	indent      int
	key         string
	keyAt       int
	colon       int // offset behind the colon
	value       Span
	quoteEnd    int // end of the quoted value that starts on the first line, or 0
}

// rescuer reads what can be read of a text with syntax errors, field by field,
// and says in the author's words what is wrong with the rest.
type rescuer struct {
	y        *yamlText
	problems []Diagnostic
	depth    int
}

// rescue reads a text that the parser refused. It gives the fields that stand
// on their own, those that do not as Unknown, and what is wrong with them. It
// finds nothing wrong where each field can be read: fields do not depend on each
// other, and it was the parser that stumbled.
func (y *yamlText) rescue(whole *syntaxError) (*Node, []Diagnostic) {
	r := &rescuer{y: y}
	root := r.mapping(0, len(y.starts), 0, "")
	if len(r.problems) == 0 && len(root.Pairs) == 0 {
		r.problems = append(r.problems, y.generic(whole))
	}
	return root, r.problems
}

// mapping reads the fields whose key stands at column indent in a run of
// lines.
func (r *rescuer) mapping(first, last, indent int, pointer string) *Node {
	node := &Node{Kind: Mapping}
	entries, junk := r.y.entries(first, last, indent)
	for _, line := range junk {
		r.problems = append(r.problems, r.y.noField(line)...)
		if key := r.y.junkKey(line, indent); key != nil {
			node.Pairs = append(node.Pairs, Pair{Key: key, Value: &Node{Range: key.Range}})
		}
	}
	for _, e := range entries {
		node.Pairs = append(node.Pairs, r.field(e, pointer)...)
	}
	slices.SortStableFunc(node.Pairs, func(a, b Pair) int {
		return a.Key.start().Offset - b.Key.start().Offset
	})
	if len(node.Pairs) > 0 {
		node.Range = Range{Start: node.Pairs[0].Key.Range.Start, End: node.Pairs[len(node.Pairs)-1].Value.Range.End}
	}
	return node
}

// entries groups lines into fields. Lines at or left of indent that start no
// field are junk, unless they continue a quoted value.
func (y *yamlText) entries(first, last, indent int) (entries []entry, junk []int) {
	for line := first; line < last; line++ {
		text := y.text[y.starts[line]:y.lineEnd(line)]
		trimmed := strings.TrimLeft(text, " \t")
		if trimmed == "" || trimmed[0] == '#' {
			continue
		}
		key, behind, ok := cutKey(trimmed)
		if ok && indentOf(text) == indent && text[indent:] == trimmed {
			entries = append(entries, y.newEntry(line, indent, key, behind))
			continue
		}
		if len(entries) == 0 || !y.continues(entries[len(entries)-1], line, indent) {
			junk = append(junk, line)
			continue
		}
		entries[len(entries)-1].last = line + 1
	}
	for i := range entries {
		entries[i].value = y.valueSpan(entries[i])
	}
	return entries, junk
}

func (y *yamlText) newEntry(line, indent int, key string, behind int) entry {
	at := y.starts[line] + indent
	e := entry{first: line, last: line + 1, indent: indent, key: key, keyAt: at, colon: at + behind}
	if value := y.valueSpan(e); !value.Empty() && strings.IndexByte(`"'`, y.text[value.Start]) >= 0 {
		e.quoteEnd = quotedEnd(y.text, value.Start)
	}
	return e
}

// continues reports whether a line that starts no field belongs to the field
// above it: it stands deeper, or a tab makes that hard to tell; it is an item of
// a list, which need not stand deeper than its key; or it is inside quotes.
func (y *yamlText) continues(e entry, line, indent int) bool {
	text := y.text[y.starts[line]:y.lineEnd(line)]
	trimmed := strings.TrimLeft(text, " \t")
	blank := text[:len(text)-len(trimmed)]
	isItem := trimmed == "-" || strings.HasPrefix(trimmed, "- ")
	return indentOf(text) > indent || strings.Contains(blank, "\t") || isItem && indentOf(text) == indent || y.inQuotes(e, line)
}

// inQuotes reports whether a line is still inside the quoted value of e. A
// quote that is never closed holds no line but its own.
func (y *yamlText) inQuotes(e entry, line int) bool {
	return e.quoteEnd > y.starts[line] && e.quoteEnd < len(y.text)
}

// valueSpan gives the value of a field without the blanks around it.
func (y *yamlText) valueSpan(e entry) Span {
	s := Span{e.colon, y.lineEnd(e.last - 1)}
	for s.Start < s.End && strings.IndexByte(" \t\n", y.text[s.Start]) >= 0 {
		s.Start++
	}
	for s.End > s.Start && strings.IndexByte(" \t\n", y.text[s.End-1]) >= 0 {
		s.End--
	}
	return s
}

// hasIndented reports whether a text that could not be read holds the field on a
// line that starts with a tab: it is there, and in the wrong column.
func (y *yamlText) hasIndented(field string) bool {
	for line, start := range y.starts {
		text := y.text[start:y.lineEnd(line)]
		key, _, ok := cutKey(strings.TrimLeft(text, " \t"))
		if ok && key == field && strings.HasPrefix(text, "\t") {
			return true
		}
	}
	return false
}

// field reads one field alone.
func (r *rescuer) field(e entry, pointer string) []Pair {
	doc, err := r.y.parse(e.first, e.last)
	if err == nil && doc.root != nil && doc.root.Kind == Mapping {
		return doc.root.Pairs
	}
	pointer += "/" + escapePointer(e.key)
	if node := r.y.bareProperty(e); err != nil && node != nil {
		return []Pair{{Key: &Node{Kind: String, Text: e.key, Range: r.y.span(e.keyAt, e.keyAt+len(e.key))}, Value: node}}
	}
	pair := Pair{
		Key:   &Node{Kind: String, Text: e.key, Range: r.y.span(e.keyAt, e.keyAt+len(e.key))},
		Value: &Node{Range: r.y.span(e.value.Start, e.value.End)},
	}
	if err == nil {
		err = &syntaxError{message: "a field is expected here", offset: e.keyAt}
	}
	if children := r.children(e, pointer); children != nil {
		pair.Value = children
		return []Pair{pair}
	}
	r.problems = append(r.problems, r.y.explain(e, pointer, err))
	return []Pair{pair}
}

// bareProperty gives the empty value that an anchor or a tag alone stands for,
// which the parser refuses at the end of a text, or nil.
func (y *yamlText) bareProperty(e entry) *Node {
	text := y.text[e.value.Start:e.value.End]
	if len(text) < 2 || text[0] != '&' && text[0] != '!' || strings.ContainsAny(text, " \t\n,[]{}") {
		return nil
	}
	end := y.position(e.value.End)
	node := &Node{Kind: Null, Range: Range{end, end}, Mark: y.span(e.value.Start, e.value.End)}
	if text[0] == '!' {
		node.Tag, node.Kind = text, tagKind(text, Null)
	} else {
		node.Anchor = text[1:]
		y.anchors[node.Anchor] = node
	}
	return node
}

// children reads the mapping below a field that has no value on its own line,
// and gives nil where there is none.
func (r *rescuer) children(e entry, pointer string) *Node {
	if r.depth >= MaxFrontmatterDepth || e.value.Empty() || r.y.line(e.value.Start) == e.first {
		return nil
	}
	first := r.y.line(e.value.Start)
	line := r.y.text[r.y.starts[first]:r.y.lineEnd(first)]
	if _, _, ok := cutKey(strings.TrimLeft(line, " ")); !ok {
		return nil
	}
	r.depth++
	node := r.mapping(first, e.last, indentOf(line), pointer)
	r.depth--
	return node
}

// junkKey gives the key of a field that is in the wrong column, or that a blank
// is missing of, so that it does not count as missing.
func (y *yamlText) junkKey(line, indent int) *Node {
	text := y.text[y.starts[line]:y.lineEnd(line)]
	trimmed := strings.TrimLeft(text, " \t")
	if key, _, ok := cutKey(trimmed); ok {
		at := y.starts[line] + len(text) - len(trimmed)
		return &Node{Kind: String, Text: key, Range: y.span(at, at+len(key))}
	}
	return y.gluedKey(line, indent)
}

// gluedKey gives the key of a line such as "name:value", so that the field does
// not count as missing. Only a known field is taken for one: "https://…" is
// text.
func (y *yamlText) gluedKey(line, indent int) *Node {
	text := y.text[y.starts[line]:y.lineEnd(line)]
	colon := strings.IndexByte(text, ':')
	if colon <= indent || indentOf(text) != indent || !isKnownField(text[indent:colon]) || colon+1 == len(text) || text[colon+1] == ' ' {
		return nil
	}
	at := y.starts[line]
	return &Node{Kind: String, Text: text[indent:colon], Range: y.span(at+indent, at+colon)}
}
