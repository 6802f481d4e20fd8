package spec

import (
	"strings"
	"testing"
)

func TestSplitFrontmatter(t *testing.T) {
	type parts struct{ preamble, open, content, closing, body string }
	tests := []struct {
		name, source string
		want         parts
	}{
		{"plain", "---\na: b\n---\nc\n", parts{"", "---", "a: b\n", "---", "c\n"}},
		{"CR LF", "---\r\na: b\r\n---\r\nc\r\n", parts{"", "---\r", "a: b\r\n", "---\r", "c\r\n"}},
		{"blanks behind the fences", "--- \t\na: b\n---\t \r\nc", parts{"", "--- \t", "a: b\n", "---\t \r", "c"}},
		{"nothing between", "---\n---\n", parts{"", "---", "", "---", ""}},
		{"no body", "---\na: b\n---", parts{"", "---", "a: b\n", "---", ""}},
		{"byte order mark", "\ufeff---\na: b\n---\nc", parts{"", "---", "a: b\n", "---", "c"}},
		{"the first one closes", "---\na: |\n---\nb\n---\nc\n", parts{"", "---", "a: |\n", "---", "b\n---\nc\n"}},
		{"no fences", "---\n----\n --- \n-- -\n---a\n--- a\n—\n---\n", parts{"", "---", "----\n --- \n-- -\n---a\n--- a\n—\n", "---", ""}},
		{"never closed", "---\na: b\n----\n", parts{"", "---", "a: b\n----\n", "", ""}},
		{"one line", "---", parts{"", "---", "", "", ""}},
		{"empty", "", parts{}},
		{"two hyphens", "--\na: b\n--\n", parts{body: "--\na: b\n--\n"}},
		{"only text", "# A\n\nb\n", parts{body: "# A\n\nb\n"}},
		{"lone CR", "---\ra: b\r---\rc", parts{body: "---\ra: b\r---\rc"}},
		{"a blank line before", "\n---\na: b\n---\nc", parts{"\n", "---", "a: b\n", "---", "c"}},
		{"a comment before", "<!-- x -->\n---\n# y\n\n\"a\": b\n---\nc", parts{"<!-- x -->\n", "---", "# y\n\n\"a\": b\n", "---", "c"}},
		{"a mark and a line before", "\ufeff\n---\na: b\n---\n", parts{"\n", "---", "a: b\n", "---", ""}},
		{"horizontal rules", "# A\n---\ntext\n---\nb\n", parts{body: "# A\n---\ntext\n---\nb\n"}},
		{"a rule that is not closed", "# A\n---\na: b\n", parts{body: "# A\n---\na: b\n"}},
		{"rules with nothing between", "# A\n---\n\n---\n", parts{body: "# A\n---\n\n---\n"}},
		{"far below", strings.Repeat("x\n", MaxFrontmatterBytes/2) + "---\na: b\n---\n", parts{body: strings.Repeat("x\n", MaxFrontmatterBytes/2) + "---\na: b\n---\n"}},
		{"a line that the bound cuts", strings.Repeat("x\n", MaxFrontmatterBytes/2-2) + "y---z\na: b\n---\n", parts{body: strings.Repeat("x\n", MaxFrontmatterBytes/2-2) + "y---z\na: b\n---\n"}},
		{"hyphens that the bound cuts", strings.Repeat("x\n", MaxFrontmatterBytes/2-2) + "\n---z\na: b\n---\n", parts{body: strings.Repeat("x\n", MaxFrontmatterBytes/2-2) + "\n---z\na: b\n---\n"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			source := []byte(test.source)
			s := SplitFrontmatter(source)
			got := parts{string(s.Preamble.of(source)), string(s.Open.of(source)), string(s.Content.of(source)), string(s.Close.of(source)), string(s.Body.of(source))}
			if got != test.want {
				t.Errorf("%.200q\nwant %.200q", got, test.want)
			}
			if s.BOM != strings.HasPrefix(test.source, "\ufeff") || s.Opened() != (test.want.open != "") || s.Closed() != (test.want.closing != "") {
				t.Errorf("%+v", s)
			}
			checkSplit(t, source, s)
		})
	}
}

// checkSplit holds what is true of every split: the parts stand in order, and
// those that are found are all there is.
func checkSplit(t testing.TB, source []byte, s Split) {
	t.Helper()
	at := 0
	if s.BOM {
		at = len(bom)
	}
	step := func(name string, part Span, from int) {
		t.Helper()
		if part.Start != from || part.End < part.Start || part.End > len(source) {
			t.Fatalf("%s is %v in %+v of %d bytes", name, part, s, len(source))
		}
		at = part.End
	}
	if !s.Opened() {
		step("the body", s.Body, at)
		return
	}
	step("the preamble", s.Preamble, at)
	step("the opening fence", s.Open, at)
	if whole := lineAt(source, s.Open.Start); !isFence(whole.of(source)) || whole != s.Open {
		t.Fatalf("the opening fence is %q", s.Open.of(source))
	}
	step("the content", s.Content, afterLine(source, at))
	if s.Closed() {
		step("the closing fence", s.Close, at)
		if whole := lineAt(source, s.Close.Start); !isFence(whole.of(source)) || whole != s.Close {
			t.Fatalf("the closing fence is %q", s.Close.of(source))
		}
		step("the body", s.Body, afterLine(source, at))
	}
	if at != len(source) {
		t.Fatalf("%d of %d bytes are in no part: %+v", at, len(source), s)
	}
}
