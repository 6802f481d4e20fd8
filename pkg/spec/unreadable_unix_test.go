//go:build unix

package spec_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/skilltool/skilltool/pkg/spec"
)

// TestUnreadable: what may not be read is an error, and no finding.
func TestUnreadable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "parcel-log")
	must(t, os.MkdirAll(filepath.Join(dir, "references"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte("---\nname: parcel-log\n---\n"), 0o000))
	must(t, os.Chmod(filepath.Join(dir, "references"), 0o000))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "references"), 0o755) })
	if _, err := os.ReadFile(filepath.Join(dir, "SKILL.md")); err == nil {
		t.Skip("this user may read everything")
	}
	s, err := spec.LoadDir(dir)
	must(t, err)
	if found := spec.Validate(s); len(found) > 0 {
		t.Errorf("findings: %v", found)
	}
	if len(s.Errors) != 2 {
		t.Errorf("errors: %v; want one for each of SKILL.md and references", s.Errors)
	}
}
