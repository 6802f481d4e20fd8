package gen_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/internal/gen"
)

func samplePages() []gen.Page {
	root := gen.Page{Name: "tool", Summary: "does things", Synopsis: "tool COMMAND"}
	check := gen.Page{
		Name:        "tool check",
		Summary:     "check what is there, with a summary that is so long that it does not fit on one line",
		Synopsis:    "tool check [FLAG...] PATH",
		Description: "First paragraph, with a \\ and a -x.\n.starts with a dot\n\n  kept  as\n  it is\n\n'Third | *one*'.",
		Examples:    []gen.Row{{Term: "tool check -x .", Text: "check this directory"}},
	}
	check.Add("Flags", []gen.Row{
		{Term: "-x", Text: "short"},
		{Term: "--a-flag-with-a-name-that-is-too-wide FILE", Text: "explained on a line of its own, and wrapped where it reaches the edge of the page"},
		{Term: "--empty", Text: ""},
	})
	check.Add("Nothing", nil)
	return []gen.Page{root, check}
}

func TestHelp(t *testing.T) {
	const want = `tool check - check what is there, with a summary that is so long that it does
    not fit on one line

Usage:
  tool check [FLAG...] PATH

First paragraph, with a \ and a -x. .starts with a dot

  kept  as
  it is

'Third | *one*'.

Flags:
  -x       short
  --a-flag-with-a-name-that-is-too-wide FILE
           explained on a line of its own, and wrapped where it reaches the edge
           of the page
  --empty

Examples:
  # check this directory
  tool check -x .
`
	if got := gen.Help(samplePages()[1]); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"  a\n b\t c ", "a b c"},
		{strings.Repeat("x", 100) + " y", strings.Repeat("x", 100) + "\ny"},
		{strings.Repeat("é", 40) + " " + strings.Repeat("é", 39), strings.Repeat("é", 40) + " " + strings.Repeat("é", 39)},
		{strings.Repeat("é", 40) + " " + strings.Repeat("é", 40), strings.Repeat("é", 40) + "\n" + strings.Repeat("é", 40)},
	} {
		if got := gen.Wrap(test.text); got != test.want {
			t.Errorf("Wrap(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	got := gen.CLI(samplePages())
	for _, want := range []string{
		"- [`tool check`](#tool-check): check what",
		"\n```\n  kept  as\n  it is\n```\n",
		`'Third | \*one\*'.`,
		"| `-x` | short |\n",
		"```sh\n# check this directory\ntool check -x .\n```\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in:\n%s", want, got)
		}
	}
	if !strings.HasPrefix(got, "<!-- Generated") {
		t.Error("the first line does not say that the page is generated")
	}
}

func TestManPage(t *testing.T) {
	page := gen.Man("1.0", samplePages())
	for _, want := range []string{
		".TH TOOL 1 ", "\n.SH NAME\ntool \\- does things\n", "\n.SS tool check\n",
		`a \e and a \-x. .starts`, "\n\\&'Third", "\n.B \\-x\nshort\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("there is no %q in:\n%s", want, page)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff to read the page with")
	}
	read := exec.Command(groff, "-man", "-Tutf8", "-ww", "-z")
	read.Stdin = strings.NewReader(page)
	if warnings, err := read.CombinedOutput(); err != nil || len(warnings) > 0 {
		t.Errorf("groff: %v\n%s", err, warnings)
	}
}
