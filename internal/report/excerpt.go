package report

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/skilltool/skilltool/internal/term"
)

// excerpt is the part of a source line around a span, ready to print.
type excerpt struct {
	text string
	// indent and carets are the columns before the span and under it.
	indent, carets int
}

// newExcerpt shows line in at most width columns, with the code points from
// start to end (counted from 0) marked. What does not fit is cut away on both
// sides and replaced by "…".
func newExcerpt(line string, start, end, width int) excerpt {
	// No terminal shows more code points than this; cutting them first keeps
	// the cost down for a line of megabytes.
	first := max(0, start-width)
	source := codePoints(line, first, start+2*width)
	start, end = start-first, max(start, end)-first

	before := visible(codePoints(source, 0, start))
	marked := visible(codePoints(source, start, end))
	text := before + marked + visible(codePoints(source, end, len(source)))
	indent := ansi.StringWidth(before)
	carets := ansi.StringWidth(before+marked) - indent
	if marked != "" && carets == 0 && indent > 0 {
		indent-- // a combining mark stands over the character before it
	}

	from, to := window(ansi.StringWidth(text), indent, width)
	head := ""
	if from > 0 || first > 0 {
		head = "…"
	}
	e := excerpt{
		text:   head + ansi.Cut(text, from, to),
		indent: ansi.StringWidth(head + ansi.Cut(text, from, indent)),
		carets: max(1, min(indent+carets, to)-indent),
	}
	if to < ansi.StringWidth(text) || first+utf8.RuneCountInString(source) < utf8.RuneCountInString(line) {
		e.text += "…"
	}
	return e
}

// window chooses the columns of a text that are shown: all of them where they
// fit in width, else a third of the room for what stands before the mark.
func window(total, mark, width int) (from, to int) {
	if total <= width {
		return 0, total
	}
	room := width - 2*ansi.StringWidth("…")
	from = max(0, min(mark-room/3, total-room))
	return from, min(total, from+room)
}

// visible makes source text safe to print; a tab becomes four spaces.
func visible(source string) string {
	return term.Escape(strings.ReplaceAll(source, "\t", "    "))
}

// codePoints gives the code points of s from start to end, both counted from
// 0 and as far as there are any. A byte that is not UTF-8 counts as one.
func codePoints(s string, start, end int) string {
	from, to, n := len(s), len(s), 0
	for i := range s {
		if n == start {
			from = i
		}
		if n == end {
			to = i
			break
		}
		n++
	}
	return s[min(from, to):to]
}
