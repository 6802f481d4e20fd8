package spec

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"testing"
	"time"
)

// checkGrowth measures run at n and at twice n. Linear work takes twice the
// time and quadratic work four times: more than three, six times in a row, is a
// failure. Short times are all noise and count as linear, and under the race
// detector all of them are.
func checkGrowth(t *testing.T, name string, n int, run func(n int) time.Duration) {
	t.Helper()
	if os.Getenv("SKILLTOOL_GROWTH") == "" || raceEnabled {
		t.Skip("set SKILLTOOL_GROWTH to measure, on a machine that does nothing else")
	}
	const noise = 20 * time.Millisecond
	best := func(n int) time.Duration {
		return min(run(n), run(n), run(n))
	}
	for try := 0; ; try++ {
		once, twice := best(n), best(2*n)
		if twice < noise || twice < 3*once {
			return
		}
		if try == 5 {
			t.Errorf("%s: %v for %d and %v for %d", name, once, n, twice, 2*n)
			return
		}
	}
}

// hostile makes inputs of about n bytes that have been slow in some YAML parser
// or in this one.
var hostile = map[string]func(n int) string{
	"list items":                 line("a: [", "a,", "]"),
	"numbers in metadata":        line("metadata: {", "1,", "}"),
	"entries in braces":          line("a: {", "b: c,", "}"),
	"unknown aliases":            line("a: [", "*a,", "]"),
	"brackets":                   line("a: [", "[],", "]"),
	"open brackets":              line("a: ", "[", ""),
	"open braces":                line("a: ", "{b: ", ""),
	"hyphens":                    line("a: ", "-", ""),
	"items in items":             line("", "- ", ""),
	"items in items in brackets": line("a: [", "- ", "]"),
	"keys in keys":               line("", "? ", ""),
	"colons":                     line("a: ", ": ", ""),
	"tabs in double quotes":      line("a: \"", "\t", "\""),
	"tabs in single quotes":      line("a: '", "\t", "'"),
	"tabs in plain text":         line("a: b", "\t", "c"),
	"escapes":                    line("a: \"", `\u0041`, "\""),
	"bad escapes":                line("a: \"", `\q`, "\""),
	"carriage returns":           line("a: |\n  ", "\r", ""),
	"anchors":                    line("a: ", "&a ", ""),
	"tags":                       line("a: ", "!!str ", ""),
	"reserved characters":        line("a:\n  b:\n    - ", "@", ""),
	"empty quotes":               line("metadata: {", `""`, "}"),
	"wide characters":            line("a: [", "日,", "]"),
	"bytes that are no UTF-8":    line("a: [", "\xff,", "]"),
	"a long key":                 line("", "a", ": b"),
	"comments":                   line("", "#\n", "a: b"),
	"blank lines in a block":     line("a: |\n  b\n", "\n", "  c"),
	"blank lines in quotes":      line("a: \"b\n", "\n", "  c\""),
	"blank lines in plain text":  line("a: b\n", "\n", "  c"),
	"fields":                     line("", "a: b\n", ""),
	"colons in each line":        line("a: b\n", "  c: d\n", ""),
	"faulty fields":              line("", "a: b: c\n", ""),
	"reserved fields":            line("", "a: @\n", ""),
	"unclosed quotes":            line("", "a: \"\n", ""),
	"unclosed single quotes":     line("a: 'x\n", "b: c\n", ""),
	"unclosed brackets":          line("", "a: [\n", ""),
	"lines that are no fields":   line("a: b\n", "c\n", ""),
	"fields without a blank":     line("", "a:b\n", ""),
	"tabs":                       line("a: b: c\n", "\td: e\n", ""),
	"near misses of a field":     line("", "nam: b\n", ""),
	"merge keys":                 line("a: &a {b: c}\n", "<<: *a\n", ""),
	"faults in a mapping":        line("z: y: x\na:\n", "  b: c: d\n", ""),
	"deep faults":                line("z: y: x\n"+nest(60)+"\n", strings.Repeat(" ", 60)+"b: c: d\n", ""),
	"many documents":             line("a: b\n", "...\n", ""),
}

// line repeats unit between two texts, in lines of any length but never more
// than there may be.
func line(before, unit, after string) func(int) string {
	return func(n int) string {
		count := n / len(unit)
		if strings.Contains(unit, "\n") {
			count = min(count, n*(MaxFrontmatterLines-100)/MaxFrontmatterBytes)
		}
		return before + strings.Repeat(unit, count) + after
	}
}

