package digest_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/spec"
)

const skillText = "---\nname: depot-map\ndescription: Draws the map of a depot. Use when a depot is laid out.\n---\n\nSee [legend](references/legend.md).\n"

// writeSkill writes a skill called depot-map: a path for each content. A path
// that ends in "*" is executable.
func writeSkill(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "depot-map")
	if _, ok := files["SKILL.md"]; !ok {
		writeFile(t, filepath.Join(dir, "SKILL.md"), skillText, 0o644)
	}
	for name, content := range files {
		name, executable := strings.CutSuffix(name, "*")
		mode := os.FileMode(0o644)
		if executable {
			mode = 0o755
		}
		writeFile(t, filepath.Join(dir, name), content, mode)
	}
	return dir
}

func writeFile(t testing.TB, name, content string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

func load(t testing.TB, dir string) *spec.Skill {
	t.Helper()
	s, err := spec.LoadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func build(t testing.TB, s *spec.Skill) *digest.Manifest {
	t.Helper()
	m, errs := digest.Build(context.Background(), s)
	for _, err := range errs {
		t.Fatal(err)
	}
	return m
}

func paths(m *digest.Manifest) string {
	var names []string
	for _, e := range m.Entries {
		names = append(names, e.Path)
	}
	return strings.Join(names, " ")
}

func truncate(t testing.TB, name string, size int64) {
	t.Helper()
	if err := os.Truncate(name, size); err != nil {
		t.Fatal(err)
	}
}
