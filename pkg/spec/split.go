package spec

import (
	"bytes"
)

// Split says where the parts of a SKILL.md stand. All offsets are bytes in the
// source; a span is half-open.
type Split struct {
	// BOM reports a byte order mark at the start of the file.
	BOM bool
	// Preamble is what stands between the start of the file (or its byte order
	// mark) and the opening fence. It is empty in a good file.
	Preamble Span
	// Open and Close are the lines of the fences, without their line ends.
	// They are zero where there is no such line.
	Open, Close Span
	// Content is the text between the fences, its last line end included.
	Content Span
	// Body is everything behind the closing fence's line.
	Body Span
}

// Span is a half-open run of bytes.
type Span struct{ Start, End int }

// Empty reports whether the span holds no byte.
func (s Span) Empty() bool { return s.End <= s.Start }

// of gives the bytes of text that the span covers.
func (s Span) of(text []byte) []byte { return text[s.Start:s.End] }

// Opened and Closed report which fences were found.
func (s Split) Opened() bool { return !s.Open.Empty() }

// Closed reports whether the frontmatter has its closing fence.
func (s Split) Closed() bool { return !s.Close.Empty() }

// SplitFrontmatter finds the frontmatter of a SKILL.md as the specification
// has it (AS-F3 to AS-F5): a delimiter is a line of exactly three hyphens with
// optional trailing blanks and an optional CR, the first line is the opening
// one, and the first such line behind it closes.
//
// It is tolerant in one thing: where something stands before the opening line
// and what follows is plainly frontmatter, that is read, and Preamble says what
// is in the way.
func SplitFrontmatter(source []byte) Split {
	var s Split
	start := 0
	if bytes.HasPrefix(source, bom) {
		s.BOM, start = true, len(bom)
	}
	open, found := findOpening(source, start)
	if !found {
		s.Body = Span{start, len(source)}
		return s
	}
	s.Preamble, s.Open = Span{start, open.Start}, open
	content := afterLine(source, open.End)
	if closing, ok := nextFence(source, content); ok {
		s.Content, s.Close = Span{content, closing.Start}, closing
		s.Body = Span{afterLine(source, closing.End), len(source)}
		return s
	}
	s.Content = Span{content, len(source)}
	s.Body = Span{len(source), len(source)}
	return s
}

// findOpening gives the opening fence: the first line, or else the first fence
// whose content looks like frontmatter and is closed. A horizontal rule in a
// file without frontmatter must not be taken for one.
func findOpening(source []byte, start int) (Span, bool) {
	first := lineAt(source, start)
	if isFence(first.of(source)) {
		return first, true
	}
	limit := min(len(source), start+MaxFrontmatterBytes)
	fence, ok := nextFence(source[:limit], start)
	if !ok || lineAt(source, fence.Start) != fence {
		return Span{}, false // none, or a longer line that limit cuts
	}
	content := afterLine(source, fence.End)
	closing, ok := nextFence(source, content)
	if !ok || !looksLikeMapping(source[content:closing.Start]) {
		return Span{}, false
	}
	return fence, true
}

// looksLikeMapping reports whether the first line of text that is neither
// blank nor a comment starts with a key.
func looksLikeMapping(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, " \t\r\n")
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		_, _, ok := cutKey(string(line))
		return ok
	}
	return false
}

// nextFence gives the first fence that starts at from or behind it; from is
// the start of a line.
func nextFence(source []byte, from int) (Span, bool) {
	for from < len(source) {
		line := lineAt(source, from)
		if isFence(line.of(source)) {
			return line, true
		}
		from = afterLine(source, line.End)
	}
	return Span{}, false
}

// isFence reports whether a line, without its LF, is a delimiter (AS-F4).
func isFence(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) && len(bytes.TrimRight(bytes.TrimSuffix(line[3:], []byte("\r")), " \t")) == 0
}

// lineAt gives the line that starts at from, without its LF but with its CR.
func lineAt(source []byte, from int) Span {
	if i := bytes.IndexByte(source[from:], '\n'); i >= 0 {
		return Span{from, from + i}
	}
	return Span{from, len(source)}
}

// afterLine gives the start of the line behind the one that ends at end.
func afterLine(source []byte, end int) int {
	return min(end+1, len(source))
}