func nest(depth int) string {
	var b strings.Builder
	for i := range depth {
		fmt.Fprintf(&b, "\n%sa:", strings.Repeat(" ", i))
	}
	return b.String()[1:]
}

func parseTime(source []byte) time.Duration {
	start := time.Now()
	Validate(Parse(source))
	return time.Since(start)
}

// TestHostileGrowth: no input within the bounds takes more than linear time.
func TestHostileGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			checkGrowth(t, name, MaxFrontmatterBytes/2-200, func(n int) time.Duration { return parseTime(fenced(text(n))) })
		})
	}
}

// TestHostile: every such input takes less time than 300 ordinary ones of
// its size take, even just beyond the bounds, and it ends.
func TestHostile(t *testing.T) {
	if raceEnabled {
		t.Skip("times mean little under the race detector")
	}
	ordinary := ordinarySkill(MaxFrontmatterBytes)
	bound := 300 * min(parseTime(ordinary), parseTime(ordinary), parseTime(ordinary))
	beyond := map[string]string{
		"alias bomb":            aliasBomb(30),
		"a million hyphens":     strings.Repeat("-", 1<<20),
		"a million items":       strings.Repeat("- ", 1<<20),
		"100,000 keys":          strings.Repeat("a: b\n", 100_000),
		"100,000 open brackets": "a: " + strings.Repeat("[", 100_000),
		"20,000 levels":         nest(200) + " b",
	}
	for name, text := range hostile {
		beyond[name] = text(MaxFrontmatterBytes - 200)
		beyond[name+", more"] = text(MaxFrontmatterBytes + 200)
	}
	for name, text := range beyond {
		source := fenced(text)
		if took := min(parseTime(source), parseTime(source)); took > bound {
			t.Errorf("%s: %v for %d bytes, where %d ordinary ones take %v", name, took, len(source), len(ordinary), bound/300)
		}
	}
}

// TestHostileBodies: the time for a long text of anything grows with its length.
func TestHostileBodies(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, unit := range []string{"a", "\n", "\x00", "\xff", "\r", "日", "---\n", "----\n", "--- \t", "- \n", "\x80\n", " "} {
		for _, head := range []string{"", "---\n", "---\nname: a\ndescription: b\n---\n"} {
			name := fmt.Sprintf("%q behind %q", unit, head)
			checkGrowth(t, name, 2<<20, func(n int) time.Duration {
				return parseTime([]byte(head + strings.Repeat(unit, n/len(unit))))
			})
		}
	}
}

// TestBounds: what exceeds a bound is refused by name, and what just does not
// is read (AS-F9).
func TestBounds(t *testing.T) {
	big := func(n int) string { return "a: " + strings.Repeat("b", n-len("a: \n")) }
	tests := []struct {
		name, text, message string
	}{
		{"64 KiB", big(MaxFrontmatterBytes), ""},
		{"64 KiB and a byte", big(MaxFrontmatterBytes + 1), "is larger than 65536 bytes"},
		{"4,000 lines", "a:" + strings.Repeat("\n", MaxFrontmatterLines-1), ""},
		{"4,001 lines", "a:" + strings.Repeat("\n", MaxFrontmatterLines), "is longer than 4000 lines"},
		{"64 levels", nest(64) + " b", ""},
		{"65 levels", nest(65) + " b", "is nested deeper than 64 levels"},
		{"63 brackets", "a: " + strings.Repeat("[", 63) + strings.Repeat("]", 63), ""},
		{"64 brackets", "a: " + strings.Repeat("[", 64) + strings.Repeat("]", 64), "is nested deeper than 64 levels"},
		{"63 hyphens", "a:\n  " + strings.Repeat("- ", 63) + "b", ""},
		{"64 hyphens", "a:\n  " + strings.Repeat("- ", 64) + "b", "is nested deeper than 64 levels"},
		{"brackets in quotes", "a: \"" + strings.Repeat("[", 1000) + "\"\nb: '" + strings.Repeat("{", 1000) + "'", ""},
		{"brackets in plain text", "a: b" + strings.Repeat("[", 1000), ""},
		{"brackets in a comment", "a: b # " + strings.Repeat("[", 1000), ""},
		{"brackets in a block", "a: |\n  " + strings.Repeat("[", 1000) + "\nb: c", ""},
		{"brackets side by side", "a: [" + strings.Repeat("[],", 1000) + "]", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := Parse(fenced(test.text))
			message := ""
			for _, d := range s.Problems {
				message += d.Message
			}
			if test.message == "" && (message != "" || s.Frontmatter.Root == nil) {
				t.Errorf("%.200s", message)
			}
			if test.message != "" && (!strings.Contains(message, test.message) || s.Frontmatter.Root != nil) {
				t.Errorf("%.200q, want %q", message, test.message)
			}
		})
	}
}

