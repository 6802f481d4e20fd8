package spec_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skilltool/skilltool/pkg/spec"
)

// skillsAt is a tree with a SKILL.md in each folder.
func skillsAt(dirs ...string) fstest.MapFS {
	fsys := fstest.MapFS{"README.md": {}}
	for _, dir := range dirs {
		fsys[path.Join(dir, "SKILL.md")] = &fstest.MapFile{Data: []byte(sample)}
	}
	return fsys
}

func TestFind(t *testing.T) {
	deep := strings.TrimSuffix(strings.Repeat("d/", 10), "/")
	wide := skillsAt()
	for i := range 50 {
		wide[fmt.Sprintf("w%02d/SKILL.md", i)] = &fstest.MapFile{}
	}
	near := fstest.MapFS{
		"a/skill.md": {Data: []byte("\ufeff\n ---\nname: a\n---\n")}, "b/skill.md": {Data: []byte("# Page\n")},
		"c/SKILLS.md": {Data: []byte("---\n")}, "d/skill.md": {Mode: fs.ModeNamedPipe}, "e/SKILL.md": {Mode: fs.ModeNamedPipe},
	}
	tests := []struct {
		name    string
		fsys    fs.FS
		root    string
		options spec.FindOptions
		want    spec.Found
	}{
		{"nothing", skillsAt(), ".", spec.FindOptions{}, spec.Found{}},
		{"sorted", skillsAt("b", "a/z", "a-b", "a/c/d"), ".", spec.FindOptions{}, spec.Found{Skills: []string{"a-b", "a/c/d", "a/z", "b"}}},
		{"below a root", skillsAt("b", "a/z"), "a", spec.FindOptions{}, spec.Found{Skills: []string{"a/z"}}},
		{"the root itself", skillsAt(".", "a"), ".", spec.FindOptions{}, spec.Found{Skills: []string{"."}}},
		{"stops at a skill", skillsAt("a", "a/b", "a/b/c"), ".", spec.FindOptions{}, spec.Found{Skills: []string{"a"}}},
		{"nested", skillsAt(".", "a", "a/b/c"), ".", spec.FindOptions{Nested: true}, spec.Found{Skills: []string{".", "a", "a/b/c"}}},
		{"skipped folders", skillsAt("node_modules/a", ".git/b", "x/.venv/c", "venv", "__pycache__/d", ".claude/skills/e"), ".", spec.FindOptions{}, spec.Found{Skills: []string{".claude/skills/e"}}},
		{"a skipped root", skillsAt("node_modules/a"), "node_modules", spec.FindOptions{}, spec.Found{Skills: []string{"node_modules/a"}}},
		{"deep enough", skillsAt(deep), ".", spec.FindOptions{MaxDepth: 10}, spec.Found{Skills: []string{deep}}},
		{"too deep", skillsAt("a", deep), ".", spec.FindOptions{MaxDepth: 9}, spec.Found{Skills: []string{"a"}, Limits: []string{"depth"}}},
		{"depth without a bound", skillsAt(strings.Repeat("d/", spec.MaxDepth) + "x"), ".", spec.FindOptions{}, spec.Found{Limits: []string{"depth"}}},
		{"enough folders", wide, ".", spec.FindOptions{MaxDirs: 50}, spec.Found{Skills: globbed(wide)}},
		{"too many folders", wide, ".", spec.FindOptions{MaxDirs: 3}, spec.Found{Skills: []string{"w00", "w01", "w02"}, Limits: []string{"directories"}}},
		{"both bounds", skillsAt("a/b/c", "d", "e"), ".", spec.FindOptions{MaxDepth: 1, MaxDirs: 2}, spec.Found{Skills: []string{"d"}, Limits: []string{"depth", "directories"}}},
		{"left out", skillsAt("a", "b/c", "b/d"), ".", spec.FindOptions{Exclude: func(p string) bool { return p == "a" || p == "b/c/SKILL.md" }}, spec.Found{Skills: []string{"b/d"}}},
		{"near misses", near, ".", spec.FindOptions{}, spec.Found{Skills: []string{"a", "b", "c", "d", "e"}}},
		{"a near miss as the root", near, "b", spec.FindOptions{}, spec.Found{Skills: []string{"b"}}},
		{"a folder that cannot be listed", brokenFS{skillsAt("a", "b/c", "d"), "b"}, ".", spec.FindOptions{}, spec.Found{Skills: []string{"a", "d"}, Errors: []error{errors.New("b: permission denied")}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var early []string
			test.options.OnSkill = func(c spec.Candidate) { early = append(early, c.Dir) }
			got, err := spec.Find(t.Context(), test.fsys, test.root, test.options)
			must(t, err)
			text := cmp.Transformer("text", func(err error) string { return err.Error() })
			if diff := cmp.Diff(&test.want, got, cmpopts.EquateEmpty(), text); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			slices.Sort(early)
			if diff := cmp.Diff(got.Skills, early, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("called for other skills:\n%s", diff)
			}
		})
	}
}

