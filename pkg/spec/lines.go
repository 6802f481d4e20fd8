package spec

import (
	"bytes"
	"sort"
	"sync"
	"unicode/utf8"
)

// bom is the UTF-8 form of U+FEFF.
var bom = []byte("\xef\xbb\xbf")

// lineIndex turns byte offsets into positions. It reads the text only as far
// as it is asked, so that a long body costs nothing while all findings are in
// the frontmatter.
type lineIndex struct {
	text   []byte
	mu     sync.Mutex
	starts []int // offsets of the lines found so far
	seen   int   // everything before this offset has been searched
	last   Position
	end    Position // of the text, once it was asked for
}

func newLineIndex(text []byte) *lineIndex {
	return &lineIndex{text: text, starts: []int{0}}
}

// position gives the place of the byte at offset; offsets beyond the text
// count as its end.
func (x *lineIndex) position(offset int) Position {
	offset = max(0, min(offset, len(x.text)))
	x.mu.Lock()
	defer x.mu.Unlock()
	if offset == len(x.text) {
		return x.endPosition()
	}
	x.extend(offset)
	line := sort.SearchInts(x.starts, offset+1) - 1
	start := x.lineStart(x.starts[line])
	return Position{Line: line + 1, Column: x.column(line+1, start, offset), Offset: offset}
}

// endPosition gives the end of the text, which every skill asks for, without
// an index of the lines before it.
func (x *lineIndex) endPosition() Position {
	if x.end.Line == 0 {
		start := x.lineStart(bytes.LastIndexByte(x.text, '\n') + 1)
		x.end = Position{Line: bytes.Count(x.text, []byte("\n")) + 1, Column: utf8.RuneCount(x.text[start:]) + 1, Offset: len(x.text)}
	}
	return x.end
}

// lineStart leaves the byte order mark out of the line that starts at an
// offset.
func (x *lineIndex) lineStart(at int) int {
	if at == 0 && bytes.HasPrefix(x.text, bom) {
		return len(bom)
	}
	return at
}

// column counts from the place that was asked for last, where that is on the
// same line: a line may be long, and hold many places.
func (x *lineIndex) column(line, start, offset int) int {
	column := 1
	switch {
	case offset <= start:
		return column
	case x.last.Line != line || x.last.Offset > offset && !utf8.RuneStart(x.text[offset]):
		column += utf8.RuneCount(x.text[start:offset])
	case x.last.Offset <= offset:
		column = x.last.Column + utf8.RuneCount(x.text[x.last.Offset:offset])
	default:
		column = x.last.Column - utf8.RuneCount(x.text[offset:x.last.Offset])
	}
	if utf8.RuneStart(x.text[offset]) {
		x.last = Position{Line: line, Column: column, Offset: offset}
	}
	return column
}

func (x *lineIndex) extend(offset int) {
	for x.seen < offset {
		i := bytes.IndexByte(x.text[x.seen:offset], '\n')
		if i < 0 {
			x.seen = offset
			return
		}
		x.seen += i + 1
		x.starts = append(x.starts, x.seen)
	}
}

// span gives the range from one byte offset to another.
func (x *lineIndex) span(from, to int) Range {
	return Range{Start: x.position(from), End: x.position(to)}
}