// TestMemory: a body costs at most a copy of itself, however many lines it has.
func TestMemory(t *testing.T) {
	for _, unit := range []string{"a", "\n", "\xff", "- \n"} {
		source := []byte("---\nname: a\ndescription: b\n---\n" + strings.Repeat(unit, (MaxSkillFileBytes-100)/len(unit)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Validate(Parse(source))
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > MaxSkillFileBytes+1<<20 {
			t.Errorf("a body of %q takes %d KiB", unit, used>>10)
		}
	}
}

// TestAllocations holds the price of an ordinary SKILL.md.
func TestAllocations(t *testing.T) {
	source := []byte(ordinary)
	if n := testing.AllocsPerRun(20, func() { Parse(source) }); n > 1000 {
		t.Errorf("parsing takes %v allocations", n)
	}
}

// ordinary is a SKILL.md as people write them.
var ordinary = `---
name: pdf-tools
description: Extracts text and tables from PDF files, fills in forms and merges documents. Use when the user mentions PDF files, forms, or document extraction.
license: Apache-2.0
compatibility: Requires Python 3.12 with pypdf, and network access for fonts
metadata:
  author: example-org
  version: "1.0"
allowed-tools: Bash(python:*) Bash(git log:*) Read
---

# PDF tools

` + strings.Repeat("Open the file with `scripts/open.py`, read the pages that matter, and write down what you found.\n", 60)

// ordinarySkill is an ordinary SKILL.md with a frontmatter of about n bytes.
func ordinarySkill(n int) []byte {
	var b strings.Builder
	b.WriteString("name: a\ndescription: b\nmetadata:\n")
	for i := 0; b.Len() < n-200; i++ {
		fmt.Fprintf(&b, "  key-%d: some words that say what the value of this entry is all about\n", i)
	}
	return fenced(b.String())
}

func BenchmarkParse(b *testing.B) {
	source := []byte(ordinary)
	b.ReportAllocs()
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		Parse(source)
	}
}

func BenchmarkValidate(b *testing.B) {
	source := []byte(ordinary)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		s := Parse(source)
		b.StartTimer()
		Validate(s)
	}
}

func BenchmarkJSON(b *testing.B) {
	s := Parse([]byte(ordinary))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Frontmatter.JSON(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse16MiB(b *testing.B) {
	source := bytes.Repeat([]byte("A line of text as it stands in a body.\n"), MaxSkillFileBytes/39)
	copy(source, ordinary)
	b.ReportAllocs()
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		Parse(source)
	}
}

// BenchmarkHostile is the slowest of the hostile inputs.
func BenchmarkHostile(b *testing.B) {
	names := make([]string, 0, len(hostile))
	for name := range hostile {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			source := fenced(hostile[name](MaxFrontmatterBytes - 200))
			for b.Loop() {
				parseTime(source)
			}
		})
	}
}

// writeSkills makes a tree of n skills with three files each.
func writeSkills(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	for i := range n {
		name := fmt.Sprintf("skill-%d", i)
		folder := filepath.Join(dir, fmt.Sprintf("group-%d", i%10), name)
		for file, text := range map[string]string{
			"SKILL.md":            strings.Replace(ordinary, "pdf-tools", name, 1),
			"scripts/open.py":     "print()\n",
			"references/pages.md": "# Pages\n",
		} {
			file = filepath.Join(folder, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				b.Fatal(err)
			}
		}
	}
	return dir
}

func BenchmarkLoadDir(b *testing.B) {
	dir := filepath.Join(writeSkills(b, 1), "group-0", "skill-0")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := LoadDir(dir); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	fsys := os.DirFS(writeSkills(b, 200))
	b.ReportAllocs()
	for b.Loop() {
		if found, err := Find(b.Context(), fsys, ".", FindOptions{}); err != nil || len(found.Skills) != 200 {
			b.Fatal(found, err)
		}
	}
}
