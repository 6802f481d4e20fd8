package spec_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/skilltool/skilltool/pkg/spec"
)

var update = flag.Bool("update", false, "rewrite the wanted output of the golden cases")

// A golden case is a txtar archive: prose, then skills below good/ or bad/ (or
// anywhere, in testdata/cases), then what the rules say about them in the file
// "want". What a text archive cannot hold is made by the lines of a file
// "setup":
//
//	escape FILE             read FILE as the inside of a Go string: \r \x00 \ufeff
//	repeat FILE TEXT N      replace the line @@ in FILE by N times TEXT (Go escapes)
//	symlink FILE TARGET     make a symbolic link
//	mkdir DIR, fifo FILE, rename FROM TO
//
// FILE, FROM and TO are read with Go escapes too.
type goldenCase struct {
	file    string
	archive *txtar.Archive
	dir     string
}

// TestRuleCases runs testdata/rules: each rule has a case, its bad skills get
// the rule's finding, and its good ones get none of any rule.
func TestRuleCases(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "rules")
	known := map[string]bool{}
	for _, rule := range spec.Rules() {
		known[rule.ID+".txtar"] = true
		t.Run(rule.ID, func(t *testing.T) {
			c := loadCase(t, filepath.Join(dir, rule.ID+".txtar"))
			lines := c.run(t)
			if !slices.ContainsFunc(lines, func(l string) bool {
				return strings.HasPrefix(l, "bad/") && strings.Contains(l, " "+rule.ID+": ")
			}) {
				t.Errorf("no bad skill gets a finding of %s", rule.ID)
			}
			if !c.has("good/") {
				t.Error("there is no good skill")
			}
			for _, line := range lines {
				if strings.HasPrefix(line, "good/") {
					t.Errorf("a good skill gets a finding: %s", line)
				}
			}
		})
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !known[f.Name()] {
			t.Errorf("%s is the case of no rule", f.Name())
		}
	}
}

// TestCases runs testdata/cases: whole skills with all that the rules say.
func TestCases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "cases", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			loadCase(t, file).run(t)
		})
	}
}

func loadCase(t *testing.T, file string) *goldenCase {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return &goldenCase{file: file, archive: txtar.Parse(data)}
}

func (c *goldenCase) has(prefix string) bool {
	return slices.ContainsFunc(c.archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, prefix) })
}

