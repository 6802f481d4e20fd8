package spec

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestCheckName(t *testing.T) {
	const allowed = `; use a-z, 0-9 and "-"`
	const alone = "; a hyphen stands alone between letters or digits"
	tests := []struct {
		name string
		want []string
	}{
		{"a", nil}, {"pdf-tools", nil}, {"0", nil}, {"a-1-b2", nil}, {strings.Repeat("a", 64), nil},
		{"données", nil}, {"数据", nil}, {"данные-2", nil}, {"٣", nil},
		{"", []string{"is empty"}},
		{strings.Repeat("é", 65), []string{"has 65 characters; at most 64 are allowed"}},
		{"PDF-Tools", []string{"has upper-case letters" + allowed}},
		{"a b", []string{"has blanks" + allowed}},
		{" a", []string{"has blanks" + allowed}},
		{"a_b", []string{`has "_"` + allowed}},
		{"a_b.c D", []string{`has "_", ".", blanks and upper-case letters` + allowed}},
		{"a_b.c/d:e f", []string{`has "_", ".", "/" and 2 other characters` + allowed}},
		{"a\nb", []string{"has U+000A" + allowed}},
		{"a\u200bb", []string{"has U+200B" + allowed}},
		{"a😀", []string{`has "😀" (U+1F600)` + allowed}},
		{"a\xff", []string{`has "` + "\ufffd" + `" (U+FFFD)` + allowed}},
		{"ﬁle", []string{"has compatibility characters or loose accents that Unicode normalisation (NFKC) changes" + allowed}},
		{"Ⅷ", []string{`has "Ⅷ" (U+2167)` + allowed}},
		{"-", []string{`starts with "-"` + alone}},
		{"-a", []string{`starts with "-"` + alone}},
		{"a-", []string{`ends with "-"` + alone}},
		{"-a--b-", []string{`starts and ends with "-" and has "--"` + alone}},
		{"a--b", []string{`has "--"` + alone}},
		{strings.Repeat("A-", 33), []string{"has 66 characters; at most 64 are allowed", "has upper-case letters" + allowed, `ends with "-"` + alone}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, CheckName(test.name)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestProposeName(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""}, {"---", ""}, {"数据", ""}, {"😀", ""}, {"\xff", ""},
		{"pdf-tools", "pdf-tools"}, {"PDF Tools", "pdf-tools"}, {"  a__b--c. ", "a-b-c"}, {"don't", "dont"}, {"it’s", "its"},
		{"Données brutes", "donnees-brutes"}, {"ﬁle①", "file1"}, {"Ⅷ", "viii"}, {"a/b\\c:d", "a-b-c-d"}, {"a数b", "a-b"},
		{strings.Repeat("ab-", 40), strings.TrimSuffix(strings.Repeat("ab-", 22)[:64], "-")},
		{strings.Repeat("a", 63) + " b", strings.Repeat("a", 63)},
	}
	for _, test := range tests {
		if got := ProposeName(test.text); got != test.want {
			t.Errorf("%q gives %q, want %q", test.text, got, test.want)
		}
	}
}

// TestProposedNames: whatever comes in, what comes out conforms, and is what
// comes out of itself.
func TestProposedNames(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := randomText(random)
		got := ProposeName(text)
		if got != "" && len(CheckName(got)) > 0 {
			t.Fatalf("%q gives %q, which %v", text, got, CheckName(got))
		}
		if again := ProposeName(got); again != got {
			t.Fatalf("%q gives %q and then %q", text, got, again)
		}
		if len(CheckName(text)) == 0 && isASCII(text) && got != text {
			t.Fatalf("%q conforms and gives %q", text, got)
		}
	}
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// randomText gives up to 80 characters, most of them of the kind that names
// have.
func randomText(random *rand.Rand) string {
	var b strings.Builder
	for range random.IntN(80) {
		switch random.IntN(12) {
		case 0:
			b.WriteByte('-')
		case 1:
			b.WriteRune(rune(random.IntN(0x250)))
		case 2:
			b.WriteRune(rune(random.IntN(0x30000)))
		default:
			b.WriteByte("abcdefghijklmnopqrstuvwxyz0123456789"[random.IntN(36)])
		}
	}
	return b.String()
}
