package spec

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func itoa(n int) string { return strconv.Itoa(n) }

// clip shortens text for a message to at most length code points, with an
// ellipsis as the last of them.
func clip(text string, length int) string {
	if utf8.RuneCountInString(text) <= length {
		return text
	}
	return string([]rune(text)[:length-1]) + "…"
}

// named is text of the skill as a name within a message: quoted only where it
// holds what cannot be printed.
func named(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}
