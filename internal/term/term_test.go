package term_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/skilltool/skilltool/internal/term"
)

func ExampleEscape() {
	fmt.Println(term.Escape("name\x1b[31m\u202egpj.exe\n"))
	// Output: name\x1b[31m\u202egpj.exe\n
}

func TestEscape(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{"plain ASCII ~!", "plain ASCII ~!"},
		{`a \x1b that was written`, `a \x1b that was written`},
		{"日本語 é ñ 😀", "日本語 é ñ 😀"},
		{"e\u0301 stays combined", "e\u0301 stays combined"},
		{"❤\uFE0F ☎\uFE0E", "❤\uFE0F ☎\uFE0E"},
		{"no-break\u00a0space\u3000", "no-break\u00a0space\u3000"},
		{"\ufffd", "\ufffd"},
		{"a\r\n\tb", `a\r\n\tb`},
		{"\x00\a\b\x1b[0m\x7f", `\x00\x07\x08\x1b[0m\x7f`},
		{"\u0080\u009b31m\u0085", `\u0080\u009b31m\u0085`},
		{"\x1b]8;;http://x\x1b\\y", `\x1b]8;;http://x\x1b\y`},
		{"\u202a\u202b\u202c\u202d\u202e", `\u202a\u202b\u202c\u202d\u202e`},
		{"\u2066\u2067\u2068\u2069", `\u2066\u2067\u2068\u2069`},
		{"\u200b\u200c\u200d\u200e\u200f\u061c", `\u200b\u200c\u200d\u200e\u200f\u061c`},
		{"\ufeff\u00ad\u2060\u180e", `\ufeff\u00ad\u2060\u180e`},
		{"\u2028\u2029", `\u2028\u2029`},
		{"\u115f\u3164\uffa0\u034f", `\u115f\u3164\uffa0\u034f`},
		{"\U000e0041\U000e007f", `\U000e0041\U000e007f`},
		{"\ufe00\U000e0100", `\ufe00\U000e0100`},
		{"caf\xe9 \xff\xfe", `caf\xe9 \xff\xfe`},
		{"cut \xe2\x82", `cut \xe2\x82`},
		{"surrogate \xed\xa0\x80", `surrogate \xed\xa0\x80`},
	} {
		if got := term.Escape(test.in); got != test.want {
			t.Errorf("Escape(%q) = %s, want %s", test.in, got, test.want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b[31m\u202e\xff\U000e0041")
	f.Fuzz(func(t *testing.T, s string) {
		got := term.Escape(s)
		if !utf8.ValidString(got) {
			t.Fatalf("Escape(%q) is not UTF-8: %q", s, got)
		}
		if strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || 0x7f <= r && r < 0xa0 }) {
			t.Fatalf("Escape(%q) holds a control character: %q", s, got)
		}
		if again := term.Escape(got); again != got {
			t.Fatalf("Escape is not stable: %q, then %q", got, again)
		}
	})
}

func TestColorEnabled(t *testing.T) {
	for _, test := range []struct {
		mode string
		env  map[string]string
		want bool
	}{
		{"auto", nil, false},
		{"always", nil, true},
		{"always", map[string]string{"NO_COLOR": "1", "TERM": "dumb"}, true},
		{"never", map[string]string{"FORCE_COLOR": "1"}, false},
		{"auto", map[string]string{"FORCE_COLOR": "1"}, true},
		{"auto", map[string]string{"FORCE_COLOR": "0"}, false},
		{"auto", map[string]string{"FORCE_COLOR": ""}, false},
		{"auto", map[string]string{"CLICOLOR_FORCE": "1"}, true},
		{"auto", map[string]string{"CLICOLOR_FORCE": "0"}, false},
		{"auto", map[string]string{"NO_COLOR": "1", "FORCE_COLOR": "1"}, false},
		{"auto", map[string]string{"NO_COLOR": "", "FORCE_COLOR": "1"}, true},
		{"auto", map[string]string{"FORCE_COLOR": "1", "TERM": "dumb"}, true},
		{"auto", map[string]string{"CLICOLOR_FORCE": "1", "CLICOLOR": "0"}, true},
	} {
		getenv := func(name string) string { return test.env[name] }
		if got := term.ColorEnabled(test.mode, &bytes.Buffer{}, getenv); got != test.want {
			t.Errorf("ColorEnabled(%s) with %v = %v, want %v", test.mode, test.env, got, test.want)
		}
	}
}

func TestWidthWithoutTerminal(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if term.IsTerminal(file) || term.Width(file) != 0 || term.Width(&bytes.Buffer{}) != 0 {
		t.Error("a file or buffer passes for a terminal")
	}
}
