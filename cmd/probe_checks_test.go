package cmd

import (
	"slices"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/docs"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// Ids are unique over rules and checks, since explain takes both, and every
// check says what its page needs.
func TestChecksAreDocumented(t *testing.T) {
	seen := map[string]bool{}
	for _, rule := range catalogue() {
		seen[rule.ID] = true
	}
	for _, check := range mcpprobe.Checks() {
		if seen[check.ID] {
			t.Errorf("%s is the id of a rule or of another check too", check.ID)
		}
		seen[check.ID] = true
		if check.Title == "" || check.Doc == "" || check.Requirement == "" || !slices.Contains(mcpprobe.Groups(), check.Group) {
			t.Errorf("%s lacks a title, a reason, a requirement or a group", check.ID)
		}
		if strings.HasSuffix(check.Title, ".") || strings.ToLower(check.Title[:1]) != check.Title[:1] && check.Title[:2] != "SK" {
			t.Errorf("the title of %s is no part of a sentence: %s", check.ID, check.Title)
		}
		if _, ok := docs.Check(check.ID); !ok {
			t.Errorf("%s has no page: run go generate ./...", check.ID)
		}
	}
}

func TestExplainCheck(t *testing.T) {
	got := explainCheck(&mcpprobe.CheckInfo{
		ID: "sample", Title: "it holds", Group: mcpprobe.GroupList, Level: mcpprobe.Must, Requirement: "S-LST1",
		Doc: "First `part`.\n\nSecond.", Example: "{\n  \"a\": 1\n}", Good: "{}",
	})
	const want = `sample: it holds
check of probe, group list, MUST, requirement S-LST1

Why
  First part.

  Second.

Fails
  {
    "a": 1
  }

Passes
  {}
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
