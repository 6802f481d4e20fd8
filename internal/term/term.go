// Package term knows what a stream can show: whether it takes colour, how wide
// it is, and how text of strangers is written to it without harm.
package term

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// The modes of colour, as the flag --color takes them.
const (
	ColorAuto   = "auto"
	ColorAlways = "always"
	ColorNever  = "never"
)

// file is what a stream must be to be asked about its terminal; *os.File is one.
type file interface{ Fd() uintptr }

// Escape makes every character of s visible that would steer a terminal, hide
// itself, or change the order of the others, and gives one line: control
// characters (line breaks and tabs too), format characters such as zero-width
// joiners and bidirectional overrides, line and paragraph separators, fillers,
// tag characters, variation selectors and bytes that are not UTF-8. They come
// out as Go writes them in a string: \n, \x1b, \u202e, \U000e0041. All other
// text stays as it is, backslashes too.
func Escape(s string) string {
	if !needsEscape(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case invisible(r):
			writeEscaped(&b, r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

func needsEscape(s string) bool {
	return !utf8.ValidString(s) || strings.IndexFunc(s, invisible) >= 0
}

func writeEscaped(b *strings.Builder, r rune) {
	switch {
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r < utf8.RuneSelf:
		fmt.Fprintf(b, `\x%02x`, r)
	case r <= 0xFFFF:
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		fmt.Fprintf(b, `\U%08x`, r)
	}
}

// invisible reports whether r leaves no mark of its own. The two selectors of
// emoji and text presentation are spared: they are common in honest text and
// carry one bit at most.
func invisible(r rune) bool {
	const textPresentation, emojiPresentation = 0xFE0E, 0xFE0F
	switch {
	case ' ' <= r && r <= '~', r == textPresentation, r == emojiPresentation:
		return false
	case r < 0xA0:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// ColorEnabled decides whether w gets colour. The first that says anything
// wins: the mode (ColorAlways, ColorNever), NO_COLOR, FORCE_COLOR or
// CLICOLOR_FORCE, TERM=dumb or CLICOLOR=0, and last whether w is a terminal.
// As no-color.org has it, an empty variable says nothing.
func ColorEnabled(mode string, w io.Writer, getenv func(string) string) bool {
	switch {
	case mode == ColorAlways:
		enableEscapes(w)
		return true
	case mode == ColorNever, getenv("NO_COLOR") != "":
		return false
	case forced(getenv("FORCE_COLOR")), forced(getenv("CLICOLOR_FORCE")):
		enableEscapes(w)
		return true
	case getenv("TERM") == "dumb", getenv("CLICOLOR") == "0":
		return false
	}
	return IsTerminal(w) && enableEscapes(w)
}

// forced reads a variable that forces colour: "0" and "false" do not.
func forced(value string) bool {
	return value != "" && value != "0" && value != "false"
}

// IsTerminal reports whether stream, a reader or a writer, is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(file)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width gives the columns of the terminal behind w, or 0 where there is none.
func Width(w io.Writer) int {
	f, ok := w.(file)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
