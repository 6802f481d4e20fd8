package spec

import (
	"strconv"
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
