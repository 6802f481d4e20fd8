package mcpprobe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/skilltool/skilltool/pkg/digest"
)

// testSkill makes an entry and its contents: pairs of a path in its URI form and
// a content.
func testSkill(dir string, files ...string) (*Entry, map[string][]byte) {
	e := &Entry{Dir: dir, URI: dir + "/SKILL.md", Name: dir[strings.LastIndexByte(dir, '/')+1:]}
	contents := map[string][]byte{}
	for i := 0; i < len(files); i += 2 {
		uri, content := dir+"/"+files[i], []byte(files[i+1])
		contents[uri] = content
		e.Resources = append(e.Resources, Resource{URI: uri, Digest: digest.Of(content).String(), Size: int64(len(content))})
	}
	return e, contents
}

func newTestSaver(t *testing.T, o SaveOptions) *Saver {
	t.Helper()
	if o.Label == "" {
		o.Label, o.Server = "demo", "https://skills.example.com/mcp"
	}
	s, err := NewSaver(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// save adds all files of a skill and commits it, and gives the first error.
func save(s *Saver, e *Entry, contents map[string][]byte) (*Saved, error) {
	for uri, content := range contents {
		if err := s.Add(e, uri, content); err != nil {
			s.Discard(e.URI)
			return nil, err
		}
	}
	return s.Commit(e.URI)
}

// tree lists all files below a directory, with their contents.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		if entry.Type()&fs.ModeSymlink != 0 {
			fmt.Fprintf(&b, "%s -> link\n", filepath.ToSlash(rel))
			return nil
		}
		content, err := os.ReadFile(name)
		fmt.Fprintf(&b, "%s: %s\n", filepath.ToSlash(rel), strings.ReplaceAll(string(content), "\n", "|"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	e, contents := testSkill("skill://acme/pdf-tools", "SKILL.md", "text", "references/b%20c.md", "more")
	saved, err := save(newTestSaver(t, SaveOptions{Dir: filepath.Join(dir, "out")}), e, contents)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Saved{"demo/skill%3A%2F%2Facme%2Fpdf-tools/pdf-tools", 2, true, true, false}); *saved != want {
		t.Errorf("saved: %+v, want %+v", *saved, want)
	}
	want := `out/demo/skill%3A%2F%2Facme%2Fpdf-tools/.skilltool-origin.json: {|  "version": 1,|  "label": "demo",|` +
		`  "server": "https://skills.example.com/mcp",|  "uri": "skill://acme/pdf-tools/SKILL.md",|  "folder": "pdf-tools",|` +
		`  "verified": true,|  "complete": true,|  "files": [|    {|      "path": "SKILL.md",|      "uri": "skill://acme/pdf-tools/SKILL.md",|` +
		`      "size": 4,|      "digest": "sha256:982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1"|    },|    {|` +
		`      "path": "references/b c.md",|      "uri": "skill://acme/pdf-tools/references/b%20c.md",|      "size": 4,|` +
		`      "digest": "sha256:187897ce0afcf20b50ba2b37dca84a951b7046f29ed5ab94f010619f69d6e189"|    }|  ]|}|
out/demo/skill%3A%2F%2Facme%2Fpdf-tools/pdf-tools/SKILL.md: text
out/demo/skill%3A%2F%2Facme%2Fpdf-tools/pdf-tools/references/b c.md: more
`
	if got := tree(t, dir); got != want {
		t.Errorf("there is\n%s\nwant\n%s", got, want)
	}
	if info, err := os.Stat(filepath.Join(dir, "out", saved.Path, "SKILL.md")); err != nil || info.Mode().Perm()&0o111 != 0 {
		t.Errorf("SKILL.md is %v, %v", info.Mode(), err)
	}
}

// One skill of two servers, and two skills of one server, never meet.
func TestSaveKeepsApart(t *testing.T) {
	dir := t.TempDir()
	e, contents := testSkill("skill://a/pdf", "SKILL.md", "one")
	upper, upperContents := testSkill("skill://A/pdf", "SKILL.md", "two")
	for _, label := range []string{"demo", "Demo", "demo."} {
		s := newTestSaver(t, SaveOptions{Dir: dir, Label: label})
		for _, one := range []*Entry{e, upper} {
			c := map[*Entry]map[string][]byte{e: contents, upper: upperContents}[one]
			if _, err := save(s, one, c); err != nil {
				t.Fatal(err)
			}
		}
		s.Close()
	}
	if got := strings.Count(tree(t, dir), "/pdf/SKILL.md: "); got != 6 {
		t.Errorf("there are %d copies:\n%s", got, tree(t, dir))
	}
}

// Nothing is written of content that is not what the entry promises, of files
// that it does not list, and of skills that cannot be kept as they are.
func TestSaveRefuses(t *testing.T) {
	good, contents := testSkill("skill://pdf", "SKILL.md", "text", "a.md", "a")
	for _, test := range []struct {
		name, want string
		entry      func() *Entry
		uri        string
		content    string
	}{
		{"other bytes", "not what its entry promises", nil, "a.md", "b"},
		{"other size", "not what its entry promises", nil, "a.md", "aa"},
		{"unlisted", "no file of its entry", nil, "b.md", "a"},
		{"no directory", "has no directory", func() *Entry { return &Entry{URI: "skill://SKILL.md"} }, "", ""},
		{"dynamic", "dynamic", func() *Entry { e := *good; e.Dynamic, e.Resources = true, nil; return &e }, "SKILL.md", "text"},
		{"climbing name", `a segment is ".."`, func() *Entry {
			e, _ := testSkill("skill://a/..", "SKILL.md", "text")
			return e
		}, "", "text"},
		{"climbing file", `a segment is ".."`, func() *Entry {
			e, _ := testSkill("skill://pdf", "SKILL.md", "text", "..%2f..%2fx", "x")
			e.Resources[1].URI = "skill://pdf/%2e%2e/x"
			return e
		}, "SKILL.md", "text"},
		{"case", "have one name", func() *Entry {
			e, _ := testSkill("skill://pdf", "SKILL.md", "text", "skill.md", "x")
			return e
		}, "SKILL.md", "text"},
	} {
		dir := t.TempDir()
		s := newTestSaver(t, SaveOptions{Dir: dir})
		e := good
		if test.entry != nil {
			e = test.entry()
		}
		err := s.Add(e, e.Dir+"/"+test.uri, []byte(test.content))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if _, err := s.Commit(e.URI); err == nil {
			t.Errorf("%s: it is committed", test.name)
		}
		s.Close()
		if got := tree(t, dir); got != "" {
			t.Errorf("%s: there is\n%s", test.name, got)
		}
	}
	_ = contents
}

// An earlier copy is replaced if nobody touched it; what would be lost stays.
func TestSaveAgain(t *testing.T) {
	const place = "demo/skill%3A%2F%2Fpdf"
	old := []string{"SKILL.md", "one", "a.md", "a", "b/c.md", "c"}
	for _, test := range []struct {
		name   string
		change func(t *testing.T, dir string) // of the earlier copy
		files  []string
		want   string // part of the error
		same   bool
	}{
		{"the same", nil, old, "", true},
		{"other files", nil, []string{"SKILL.md", "two", "b", "file where a folder was"}, "", false},
		{"a missing file", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, place, "pdf/a.md")) }, old, "", false},
		{"an edited file", func(t *testing.T, dir string) {
			os.WriteFile(filepath.Join(dir, place, "pdf/a.md"), []byte("mine"), 0o644)
		}, old, `pdf/a.md" was changed or added since the skill was saved`, false},
		{"an edit that is the new text", func(t *testing.T, dir string) {
			os.WriteFile(filepath.Join(dir, place, "pdf/a.md"), []byte("new"), 0o644)
		}, []string{"SKILL.md", "two", "a.md", "new"}, "", false},
		{"a file of somebody's own", func(t *testing.T, dir string) {
			os.WriteFile(filepath.Join(dir, place, "pdf/notes.md"), []byte("mine"), 0o644)
		}, old, `pdf/notes.md" was changed or added`, false},
		{"a file beside the folder", func(t *testing.T, dir string) {
			os.WriteFile(filepath.Join(dir, place, "notes.md"), []byte("mine"), 0o644)
		}, old, `notes.md" was changed or added`, false},
		{"no origin", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, place, OriginFile)) }, old, "was not saved from this skill", false},
		{"another origin", func(t *testing.T, dir string) {
			os.WriteFile(filepath.Join(dir, place, OriginFile), []byte(`{"version":1,"label":"other","uri":"skill://pdf/SKILL.md"}`), 0o644)
		}, old, "was not saved from this skill", false},
		{"a broken origin", func(t *testing.T, dir string) {
			os.WriteFile(filepath.Join(dir, place, OriginFile), []byte(`{"version":`), 0o644)
		}, old, "cannot be read", false},
		{"a later origin", func(t *testing.T, dir string) {
			os.WriteFile(filepath.Join(dir, place, OriginFile), []byte(`{"version":2}`), 0o644)
		}, old, "version 2", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			first, contents := testSkill("skill://pdf", old...)
			s := newTestSaver(t, SaveOptions{Dir: dir})
			if _, err := save(s, first, contents); err != nil {
				t.Fatal(err)
			}
			s.Close()
			if test.change != nil {
				test.change(t, dir)
			}
			before := tree(t, dir)
			e, contents := testSkill("skill://pdf", test.files...)
			s = newTestSaver(t, SaveOptions{Dir: dir})
			saved, err := save(s, e, contents)
			s.Close()
			after := tree(t, dir)
			switch {
			case test.want != "":
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("%v, want %q", err, test.want)
				}
				if before != after {
					t.Errorf("there was\n%s\nthere is\n%s", before, after)
				}
			case err != nil:
				t.Error(err)
			case saved.Changed == test.same:
				t.Errorf("changed: %v", saved.Changed)
			case strings.Count(after, "\n") != len(test.files)/2+1:
				t.Errorf("there is\n%s", after)
			}
		})
	}
}

