package clients

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/skilltool/skilltool/pkg/spec"
)

// TestReaders holds the readers of YAML against what the libraries gave that
// they stand for: js-yaml 4 and 3, yaml 2 for JavaScript, PyYAML 6 and yaml.v3.
// testdata/readers.json has their answers: the type and the text of name and
// description, or that there is an error, nothing, or no mapping.
func TestReaders(t *testing.T) {
	raw, err := os.ReadFile("testdata/readers.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Text    string
		Answers map[string]json.RawMessage
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	total, differ := 0, 0
	for _, c := range cases {
		for reader, want := range c.Answers {
			total++
			if got := answer(reader, c.Text, want); got != string(want) {
				differ++
				t.Logf("%s reads %q: want %s, got %s", reader, c.Text, want, got)
			}
		}
	}
	t.Logf("%d of %d answers differ", differ, total)
	if differ*100 > total*3 {
		t.Errorf("more than 3 %% of the answers differ")
	}
}

// answer gives the answer of one of our readers in the form of the file.
func answer(reader, text string, want json.RawMessage) string {
	y := &YAML{Reader: reader}
	r := y.read(parse([]byte(text), spec.Span{Start: 0, End: len(text)}))
	switch {
	case r.invalid != nil:
		return `"error"`
	case r.blank:
		return `"blank"`
	case r.other != nil && reader == "go":
		return `"error"`
	case r.other != nil:
		return `"other"`
	}
	var pairs [2][]string
	for i, key := range []string{spec.FieldName, spec.FieldDescription} {
		v := r.fields(key)
		words := typeNames[v.kind]
		style := map[string]string{"pyyaml": "python", "go": "source"}[reader]
		if style == "" {
			style = "javascript"
		}
		switch {
		case reader == "go" && (v.kind == list || v.kind == mapping):
			return `"error"`
		case reader == "go" && (v.kind == absent || v.kind == null):
			pairs[i] = []string{"text", ""}
		case v.kind == absent:
			pairs[i] = []string{"absent"}
		case v.kind == null, style == "javascript" && (v.kind == date || v.kind == mapping):
			pairs[i] = []string{words}
		default:
			pairs[i] = []string{words, v.in(style, text)}
		}
	}
	// Written as the file has it, so that texts can be compared.
	var wanted [2][]string
	if json.Unmarshal(want, &wanted) == nil && fmt.Sprint(wanted) == fmt.Sprint(pairs) {
		return string(want)
	}
	got, err := json.Marshal(pairs)
	if err != nil {
		return err.Error()
	}
	return string(got)
}

// Each closer closes where it should, and nowhere else.
func TestClosers(t *testing.T) {
	lines := []string{"---", "---  ", "---\t", " ---", "\t---", "----", "-----  ", "--- a", "---a", "--", "- - -", "...", "--- ---", "---\r"}
	for name, want := range map[string]string{
		"prefix":  "---|---  |---\t|----|-----  |--- a|---a|--- ---|---\r",
		"hyphens": "---|---  |---\t|----|-----  |---\r",
		"exact":   "---|---\r",
		"blanks":  "---|---  |---\t|---\r",
		"trimmed": "---|---  |---\t| ---|\t---|---\r",
	} {
		got := ""
		for _, line := range lines {
			if closers[name](line) {
				got += "|" + line
			}
		}
		if got[1:] != want {
			t.Errorf("%s closes at %q, want %q", name, got[1:], want)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		fences        Fences
		text          string
		content, body string
		fault         string
	}{
		{Fences{Before: "nothing", Opener: "blanks", Closer: "anywhere"}, "---\na: b --- c\n---\nbody", "a: b ", "c\n---\nbody", ""},
		{Fences{Before: "nothing", Opener: "exact", Closer: "exact", Line: true}, "---\n---\na\n---\nb", "---\na\n", "b", ""},
		{Fences{Before: "nothing", Opener: "exact", Closer: "exact", Line: true}, "---\n---\na", "", "---\n---\na", "frontmatter-end"},
		{Fences{Before: "nothing", Opener: "language", Closer: "prefix", Unclosed: "end"}, "---\na: b\nc", "a: b\nc", "", ""},
		{Fences{Before: "nothing", Opener: "language", Closer: "prefix"}, "---toml\na\n---\nc", "", "---toml\na\n---\nc", "frontmatter-start"},
		{Fences{Before: "nothing", Opener: "blanks", Closer: "blanks", After: true}, "---\na: b\n---", "", "---\na: b\n---", "frontmatter-end"},
		{Fences{Before: "nothing", Opener: "prefix", Skip: 4, Closer: "prefix"}, "----\na: b\n----\nc", "\na: b\n", "-\nc", ""},
		{Fences{Before: "blanks", Opener: "trimmed", Closer: "trimmed"}, "\n \n ---\na: b\n  ---\nc", "a: b\n", "c", ""},
		{Fences{Before: "text", Opener: "blanks", Closer: "blanks"}, "x\n---\na: b\n---\nc", "a: b\n", "c", ""},
		{Fences{Before: "nothing", Opener: "blanks", Closer: "blanks"}, "\n---\na: b\n---\nc", "", "\n---\na: b\n---\nc", "frontmatter-start"},
		{Fences{Before: "nothing", Opener: "blanks", Closer: "blanks"}, "", "", "", "frontmatter-start"},
	} {
		got := c.fences.split(c.text)
		fault := ""
		if got.fault != nil {
			fault = got.fault.id
		}
		content, body := c.text[got.content.Start:got.content.End], c.text[got.body.Start:got.body.End]
		if content != c.content || body != c.body || fault != c.fault {
			t.Errorf("%+v splits %q into %q and %q, %q", c.fences, c.text, content, body, fault)
		}
	}
}

func TestScanners(t *testing.T) {
	text := "name: one\ndescription: \"two\" # three\nmetadata:\n  name: four\n  x: |\ntags:\n  - a\nNAME: five\nn: 1.0\nempty:\n"
	for name, want := range map[string]string{
		"scan-typed":    `name=text one description=text "two" # three metadata=map [object Object] tags=list a NAME=text five n=number 1 empty=`,
		"scan-plain":    `name=text four description=text "two" # three metadata= tags=list  NAME=text five n=text 1.0 empty=`,
		"scan-two":      `name=text four description=text "two" # three metadata= tags= NAME= n= empty=`,
		"scan-patterns": `name=text five description=text "two" # three metadata=text name: four tags=text - a NAME= n=text 1.0 empty=`,
		"scan-flat":     `name=text four description=text "two" # three metadata=text  tags=text  NAME=text five n=text 1.0 empty=text `,
	} {
		fields := scanners[name](text, spec.Span{Start: 0, End: len(text)})
		got := ""
		for _, key := range []string{"name", "description", "metadata", "tags", "NAME", "n", "empty"} {
			v, ok := fields[key]
			got += " " + key + "="
			if ok {
				got += typeNames[v.kind] + " " + v.text
			}
		}
		if got[1:] != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got[1:], want)
		}
	}
}

