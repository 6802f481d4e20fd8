package digest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/mod/sumdb/dirhash"

	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/spec"
)

func TestBuild(t *testing.T) {
	dir := writeSkill(t, map[string]string{
		"references/legend.md": "# Legend\r\n", "scripts/run.sh*": "#!/bin/sh\n", "empty": "", "a b": "x", "a%20b": "y", "é.md": "e", "f.md": "f",
		"parts/gate-sign/SKILL.md": "---\nname: gate-sign\ndescription: Paints signs.\n---\n", "parts/gate-sign/font.md": "font",
		".env": "secret", ".env.example": "none", "node_modules/x/y.js": "", "sub/__pycache__/m.pyc": "", ".DS_Store": "", "drafts/new.md": "", ".skillignore": "drafts/\n",
		".hidden": "kept",
	})
	m := build(t, load(t, dir))
	want := ".env.example .hidden SKILL.md a b a%20b empty f.md parts/gate-sign/SKILL.md parts/gate-sign/font.md references/legend.md scripts/run.sh é.md"
	if got := paths(m); got != want {
		t.Errorf("files:\n%s\nwant\n%s", got, want)
	}
	for _, e := range m.Entries {
		content, err := os.ReadFile(filepath.Join(dir, e.Path))
		if err != nil || e.Digest != digest.Of(content) || e.Size != int64(len(content)) {
			t.Errorf("%s: %+v, %v", e.Path, e, err)
		}
		if e.Executable != (e.Path == "scripts/run.sh") {
			t.Errorf("%s: executable is %v", e.Path, e.Executable)
		}
	}
	if e := m.Entry("empty"); e == nil || e.Size != 0 || e.Digest.Hex() != emptySum {
		t.Errorf("empty file: %+v", e)
	}
	if m.Entry("nothing") != nil {
		t.Error("an entry that is not there")
	}
	left := []string{}
	for _, l := range m.LeftOut {
		left = append(left, l.Path+": "+l.Reason)
	}
	wantLeft := []string{
		".DS_Store: a file of an operating system", ".env: a file of settings and secrets", ".skillignore: the list of what is left out",
		"drafts/new.md: named in .skillignore", "node_modules/x/y.js: installed dependencies", "sub/__pycache__/m.pyc: a cache",
	}
	if !slices.Equal(left, wantLeft) {
		t.Errorf("left out: %q", left)
	}
}

// The digest of a skill is what sha256sum's output hashes to, and Go's h1.
func TestDigestOfSkill(t *testing.T) {
	dir := writeSkill(t, map[string]string{"references/legend.md": "# Legend\n", "a b": "x", "é": "", "A": "upper"})
	m := build(t, load(t, dir))
	if got, want := m.Digest(), digest.Of(m.Sums()); got != want {
		t.Errorf("digest %s, that of the sums is %s", got, want)
	}
	names := []string{}
	for _, e := range m.Entries {
		names = append(names, e.Path)
	}
	h1, err := dirhash.Hash1(names, func(name string) (io.ReadCloser, error) { return os.Open(filepath.Join(dir, name)) })
	if err != nil || m.H1() != h1 {
		t.Errorf("h1 is %s, that of dirhash %s, %v", m.H1(), h1, err)
	}
	sum, err := exec.LookPath("sha256sum")
	if err != nil {
		t.Skip("no sha256sum")
	}
	cmd := exec.Command(sum, names...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil || digest.Of(out) != m.Digest() {
		t.Errorf("sha256sum prints\n%s%v", out, err)
	}
}

func TestSums(t *testing.T) {
	dir := writeSkill(t, map[string]string{"a b": "x", "-n": "1", "é": "2", "*x": "3", " y": "4", `back\slash`: "5", "line\nend": "6", "carriage\rreturn": "7"})
	m := build(t, load(t, dir))
	sums := m.Sums()
	expected, err := digest.ReadSums(sums)
	if err != nil || len(expected.Faults) > 0 || len(expected.Files) != len(m.Entries) {
		t.Fatalf("%v %v", expected, err)
	}
	for i, f := range expected.Files {
		if f.Path != m.Entries[i].Path || f.Digest != m.Entries[i].Digest {
			t.Errorf("%q comes back as %q", m.Entries[i].Path, f.Path)
		}
	}
	if _, err := exec.LookPath("sha256sum"); err != nil {
		t.Skip("no sha256sum")
	}
	cmd := exec.Command("sha256sum", "-c", "--strict", "-")
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(sums)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("sha256sum -c: %v\n%s\n%s", err, out, sums)
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		files int
		bytes int64
		want  string
	}{
		{511, 0, ""},
		{512, 0, "513 files; hosts must accept 512 and may refuse more"},
		{1, digest.MaxBytes - int64(len(skillText)), ""},
		{1, digest.MaxBytes - int64(len(skillText)) + 1, "16777217 bytes in its files; hosts must accept 16777216 and may refuse more"},
	} {
		dir := writeSkill(t, nil)
		for i := range c.files {
			name := filepath.Join(dir, fmt.Sprintf("f%d", i))
			writeFile(t, name, "", 0o644)
			if err := os.Truncate(name, c.bytes); err != nil {
				t.Fatal(err)
			}
		}
		entry := digest.NewSkill("skill://depot-map", []byte("{}"), build(t, load(t, dir)))
		if got := strings.Join(entry.OverLimits(), "; "); got != c.want {
			t.Errorf("%d files, %d bytes: %q, want %q", c.files, c.bytes, got, c.want)
		}
	}
}