func globbed(fsys fs.FS) []string {
	names, _ := fs.Glob(fsys, "*/SKILL.md")
	for i := range names {
		names[i] = path.Dir(names[i])
	}
	return names
}

func TestFindFails(t *testing.T) {
	if _, err := spec.Find(t.Context(), skillsAt(), "nowhere", spec.FindOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found, err := spec.Find(ctx, skillsAt("a"), ".", spec.FindOptions{}); !errors.Is(err, context.Canceled) || found != nil {
		t.Errorf("%v, %v", found, err)
	}
}

// TestFindOnDisk: links are named, not followed, and loops end.
func TestFindOnDisk(t *testing.T) {
	dir := tree(t, t.TempDir(), map[string]string{
		"root/a/SKILL.md": sample, "root/b/c/SKILL.md": sample, "elsewhere/d/SKILL.md": sample, "elsewhere/x/y": "",
		"root/linked": "-> ../elsewhere/d", "root/b/again": "-> ../a", "root/b/loop": "-> ..", "root/self": "-> self",
		"root/gone": "-> nowhere", "root/file": "-> a/SKILL.md", "root/plain": "-> ../elsewhere/x", "root/tree": "-> ../elsewhere",
	})
	got, err := spec.Find(t.Context(), os.DirFS(filepath.Join(dir, "root")), ".", spec.FindOptions{Nested: true})
	must(t, err)
	want := &spec.Found{Skills: []string{"a", "b/c"}, Links: []string{"b/again", "linked"}}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestFindUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := tree(t, t.TempDir(), map[string]string{"a/SKILL.md": sample, "locked/b/SKILL.md": sample})
	must(t, os.Chmod(filepath.Join(dir, "locked"), 0))
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "locked"), 0o777) })
	got, err := spec.Find(t.Context(), os.DirFS(dir), ".", spec.FindOptions{})
	must(t, err)
	if len(got.Errors) != 1 || got.Errors[0].Error() != "locked: permission denied" || len(got.Skills) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestCandidate: a skill that is read while it is found is the skill that
// LoadDir reads.
func TestCandidate(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	tree(t, dir, map[string]string{"a/SKILL.md": sample, "b/skill.md": sample, "b/x": "1", "c/SKILL.md": "-> real", "c/real": sample})
	n := 0
	_, err = spec.Find(t.Context(), os.DirFS(dir), ".", spec.FindOptions{OnSkill: func(c spec.Candidate) {
		n++
		got, err := c.LoadDir(dir)
		must(t, err)
		want := load(t, filepath.Join(dir, c.Dir))
		if diff := cmp.Diff(spec.Validate(want), spec.Validate(got)); diff != "" {
			t.Errorf("%s: %s", c.Dir, diff)
		}
		if diff := cmp.Diff(want.Files, got.Files); diff != "" {
			t.Errorf("%s: %s", c.Dir, diff)
		}
	}})
	must(t, err)
	if n != 3 {
		t.Errorf("%d skills", n)
	}
}
