package spec

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// yamlText is the text between the fences as the YAML parser gets it: with LF
// line ends and without invalid bytes, so that the parser counts lines and
// columns as we do. Offsets below are offsets in that text; position leads
// back to the file.
type yamlText struct {
	text string
	// lexical is what the parser gets in place of text; see maskBlocks.
	lexical string
	starts  []int // offset of each line in text
	origin  []int // offset of the same line in the source
	lines   *lineIndex
	// resolve gives plain scalars their kinds.
	resolve Resolver
	// broken are the offsets of bytes that are no UTF-8 and of lone CRs; a
	// stand-in is read in their place.
	broken []int
	// anchors are the values with names, over all parts of the text that were
	// parsed on their own.
	anchors map[string]*Node
	// problems are what the parser let pass and should not have.
	problems []Diagnostic
	// tokens of the whole text, as the lexer gave them.
	tokens token.Tokens
}

func newYAMLText(source []byte, content Span, lines *lineIndex, resolve Resolver) *yamlText {
	y := &yamlText{lines: lines, resolve: resolve, anchors: map[string]*Node{}}
	var b strings.Builder
	b.Grow(content.End - content.Start)
	for at := content.Start; at < content.End; {
		y.starts = append(y.starts, b.Len())
		y.origin = append(y.origin, at)
		line := lineAt(source[:content.End], at)
		y.addLine(&b, strings.TrimSuffix(string(line.of(source)), "\r"))
		if line.End < content.End {
			b.WriteByte('\n')
		}
		at = afterLine(source[:content.End], line.End)
	}
	y.text = b.String()
	y.lexical = y.text
	return y
}

// addLine copies a line, with a low line for each byte that is no UTF-8,
// one byte for one byte, so that offsets stay; and for each CR within it, which
// the parser would take for a line end, in quadratic time.
func (y *yamlText) addLine(b *strings.Builder, line string) {
	if utf8.ValidString(line) && !strings.Contains(line, "\r") {
		b.WriteString(line)
		return
	}
	for i, r := range line {
		if r == '\r' || r == utf8.RuneError && !strings.HasPrefix(line[i:], "\uFFFD") {
			y.broken = append(y.broken, b.Len())
			r = '_' // which starts no construct of YAML
		}
		b.WriteRune(r)
	}
}

// position gives the place in the file of an offset in the text.
func (y *yamlText) position(offset int) Position {
	if len(y.starts) == 0 {
		return Position{}
	}
	line := y.line(offset)
	return y.lines.position(y.origin[line] + offset - y.starts[line])
}

// offset leads from a place in the file back to the text.
func (y *yamlText) offset(p Position) int {
	line := sort.SearchInts(y.origin, p.Offset+1) - 1
	return y.starts[line] + p.Offset - y.origin[line]
}

// line gives the index of the line that holds an offset.
func (y *yamlText) line(offset int) int { return sort.SearchInts(y.starts, offset+1) - 1 }

// lineEnd gives the offset behind the last byte of a line, its LF left out.
func (y *yamlText) lineEnd(line int) int {
	if line+1 < len(y.starts) {
		return y.starts[line+1] - 1
	}
	return len(strings.TrimSuffix(y.text, "\n"))
}

func (y *yamlText) span(from, to int) Range {
	return Range{Start: y.position(from), End: y.position(to)}
}

// hasBroken reports whether a stand-in is read between two offsets.
func (y *yamlText) hasBroken(from, to int) bool {
	i := sort.SearchInts(y.broken, from)
	return i < len(y.broken) && y.broken[i] < to
}

// depth gives how deep the collections nest, as the tokens have it: brackets
// within quotes, comments and text are no tokens of their own.
func depth(tokens token.Tokens) int {
	var columns []int // of the block collections that are open
	flow, run, deepest := 0, 0, 0
	for _, t := range tokens {
		if t.Type == token.SequenceEntryType && flow > 0 {
			run++ // no YAML, but the parser goes down for each
		} else {
			run = 0
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow = max(0, flow-1)
		case token.SequenceEntryType, token.MappingKeyType:
			if flow == 0 {
				columns = openBlock(columns, t.Position.Column)
			}
		case token.MappingValueType:
			if flow == 0 && t.Prev != nil {
				columns = openBlock(columns, t.Prev.Position.Column)
			}
		}
		deepest = max(deepest, len(columns)+flow+run)
	}
	return deepest
}

func openBlock(columns []int, column int) []int {
	for len(columns) > 0 && columns[len(columns)-1] >= column {
		columns = columns[:len(columns)-1]
	}
	return append(columns, column)
}