// fakeFS gives files of an odd kind.
type fakeFS struct {
	fstest.MapFS
	open map[string]func(fs.File) (fs.File, error)
}

func (f fakeFS) Open(name string) (fs.File, error) {
	file, err := f.MapFS.Open(name)
	if change := f.open[name]; change != nil && err == nil {
		return change(file)
	}
	return file, err
}

// growing is a file to which something is appended while it is read.
type growing struct {
	fs.File
	reads int
}

func (g *growing) Read(p []byte) (int, error) {
	if g.reads++; g.reads > 1000 {
		panic("read for ever")
	}
	return len(p), nil
}

func (g *growing) Stat() (fs.FileInfo, error) {
	info, err := g.File.Stat()
	return largerInfo{info, int64(g.reads)}, err
}

type largerInfo struct {
	fs.FileInfo
	more int64
}

func (i largerInfo) Size() int64 { return i.FileInfo.Size() + i.more }

// touched is a file of which the time of the last change moves.
type touched struct {
	fs.File
	stats int
}

func (f *touched) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	f.stats++
	return laterInfo{info, f.stats}, err
}

type laterInfo struct {
	fs.FileInfo
	seconds int
}

func (i laterInfo) ModTime() time.Time { return time.Unix(int64(i.seconds), 0) }

func deny(fs.File) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: "/home/me/secret", Err: fs.ErrPermission}
}

func fakeSkill(t *testing.T, names ...string) (*spec.Skill, fakeFS) {
	t.Helper()
	f := fakeFS{fstest.MapFS{"depot-map/SKILL.md": {Data: []byte(skillText)}}, map[string]func(fs.File) (fs.File, error){}}
	for _, name := range names {
		f.MapFS["depot-map/"+name] = &fstest.MapFile{Data: []byte(name)}
	}
	s, err := spec.Load(f, "depot-map")
	if err != nil {
		t.Fatal(err)
	}
	return s, f
}