// What is not all of a skill says so, and never takes the place of all of it.
func TestSaveIncomplete(t *testing.T) {
	dir := t.TempDir()
	e, contents := testSkill("skill://pdf", "SKILL.md", "one", "a.md", "a")
	part := map[string][]byte{e.URI: contents[e.URI]}
	s := newTestSaver(t, SaveOptions{Dir: dir})
	saved, err := save(s, e, part)
	if err != nil || saved.Complete || !strings.Contains(tree(t, dir), `"complete": false`) {
		t.Errorf("%+v %v\n%s", saved, err, tree(t, dir))
	}
	s.Discard(e.URI)
	if saved, err = save(s, e, contents); err != nil || !saved.Complete || !saved.Changed {
		t.Errorf("%+v %v", saved, err)
	}
	s.Discard(e.URI)
	before := tree(t, dir)
	if saved, err = save(s, e, part); err != nil || !saved.Kept {
		t.Errorf("%+v %v", saved, err)
	}
	s.Close()
	if after := tree(t, dir); !strings.Contains(after, "a.md: a") || strings.Contains(after, ".tmp") {
		t.Errorf("there was\n%s\nthere is\n%s", before, after)
	}
}

func TestSaveLinksInTheWay(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links want a privilege there")
	}
	e, contents := testSkill("skill://pdf", "SKILL.md", "one")
	for _, link := range []string{"demo", "demo/skill%3A%2F%2Fpdf", "demo/skill%3A%2F%2Fpdf/pdf", "demo/skill%3A%2F%2Fpdf/" + OriginFile} {
		dir, outside := t.TempDir(), t.TempDir()
		name := filepath.Join(dir, link)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, name); err != nil {
			t.Fatal(err)
		}
		s := newTestSaver(t, SaveOptions{Dir: dir})
		if _, err := save(s, e, contents); err == nil {
			t.Errorf("%s: it is saved", link)
		}
		s.Close()
		if got := tree(t, outside) + tree(t, dir); got != link+" -> link\n" {
			t.Errorf("%s: there is\n%s", link, got)
		}
	}
}