// run lays the skills out, checks each with all rules, compares with what is
// wanted, and gives the findings.
func (c *goldenCase) run(t *testing.T) []string {
	t.Helper()
	c.layOut(t)
	var lines []string
	for _, skill := range c.skills(t) {
		s, err := spec.LoadDir(filepath.Join(c.dir, filepath.FromSlash(skill)))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range spec.Validate(s) {
			lines = append(lines, describe(skill, d)...)
		}
	}
	got := strings.Join(lines, "\n")
	if len(lines) > 0 {
		got += "\n"
	}
	if *update {
		c.write(t, got)
	} else if diff := cmp.Diff(c.want(), got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	return lines
}

// describe gives the lines of the golden output for one finding.
func describe(skill string, d spec.Diagnostic) []string {
	at := skill + "/" + d.Path
	if d.Path == "." {
		at = skill
	}
	at = strings.Trim(strconv.Quote(at), `"`)
	if r := d.Range; !r.IsZero() {
		at += fmt.Sprintf(":%d:%d-", r.Start.Line, r.Start.Column)
		if r.End.Line != r.Start.Line {
			at += fmt.Sprintf("%d:", r.End.Line)
		}
		at += fmt.Sprint(r.End.Column)
	}
	lines := []string{fmt.Sprintf("%s: %s %s: %s", at, d.Severity, d.RuleID, d.Message)}
	if d.Help != "" {
		lines = append(lines, "  help: "+d.Help)
	}
	for _, related := range d.Related {
		lines = append(lines, fmt.Sprintf("  see line %d: %s", related.Range.Start.Line, related.Message))
	}
	for _, fix := range d.Fixes {
		line := fmt.Sprintf("  fix (%s): %s", fix.Safety, fix.Title)
		for _, e := range fix.Edits {
			line += fmt.Sprintf(", %d:%d-%d:%d -> %q", e.Range.Start.Line, e.Range.Start.Column, e.Range.End.Line, e.Range.End.Column, e.Text)
		}
		lines = append(lines, line)
	}
	return lines
}

func (c *goldenCase) want() string {
	for _, f := range c.archive.Files {
		if f.Name == "want" {
			return string(f.Data)
		}
	}
	return ""
}

func (c *goldenCase) write(t *testing.T, got string) {
	t.Helper()
	for i := range c.archive.Files {
		if c.archive.Files[i].Name == "want" {
			c.archive.Files[i].Data = []byte(got)
			got = ""
		}
	}
	if got != "" {
		c.archive.Files = append(c.archive.Files, txtar.File{Name: "want", Data: []byte(got)})
	}
	if err := os.WriteFile(c.file, txtar.Format(c.archive), 0o666); err != nil {
		t.Fatal(err)
	}
}

// layOut writes the files of the archive and does what setup says.
func (c *goldenCase) layOut(t *testing.T) {
	t.Helper()
	c.dir = t.TempDir()
	var setup string
	for _, f := range c.archive.Files {
		switch f.Name {
		case "want":
		case "setup":
			setup = string(f.Data)
		default:
			name := filepath.Join(c.dir, filepath.FromSlash(f.Name))
			must(t, os.MkdirAll(filepath.Dir(name), 0o777))
			must(t, os.WriteFile(name, f.Data, 0o666))
		}
	}
	for line := range strings.Lines(setup) {
		if words := strings.Fields(line); len(words) > 0 {
			c.step(t, words)
		}
	}
}

func (c *goldenCase) step(t *testing.T, words []string) {
	t.Helper()
	path := func(i int) string { return filepath.Join(c.dir, filepath.FromSlash(unescape(t, words[i]))) }
	switch words[0] {
	case "escape":
		text, err := os.ReadFile(path(1))
		must(t, err)
		must(t, os.WriteFile(path(1), []byte(unescape(t, string(text))), 0o666))
	case "repeat":
		text, err := os.ReadFile(path(1))
		must(t, err)
		n, err := strconv.Atoi(words[3])
		must(t, err)
		must(t, os.WriteFile(path(1), []byte(strings.Replace(string(text), "@@", strings.Repeat(unescape(t, words[2]), n), 1)), 0o666))
	case "symlink":
		must(t, os.MkdirAll(filepath.Dir(path(1)), 0o777))
		if err := os.Symlink(unescape(t, words[2]), path(1)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	case "mkdir":
		must(t, os.MkdirAll(path(1), 0o777))
	case "rename":
		must(t, os.MkdirAll(filepath.Dir(path(2)), 0o777))
		if err := os.Rename(path(1), path(2)); err != nil {
			t.Skipf("no such file name here: %v", err)
		}
	case "fifo":
		if err := mkfifo(path(1)); err != nil {
			t.Skipf("no named pipes on %s: %v", runtime.GOOS, err)
		}
	default:
		t.Fatalf("setup: %q is not known", words[0])
	}
}

// unescape reads text as the inside of a Go string, quotes and line ends as
// they are.
func unescape(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	for text != "" {
		if text[0] != '\\' {
			b.WriteByte(text[0])
			text = text[1:]
			continue
		}
		r, wide, rest, err := strconv.UnquoteChar(text, 0)
		must(t, err)
		if wide {
			b.WriteRune(r)
		} else {
			b.WriteByte(byte(r))
		}
		text = rest
	}
	return b.String()
}

// skills gives the folders two levels below the root of a rule's case, and one
// level below that of any other, slash-separated and sorted.
func (c *goldenCase) skills(t *testing.T) []string {
	t.Helper()
	pattern := "*"
	if c.has("good/") || c.has("bad/") {
		pattern = "*/*"
	}
	dirs, err := filepath.Glob(filepath.Join(c.dir, filepath.FromSlash(pattern)))
	must(t, err)
	var skills []string
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		rel, err := filepath.Rel(c.dir, dir)
		must(t, err)
		if _, err := spec.LoadDir(dir); err == nil {
			skills = append(skills, filepath.ToSlash(rel))
		}
	}
	if len(skills) == 0 {
		t.Fatal("the case holds no skill")
	}
	return skills
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
