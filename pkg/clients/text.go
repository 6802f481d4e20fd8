package clients

import (
	"bytes"
	"sort"
	"strings"
	"unicode/utf8"
)

// text is the content of a file as a client's program holds it: as UTF-8, which
// it may not have been, with the line ends that it is given.
type text struct {
	s string
	// bends are the offsets from which on s and the file lie apart in another
	// way; without any they are the same.
	bends []bend
}

// bend says that the byte at of a text comes from the byte source of the file.
type bend struct{ at, source int }

// source gives the offset in the file of an offset in the text.
func (t *text) source(offset int) int {
	i := sort.Search(len(t.bends), func(i int) bool { return t.bends[i].at > offset })
	if i == 0 {
		return offset
	}
	at := t.bends[i-1].source + offset - t.bends[i-1].at
	if i < len(t.bends) {
		at = min(at, t.bends[i].source)
	}
	return at
}

const byteOrderMark = "\ufeff"

// textForm is what a profile says about the bytes of a file, as far as it can
// differ for them.
type textForm struct {
	strip, newlines, replace bool
}

// traits are what forms depend on.
type traits struct {
	mark, returns, invalid bool
}

func traitsOf(source []byte) traits {
	return traits{
		mark:    bytes.HasPrefix(source, []byte(byteOrderMark)),
		returns: bytes.IndexByte(source, '\r') >= 0,
		invalid: !utf8.Valid(source),
	}
}

// form gives the form in which a client holds a file. What makes no difference
// to the file is left out, so that clients share what is read.
func (f *File) form(t traits) textForm {
	return textForm{
		strip:    t.mark && f.BOM == "strip",
		newlines: t.returns && f.Newlines == "all",
		replace:  t.invalid && f.Invalid == "replace",
	}
}

// newText gives the text in one form. Its time is linear.
func newText(source []byte, form textForm) *text {
	if form == (textForm{}) {
		return &text{s: string(source)}
	}
	t := &text{}
	var b strings.Builder
	b.Grow(len(source))
	at := 0
	if form.strip {
		at = len(byteOrderMark)
		t.bends = append(t.bends, bend{0, at})
	}
	// copyTo takes over what stands before an offset, and leaves out size bytes
	// behind it.
	copyTo := func(end, size int, instead string) {
		b.Write(source[at:end])
		b.WriteString(instead)
		at = end + size
		t.bends = append(t.bends, bend{b.Len(), at})
	}
	for i := at; i < len(source); {
		c := source[i]
		switch {
		case c == '\r' && form.newlines:
			size := 1
			if i+1 < len(source) && source[i+1] == '\n' {
				size = 2
			}
			copyTo(i, size, "\n")
			i += size
		case c >= utf8.RuneSelf && form.replace:
			if r, size := utf8.DecodeRune(source[i:]); r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
			size := brokenSequence(source[i:])
			copyTo(i, size, "\ufffd")
			i += size
		default:
			i++
		}
	}
	b.Write(source[at:])
	t.s = b.String()
	return t
}

// brokenSequence gives the length of the bytes that one replacement character
// stands for, as decoders of the web have it: the longest start of a sequence
// that could have been one, or a single byte.
func brokenSequence(b []byte) int {
	length, first, last := 0, byte(0x80), byte(0xbf)
	switch c := b[0]; {
	case c >= 0xc2 && c <= 0xdf:
		length = 2
	case c >= 0xe0 && c <= 0xef:
		length = 3
		if c == 0xe0 {
			first = 0xa0
		} else if c == 0xed {
			last = 0x9f
		}
	case c >= 0xf0 && c <= 0xf4:
		length = 4
		if c == 0xf0 {
			first = 0x90
		} else if c == 0xf4 {
			last = 0x8f
		}
	default:
		return 1
	}
	n := 1
	for n < length && n < len(b) && b[n] >= first && b[n] <= last {
		first, last = 0x80, 0xbf
		n++
	}
	return n
}

// lineEnd gives the offset behind the last byte of the line at an offset, its LF
// left out, and that of the next line.
func lineEnd(s string, at int) (end, next int) {
	if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
		return at + i, at + i + 1
	}
	return len(s), len(s)
}