func TestSaveFilesInTheWay(t *testing.T) {
	e, contents := testSkill("skill://pdf", "SKILL.md", "one")
	for _, file := range []string{"demo", "demo/skill%3A%2F%2Fpdf", "demo/skill%3A%2F%2Fpdf/pdf"} {
		dir := t.TempDir()
		name := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		s := newTestSaver(t, SaveOptions{Dir: dir})
		if _, err := save(s, e, contents); err == nil {
			t.Errorf("%s: it is saved", file)
		}
		s.Close()
		if got := tree(t, dir); got != file+": mine\n" {
			t.Errorf("%s: there is\n%s", file, got)
		}
	}
}

func TestSaveClientFolders(t *testing.T) {
	top := t.TempDir()
	var refused *ClientFolderError
	for _, dir := range []string{".claude/skills", ".agents/skills/deep/down", ".GitHub/skills"} {
		name := filepath.Join(top, dir)
		if _, err := NewSaver(SaveOptions{Dir: name, Label: "demo"}); !errors.As(err, &refused) {
			t.Errorf("%s: %v", dir, err)
		}
		if got := tree(t, top); got != "" {
			t.Errorf("there is\n%s", got)
		}
	}
	// The label of the server can be the last part of such a path.
	if _, err := NewSaver(SaveOptions{Dir: filepath.Join(top, ".codex"), Label: "skills"}); !errors.As(err, &refused) {
		t.Errorf("the label: %v", err)
	}
	if runtime.GOOS != "windows" {
		if err := os.MkdirAll(filepath.Join(top, ".cursor/skills"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(top, ".cursor/skills"), filepath.Join(top, "plain")); err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{"plain", "plain/new"} {
			if _, err := NewSaver(SaveOptions{Dir: filepath.Join(top, dir), Label: "demo"}); !errors.As(err, &refused) {
				t.Errorf("a link to one, %s: %v", dir, err)
			}
		}
	}
	e, contents := testSkill("skill://pdf", "SKILL.md", "one")
	s := newTestSaver(t, SaveOptions{Dir: filepath.Join(top, ".claude/skills"), Label: "demo", Insist: true})
	if _, err := save(s, e, contents); err != nil {
		t.Errorf("insisted on: %v", err)
	}
}

func TestSaveUnwritable(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("everything can be written")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	e, contents := testSkill("skill://pdf", "SKILL.md", "one")
	if _, err := save(newTestSaver(t, SaveOptions{Dir: dir}), e, contents); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v", err)
	}
	if _, err := NewSaver(SaveOptions{Dir: filepath.Join(dir, "new"), Label: "demo"}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v", err)
	}
}

