package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/pkg/spec"
)

// TestMaxFindings: of many findings of one rule most are counted and not listed.
func TestMaxFindings(t *testing.T) {
	var numbers strings.Builder
	for i := range spec.MaxFindings + 50 {
		fmt.Fprintf(&numbers, "  k%d: %d\n", i, i)
	}
	s := spec.Parse([]byte("---\nname: a\ndescription: b\nmetadata:\n" + numbers.String() + "---\n"))
	found := spec.Validate(s)
	if len(found) != spec.MaxFindings+1 {
		t.Fatalf("%d findings, want %d", len(found), spec.MaxFindings+1)
	}
	last := found[spec.MaxFindings]
	if last.RuleID != "metadata-value" || last.Message != "there are more findings of this rule: 50 beyond this one" {
		t.Errorf("the last finding is %s: %s", last.RuleID, last.Message)
	}
	if _, mended := spec.ApplyFixes(s); len(mended) != spec.MaxFindings+50 {
		t.Errorf("%d findings were mended, want all of them", len(mended))
	}
}