// What cannot be read is named, and the rest is there.
func TestBuildErrors(t *testing.T) {
	s, f := fakeSkill(t, "cut", "denied", "fine", "grown", "pipe", "touched")
	f.open["depot-map/grown"] = func(file fs.File) (fs.File, error) { return &growing{File: file}, nil }
	f.open["depot-map/touched"] = func(file fs.File) (fs.File, error) { return &touched{File: file}, nil }
	f.open["depot-map/cut"] = func(file fs.File) (fs.File, error) {
		_, err := io.Copy(io.Discard, file)
		return file, err
	}
	f.open["depot-map/denied"] = deny
	f.open["depot-map/pipe"] = func(fs.File) (fs.File, error) { return f.MapFS.Open("depot-map") }
	m, errs := digest.Build(context.Background(), s)
	if got := paths(m); got != "SKILL.md fine" {
		t.Errorf("files: %s", got)
	}
	want := []string{
		"cut: the file changed while it was being read", "denied: permission denied", "grown: the file changed while it was being read",
		"pipe: it is no regular file any more", "touched: the file changed while it was being read",
	}
	for i, err := range errs {
		if i >= len(want) || err.Error() != want[i] {
			t.Errorf("%v", err)
		}
	}
	if len(errs) != len(want) || !errors.Is(errs[0], digest.ErrChanged) {
		t.Errorf("%d errors, want %d", len(errs), len(want))
	}
}

func TestBuildEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, _ := fakeSkill(t, "a")
	m, errs := digest.Build(ctx, s)
	if len(m.Entries) != 0 || len(errs) != 1 || !errors.Is(errs[0], context.Canceled) {
		t.Errorf("%v, %v", m.Entries, errs)
	}
}

// A list of what is left out that cannot be read leaves the skill unread:
// better no manifest than one with files that nobody meant to publish.
func TestIgnoreFileErrors(t *testing.T) {
	for name, spoil := range map[string]func(string) error{
		"large": func(name string) error { return os.Truncate(name, 64<<10+1) },
		"link": func(name string) error {
			if err := os.Remove(name); err != nil {
				return err
			}
			return os.Symlink("SKILL.md", name)
		},
	} {
		dir := writeSkill(t, map[string]string{".skillignore": "x\n", "x": ""})
		if err := spoil(filepath.Join(dir, ".skillignore")); err != nil {
			t.Skip(err)
		}
		m, errs := digest.Build(context.Background(), load(t, dir))
		if len(m.Entries) > 0 || len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), ".skillignore: ") {
			t.Errorf("%s: %v, %v", name, m.Entries, errs)
		}
		if _, err := digest.Sum(context.Background(), load(t, dir), digest.SHA256); err == nil {
			t.Errorf("%s: a digest in spite of it", name)
		}
	}
}

func TestLinksAndPipes(t *testing.T) {
	dir := writeSkill(t, map[string]string{"a": "1"})
	for link, target := range map[string]string{"in": "a", "out": "../../x", "gone": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	if out, err := exec.Command("mkfifo", filepath.Join(dir, "pipe")).CombinedOutput(); err != nil {
		t.Logf("mkfifo: %v %s", err, out)
	}
	m := build(t, load(t, dir))
	if got := paths(m); got != "SKILL.md a" {
		t.Errorf("files: %s", got)
	}
	for _, l := range m.LeftOut {
		if l.Reason != "a symbolic link" && !(l.Path == "pipe" && l.Reason == "no regular file") {
			t.Errorf("%+v", l)
		}
	}
}

// A name that is not UTF-8 is read as it is; validate reports it.
func TestOddNames(t *testing.T) {
	dir := writeSkill(t, nil)
	name := "bad\xff.md"
	if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
		t.Skip(err)
	}
	if e := build(t, load(t, dir)).Entry(name); e == nil || e.Size != 1 {
		t.Errorf("%+v", e)
	}
}

func TestNative(t *testing.T) {
	m := build(t, load(t, writeSkill(t, map[string]string{"run*": "x"})))
	n := m.Native("team/depot-map")
	if n.Name != "depot-map" || n.Path != "team/depot-map" || n.Digest != m.Digest() || len(n.Files) != 2 || !n.Files[1].Executable {
		t.Errorf("%+v", n)
	}
	if set := digest.NewNativeSet(); set.Skills == nil || set.Version != 1 {
		t.Errorf("%+v", set)
	}
	if n := (&digest.Manifest{}).Native("x"); n.Files == nil {
		t.Error("no list for no files")
	}
}