// document is one parsed run of lines.
type document struct {
	root *Node
	// extra is the offset of a second document, or -1.
	extra int
}

// syntaxError is what the YAML parser says, with the offset it points at.
type syntaxError struct {
	message string
	offset  int
}

func (e *syntaxError) Error() string { return e.message }

// parse reads the lines from first up to last (exclusive) as YAML.
func (y *yamlText) parse(first, last int) (document, *syntaxError) {
	start, end := 0, len(y.text)
	if first > 0 {
		start = y.starts[first]
	}
	if last < len(y.starts) {
		end = y.starts[last]
	}
	tokens := y.tokens
	if tokens == nil || start > 0 || end < len(y.text) {
		tokens = lexer.Tokenize(y.lexical[start:end])
	}
	b := &builder{y: y, firstLine: first}
	file, err := parseTokens(tokens)
	if err != nil {
		return document{}, b.syntaxError(err)
	}
	known := len(y.problems)
	doc := b.document(file)
	if b.misread != nil {
		y.problems = y.problems[:known]
		return document{}, b.misread
	}
	return doc, nil
}

// parseTokens calls the parser. A panic in it is the parser's way of not
// understanding the text; it must not end the program.
func parseTokens(tokens token.Tokens) (file *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the YAML parser gave up: %v", r)
		}
	}()
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

// builder turns the parser's tree into ours.
type builder struct {
	y         *yamlText
	firstLine int
	// misread is set where the parser took the fields behind an empty value for
	// the value.
	misread *syntaxError
	// last is the place that was found last: the next one on a long line is
	// counted from there.
	last struct{ line, column, at int }
}

func (b *builder) syntaxError(err error) *syntaxError {
	e := &syntaxError{offset: b.y.starts[min(b.firstLine, len(b.y.starts)-1)]}
	var positioned yaml.Error
	if !errors.As(err, &positioned) {
		e.message = err.Error()
		return e
	}
	// Error() would draw the text around the fault, in quadratic time.
	e.message = positioned.GetMessage()
	if t := positioned.GetToken(); t != nil {
		e.offset = b.offset(t)
	}
	return e
}

func (b *builder) document(file *ast.File) document {
	doc := document{extra: -1}
	for i, d := range file.Docs {
		if i == 0 && d.Body != nil {
			doc.root = b.node(d.Body, 0, -1)
		}
		switch {
		case doc.extra >= 0:
		case d.Start != nil:
			doc.extra = b.offset(d.Start)
		case i > 0 && d.Body != nil && file.Docs[i-1].End != nil:
			doc.extra = b.offset(file.Docs[i-1].End)
		case i > 0 && d.Body != nil:
			doc.extra = b.offset(d.Body.GetToken())
		}
	}
	return doc
}

// offset gives where a token starts. The parser counts a tab in front of a
// value as part of it.
func (b *builder) offset(t *token.Token) int {
	line := min(max(b.firstLine+t.Position.Line-1, 0), len(b.y.starts)-1)
	at, end, column := b.y.starts[line], b.y.lineEnd(line), 1
	if b.last.column > 0 && b.last.line == line && b.last.column <= t.Position.Column {
		at, column = b.last.at, b.last.column
	}
	for ; column < t.Position.Column && at < end; column++ {
		_, size := utf8.DecodeRuneInString(b.y.text[at:])
		at += size
	}
	b.last.line, b.last.column, b.last.at = line, column, at
	for at < end && (b.y.text[at] == ' ' || b.y.text[at] == '\t') {
		at++
	}
	return at
}

// node turns one value of the parser's tree into ours. absent is the offset
// that an unwritten value is given; indent is the column (from 0) of the
// collection that the value stands in, or -1 at the top.
func (b *builder) node(n ast.Node, absent, indent int) *Node {
	switch n := n.(type) {
	case *ast.MappingNode:
		return b.mapping(n)
	case *ast.MappingValueNode:
		return b.pairs([]*ast.MappingValueNode{n}, -1)
	case *ast.SequenceNode:
		return b.sequence(n)
	case *ast.TagNode:
		return b.tagged(n, absent, indent)
	case *ast.AnchorNode:
		return b.anchored(n, absent, indent)
	case *ast.AliasNode:
		return b.alias(n)
	case *ast.LiteralNode:
		return b.block(n, indent)
	case *ast.MappingKeyNode:
		return b.node(n.Value, absent, indent)
	case nil:
		return b.absent(absent)
	case *ast.CommentGroupNode:
		return b.absent(b.offset(n.GetToken()))
	case *ast.DirectiveNode:
		at := b.offset(n.GetToken())
		return &Node{Kind: Unknown, Range: b.y.span(at, b.y.lineEnd(b.y.line(at)))}
	}
	return b.scalar(n.GetToken(), absent)
}