// A dynamic skill is saved where that is allowed, and says that it is not
// verified.
func TestSaveDynamic(t *testing.T) {
	dir := t.TempDir()
	e := &Entry{Dir: "skill://pdf", URI: "skill://pdf/SKILL.md", Dynamic: true}
	s := newTestSaver(t, SaveOptions{Dir: dir, Dynamic: true})
	for _, test := range []struct{ file, want string }{
		{"SKILL.md", ""}, {"a/b.md", ""}, {"a", "is a file, and"}, {"A/c.md", "have one name"}, {"..", "segment"},
	} {
		err := s.Add(e, "skill://pdf/"+test.file, []byte(test.file))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.file, err, test.want)
		}
	}
	if _, err := s.Commit(e.URI); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, dir); !strings.Contains(got, `"verified": false`) || strings.Count(got, "\n") != 3 {
		t.Errorf("there is\n%s", got)
	}
}

// Files come from several goroutines, and some twice.
func TestSaveConcurrently(t *testing.T) {
	dir := t.TempDir()
	files := []string{"SKILL.md", "text"}
	for i := range 50 {
		files = append(files, fmt.Sprintf("references/%d.md", i), strings.Repeat("x", i))
	}
	e, contents := testSkill("skill://pdf", files...)
	s := newTestSaver(t, SaveOptions{Dir: dir})
	var group sync.WaitGroup
	for uri, content := range contents {
		for range 2 {
			group.Go(func() {
				if err := s.Add(e, uri, content); err != nil {
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
	saved, err := s.Commit(e.URI)
	if err != nil || !saved.Complete || saved.Files != 51 {
		t.Errorf("%+v %v", saved, err)
	}
	s.Close()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left: %v %v", entries, err)
	}
}

// A mixture of two versions of a skill is never taken for the whole of one.
func TestSaveTwoEntries(t *testing.T) {
	dir := t.TempDir()
	s := newTestSaver(t, SaveOptions{Dir: dir})
	old, oldContents := testSkill("skill://pdf", "SKILL.md", "one", "a.md", "a")
	now, nowContents := testSkill("skill://pdf", "SKILL.md", "two", "a.md", "A", "b.md", "b")
	for _, test := range []struct {
		e        *Entry
		contents map[string][]byte
		file     string
		want     string
	}{
		{old, oldContents, "SKILL.md", ""},
		{now, nowContents, "SKILL.md", "promised with two digests"},
		{now, nowContents, "a.md", ""},
		{now, nowContents, "b.md", "in one entry of the skill and not in another"},
	} {
		uri := "skill://pdf/" + test.file
		err := s.Add(test.e, uri, test.contents[uri])
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.file, err, test.want)
		}
	}
	if saved, err := s.Commit(old.URI); err != nil || saved.Complete || saved.Files != 2 {
		t.Errorf("%+v %v", saved, err)
	}
}

// Long names stay apart, and the origin tells what they stand for.
func TestSaveLongURI(t *testing.T) {
	dir := t.TempDir()
	long := "skill://" + strings.Repeat("a/", 200)
	var places []string
	for _, last := range []string{"one", "two"} {
		e, contents := testSkill(long+last, "SKILL.md", last)
		saved, err := save(newTestSaver(t, SaveOptions{Dir: dir}), e, contents)
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, saved.Path)
	}
	slices.Sort(places)
	if len(slices.Compact(places)) != 2 || !strings.Contains(tree(t, dir), long+"one/SKILL.md") {
		t.Errorf("places: %q", places)
	}
}
