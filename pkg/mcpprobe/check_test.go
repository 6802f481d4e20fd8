package mcpprobe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	kebab       = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	requirement = regexp.MustCompile(`^(S-[A-Z]+[0-9]+|C-[0-9]+|MCP|D)$`)
)

// TestChecks: each check says what it is about, and each requirement has one.
func TestChecks(t *testing.T) {
	covered := map[string]bool{}
	seen := map[string]bool{}
	for _, check := range Checks() {
		if !kebab.MatchString(check.ID) || seen[check.ID] {
			t.Errorf("the id %q", check.ID)
		}
		seen[check.ID] = true
		if check.Title == "" || strings.HasSuffix(check.Title, ".") || !strings.Contains(check.Doc, "\n\n") || !strings.HasSuffix(check.Doc, ".") {
			t.Errorf("%s has the title %q and the text %q", check.ID, check.Title, check.Doc)
		}
		if !slices.Contains(Groups(), check.Group) || check.Level != Must && check.Level != Should && check.Level != May {
			t.Errorf("%s has the group %q and the level %q", check.ID, check.Group, check.Level)
		}
		for _, id := range strings.Split(check.Requirement, ", ") {
			if !requirement.MatchString(id) {
				t.Errorf("%s has the requirement %q", check.ID, id)
			}
			covered[id] = true
		}
	}
	for family, n := range map[string]int{"S-CAP": 4, "S-LST": 5, "S-GET": 3, "S-ENT": 10, "S-RD": 6, "S-DIR": 3} {
		for i := range n {
			if id := fmt.Sprint(family, i+1); !covered[id] {
				t.Errorf("no check is about %s", id)
			}
		}
	}
}

func TestCheckSelection(t *testing.T) {
	if err := CheckSelection([]string{"entry", "digest-*", "skill-asked-for"}, []string{"l*"}); err != nil {
		t.Error(err)
	}
	var wrong *SelectionError
	if err := CheckSelection(nil, []string{"integrity", "digest-match"}); !errors.As(err, &wrong) || wrong.Near != "digest-matches" ||
		err.Error() != `there is no check or group "digest-match"; did you mean "digest-matches"` {
		t.Errorf("have %v", err)
	}
	if err := CheckSelection([]string{"qqqqqqqqqqqq"}, nil); err == nil || err.Error() != `there is no check or group "qqqqqqqqqqqq"` {
		t.Errorf("have %v", err)
	}
	f := newFindings([]string{"integrity", "entry-*"}, []string{"digest-*"})
	for check, want := range map[*CheckInfo]bool{checkSize: true, checkDigest: false, checkEntryName: true, checkReadItem: false, checkLockApproved: false} {
		if f.selected[check] != want {
			t.Errorf("%s is chosen: %v", check.ID, f.selected[check])
		}
	}
}

// TestFindingsBound: of very many results the first are kept, whichever came
// first, and the rest is counted.
func TestFindingsBound(t *testing.T) {
	const n = 5 * maxResults
	f := newFindings([]string{checkSize.ID}, nil)
	for i := range n {
		f.fault(checkSize, subject{skill: fmt.Sprintf("%05d", (i*7919)%n)}, "wrong")
	}
	f.fault(checkSize, subject{skill: "00000"}, "wrong")
	all := f.sorted(func(*CheckInfo) string { return "" })
	if len(all) != maxResults+1 || all[1].Skill != "00000" || all[maxResults].Skill != "00999" {
		t.Fatalf("%d results, from %q to %q", len(all), all[1].Skill, all[len(all)-1].Skill)
	}
	if want := "there are 4,000 more results of this check than the first 1000"; all[0].Message != want || all[0].Status != Fail {
		t.Errorf("%s %q", all[0].Status, all[0].Message)
	}
}

func TestTally(t *testing.T) {
	f := newFindings([]string{"get-ttl", "get-cache-scope"}, nil)
	f.tally(checkGetTTL, "b", "missing")
	f.tally(checkGetTTL, "a", "missing")
	f.tally(checkGetTTL, "c", "")
	f.skip(checkGetScope, "z")
	f.skip(checkGetScope, "y")
	all := f.sorted(func(*CheckInfo) string { return "" })
	if len(all) != 3 || all[0].Status != Skip || all[0].Message != "y" || all[1].Status != Pass || all[2].Message != "missing (2 of 3 answers)" || all[2].URI != "a" {
		t.Errorf("%+v", all)
	}
}

func TestRelativeLinks(t *testing.T) {
	have := relativeLinks([]byte("[a](a.md) and ![b](<./b%20c.png> \"title\")[c](sub/c.md#part)\n" +
		"[up](../up.md) [abs](/abs.md) [web](https://example.com/a) [dir](dir/) [here](#here) [mail](mailto:x) [again](a.md)\n" +
		"```\n[no](no.md)\n```\n[ref]: ref.md 'title'\n[open](open\n~~~~\n[no](no.md)\n"))
	if want := []string{"a.md", "b c.png", "sub/c.md", "ref.md"}; !slices.Equal(have, want) {
		t.Errorf("%q", have)
	}
}

func TestInstructionURIs(t *testing.T) {
	have := instructionURIs("Use skill://b/SKILL.md, (skill://a/SKILL.md). Not a/SKILL.md, skill://x or skill://b/SKILL.md?")
	if want := []string{"skill://a/SKILL.md", "skill://b/SKILL.md"}; !slices.Equal(have, want) {
		t.Errorf("%q", have)
	}
}

func TestMemoryFiles(t *testing.T) {
	m := newMemory("x", map[string][]byte{"SKILL.md": []byte("text"), "a/b/c": nil, "a/d": []byte("d"), "f": nil, "f/g": nil})
	if _, err := fs.Stat(m, "x/f/g"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file below a file: %v", err)
	}
	if content, err := fs.ReadFile(m, "x/SKILL.md"); err != nil || string(content) != "text" {
		t.Errorf("%q, %v", content, err)
	}
	var names []string
	err := fs.WalkDir(m, ".", func(name string, _ fs.DirEntry, err error) error {
		names = append(names, name)
		return err
	})
	if want := []string{".", "x", "x/SKILL.md", "x/a", "x/a/b", "x/a/b/c", "x/a/d", "x/f"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("%q, %v", names, err)
	}
}