func (b *builder) absent(at int) *Node {
	return &Node{Kind: Null, Range: b.y.span(at, at)}
}

func (b *builder) scalar(t *token.Token, absent int) *Node {
	if t == nil || t.Type == token.ImplicitNullType {
		return b.absent(absent)
	}
	at := b.offset(t)
	n := &Node{Kind: String, Text: t.Value}
	end := at
	switch t.Type {
	case token.SingleQuoteType:
		n.Style, end = SingleQuoted, quotedEnd(b.y.text, at)
	case token.DoubleQuoteType:
		n.Style, end = DoubleQuoted, quotedEnd(b.y.text, at)
		n.Text = strings.ReplaceAll(n.Text, maskedTab, "\t")
	default:
		written := strings.Trim(t.Origin, " \t\n")
		at = b.plainStart(at, t, written)
		end = b.plainEnd(at, written)
		if text := b.y.text[at:end]; text == written && !strings.Contains(text, "\n") {
			n.Text = text // the parser drops tabs
		}
		if i := strings.Index(b.y.text[at:end], " #"); i >= 0 {
			end = at + len(strings.TrimRight(b.y.text[at:at+i], " \t")) // the parser overlooks a comment
		}
		if i := strings.Index(n.Text, " #"); i >= 0 {
			n.Text = strings.TrimRight(n.Text[:i], " \t")
		}
		n.Kind = b.y.resolve(n.Text)
	}
	if b.y.hasBroken(at, end) {
		n.Kind = Unknown
	}
	n.Range = b.y.span(at, end)
	return n
}

// plainStart mends the place of a plain scalar: where blanks stand behind it the
// parser may count from the wrong side.
func (b *builder) plainStart(at int, t *token.Token, written string) int {
	if _, ok := b.match(at, written); ok || t.Prev == nil {
		return at
	}
	from := b.offset(t.Prev)
	if _, ok := b.match(at+1, written); ok {
		return at + 1 // behind a tag the parser counts one column too few
	}
	first, _, _ := strings.Cut(written, "\n")
	for i := strings.Index(b.y.text[from:], first); i >= 0 && from+i < at; i = strings.Index(b.y.text[from:], first) {
		if _, ok := b.match(from+i, written); ok {
			return from + i
		}
		from += i + 1
	}
	return at
}

// plainEnd gives the end of a plain scalar.
func (b *builder) plainEnd(at int, written string) int {
	if end, ok := b.match(at, written); ok {
		return end
	}
	line := b.y.text[at:b.y.lineEnd(b.y.line(at))]
	if i := strings.Index(line, " #"); i >= 0 {
		line = line[:i]
	}
	return at + len(strings.TrimRight(line, " \t"))
}

// match gives the end of a plain scalar if it starts at an offset: the parser
// keeps what is written, but for the blanks around its lines.
func (b *builder) match(at int, written string) (end int, ok bool) {
	if at > len(b.y.text) {
		return 0, false
	}
	if strings.HasPrefix(b.y.text[at:], written) {
		return at + len(written), true
	}
	skipBlanks := func() {
		for at < len(b.y.text) && (b.y.text[at] == ' ' || b.y.text[at] == '\t') {
			at++
		}
	}
	for i, line := range strings.Split(written, "\n") {
		if i > 0 {
			if skipBlanks(); !strings.HasPrefix(b.y.text[at:], "\n") {
				return 0, false
			}
			at++
			skipBlanks()
		}
		if line = strings.Trim(line, " \t"); !strings.HasPrefix(b.y.text[at:], line) {
			return 0, false
		}
		at += len(line)
	}
	return at, true
}

// quotedEnd gives the offset behind the closing quote of the scalar at start,
// or the end of the text where it is not closed.
func quotedEnd(text string, start int) int {
	if start >= len(text) {
		return start
	}
	quote := text[start]
	for i := start + 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && strings.HasPrefix(text[i+1:], "'"):
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return len(text)
}

// block reads a literal or folded scalar.
func (b *builder) block(n *ast.LiteralNode, indent int) *Node {
	at := b.offset(n.Start)
	node := &Node{Kind: String, Style: Literal}
	if strings.HasPrefix(b.y.text[at:], ">") {
		node.Style = Folded
	}
	text, end := b.y.blockScalar(at, indent)
	node.Text, node.Range = text, b.y.span(at, end)
	if b.y.hasBroken(at, end) {
		node.Kind = Unknown
	}
	return node
}

