package spec

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestApplyFixes: frontmatter in, frontmatter out; every other byte stays, with
// either kind of line ends.
func TestApplyFixes(t *testing.T) {
	const head = "name: demo\ndescription: Shows. Use in tests."
	tests := []struct{ name, before, after string }{
		{"nothing to do", head, head},
		{"an unquoted colon", "name: demo\ndescription: Shows: all. Use it. # c\nlicense: MIT", "name: demo\ndescription: Shows: all. Use it. # c\nlicense: MIT"},
		{"an unquoted colon, no comment", "name: demo\ndescription: Shows: all.\nlicense: MIT # c", "name: demo\ndescription: \"Shows: all.\"\nlicense: MIT # c"},
		{"a colon and quotes", "name: demo\ndescription: Say \"a: b\" or it's c: d", "name: demo\ndescription: 'Say \"a: b\" or it''s c: d'"},
		{"a colon and a backslash", "name: demo\ndescription: In C:\\dir: d", "name: demo\ndescription: 'In C:\\dir: d'"},
		{"a colon and 日本", "name: demo\ndescription: 日本: 😀 é", "name: demo\ndescription: \"日本: 😀 é\""},
		{"two colons", "name: demo\ndescription: a: b\ncompatibility: c: d", "name: demo\ndescription: \"a: b\"\ncompatibility: \"c: d\""},
		{"a colon on a later line", "name: demo\ndescription: a\n  b: c\n  d", "name: demo\ndescription: a\n  b: c\n  d"},
		{"a text of several lines", "name: demo\ndescription: a: b\n  c d\n\n  e\nlicense: f", "name: demo\ndescription: \"a: b\n  c d\n\n  e\"\nlicense: f"},
		{"a reserved character", "name: demo\ndescription: @a\nlicense: `b`", "name: demo\ndescription: \"@a\"\nlicense: \"`b`\""},
		{"an alias that is none", head + "\nlicense: *a", head + "\nlicense: *a"},
		{"a missing blank", "name:demo\ndescription: b", "name: demo\ndescription: b"},
		{"a missing blank below", "name: demo\ndescription:b", "name: demo\ndescription: b"},
		{"what may be a missing blank", head + "\nmetadata:\n  a: b\n  c:d", head + "\nmetadata:\n  a: b\n  c:d"},
		{"a tab", head + "\nmetadata:\n\ta: b\n\tc: d", head + "\nmetadata:\n  a: b\n  c: d"},
		{"a number in metadata", head + "\nmetadata:\n  a: 1.0 # c\n  b: true\n  c:\n  d: ~\n  e: 'f'", head + "\nmetadata:\n  a: \"1.0\" # c\n  b: \"true\"\n  c: \"\"\n  d: \"~\"\n  e: 'f'"},
		{"keys alone in braces", head + "\nmetadata: {a, b: , 'c'}", head + "\nmetadata: {a, b: \"\" , 'c'}"},
		{"metadata in braces", head + "\nmetadata: {a: 1, b: 0x1F, 2: c}", head + "\nmetadata: {a: \"1\", b: \"0x1F\", \"2\": c}"},
		{"types", "name: 12\ndescription: true\nlicense: 1.10", "name: \"12\"\ndescription: \"true\"\nlicense: \"1.10\""},
		{"a name of digits that differ", "name: demo\ndescription: b\nlicense: 012", "name: demo\ndescription: b\nlicense: \"012\""},
		{"a date", head + "\nmetadata:\n  a: 2026-01-31\n  b: yes", head + "\nmetadata:\n  a: \"2026-01-31\"\n  b: \"yes\""},
		{"a number that changes its type", head + "\nk: 012\nl: .inf", head + "\nk: 012\nl: \".inf\""},
		{"tools in a list", head + "\nallowed-tools:\n  - Bash(git log:*)\n  - Read\nlicense: a", head + "\nallowed-tools: Bash(git log:*) Read\nlicense: a"},
		{"tools in brackets", head + "\nallowed-tools: [Read, 'Write'] # c", head + "\nallowed-tools: Read Write # c"},
		{"tools with a comment", head + "\nallowed-tools:\n  - Read # c\n  - Write", head + "\nallowed-tools:\n  - Read # c\n  - Write"},
		{"tools with commas", head + "\nallowed-tools: Read, Bash(a, b),Write", head + "\nallowed-tools: Read Bash(a, b) Write"},
		{"tools with commas in quotes", head + "\nallowed-tools: 'Read, Write'", head + "\nallowed-tools: 'Read Write'"},
		{"a line in column 1", "name: demo\ndescription: \"a\nb\n\nc\"", "name: demo\ndescription: \"a\n  b\n\n  c\""},
		{"a name in capitals", "name: DEMO\ndescription: b", "name: demo\ndescription: b"},
		{"another name in capitals", "name: OTHER\ndescription: b", "name: OTHER\ndescription: b"},
	}
	for _, test := range tests {
		for _, end := range []string{"\n", "\r\n"} {
			t.Run(fmt.Sprintf("%s %q", test.name, end), func(t *testing.T) {
				before := strings.ReplaceAll("---\n"+test.before+"\n---\n\n# Body\t \n---\nname:x\n", "\n", end)
				after := strings.ReplaceAll("---\n"+test.after+"\n---\n\n# Body\t \n---\nname:x\n", "\n", end)
				s := Parse([]byte(before))
				s.DirName = "demo"
				fixed, mended := ApplyFixes(s)
				if string(fixed.Source) != after {
					t.Errorf("got  %q\nwant %q", fixed.Source, after)
				}
				if (len(mended) > 0) != (before != after) {
					t.Errorf("mended: %v", mended)
				}
				checkFixed(t, s, fixed)
			})
		}
	}
}

