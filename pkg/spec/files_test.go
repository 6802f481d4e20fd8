package spec_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/skilltool/skilltool/pkg/spec"
)

const sample = "---\nname: demo\ndescription: Shows how. Use in tests.\n---\n# Demo\n"

// tree writes files below a folder: names that end in a slash are folders,
// contents that start with an arrow are links, "|" is a pipe.
func tree(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(file), 0o777))
		target, isLink := strings.CutPrefix(content, "-> ")
		switch {
		case strings.HasSuffix(name, "/"):
			must(t, os.MkdirAll(file, 0o777))
		case isLink:
			if err := os.Symlink(target, file); err != nil {
				t.Skipf("no symbolic links here: %v", err)
			}
		case content == "|":
			if err := mkfifo(file); err != nil {
				t.Skipf("no pipes here: %v", err)
			}
		default:
			must(t, os.WriteFile(file, []byte(content), 0o666))
		}
	}
	return dir
}

// demo is the folder of a skill with more files, in a folder of its own.
func demo(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	dir = filepath.Join(dir, "demo")
	tree(t, dir, map[string]string{"SKILL.md": sample})
	return tree(t, dir, files)
}

func load(t *testing.T, dir string) *spec.Skill {
	t.Helper()
	s, err := spec.LoadDir(dir)
	must(t, err)
	return s
}

var stateNames = map[spec.LinkState]string{spec.LinkInside: "inside", spec.LinkEscapes: "escapes", spec.LinkDangles: "dangles", spec.LinkLoops: "loops"}

