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
	x.extend(offset)
	line := sort.SearchInts(x.starts, offset+1) - 1
	start := x.starts[line]
	if line == 0 && bytes.HasPrefix(x.text, bom) {
		start = min(len(bom), offset)
	}
	return Position{Line: line + 1, Column: utf8.RuneCount(x.text[start:offset]) + 1, Offset: offset}
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