// indentOf counts the spaces at the start of a line.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

func (b *builder) mapping(n *ast.MappingNode) *Node {
	if !n.IsFlowStyle {
		return b.pairs(n.Values, -1)
	}
	at := b.offset(n.Start)
	node := b.pairs(n.Values, at+1)
	node.Style = Flow
	node.Range = b.flowRange(at, n.End, node.Range.End)
	return node
}

// pairs reads the entries of a mapping; absent is where it starts if it has
// none.
func (b *builder) pairs(values []*ast.MappingValueNode, absent int) *Node {
	node := &Node{Kind: Mapping}
	for _, v := range values {
		keyAt := b.offset(v.Key.GetToken())
		column := keyAt - b.y.starts[b.y.line(keyAt)]
		key := b.node(v.Key, keyAt, column)
		colon := keyAt
		if v.Start != nil {
			colon = b.offset(v.Start) + 1
		}
		if !strings.HasSuffix(b.y.text[:colon], ":") { // a key alone
			colon = b.y.offset(key.Range.End)
		}
		value := b.node(v.Value, colon, column)
		b.checkDeeper(value, column)
		b.checkQuotes(key)
		b.joinColon(key, value)
		b.checkIndented(key, value, column)
		node.Pairs = append(node.Pairs, Pair{Key: key, Value: value})
	}
	if len(node.Pairs) == 0 {
		node.Range = b.y.span(max(absent, 0), max(absent, 0))
		return node
	}
	node.Range = Range{Start: node.Pairs[0].Key.start(), End: node.Pairs[len(node.Pairs)-1].Value.Range.End}
	return node
}

// checkQuotes notes a key whose quotes the parser took for text, as it does
// behind an empty block scalar.
func (b *builder) checkQuotes(key *Node) {
	if key.Style == Plain && key.Text != "" && (key.Text[0] == '"' || key.Text[0] == '\'') {
		b.misread = &syntaxError{message: "a key is misread", offset: b.y.starts[b.firstLine]}
	}
}

// joinColon mends an entry that the parser split at a colon without a blank
// behind it. Within braces "a:b" is a key, and its value is not written; within
// brackets it is an item, see unjoin.
func (b *builder) joinColon(key, value *Node) {
	if key.Style != Plain || value.Style != Plain || !value.isScalar() || value.Range.Start.Offset != key.Range.End.Offset+1 || value.Text == "" {
		return
	}
	key.Text += ":" + value.Text
	key.Kind = b.y.resolve(key.Text)
	key.Range.End = value.Range.End
	*value = Node{Kind: Null, Range: Range{value.Range.End, value.Range.End}}
}

// checkIndented finds the value of a field that stands on a later line and not
// deeper than its key. The parser takes it, and YAML does not allow it.
func (b *builder) checkIndented(key, value *Node, column int) {
	start := value.Range.Start
	if !value.isScalar() || value.Range.Start == value.Range.End || start.Line == key.Range.End.Line || start.Column-1 > column {
		return
	}
	b.y.problems = append(b.y.problems, Diagnostic{
		RuleID:  "yaml-syntax",
		Range:   value.Range,
		Message: fmt.Sprintf("the value of %q starts in the same column as its key; it must be indented", clip(key.Text, 40)),
	})
}

// emptied gives the empty value that has the tag or anchor of n.
func (n *Node) emptied() *Node {
	end := n.Mark.End
	if n.Mark.IsZero() {
		end = n.Range.Start
	}
	return &Node{Kind: tagKind(n.Tag, Null), Tag: n.Tag, Anchor: n.Anchor, Mark: n.Mark, Range: Range{end, end}}
}

// unjoin gives the text that the parser took for an entry with a value, where it
// is an item of a list in brackets.
func unjoin(item *Node) *Node {
	if item.Kind != Mapping || item.Style != Plain || len(item.Pairs) != 1 {
		return item
	}
	key, value := item.Pairs[0].Key, item.Pairs[0].Value
	if key.Style != Plain || value.Kind != Null || value.Range.Start != key.Range.End || !strings.Contains(key.Text, ":") {
		return item
	}
	return key
}

// checkDeeper notes a block mapping that does not stand deeper than the key or
// the dash in column (from 0) whose value the parser took it for. It is the
// next fields, and the value is empty.
func (b *builder) checkDeeper(value *Node, column int) {
	if value.Kind == Mapping && value.Style == Plain && len(value.Pairs) > 0 && value.Range.Start.Column-1 <= column {
		b.misread = &syntaxError{message: "a value is missing", offset: b.y.starts[b.firstLine]}
	}
}