// TestLinks: where each link of a skill leads, against what the system does
// when it is opened.
func TestLinks(t *testing.T) {
	dir := demo(t, map[string]string{"a.md": "", "sub/b.md": "", "x/y/z/": ""})
	links := []struct{ name, target, want string }{
		{"file", "a.md", "inside"},
		{"folder", "sub", "inside folder"},
		{"dotted", "./sub/../a.md", "inside"},
		{"slashes", "sub//b.md", "inside"},
		{"slash-at-end", "sub/", "inside folder"},
		{"sub/up", "../a.md", "inside"},
		{"x/y/z/ladder", "../../../sub/b.md", "inside"},
		{"round", "../demo/a.md", "inside"},
		{"absolute", filepath.ToSlash(dir) + "/a.md", "inside"},
		{"absolute-dotted", filepath.ToSlash(dir) + "/sub/../a.md", "inside"},
		{"chain", "file", "inside"},
		{"through", "folder/b.md", "inside"},
		{"through-up", "folder/../a.md", "inside"},
		{"missing", "nothing", "dangles"},
		{"missing-below", "nothing/at/all", "dangles"},
		{"missing-up", "nothing/../a.md", "dangles"},
		{"file-up", "a.md/../a.md", "dangles"},
		{"below-file", "a.md/b", "dangles"},
		{"to-missing", "missing", "dangles"},
		{"outside", "../other", "escapes"},
		{"outside-absolute", "/etc/hosts", "escapes"},
		{"outside-prefix", filepath.ToSlash(dir) + "-2/a.md", "escapes"},
		{"sub/far-up", "../../../..", "escapes"},
		{"to-outside", "outside", "escapes"},
		{"self", "self", "loops"},
		{"ping", "pong", "loops"},
		{"pong", "ping", "loops"},
		{"here", ".", "loops folder"},
		{"sub/above", "..", "loops folder"},
		{"sub/own", "../sub", "loops folder"},
	}
	files := map[string]string{}
	want := map[string]string{}
	for _, l := range links {
		files[l.name], want[l.name] = "-> "+l.target, l.want
	}
	tree(t, dir, files)
	got := map[string]string{}
	for _, f := range load(t, dir).Files {
		if f.Kind != spec.Symlink {
			continue
		}
		got[f.Path] = stateNames[f.Link.State]
		if f.Link.Mode.IsDir() {
			got[f.Path] += " folder"
		}
		if "-> "+f.Link.Target != files[f.Path] {
			t.Errorf("the target of %s is %q", f.Path, f.Link.Target)
		}
		_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(f.Path)))
		if opens := f.Link.State == spec.LinkInside || f.Link.Mode.IsDir(); opens && err != nil {
			t.Errorf("%s is %s, and opening it gives %v", f.Path, got[f.Path], err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestLinksThatClimbThroughLinks: ".." behind a link to a folder leaves that
// folder, not the one that the link stands in.
func TestLinksThatClimbThroughLinks(t *testing.T) {
	dir := demo(t, map[string]string{"a.md": "", "x/y/z/": "", "deep": "-> x/y/z"})
	parent := filepath.Dir(dir)
	parent = filepath.Base(filepath.Dir(parent)) + "/" + filepath.Base(parent)
	tree(t, dir, map[string]string{
		// deep/../../../.. is the parent of the skill, whatever the words say.
		"comes-back":  "-> deep/../../../../demo/a.md",
		"stays-out":   "-> deep/../../../../" + parent + "/demo/a.md",
		"looks-right": "-> deep/../../demo/a.md",
	})
	want := map[string]string{"deep": "inside", "comes-back": "inside", "stays-out": "escapes", "looks-right": "dangles"}
	got := map[string]string{}
	for _, f := range load(t, dir).Files {
		if f.Kind == spec.Symlink {
			got[f.Path] = stateNames[f.Link.State]
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestLinkChains: links that double at each step end after a bounded number of
// steps, and so does a long chain.
func TestLinkChains(t *testing.T) {
	files := map[string]string{"d0/": ""}
	for i := 1; i <= 60; i++ {
		files[fmt.Sprintf("d%d", i)] = fmt.Sprintf("-> d%d/../d%d", i-1, i-1)
		files[fmt.Sprintf("c%d", i)] = fmt.Sprintf("-> c%d", i-1)
	}
	files["c0"] = "text"
	for _, f := range load(t, demo(t, files)).Files {
		switch f.Path {
		case "d1", "d2", "c1", "c30":
			if f.Link.State != spec.LinkInside {
				t.Errorf("%s %s", f.Path, stateNames[f.Link.State])
			}
		case "d60", "c60":
			if f.Link.State != spec.LinkLoops {
				t.Errorf("%s %s", f.Path, stateNames[f.Link.State])
			}
		}
	}
}

func TestFiles(t *testing.T) {
	dir := demo(t, map[string]string{
		"b/c.txt": "12345", "b/.hidden": "", "a.txt": "1", ".git/config": "", "b/.git/x": "", "empty/": "",
		"nested/SKILL.md": sample, "node_modules/p/SKILL.md": sample, "link": "-> a.txt",
	})
	must(t, os.Chmod(filepath.Join(dir, "a.txt"), 0o755))
	s := load(t, dir)
	var got []string
	for _, f := range s.Files {
		got = append(got, f.Path)
		if info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(f.Path))); err != nil || f.Kind == spec.Regular && (info.Mode() != f.Mode || info.Size() != f.Size) {
			t.Errorf("%+v, %v", f, err)
		}
	}
	want := []string{"SKILL.md", "a.txt", "b/.hidden", "b/c.txt", "link", "nested/SKILL.md", "node_modules/p/SKILL.md"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if n := int64(3*len(sample) + 6); s.Bytes() != n {
		t.Errorf("%d bytes, want %d", s.Bytes(), n)
	}
	if diff := cmp.Diff([]string{"nested"}, s.Nested()); diff != "" {
		t.Error(diff)
	}
	if len(s.Errors) > 0 || !s.RepositoryRoot || s.DirName != "demo" || s.Dir != "." {
		t.Errorf("errors %v, root %v, name %q, folder %q", s.Errors, s.RepositoryRoot, s.DirName, s.Dir)
	}
}

func TestUnreadableFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := demo(t, map[string]string{"locked/a": "", "open/b": ""})
	must(t, os.Chmod(filepath.Join(dir, "locked"), 0))
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "locked"), 0o777) })
	s := load(t, dir)
	var pathError *spec.PathError
	if len(s.Errors) != 1 || !errors.As(s.Errors[0], &pathError) || pathError.Path != "locked" || !errors.Is(pathError, fs.ErrPermission) {
		t.Errorf("errors: %v", s.Errors)
	}
	if len(s.Files) != 2 {
		t.Errorf("%v", s.Files)
	}
}

