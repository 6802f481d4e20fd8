package report_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/spec"
)

func stripEscapes(s string) string { return ansi.Strip(s) }

// onLine makes a report of one finding about a span of a line, in code points
// from 1.
func onLine(line string, start, end int) *report.Report {
	r := clean()
	f := find("/work/repo/skills/x", "name-charset", "", "", "message")
	f.Line = line
	f.Range = spec.Range{
		Start: spec.Position{Line: 7, Column: start},
		End:   spec.Position{Line: 7, Column: end},
	}
	r.Findings = []report.Finding{f}
	return r
}

// TestCaret looks at what stands over the carets, as a terminal places it.
func TestCaret(t *testing.T) {
	long := strings.Repeat("0123456789", 30)
	for _, test := range []struct {
		name, line string
		start, end int
		marked     string
	}{
		{"whole", "name: x", 1, 8, "name: x"},
		{"part", "name: x", 7, 8, "x"},
		{"empty span", "name: x", 5, 5, ":"},
		{"empty span at the end", "name: x", 8, 8, ""},
		{"empty line", "", 1, 1, ""},
		{"behind the end", "ab", 9, 12, ""},
		{"backwards", "name: x", 5, 2, ":"},
		{"wide before", "日本: x", 5, 6, "x"},
		{"wide", "日本: x", 2, 3, "本"},
		{"emoji", "a📊b", 2, 3, "📊"},
		{"behind emoji", "a📊b", 3, 4, "b"},
		{"emoji with a selector", "a❤\uFE0Fb", 4, 5, "b"},
		{"joined emoji", "👩\u200d💻x", 4, 5, "x"},
		{"joiner itself", "👩\u200d💻x", 2, 3, `\u200d`},
		{"behind combining", "e\u0301x", 3, 4, "x"},
		{"combining itself", "ae\u0301x", 3, 4, "e\u0301"},
		{"tab before", "a\tb", 3, 4, "b"},
		{"tab itself", "a\tb", 2, 3, "    "},
		{"control", "a\x1bb", 2, 3, `\x1b`},
		{"behind control", "a\x1b\u202eb", 4, 5, "b"},
		{"bad UTF-8", "a\xff\xfeb", 2, 3, `\xff`},
		{"behind bad UTF-8", "a\xff\xfeb", 4, 5, "b"},
		{"middle of a long line", long, 151, 154, "012"},
		{"start of a long line", long, 1, 4, "012"},
		{"end of a long line", long, 298, 301, "789"},
		{"end of a long wide line", strings.Repeat("日本", 200), 399, 401, "日本"},
		{"middle of a long wide line", strings.Repeat("日本", 200), 201, 203, "日本"},
		{"middle of a long wide line, odd", "x" + strings.Repeat("日本", 200), 202, 204, "日本"},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines := strings.Split(write(t, "text", report.Options{}, onLine(test.line, test.start, test.end)), "\n")
			source, carets := lines[1], lines[2]
			if got := over(source, carets); got != test.marked {
				t.Errorf("the carets are under %q, want %q:\n%s\n%s", got, test.marked, source, carets)
			}
			if w := ansi.StringWidth(source); w > 100 {
				t.Errorf("the line has %d columns:\n%s", w, source)
			}
		})
	}
}

// over gives the text that stands over the carets.
func over(source, carets string) string {
	from := strings.Index(carets, "^")
	return ansi.Cut(source, from, len(carets))
}

func TestLongSpanIsCut(t *testing.T) {
	for _, width := range []int{0, 30, 60, 120} {
		line := "description: " + strings.Repeat("長い text ", 200)
		got := write(t, "text", report.Options{Width: width}, onLine(line, 14, utf8.RuneCountInString(line)+1))
		lines := strings.Split(got, "\n")
		wide := width
		switch width {
		case 0:
			wide = 100
		case 30:
			wide = 40
		}
		if !strings.HasSuffix(lines[1], "…") || ansi.StringWidth(lines[1]) > wide || ansi.StringWidth(lines[1]) < wide-2 ||
			ansi.StringWidth(lines[2]) != ansi.StringWidth(lines[1])-1 {
			t.Errorf("width %d:\n%s", width, got)
		}
	}
}

// A line of megabytes costs no more than its scan.
func TestHugeLine(t *testing.T) {
	line := strings.Repeat("e\u0301", 1<<20)
	got := write(t, "text", report.Options{}, onLine(line, 1<<20, 1<<20+3))
	if len(got) > 2000 {
		t.Errorf("%d bytes were written", len(got))
	}
}

func TestByteOrderMarkIsNoColumn(t *testing.T) {
	r := onLine("\uFEFF---x", 4, 5)
	r.Findings[0].Range.Start.Line, r.Findings[0].Range.End.Line = 1, 1
	lines := strings.Split(write(t, "text", report.Options{}, r), "\n")
	if got := over(lines[1], lines[2]); got != "x" {
		t.Errorf("the caret is under %q, want x:\n%s\n%s", got, lines[1], lines[2])
	}
}

func TestPaths(t *testing.T) {
	for _, test := range []struct{ base, skill, file, text, json string }{
		{"/b", "/b/s", "SKILL.md", "s/SKILL.md", "s/SKILL.md"},
		{"/b", "/b/s", ".", "s", "s"},
		{"/b", "/b", ".", ".", "."},
		{"/b", "/b", "SKILL.md", "SKILL.md", "SKILL.md"},
		{"/b", "/bb/s", "SKILL.md", "/bb/s/SKILL.md", "/bb/s/SKILL.md"},
		{"/", "/s", "SKILL.md", "s/SKILL.md", "s/SKILL.md"},
		{"/", "/", "SKILL.md", "SKILL.md", "SKILL.md"},
		{"C:/b", "C:/b/s", "a/b.md", "s/a/b.md", "s/a/b.md"},
		{"C:/b", "D:/b/s", "b.md", "D:/b/s/b.md", "D:/b/s/b.md"},
		{"/b", "/b/s", "a:b\n.md", `s/a\x3ab\n.md`, `s/a:b\n.md`},
		{"/b", "", "<stdin>", "<stdin>", "<stdin>"},
		{"", "/b", "x", "/b/x", "/b/x"},
	} {
		r := clean()
		f := find(test.skill, "name-charset", "", "", "message")
		f.Path = test.file
		r.Findings, r.Base, r.WorkDir = []report.Finding{f}, test.base, test.base
		if got, _, _ := strings.Cut(write(t, "concise", report.Options{}, r), ": error"); got != test.text {
			t.Errorf("%s in %s: text has %s, want %s", test.file, test.skill, got, test.text)
		}
		if got := write(t, "json", report.Options{}, r); !strings.Contains(got, `"path": "`+test.json+`"`) {
			t.Errorf("%s in %s: want %s in JSON:\n%s", test.file, test.skill, test.json, got)
		}
	}
}