// checkFixed holds what is true of every outcome: it is read again, its body
// is the same, and mending it once more changes nothing.
func checkFixed(t testing.TB, s, fixed *Skill) {
	t.Helper()
	if !bytes.Equal(s.Split.Body.of(s.Source), fixed.Split.Body.of(fixed.Source)) {
		t.Errorf("the body was changed to %.200q", fixed.Split.Body.of(fixed.Source))
	}
	if diff := cmp.Diff(Validate(fixed), Validate(fixed.WithSource(fixed.Source))); diff != "" {
		t.Errorf("read again it is another skill: %s", diff)
	}
	if again, mended := ApplyFixes(fixed); len(mended) > 0 {
		t.Errorf("mended again: %v\n%q", mended, again.Source)
	}
}

// TestFixOutsideTheFrontmatter: fences, what stands before them, and marks.
func TestFixOutsideTheFrontmatter(t *testing.T) {
	tests := []struct{ before, after string }{
		{"\ufeff---\nname: a\ndescription: b\n---\n", "---\nname: a\ndescription: b\n---\n"},
		{"\n \n---\nname: a\ndescription: b\n---\n", "---\nname: a\ndescription: b\n---\n"},
		{"\ufeff\n--- \nname: a\ndescription: b\n---\t \n", "---\nname: a\ndescription: b\n---\n"},
		{"---  \r\nname: a\r\ndescription: b\r\n--- \r\nc  \r\n", "---\r\nname: a\r\ndescription: b\r\n---\r\nc  \r\n"},
		{"# x\n---\nname: a\ndescription: b\n---\n", "# x\n---\nname: a\ndescription: b\n---\n"},
		{"---\nname: a\ndescription: b\n", "---\nname: a\ndescription: b\n"},
	}
	for _, test := range tests {
		s := Parse([]byte(test.before))
		fixed, _ := ApplyFixes(s)
		if string(fixed.Source) != test.after {
			t.Errorf("got  %q\nwant %q", fixed.Source, test.after)
		}
		checkFixed(t, s, fixed)
	}
}

// TestFixOfSomeRules: only fixes of the rules that are asked for are applied.
func TestFixOfSomeRules(t *testing.T) {
	var colon []Rule
	for _, r := range Rules() {
		if r.ID == "yaml-colon" {
			colon = append(colon, r)
		}
	}
	s := Parse(fenced("name: a\ndescription: b: c\nmetadata: {d: 1}"))
	fixed, mended := ApplyFixes(s, colon...)
	if want := fenced("name: a\ndescription: \"b: c\"\nmetadata: {d: 1}"); !bytes.Equal(fixed.Source, want) || len(mended) != 1 {
		t.Errorf("%q, %v", fixed.Source, mended)
	}
}

// TestFixThatChangesMore: a fix that would change another field, the body or
// the fences is refused.
func TestFixThatChangesMore(t *testing.T) {
	source := fenced("name: a\nlicense: b")
	for _, text := range []string{"x\ndescription: y", "x\n---", "x\nlicense: y", "\"x"} {
		rule := Rule{RuleInfo: RuleInfo{ID: "test"}, Check: func(p *Pass) {
			value := p.Skill.Frontmatter.Value("name")
			if value == nil || value.Text != "a" {
				return
			}
			p.reportField("name", value, Diagnostic{Fixes: []Fix{p.replace("test", Safe, value.Range, text)}})
		}}
		if fixed, mended := ApplyFixes(Parse(source), rule); len(mended) > 0 {
			t.Errorf("%q was applied: %q", text, fixed.Source)
		}
	}
}

// TestFixEndlessly: two fixes that undo each other end.
func TestFixEndlessly(t *testing.T) {
	swap := func(from, to string) Rule {
		return Rule{RuleInfo: RuleInfo{ID: from}, Check: func(p *Pass) {
			if value := p.Skill.Frontmatter.Value("name"); value != nil && value.Text == from {
				p.reportField("name", value, Diagnostic{Fixes: []Fix{p.replace(to, Safe, value.Range, to)}})
			}
		}}
	}
	if _, mended := ApplyFixes(Parse(fenced("name: a")), swap("a", "b"), swap("b", "a")); len(mended) == 0 || len(mended) > 2*maxRounds {
		t.Errorf("%d fixes", len(mended))
	}
}

// TestManyFixes: all of them are applied, and twice as many do not take much
// longer than twice the time.
func TestManyFixes(t *testing.T) {
	mend := func(n int) time.Duration {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "\n  k%d: %d", i, i)
		}
		s := Parse(fenced("name: a\ndescription: b\nmetadata:" + b.String()))
		start := time.Now()
		fixed, mended := ApplyFixes(s)
		took := time.Since(start)
		if len(mended) != n {
			t.Errorf("%d of %d were mended", len(mended), n)
		}
		if got := len(fixed.Frontmatter.Metadata); got != n {
			t.Errorf("%d of %d values are strings", got, n)
		}
		return took
	}
	checkGrowth(t, "fixes", 500, mend)
}

// TestCaseFixes mends what can be mended in every file of the golden cases.
func TestCaseFixes(t *testing.T) {
	for name, source := range caseSources(t) {
		t.Run(name, func(t *testing.T) {
			s := Parse(source)
			fixed, mended := ApplyFixes(s)
			checkFixed(t, s, fixed)
			if (len(mended) > 0) == bytes.Equal(s.Source, fixed.Source) {
				t.Errorf("%d fixes and the source %q", len(mended), fixed.Source)
			}
		})
	}
}