func (b *builder) sequence(n *ast.SequenceNode) *Node {
	at := b.offset(n.Start)
	if len(n.Entries) > 0 && !n.IsFlowStyle {
		at = b.offset(n.Entries[0].Start)
	}
	column := at - b.y.starts[b.y.line(at)]
	node := &Node{Kind: Sequence, Range: b.y.span(at, at+1)}
	for i, v := range n.Values {
		absent := at + 1
		if i < len(n.Entries) && !n.IsFlowStyle {
			absent = b.offset(n.Entries[i].Start) + 1
		}
		item := b.node(v, absent, column)
		b.checkDeeper(item, column)
		if n.IsFlowStyle {
			item = unjoin(item)
		} else if item.Kind == Sequence && item.Style == Plain && item.Range.Start.Column-1 <= column {
			// The items behind an empty one were taken for its value.
			node.Items = append(node.Items, item.emptied())
			node.Items = append(node.Items, item.Items...)
			node.Range.End = item.Range.End
			continue
		}
		node.Items = append(node.Items, item)
		node.Range.End = item.Range.End
	}
	if n.IsFlowStyle {
		node.Style = Flow
		node.Range = b.flowRange(at, n.End, node.Range.End)
	}
	return node
}

func (b *builder) flowRange(at int, closing *token.Token, end Position) Range {
	r := Range{Start: b.y.position(at), End: end}
	if closing != nil {
		behind := b.offset(closing)
		if i := strings.IndexAny(b.y.text[behind:], "]}"); i >= 0 && i <= 1 {
			behind += i // behind a tag the parser counts one column too few
		}
		r.End = b.y.position(behind + 1)
	}
	return r
}

// start gives where the value begins, its tag or anchor included.
func (n *Node) start() Position {
	if !n.Mark.IsZero() {
		return n.Mark.Start
	}
	return n.Range.Start
}

func (b *builder) anchored(n *ast.AnchorNode, absent, indent int) *Node {
	at := b.offset(n.Start)
	end := propertyEnd(b.y.text, at)
	node := b.node(n.Value, end, indent)
	node.Anchor = strings.TrimPrefix(b.y.text[at:end], "&")
	node.mark(b.y.span(at, end))
	b.y.anchors[node.Anchor] = node
	return node
}

func (b *builder) alias(n *ast.AliasNode) *Node {
	at := b.offset(n.Start)
	end := propertyEnd(b.y.text, at)
	name := strings.TrimPrefix(b.y.text[at:end], "*")
	return &Node{Kind: Alias, Text: name, Range: b.y.span(at, end), Target: b.y.anchors[name]}
}

// tagged reads a value with a tag. The tags of the core schema decide its kind;
// any other one leaves it as it is written, a plain scalar as a string.
func (b *builder) tagged(n *ast.TagNode, absent, indent int) *Node {
	at := b.offset(n.Start)
	end := propertyEnd(b.y.text, at)
	node := b.node(n.Value, end, indent)
	node.Tag = b.y.text[at:end]
	node.mark(b.y.span(at, end))
	if node.Kind != Mapping && node.Kind != Sequence && node.Kind != Alias && node.Kind != Unknown {
		node.Kind = tagKind(node.Tag, b.y.resolve(node.Text))
	}
	return node
}

// tagKind gives the kind that a tag demands of a scalar that would be of
// another kind without it; a demand that its text cannot meet leaves a string.
func tagKind(tag string, kind Kind) Kind {
	switch tag {
	case "!!null":
		return Null
	case "!!bool", "!!int":
		if (tag == "!!bool") == (kind == Bool) && (tag == "!!int") == (kind == Int) {
			return kind
		}
	case "!!float":
		if kind == Int || kind == Float {
			return Float
		}
	}
	return String
}

// mark widens the range of tag and anchor.
func (n *Node) mark(r Range) {
	if n.Mark.IsZero() {
		n.Mark = r
		return
	}
	n.Mark.Start = r.Start
}

// propertyEnd gives the end of the tag, anchor or alias at offset.
func propertyEnd(text string, at int) int {
	if strings.HasPrefix(text[at:], "!<") {
		if i := strings.IndexAny(text[at:], ">\n"); i >= 0 {
			return at + i + 1
		}
	}
	if i := strings.IndexAny(text[at:], " \t\n,]}"); i >= 0 {
		return at + i
	}
	return len(text)
}