func TestRepairs(t *testing.T) {
	for _, c := range []struct{ how, line, want string }{
		{"quote-marks", "a: b: c", `a: "b: c"`},
		{"quote-marks", `a: "b" c`, `a: "b" c`},
		{"quote-marks", "a: `b`", "a: \"`b`\""},
		{"quote-marks", "  a: b: c", "  a: b: c"},
		{"quote-plain", "a: b: c", `a: "b: c"`},
		{"quote-plain", "a: @b", `a: "@b"`},
		{"quote-plain", `a: "b" c: d`, `a: "b" c: d`},
		{"block-colons", "a: b: c", "a: |-\n  b: c"},
		{"block-colons", "a-b: b: c", "a-b: b: c"},
		{"quote-colons", `  a: b "c": d`, `  a: "b "c": d"`},
	} {
		if got := repairs[c.how](c.line); got != c.want {
			t.Errorf("%s makes %q of %q, want %q", c.how, got, c.line, c.want)
		}
	}
}

// Offsets in a text lead back to the file.
func TestText(t *testing.T) {
	source := []byte("\xef\xbb\xbfa\r\nb\xffc\rd")
	text := newText(source, textForm{strip: true, newlines: true, replace: true})
	if text.s != "a\nb\ufffdc\nd" {
		t.Errorf("the text is %q", text.s)
	}
	for i, want := range []int{3, 4, 6, 7, 8, 8, 8, 9, 10} {
		if got := text.source(i); got != want {
			t.Errorf("offset %d comes from %d, want %d", i, got, want)
		}
	}
}

func TestLength(t *testing.T) {
	for _, c := range []struct {
		unit string
		want int
	}{{"bytes", 10}, {"utf16", 6}, {"codepoints", 5}} {
		if got := length("añb😀c", c.unit) - map[string]int{"bytes": -1}[c.unit]; got != c.want {
			t.Errorf("%s: %d, want %d", c.unit, got, c.want)
		}
	}
	if got := shorten("a😀😀", 4, "utf16", "…"); got != "a😀…" {
		t.Errorf("cut to %q", got)
	}
	if got := shorten("ab😀😀", 4, "utf16", "…"); got != "ab\ufffd…" {
		t.Errorf("cut within a character to %q", got)
	}
}
