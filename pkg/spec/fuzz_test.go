package spec

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

// FuzzParse: whatever the bytes are, reading and checking ends without a
// panic, every place lies in the source, JSON is JSON, and fixes keep what they
// are not about.
func FuzzParse(f *testing.F) {
	for _, source := range caseSources(f) {
		f.Add(source)
		f.Add(bytes.ReplaceAll(source, []byte("\n"), []byte("\r\n")))
	}
	for _, text := range hostile {
		f.Add(fenced(text(200)))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		if len(source) > 1<<16 {
			return // fuzzing is about shapes; sizes have tests of their own
		}
		kept := bytes.Clone(source)
		s := Parse(source)
		if !s.Oversize && !s.Encoding.wide() {
			checkSplit(t, source, s.Split)
		}
		checkPlaces(t, s)
		if got, err := s.Frontmatter.JSON(); err == nil && (!json.Valid(got) || !utf8.Valid(got)) {
			t.Errorf("no JSON: %q", got)
		}
		checkFindings(t, s)
		fixed, _ := ApplyFixes(s)
		if !bytes.Equal(s.Split.Body.of(s.Source), fixed.Split.Body.of(fixed.Source)) {
			t.Errorf("the body was changed in %q", fixed.Source)
		}
		if !bytes.Equal(source, kept) {
			t.Error("the source was changed")
		}
	})
}

// checkPlaces is checkSkill without what only well-formed YAML keeps.
func checkPlaces(t *testing.T, s *Skill) {
	t.Helper()
	checkRange(t, s, "frontmatter", s.Frontmatter.Range)
	checkRange(t, s, "body", s.Body)
	s.Frontmatter.Root.walk("", func(pointer string, n *Node, isKey bool) {
		checkRange(t, s, pointer, n.Range)
		checkRange(t, s, pointer, n.Mark)
	})
}

func checkFindings(t *testing.T, s *Skill) {
	t.Helper()
	findings := Validate(s)
	if !slices.IsSortedFunc(findings, CompareDiagnostics) {
		t.Error("the findings are not sorted")
	}
	for _, d := range findings {
		checkRange(t, s, d.RuleID, d.Range)
		if d.Message == "" || d.RuleID == "" || d.Path == "" || d.Severity < Info || d.Severity > Error {
			t.Errorf("incomplete: %+v", d)
		}
		if strings.ContainsAny(d.Message+d.Help, "\n\r\x00\x1b") || !utf8.ValidString(d.Message) {
			t.Errorf("%s has a message with raw text in it: %q", d.RuleID, d.Message)
		}
		for _, related := range d.Related {
			checkRange(t, s, d.RuleID+" related", related.Range)
		}
		for _, fix := range d.Fixes {
			checkEdits(t, s, d, fix)
		}
	}
}

// checkEdits holds that the edits of a fix lie in the source, apart from each
// other, and change something.
func checkEdits(t *testing.T, s *Skill, d Diagnostic, fix Fix) {
	t.Helper()
	edits := slices.SortedFunc(slices.Values(fix.Edits), func(a, b Edit) int { return a.Range.Start.Offset - b.Range.Start.Offset })
	at := 0
	for _, e := range edits {
		checkRange(t, s, d.RuleID+" edit", e.Range)
		if e.Range.Start.Offset < at {
			t.Errorf("%s: the edits overlap: %+v", d.RuleID, edits)
		}
		at = e.Range.End.Offset
	}
	if at > len(s.Source) || len(edits) == 0 {
		t.Fatalf("%s: %+v", d.RuleID, edits)
	}
	if bytes.Equal(ApplyEdits(s.Source, fix.Edits), s.Source) {
		t.Errorf("%s: %q changes nothing: %+v", d.RuleID, fix.Title, edits)
	}
}

// FuzzSplit: the parts of a file are in order and lose no byte.
func FuzzSplit(f *testing.F) {
	for _, source := range []string{"", "---\na: b\n---\nc", "\ufeff---\r\n---\r\n", "x\n---\na: b\n---\n", "---\n--- \t\n---", "----\n---\n"} {
		f.Add([]byte(source))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		checkSplit(t, source, SplitFrontmatter(source))
	})
}

// FuzzName: what is proposed conforms.
func FuzzName(f *testing.F) {
	for _, name := range []string{"pdf-tools", "PDF Tools", "é", "ﬁ", "a--b", "\xff", strings.Repeat("a-", 70)} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := ProposeName(name)
		if got != "" && len(CheckName(got)) > 0 {
			t.Errorf("%q gives %q, which %v", name, got, CheckName(got))
		}
		for _, reason := range CheckName(name) {
			if strings.ContainsAny(reason, "\n\r\x00\x1b") || !utf8.ValidString(reason) {
				t.Errorf("raw text in %q", reason)
			}
		}
	})
}

// FuzzLinks: whatever links lead to, each gets a state, and those that are said
// to lead to a place in the skill do so.
func FuzzLinks(f *testing.F) {
	f.Add("a.md", "../x", "b/c")
	f.Add("c/../c", "a/../a", "b/../b")
	f.Add("/etc", ".", "..")
	f.Add("x/./y//", "a", "a/../..")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		fsys := fstest.MapFS{"demo/SKILL.md": {}, "demo/x/y/z.md": {}}
		targets := map[string]string{"a": a, "x/b": b, "x/y/c": c}
		for name, target := range targets {
			if target == "" || strings.ContainsRune(target, 0) || len(target) > 1000 {
				return
			}
			fsys["demo/"+name] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte(target)}
		}
		s, err := Load(fsys, "demo")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range s.Files {
			if file.Kind != Symlink {
				continue
			}
			if file.Link.Target != targets[file.Path] {
				t.Errorf("%s leads to %q", file.Path, file.Link.Target)
			}
			// Only these: a MapFS does not survive a link to itself. It also
			// takes a target that is not clean for no path.
			if file.Link.State != LinkInside || path.Clean(file.Link.Target) != file.Link.Target {
				continue
			}
			if _, err := fs.Stat(fsys, path.Join("demo", file.Path)); err != nil {
				t.Errorf("%s leads inside to %q, and opening it gives %v", file.Path, file.Link.Target, err)
			}
		}
	})
}
