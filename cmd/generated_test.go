package cmd

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/internal/gen"
	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
	"github.com/skilltool/skilltool/pkg/spec"
)

var update = flag.Bool("update", false, "rewrite the generated pages below docs/")

// TestGenerated holds the generated pages to their sources. With -update it
// writes them.
func TestGenerated(t *testing.T) {
	compare(t, "../docs/cli.md", gen.CLI(pages(rootCommand())))
	var rules []spec.RuleInfo
	wanted := []string{"README.md"}
	for _, rule := range spec.Rules() {
		rules = append(rules, rule.RuleInfo)
		wanted = append(wanted, rule.ID+".md")
		golden, err := os.ReadFile("../testdata/rules/" + rule.ID + ".txtar")
		if err != nil {
			// The driver of the golden cases fails for this rule.
			continue
		}
		page, err := gen.RulePage(rule.RuleInfo, golden)
		if err != nil {
			t.Error(err)
			continue
		}
		compare(t, "../docs/rules/"+rule.ID+".md", page)
	}
	others := append(digest.Rules(), clients.Rules()...)
	for _, rule := range others {
		wanted = append(wanted, rule.ID+".md")
		page, err := gen.RulePage(rule, nil)
		if err != nil {
			t.Error(err)
		}
		compare(t, "../docs/rules/"+rule.ID+".md", page)
	}
	rules = append(rules, others...)
	slices.SortFunc(rules, func(a, b spec.RuleInfo) int { return strings.Compare(a.ID, b.ID) })
	compare(t, "../docs/rules/README.md", gen.RuleIndex(rules))
	removeOthers(t, "../docs/rules", wanted)
	generateChecks(t)
}

// generateChecks holds docs/checks to the checks of probe.
func generateChecks(t *testing.T) {
	wanted := []string{"README.md"}
	for _, check := range mcpprobe.Checks() {
		wanted = append(wanted, check.ID+".md")
		compare(t, "../docs/checks/"+check.ID+".md", gen.CheckPage(check))
	}
	compare(t, "../docs/checks/README.md", gen.CheckIndex(mcpprobe.Checks()))
	removeOthers(t, "../docs/checks", wanted)
}

func compare(t *testing.T, file, want string) {
	t.Helper()
	got, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	switch {
	case string(got) == want:
	case *update:
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not up to date: run go generate ./...", file)
	}
}

// removeOthers finds pages of rules and checks that are gone.
func removeOthers(t *testing.T, dir string, wanted []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		switch {
		case slices.Contains(wanted, entry.Name()):
		case *update:
			if err := os.Remove(filepath.Join(dir, entry.Name())); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s belongs to no rule or check: run go generate ./...", entry.Name())
		}
	}
}
