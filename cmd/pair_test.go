package cmd

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestMatchPaths(t *testing.T) {
	for _, c := range []struct {
		a, b []string
		want []int
	}{
		{nil, nil, []int{}},
		{[]string{"pdf"}, []string{"/x/skills/pdf"}, []int{0}},
		{[]string{"pdf", "b/pdf"}, []string{"/s/b/pdf", "/s/a/pdf"}, []int{1, 0}},
		{[]string{"acme/b/pdf", "acme/a/pdf"}, []string{"/s/a/pdf", "/s/b/pdf"}, []int{1, 0}},
		{[]string{"pdf", "pdf"}, []string{"/s/pdf"}, []int{0, -1}},
		{[]string{"pdf", "x"}, []string{"/s/doc"}, []int{-1, -1}},
		{[]string{""}, []string{"/"}, []int{-1}},
	} {
		if got := matchPaths(c.a, c.b); !slices.Equal(got, c.want) {
			t.Errorf("%q, %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestTopSkills(t *testing.T) {
	top := topSkills([]string{"/a", "/a-b", "/a/c", "/b/c", "/b/c/d/e"})
	if want := []string{"/a", "/a-b", "/b/c"}; !slices.Equal(top, want) {
		t.Errorf("%q, want %q", top, want)
	}
}

// A folder that may not be read leaves its skill out, with a word, and no
// manifest is written without it.
func TestUnreadableFolder(t *testing.T) {
	if os.Geteuid() <= 0 {
		t.Skip("root reads everything, and Windows knows no such mode")
	}
	dir := t.TempDir()
	for _, name := range []string{"map", "sign"} {
		if err := os.MkdirAll(filepath.Join(dir, name, "references"), 0o755); err != nil {
			t.Fatal(err)
		}
		text := "---\nname: " + name + "\ndescription: Is there. Use when asked.\n---\n"
		if err := os.WriteFile(filepath.Join(dir, name, "SKILL.md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	closed := filepath.Join(dir, "map", "references")
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(closed, 0o755)
	var stdout, stderr strings.Builder
	code := Main([]string{"skilltool", "manifest", "-q", "-f", "jsonl", dir}, strings.NewReader(""), &stdout, &stderr)
	if code != exitFailure || strings.Count(stdout.String(), "\n") != 1 || !strings.Contains(stdout.String(), "skill://sign/") ||
		!strings.Contains(stderr.String(), "map/references: error: permission denied") {
		t.Errorf("exit code %d\n%s\n%s", code, &stdout, &stderr)
	}
	file := filepath.Join(dir, "skills.json")
	code = Main([]string{"skilltool", "manifest", "-q", dir, "--write", file}, strings.NewReader(""), &stdout, &stderr)
	if _, err := os.Stat(file); code != exitFailure || err == nil {
		t.Errorf("exit code %d, %v", code, err)
	}
}