// brokenFS fails where it is told to.
type brokenFS struct {
	fstest.MapFS
	broken string
}

func (b brokenFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == b.broken {
		return nil, &fs.PathError{Op: "readdir", Path: "/secret/place/" + name, Err: fs.ErrPermission}
	}
	return b.MapFS.ReadDir(name)
}

func (b brokenFS) Open(name string) (fs.File, error) {
	if name == b.broken {
		return nil, &fs.PathError{Op: "open", Path: "/secret/place/" + name, Err: errors.New("the disk is gone")}
	}
	return b.MapFS.Open(name)
}

func TestErrorsOfTheFileSystem(t *testing.T) {
	files := fstest.MapFS{"demo/SKILL.md": {Data: []byte(sample)}, "demo/sub/a": {}, "demo/z": {}}
	for broken, want := range map[string]string{"demo/sub": "sub: permission denied", "demo/SKILL.md": "SKILL.md: the disk is gone"} {
		s, err := spec.Load(brokenFS{files, broken}, "demo")
		must(t, err)
		if len(s.Errors) != 1 || s.Errors[0].Error() != want {
			t.Errorf("%s: %v, want %s", broken, s.Errors, want)
		}
		if n := len(s.Files); n < 2 {
			t.Errorf("%s: only %v", broken, s.Files)
		}
		spec.Validate(s)
	}
	if _, err := spec.Load(brokenFS{files, "demo"}, "demo"); !errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}

func TestLoad(t *testing.T) {
	regular := &fstest.MapFile{Data: []byte(sample)}
	tests := []struct {
		name  string
		files fstest.MapFS
		err   error
		file  string
		what  spec.FileProblem
		read  bool
	}{
		{"fine", fstest.MapFS{"demo/SKILL.md": regular}, nil, "SKILL.md", spec.FileOK, true},
		{"empty", fstest.MapFS{"demo/SKILL.md": {}}, nil, "SKILL.md", spec.FileOK, true},
		{"none", fstest.MapFS{"demo/README.md": regular}, spec.ErrNoSkill, "", 0, false},
		{"no folder", fstest.MapFS{"other/SKILL.md": regular}, fs.ErrNotExist, "", 0, false},
		{"lower case", fstest.MapFS{"demo/skill.md": regular}, nil, "skill.md", spec.FileMisnamed, true},
		{"mixed case", fstest.MapFS{"demo/Skill.MD": regular}, nil, "Skill.MD", spec.FileMisnamed, true},
		{"plural", fstest.MapFS{"demo/SKILLS.md": regular}, nil, "SKILLS.md", spec.FileMisnamed, true},
		{"both", fstest.MapFS{"demo/SKILL.md": regular, "demo/skill.md": {}, "demo/SKILLS.md": {}}, nil, "SKILL.md", spec.FileOK, true},
		{"another ending", fstest.MapFS{"demo/SKILL.txt": regular, "demo/SKILL": regular, "demo/SKILL.md.bak": regular}, spec.ErrNoSkill, "", 0, false},
		{"a folder", fstest.MapFS{"demo/SKILL.md/x": regular}, nil, "SKILL.md", spec.FileNotRegular, false},
		{"a folder of another name", fstest.MapFS{"demo/skill.md/x": regular}, spec.ErrNoSkill, "", 0, false},
		{"a pipe", fstest.MapFS{"demo/SKILL.md": {Mode: fs.ModeNamedPipe}}, nil, "SKILL.md", spec.FileNotRegular, false},
		{"a socket", fstest.MapFS{"demo/SKILL.md": {Mode: fs.ModeSocket}}, nil, "SKILL.md", spec.FileNotRegular, false},
		{"a misnamed pipe", fstest.MapFS{"demo/skill.md": {Mode: fs.ModeNamedPipe}}, nil, "skill.md", spec.FileMisnamed, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := spec.Load(test.files, "demo")
			if !errors.Is(err, test.err) {
				t.Fatalf("%v, want %v", err, test.err)
			}
			if err != nil {
				return
			}
			if s.File != test.file || s.FileProblem != test.what || (s.Source != nil) != test.read || s.DirName != "demo" {
				t.Errorf("%s %v, read %v, in %q", s.File, s.FileProblem, s.Source != nil, s.DirName)
			}
			for _, d := range spec.Validate(s) {
				for _, fix := range d.Fixes {
					for _, edit := range fix.Edits {
						if edit.Path != s.File {
							t.Errorf("%s offers an edit of %s", d.RuleID, edit.Path)
						}
					}
				}
			}
		})
	}
}

