package spec

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"
)

// fenced is a SKILL.md with a given frontmatter.
func fenced(frontmatter string) []byte {
	return []byte("---\n" + frontmatter + "\n---\n# Body\n")
}

// TestPositions holds the place of every node: kind, source text, and the line
// and column of its start and its end.
func TestPositions(t *testing.T) {
	tests := []struct {
		name, source string
		want         []string
	}{
		{"plain", "---\nname: pdf-tools\nn: 12\n---\n", []string{
			`a mapping "name: pdf-tools\nn: 12" 2:1-3:6`,
			`a string "name" 2:1-2:5`, `a string "pdf-tools" 2:7-2:16`,
			`a string "n" 3:1-3:2`, `an integer "12" 3:4-3:6`,
		}},
		{"CR LF", "---\r\nname: a b\r\n\r\n# c\r\nd: \"e\r\n  f\"\r\n---\r\n", []string{
			`a mapping "name: a b\r\n\r\n# c\r\nd: \"e\r\n  f\"" 2:1-6:5`,
			`a string "name" 2:1-2:5`, `a string "a b" 2:7-2:10`,
			`a string "d" 5:1-5:2`, `a string "\"e\r\n  f\"" 5:4-6:5`,
		}},
		{"byte order mark", "\ufeff---\nname: é\n---\n", []string{
			`a mapping "name: é" 2:1-2:8`, `a string "name" 2:1-2:5`, `a string "é" 2:7-2:8`,
		}},
		{"code points", "---\n日本: 😀é\ne\u0301: [\"😀\", y]\n---\n", []string{
			"a mapping \"日本: 😀é\\ne\u0301: [\\\"😀\\\", y]\" 2:1-3:13",
			`a string "日本" 2:1-2:3`, `a string "😀é" 2:5-2:7`,
			"a string \"e\u0301\" 3:1-3:3", `a list "[\"😀\", y]" 3:5-3:13`, `a string "\"😀\"" 3:6-3:9`, `a string "y" 3:11-3:12`,
		}},
		{"tabs", "---\na:\tb\t# c\nd: e\t\n---\n", []string{
			`a mapping "a:\tb\t# c\nd: e" 2:1-3:5`,
			`a string "a" 2:1-2:2`, `a string "b" 2:4-2:5`,
			`a string "d" 3:1-3:2`, `a string "e" 3:4-3:5`,
		}},
		{"comments and blank lines", "---\n# one\n\na: b # two\n\n  # three\nc: d#e\n---\n", []string{
			`a mapping "a: b # two\n\n  # three\nc: d#e" 4:1-7:7`,
			`a string "a" 4:1-4:2`, `a string "b" 4:4-4:5`,
			`a string "c" 7:1-7:2`, `a string "d#e" 7:4-7:7`,
		}},
		{"lines of a plain scalar", "---\na: b\n  c\n\n  d\ne: f\n---\n", []string{
			`a mapping "a: b\n  c\n\n  d\ne: f" 2:1-6:5`,
			`a string "a" 2:1-2:2`, `a string "b\n  c\n\n  d" 2:4-5:4`,
			`a string "e" 6:1-6:2`, `a string "f" 6:4-6:5`,
		}},
		{"quotes", "---\n'a': 'b''c'\n\"d\": \"e\\\"f\" # g\n---\n", []string{
			`a mapping "'a': 'b''c'\n\"d\": \"e\\\"f\"" 2:1-3:12`,
			`a string "'a'" 2:1-2:4`, `a string "'b''c'" 2:6-2:12`,
			`a string "\"d\"" 3:1-3:4`, `a string "\"e\\\"f\"" 3:6-3:12`,
		}},
		{"block scalars", "---\na: |\n  b\n\n  c\n\nd: >-\n  e\nf:\n  - |+\n    g\n\n---\n", []string{
			`a mapping "a: |\n  b\n\n  c\n\nd: >-\n  e\nf:\n  - |+\n    g" 2:1-11:6`,
			`a string "a" 2:1-2:2`, `a string "|\n  b\n\n  c" 2:4-5:4`,
			`a string "d" 7:1-7:2`, `a string ">-\n  e" 7:4-8:4`,
			`a string "f" 9:1-9:2`, `a list "- |+\n    g" 10:3-11:6`, `a string "|+\n    g" 10:5-11:6`,
		}},
		{"nested", "---\nm:\n  k:\n  - a\n  - - 1\n    - x: y\n      z: ~\n---\n", []string{
			`a mapping "m:\n  k:\n  - a\n  - - 1\n    - x: y\n      z: ~" 2:1-7:11`,
			`a string "m" 2:1-2:2`, `a mapping "k:\n  - a\n  - - 1\n    - x: y\n      z: ~" 3:3-7:11`,
			`a string "k" 3:3-3:4`, `a list "- a\n  - - 1\n    - x: y\n      z: ~" 4:3-7:11`, `a string "a" 4:5-4:6`,
			`a list "- 1\n    - x: y\n      z: ~" 5:5-7:11`, `an integer "1" 5:7-5:8`,
			`a mapping "x: y\n      z: ~" 6:7-7:11`, `a string "x" 6:7-6:8`, `a string "y" 6:10-6:11`,
			`a string "z" 7:7-7:8`, `null "~" 7:10-7:11`,
		}},
		{"flow", "---\na: [b, {c: d, 'e': [ ]} ]\nf: {}\n---\n", []string{
			`a mapping "a: [b, {c: d, 'e': [ ]} ]\nf: {}" 2:1-3:6`,
			`a string "a" 2:1-2:2`, `a list "[b, {c: d, 'e': [ ]} ]" 2:4-2:26`, `a string "b" 2:5-2:6`,
			`a mapping "{c: d, 'e': [ ]}" 2:8-2:24`, `a string "c" 2:9-2:10`, `a string "d" 2:12-2:13`,
			`a string "'e'" 2:15-2:18`, `a list "[ ]" 2:20-2:23`,
			`a string "f" 3:1-3:2`, `a mapping "{}" 3:4-3:6`,
		}},
		{"values that are not written", "---\na:\nb: # c\nd:\n  -\n  - e\n---\n", []string{
			`a mapping "a:\nb: # c\nd:\n  -\n  - e" 2:1-6:6`,
			`a string "a" 2:1-2:2`, `null "" 2:3-2:3`,
			`a string "b" 3:1-3:2`, `null "" 3:3-3:3`,
			`a string "d" 4:1-4:2`, `a list "-\n  - e" 5:3-6:6`, `null "" 5:4-5:4`, `a string "e" 6:5-6:6`,
		}},
		{"empty items", "---\na:\n  - b\n  -\n  -\nc:\n  -\n    - d\n  -\n---\n", []string{
			`a mapping "a:\n  - b\n  -\n  -\nc:\n  -\n    - d\n  -" 2:1-9:4`,
			`a string "a" 2:1-2:2`, `a list "- b\n  -\n  -" 3:3-5:4`, `a string "b" 3:5-3:6`, `null "" 4:4-4:4`, `null "" 5:4-5:4`,
			`a string "c" 6:1-6:2`, `a list "-\n    - d\n  -" 7:3-9:4`, `a list "- d" 8:5-8:8`, `a string "d" 8:7-8:8`, `null "" 9:4-9:4`,
		}},
		{"blanks at the end of the text", "---\na: b  \n---\n", []string{
			`a mapping "a: b" 2:1-2:5`, `a string "a" 2:1-2:2`, `a string "b" 2:4-2:5`,
		}},
		{"a hyphen at the end of the text", "---\na: b\n  - c\n---\n", []string{
			`a mapping "a: b\n  - c" 2:1-3:6`, `a string "a" 2:1-2:2`, `a string "b\n  - c" 2:4-3:6`,
		}},
		{"tag and brackets", "---\nc: !t {d: e}\n---\n", []string{
			`a mapping "c: !t {d: e}" 2:1-2:13`, `a string "c" 2:1-2:2`, `a mapping "{d: e}" 2:7-2:13 mark "!t"`,
			`a string "d" 2:8-2:9`, `a string "e" 2:11-2:12`,
		}},
		{"keys alone", "---\na: {b, 'c', d: e}\n---\n", []string{
			`a mapping "a: {b, 'c', d: e}" 2:1-2:18`, `a string "a" 2:1-2:2`, `a mapping "{b, 'c', d: e}" 2:4-2:18`,
			`a string "b" 2:5-2:6`, `null "" 2:6-2:6`, `a string "'c'" 2:8-2:11`, `null "" 2:11-2:11`,
			`a string "d" 2:13-2:14`, `a string "e" 2:16-2:17`,
		}},
		{"question marks", "---\n? a\n? b\n: c\n---\n", []string{
			`a mapping "a\n? b\n: c" 2:3-4:4`, `a string "a" 2:3-2:4`, `null "" 2:4-2:4`, `a string "b" 3:3-3:4`, `a string "c" 4:3-4:4`,
		}},
		{"anchors, tags and aliases", "---\na: &x !!str 1\nb: *x\nc: &y {d: e}\n---\n", []string{
			`a mapping "a: &x !!str 1\nb: *x\nc: &y {d: e}" 2:1-4:13`,
			`a string "a" 2:1-2:2`, `a string "1" 2:13-2:14 mark "&x !!str"`,
			`a string "b" 3:1-3:2`, `an alias "*x" 3:4-3:6`,
			`a string "c" 4:1-4:2`, `a mapping "{d: e}" 4:7-4:13 mark "&y"`, `a string "d" 4:8-4:9`, `a string "e" 4:11-4:12`,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := Parse([]byte(test.source))
			if len(s.Problems) > 0 {
				t.Fatalf("problems: %v", s.Problems)
			}
			if diff := cmp.Diff(test.want, places(s)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			checkSkill(t, s)
		})
	}
}

// places lists the nodes of a skill in the order of the source.
func places(s *Skill) []string {
	var lines []string
	s.Frontmatter.Root.walk("", func(_ string, n *Node, _ bool) {
		r := n.Range
		line := fmt.Sprintf("%v %q %d:%d-%d:%d", n.Kind, textOf(s, r), r.Start.Line, r.Start.Column, r.End.Line, r.End.Column)
		if !n.Mark.IsZero() {
			line += fmt.Sprintf(" mark %q", textOf(s, n.Mark))
		}
		lines = append(lines, line)
	})
	return lines
}

func textOf(s *Skill, r Range) string { return string(s.Source[r.Start.Offset:r.End.Offset]) }

// TestRescuePositions holds where the fields stand that are read one by one
// once there is a syntax error.
func TestRescuePositions(t *testing.T) {
	s := Parse([]byte("---\r\nname: é\r\nd: a: b\r\nm:\r\n  x: '1\r\n  y: \"2\"\r\n---\r\n"))
	want := []string{
		`a mapping "name: é\r\nd: a: b\r\nm:\r\n  x: '1\r\n  y: \"2\"" 2:1-6:9`,
		`a string "name" 2:1-2:5`, `a string "é" 2:7-2:8`,
		`a string "d" 3:1-3:2`, `unreadable "a: b" 3:4-3:8`,
		`a string "m" 4:1-4:2`, `a mapping "x: '1\r\n  y: \"2\"" 5:3-6:9`,
		`a string "x" 5:3-5:4`, `unreadable "'1" 5:6-5:8`,
		`a string "y" 6:3-6:4`, `a string "\"2\"" 6:6-6:9`,
	}
	if diff := cmp.Diff(want, places(s)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !s.Frontmatter.Partial {
		t.Error("the frontmatter is not marked as partial")
	}
}

// TestPosition compares with a count from the start of the file.
func TestPosition(t *testing.T) {
	for _, text := range []string{
		"", "a", "\n", "a\nb", "a\r\nb\r\n", "\ufeff", "\ufeffa\n\ufeffb", "日本\n😀e\u0301x\n", "\t\ta\n\n\n", "a\rb\rc\nd", "\xff\xfe\n\xe6\x97a\n\x80",
	} {
		forward, backward := newLineIndex([]byte(text)), newLineIndex([]byte(text))
		for offset := -1; offset <= len(text)+1; offset++ {
			if got, want := forward.position(offset), naivePosition([]byte(text), offset); got != want {
				t.Errorf("%q at %d: %v, want %v", text, offset, got, want)
			}
		}
		for offset := len(text) + 1; offset >= -1; offset-- {
			if got, want := backward.position(offset), naivePosition([]byte(text), offset); got != want {
				t.Errorf("%q at %d, backwards: %v, want %v", text, offset, got, want)
			}
		}
	}
}

// naivePosition is what Position promises, in the plainest code.
func naivePosition(text []byte, offset int) Position {
	offset = max(0, min(offset, len(text)))
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	line := bytes.Count(text[:offset], []byte("\n")) + 1
	if start == 0 && bytes.HasPrefix(text, bom) {
		start = min(len(bom), offset)
	}
	return Position{Line: line, Column: utf8.RuneCount(text[start:offset]) + 1, Offset: offset}
}

// TestCasePositions checks every node of every file of the golden cases.
func TestCasePositions(t *testing.T) {
	for name, source := range caseSources(t) {
		t.Run(name, func(t *testing.T) { checkSkill(t, Parse(source)) })
	}
}

// caseSources gives each SKILL.md in testdata, under the name of its case.
func caseSources(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "*", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string][]byte{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(data).Files {
			if strings.EqualFold(filepath.Base(f.Name), SkillFile) {
				sources[filepath.Base(file)+"/"+f.Name] = f.Data
			}
		}
	}
	if len(sources) == 0 {
		t.Fatal("no cases")
	}
	return sources
}

// checkSkill holds what is true of every skill, whatever the input: positions
// are right and lie in the source, and nodes cover the text that they stand for.
func checkSkill(t testing.TB, s *Skill) {
	t.Helper()
	checkRange(t, s, "frontmatter", s.Frontmatter.Range)
	checkRange(t, s, "body", s.Body)
	s.Frontmatter.Root.walk("", func(pointer string, n *Node, isKey bool) {
		at := fmt.Sprintf("%s key=%v %v %d", pointer, isKey, n.Kind, n.Style)
		checkRange(t, s, at, n.Range)
		checkRange(t, s, at+" mark", n.Mark)
		if n.Kind != Unknown {
			checkText(t, s, at, n)
		}
		if !s.Frontmatter.Partial {
			checkOrder(t, at, n)
		}
	})
}

func checkRange(t testing.TB, s *Skill, what string, r Range) {
	t.Helper()
	if r.IsZero() {
		return
	}
	for _, p := range []Position{r.Start, r.End} {
		if p.Offset < 0 || p.Offset > len(s.Source) {
			t.Errorf("%s: %v is outside of the source", what, p)
		} else if want := naivePosition(s.Source, p.Offset); len(s.Source) < 1<<16 && p != want {
			t.Errorf("%s: position %v, want %v", what, p, want)
		}
	}
	if r.Start.Offset > r.End.Offset {
		t.Errorf("%s: the range %v ends before it starts", what, r)
	}
}

// checkText compares the source of a node with its style and its text.
func checkText(t testing.TB, s *Skill, at string, n *Node) {
	t.Helper()
	text := textOf(s, n.Range)
	enclosed := func(open, closing string) bool {
		return len(text) > 1 && strings.HasPrefix(text, open) && strings.HasSuffix(text, closing)
	}
	fine := true
	switch {
	case n.Kind == Alias:
		fine = text == "*"+n.Text
	case n.Style == Flow && n.Kind == Sequence:
		fine = enclosed("[", "]")
	case n.Style == Flow:
		fine = enclosed("{", "}")
	case n.Style == SingleQuoted:
		fine = enclosed("'", "'") && (strings.Contains(text, "\n") || strings.ReplaceAll(text[1:len(text)-1], "''", "'") == n.Text)
	case n.Style == DoubleQuoted:
		fine = enclosed(`"`, `"`) && (strings.ContainsAny(text, "\n\\") || text[1:len(text)-1] == n.Text)
	case n.Style == Literal:
		fine = strings.HasPrefix(text, "|")
	case n.Style == Folded:
		fine = strings.HasPrefix(text, ">")
	case n.Kind == Mapping || n.Kind == Sequence:
	case strings.Contains(text, "\n"):
		fine = strings.Join(strings.Fields(text), " ") == strings.Join(strings.Fields(n.Text), " ")
	default:
		fine = text == n.Text
	}
	if !fine {
		t.Errorf("%s: the source %q stands for %q", at, text, n.Text)
	}
	if n.Anchor != "" && !strings.Contains(textOf(s, n.Mark), "&"+n.Anchor) || n.Tag != "" && !strings.Contains(textOf(s, n.Mark), n.Tag) {
		t.Errorf("%s: the mark %q does not hold tag %q and anchor %q", at, textOf(s, n.Mark), n.Tag, n.Anchor)
	}
}

// checkOrder holds that children lie in their parent, one behind the other.
func checkOrder(t testing.TB, at string, n *Node) {
	t.Helper()
	end := n.Range.Start.Offset
	inside := func(child *Node) {
		if child.start().Offset < end || child.Range.End.Offset > n.Range.End.Offset {
			t.Errorf("%s: a child at %v overlaps or leaves %v", at, child.Range, n.Range)
		}
		end = child.Range.End.Offset
	}
	for _, pair := range n.Pairs {
		inside(pair.Key)
		inside(pair.Value)
	}
	for _, item := range n.Items {
		inside(item)
	}
}

func TestEncoding(t *testing.T) {
	tests := []struct {
		source string
		want   Encoding
	}{
		{"", Encoding{"UTF-8", -1, -1}},
		{"---\nname: é\n---\n", Encoding{"UTF-8", -1, -1}},
		{"---\nname: \ufffd\n---\n", Encoding{"UTF-8", -1, -1}},
		{"---\n\x00\n---\n", Encoding{"UTF-8", -1, 4}},
		{"---\nna\xefve\n", Encoding{"not UTF-8", 6, -1}},
		{"\xff\xfe-\x00-\x00-\x00", Encoding{"UTF-16LE", 0, -1}},
		{"\xfe\xff\x00-\x00-\x00-", Encoding{"UTF-16BE", 0, -1}},
		{"\xff\xfe\x00\x00-\x00\x00\x00", Encoding{"UTF-32LE", 0, -1}},
		{"\x00\x00\xfe\xff\x00\x00\x00-", Encoding{"UTF-32BE", 0, -1}},
		{"-\x00-\x00-\x00\n\x00", Encoding{"UTF-16LE", 0, -1}},
		{"\x00-\x00-\x00-\x00\n", Encoding{"UTF-16BE", 0, -1}},
	}
	for _, test := range tests {
		if got := Parse([]byte(test.source)).Encoding; got != test.want {
			t.Errorf("%q: %+v, want %+v", test.source, got, test.want)
		}
	}
}

// TestInvalidBytes: a byte that is no UTF-8 makes the value that holds it
// unreadable, moves no other one, and stays in the source.
func TestInvalidBytes(t *testing.T) {
	source := fenced("name: a\xffb\nd: [x, \"\xe9\", y]\nk\x80: z\ne: |\n  \xc3\nf: g")
	s := Parse(source)
	want := []string{
		`a mapping "name: a\xffb\nd: [x, \"\xe9\", y]\nk\x80: z\ne: |\n  \xc3\nf: g" 2:1-7:5`,
		`a string "name" 2:1-2:5`, `unreadable "a\xffb" 2:7-2:10`,
		`a string "d" 3:1-3:2`, `a list "[x, \"\xe9\", y]" 3:4-3:15`,
		`a string "x" 3:5-3:6`, `unreadable "\"\xe9\"" 3:8-3:11`, `a string "y" 3:13-3:14`,
		`unreadable "k\x80" 4:1-4:3`, `a string "z" 4:5-4:6`,
		`a string "e" 5:1-5:2`, `unreadable "|\n  \xc3" 5:4-6:4`,
		`a string "f" 7:1-7:2`, `a string "g" 7:4-7:5`,
	}
	if diff := cmp.Diff(want, places(s)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !bytes.Equal(s.Source, source) {
		t.Error("the source was changed")
	}
}

// TestLoneCarriageReturn: it ends no line, and is no YAML either.
func TestLoneCarriageReturn(t *testing.T) {
	s := Parse(fenced("name: a\rb: c\nd: e"))
	if d := s.Frontmatter.Value("d"); d == nil || d.Range.Start != (Position{3, 4, 20}) {
		t.Errorf("d stands at %+v", d)
	}
	if !slices.ContainsFunc(s.Problems, func(d Diagnostic) bool { return d.Range.Start == Position{2, 8, 11} }) {
		t.Errorf("nothing is said about it: %+v", s.Problems)
	}
	for _, d := range Validate(s) {
		for _, fix := range d.Fixes {
			t.Errorf("%s offers %+v, which would lose the byte", d.RuleID, fix)
		}
	}
}

// TestTypedFields holds the fields of Frontmatter against the tree.
func TestTypedFields(t *testing.T) {
	s := Parse(fenced("name: a\ndescription: >\n  b\nlicense: &l MIT\ncompatibility: *l\nmetadata:\n  x: y\n  n: 1\n  2: z\n  l: *l\nallowed-tools: Bash(git log:*) Read"))
	f := s.Frontmatter
	got := []any{f.Name, f.Description, f.License, f.Compatibility, f.Metadata, f.AllowedTools}
	want := []any{"a", "b\n", "MIT", "MIT", map[string]string{"x": "y", "l": "MIT"}, []string{"Bash(git log:*)", "Read"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if r, ok := f.Key("license"); !ok || textOf(s, r) != "license" {
		t.Errorf("the key stands at %v", r)
	}
	if _, ok := f.Key("nothing"); ok || f.Value("nothing") != nil {
		t.Error("a field was found that is not there")
	}
	if text := strings.TrimSpace(textOf(s, s.Body)); text != "# Body" {
		t.Errorf("the body is %q", text)
	}
	wrong := Parse(fenced("name: 1\ndescription: [a]\nmetadata: b\nallowed-tools: [c]")).Frontmatter
	if wrong.Name != "" || wrong.Description != "" || wrong.Metadata != nil || len(wrong.AllowedTools) > 0 {
		t.Errorf("values of the wrong type were taken: %+v", wrong)
	}
}

func TestSplitTools(t *testing.T) {
	tests := []struct {
		value string
		want  []string
	}{
		{"", nil}, {" \n", nil}, {"Read", []string{"Read"}}, {"Read\tWrite\nEdit", []string{"Read", "Write", "Edit"}},
		{"Bash(git log:*) Read", []string{"Bash(git log:*)", "Read"}},
		{"A(b (c d) e) F", []string{"A(b (c d) e)", "F"}},
		{"A) B(c d", []string{"A)", "B(c d"}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, SplitTools(test.value), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.value, diff)
		}
	}
}

// TestParser reads the same bytes as another client would.
func TestParser(t *testing.T) {
	source := fenced("name: yes\nn: 012")
	client := Parser{Resolve: func(text string) Kind {
		if text == "yes" {
			return Bool
		}
		return ResolveCore(text)
	}}
	if kind := client.Parse(source).Frontmatter.Value("name").Kind; kind != Bool {
		t.Errorf("yes is %v", kind)
	}
	whole := Parser{Split: func(source []byte) Split {
		return Split{Open: Span{0, 3}, Close: Span{0, 3}, Content: Span{4, len(source)}}
	}}
	if n := len(whole.Parse([]byte("---\na: b\nc: d\n")).Frontmatter.Root.Pairs); n != 2 {
		t.Errorf("%d fields", n)
	}
	changed := client.Parse(source).WithSource(fenced("name: yes"))
	if kind := changed.Frontmatter.Value("name").Kind; kind != Bool {
		t.Errorf("after a change yes is %v", kind)
	}
}

// TestValidateTwice: rules run in any order, any number of times, and give the
// same findings.
func TestValidateTwice(t *testing.T) {
	for name, source := range caseSources(t) {
		s := Parse(source)
		if diff := cmp.Diff(Validate(s), Validate(s)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(Validate(s), Validate(Parse(source), Rules()...)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestSeverity(t *testing.T) {
	for _, want := range []Severity{Info, Warning, Error} {
		text, err := want.MarshalText()
		if err != nil || string(text) != want.String() {
			t.Errorf("%v is written %q, %v", want, text, err)
		}
		var got Severity
		if err := got.UnmarshalText(text); err != nil || got != want {
			t.Errorf("%q is read as %v, %v", text, got, err)
		}
	}
	unknown := Severity(7)
	if _, err := unknown.MarshalText(); err == nil || unknown.String() != "Severity(7)" {
		t.Errorf("severity 7 is %v", unknown)
	}
	if err := new(Severity).UnmarshalText([]byte("fatal")); err == nil {
		t.Error("fatal is taken for a severity")
	}
}

func TestRange(t *testing.T) {
	r := Parse([]byte("---\na: b\n---\n")).Frontmatter.Range
	if r.IsZero() || !r.Contains(4) || r.Contains(3) || !r.Contains(8) || r.Contains(9) {
		t.Errorf("%v", r)
	}
}

func TestRegisterTwice(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a second rule with the same id is taken")
		}
	}()
	register(Rules()[0])
}
