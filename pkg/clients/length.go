package clients

import (
	"strings"
	"unicode/utf8"
)

// length counts a text in bytes, utf16 (units of UTF-16, as JavaScript counts)
// or codepoints.
func length(text, unit string) int {
	switch unit {
	case "bytes":
		return len(text)
	case "utf16":
		n := 0
		for _, r := range text {
			n++
			if r > 0xffff {
				n++
			}
		}
		return n
	}
	return utf8.RuneCountInString(text)
}

// shorten cuts a text to a bound, with tail as its end. A character that the
// bound cuts in half becomes a replacement character, as it does on its way to
// the model.
func shorten(text string, bound int, unit, tail string) string {
	if length(text, unit) <= bound {
		return text
	}
	left := max(0, bound-length(tail, unit))
	var b strings.Builder
	for _, r := range text {
		size := 1
		switch {
		case unit == "bytes":
			size = utf8.RuneLen(r)
		case unit == "utf16" && r > 0xffff:
			size = 2
		}
		if left < size {
			if left > 0 {
				b.WriteRune(utf8.RuneError)
			}
			break
		}
		b.WriteRune(r)
		left -= size
	}
	return b.String() + tail
}

// space does to the blanks of a text what a profile says.
func space(text, how string) string {
	switch how {
	case "trim":
		return trim(text)
	case "final":
		return strings.TrimRight(text, "\n")
	case "unquote":
		text = trim(text)
		if len(text) > 1 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
			return trim(text[1 : len(text)-1])
		}
		return text
	case "lines":
		return trim(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " "))
	case "collapse":
		return strings.Join(strings.Fields(text), " ")
	}
	return text
}

// trim takes blanks from both ends, and the byte order mark, which JavaScript
// counts as one.
func trim(text string) string {
	return strings.TrimFunc(text, isBlank)
}