// TestLinkedFile: SKILL.md may be a link, if it stays in the skill and leads to
// a file.
func TestLinkedFile(t *testing.T) {
	tests := []struct {
		target string
		want   spec.FileProblem
	}{
		{"real.md", spec.FileOK}, {"sub/../real.md", spec.FileOK},
		{"sub", spec.FileUnreachable}, {"../outside.md", spec.FileUnreachable}, {"gone.md", spec.FileUnreachable},
		{"SKILL.md", spec.FileUnreachable}, {"pipe", spec.FileUnreachable}, {"gone/../real.md", spec.FileUnreachable},
	}
	for _, test := range tests {
		t.Run(test.target, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "demo")
			tree(t, dir, map[string]string{"real.md": sample, "sub/x": "", "../outside.md": sample, "pipe": "|", "SKILL.md": "-> " + test.target})
			s := load(t, dir)
			if s.FileProblem != test.want || (s.Source != nil) != (test.want == spec.FileOK) || len(s.Errors) > 0 {
				t.Errorf("%v, read %v, errors %v", s.FileProblem, s.Source != nil, s.Errors)
			}
		})
	}
}

// TestLoadDirTakesAnyPath: the same skill, however its folder is reached.
func TestLoadDirTakesAnyPath(t *testing.T) {
	dir := demo(t, map[string]string{"a": "", "../other/x": ""})
	must(t, os.Symlink(dir, filepath.Join(filepath.Dir(dir), "link")))
	t.Chdir(filepath.Join(dir, "..", "other"))
	want := load(t, dir)
	for _, path := range []string{"../demo", "../link", "../demo/.", "../demo/../link/", filepath.Join(filepath.Dir(dir), "link")} {
		got := load(t, path)
		if got.DirName != "demo" || cmp.Diff(want.Files, got.Files) != "" || cmp.Diff(spec.Validate(want), spec.Validate(got)) != "" {
			t.Errorf("%s is another skill: %q, %v", path, got.DirName, got.Files)
		}
	}
	if _, err := spec.LoadDir("nowhere"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if _, err := spec.LoadDir(filepath.Join(dir, "a")); err == nil {
		t.Error("a file is taken for a folder")
	}
}

// TestLoadIsLoadDir: a skill in memory gives the findings of one on disk.
func TestLoadIsLoadDir(t *testing.T) {
	memory := fstest.MapFS{
		"demo/SKILL.md": {Data: []byte("---\nname: Demo\ndescription: a: b\nmetadata: {n: 1}\n---\n")},
		"demo/a/b.txt":  {Data: []byte("b")}, "demo/a\\b": {}, "demo/link": {Mode: fs.ModeSymlink, Data: []byte("a/b.txt")},
		"demo/gone": {Mode: fs.ModeSymlink, Data: []byte("x")}, "demo/out": {Mode: fs.ModeSymlink, Data: []byte("../x")},
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, memory); err != nil {
		t.Skipf("these files cannot be written here: %v", err)
	}
	inMemory, err := spec.Load(memory, "demo")
	must(t, err)
	onDisk := load(t, filepath.Join(dir, "demo"))
	if diff := cmp.Diff(spec.Validate(inMemory), spec.Validate(onDisk)); diff != "" {
		t.Errorf("-memory +disk:\n%s", diff)
	}
	if len(inMemory.Files) != len(onDisk.Files) || len(spec.Validate(onDisk)) < 5 {
		t.Errorf("%d and %d files, %d findings", len(inMemory.Files), len(onDisk.Files), len(spec.Validate(onDisk)))
	}
	atRoot, err := spec.Load(mustSub(t, memory, "demo"), ".")
	must(t, err)
	if atRoot.DirName != "" {
		t.Errorf("the root is called %q", atRoot.DirName)
	}
}

func mustSub(t *testing.T, fsys fs.FS, dir string) fs.FS {
	t.Helper()
	sub, err := fs.Sub(fsys, dir)
	must(t, err)
	return sub
}

// TestPipe: nobody writes to it, and nobody waits for it.
func TestPipe(t *testing.T) {
	for _, name := range []string{"SKILL.md", "skill.md", "sub/pipe"} {
		dir := filepath.Join(t.TempDir(), "demo")
		files := map[string]string{name: "|"}
		if name == "sub/pipe" {
			files["SKILL.md"] = sample
		}
		tree(t, dir, files)
		found := false
		for _, d := range spec.Validate(load(t, dir)) {
			found = found || strings.Contains(d.Message, "named pipe")
		}
		if !found && name != "skill.md" {
			t.Errorf("nothing is said about the pipe %s", name)
		}
	}
}

// TestSize: one byte too many is not read.
func TestSize(t *testing.T) {
	for extra, oversize := range map[int]bool{0: false, 1: true, 100: true} {
		text := sample + strings.Repeat("x", spec.MaxSkillFileBytes-len(sample)+extra)
		s := load(t, demo(t, map[string]string{"SKILL.md": text}))
		if s.Oversize != oversize || (s.Frontmatter.Root == nil) != oversize {
			t.Errorf("%d bytes more: oversize %v", extra, s.Oversize)
		}
	}
}

func TestDepthOfFolders(t *testing.T) {
	s := load(t, demo(t, map[string]string{strings.Repeat("d/", spec.MaxDepth) + "in": "", strings.Repeat("e/", spec.MaxDepth+1) + "out": ""}))
	if len(s.Errors) != 1 || !strings.Contains(s.Errors[0].Error(), "deeper than 64 levels") || len(s.Files) != 2 {
		t.Errorf("%v, %d files", s.Errors, len(s.Files))
	}
}

func TestOddFileNames(t *testing.T) {
	dir := demo(t, nil)
	for _, name := range []string{"a\\b", "c\nd", "e\xff", "ü"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Skipf("no such name here: %v", err)
		}
	}
	var got []string
	for _, d := range spec.Validate(load(t, dir)) {
		got = append(got, d.RuleID+": "+d.Message)
	}
	want := []string{
		`file-name: the path "a\\b" holds a backslash, which separates folders elsewhere`,
		`file-name: the path "c\nd" holds the control character U+000A`,
		`file-name: the path "e\xff" is no UTF-8`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestIsSkillDir(t *testing.T) {
	dir := tree(t, t.TempDir(), map[string]string{
		"yes/SKILL.md": "", "near/skill.md": "---\n", "page/skills.md": "# Skills\n", "none/README.md": "", "folder/SKILL.md/": "",
	})
	for name, want := range map[string]bool{"yes": true, "near": true, "page": false, "none": false, "folder": true, "missing": false} {
		if got := spec.IsSkillDir(filepath.Join(dir, name)); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestTooManyFiles(t *testing.T) {
	files := fstest.MapFS{"demo/SKILL.md": {Data: []byte(sample)}}
	for i := range spec.MaxFiles {
		files[fmt.Sprintf("demo/f%d", i)] = &fstest.MapFile{}
	}
	s, err := spec.Load(files, "demo")
	must(t, err)
	if len(s.Files) != spec.MaxFiles || len(s.Errors) != 1 || !errors.Is(s.Errors[0], spec.ErrTooManyFiles) {
		t.Errorf("%d files, %v", len(s.Files), s.Errors)
	}
}
