package cmd

import (
	"testing"

	"github.com/skilltool/skilltool/internal/gen"
	"github.com/skilltool/skilltool/pkg/spec"
)

func TestExplain(t *testing.T) {
	rule := spec.RuleInfo{
		ID: "name-length", Title: "name is short", Category: spec.CategorySpec, Severity: spec.Error,
		Requirement: "AS-N1", Why: "Clients cut it.", Mend: "Rename it.", Since: "0.1.0",
	}
	page, err := gen.RulePage(rule, []byte(`-- bad/a/SKILL.md --
---
name: long

## Good
---
-- good/a/SKILL.md --
---
name: a
---
-- want --
bad/a/SKILL.md:2:7: error name-length: no
`))
	if err != nil {
		t.Fatal(err)
	}
	const want = `name-length: name is short
error, category spec, requirement AS-N1, since 0.1.0

Why
  Clients cut it.

Bad
  a/SKILL.md:

  ---
  name: long

  ## Good
  ---

What skilltool says
  a/SKILL.md:2:7: error name-length: no

Good
  a/SKILL.md:

  ---
  name: a
  ---

How to mend
  Rename it.
`
	if got := explain(rule, page); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
