package cmd

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestFolderFS(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "skill")
	for _, name := range []string{"a", "b/c", "b/d", "b/e/f", "g"} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(filepath.Base(name)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(outer, "secret"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	links := os.Symlink("../secret", filepath.Join(dir, "out")) == nil && os.Symlink("..", filepath.Join(dir, "up")) == nil
	f := &folderFS{dir: dir}
	defer f.close()
	for _, name := range []string{"a", "g", "b/c", "b/d", "b/e/f", "a", "b/d"} {
		file, err := f.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(file)
		if err != nil || string(content) != filepath.Base(name) {
			t.Errorf("%s: %q, %v", name, content, err)
		}
		file.Close()
	}
	for _, name := range []string{"nothing", "no/folder", "out", "up/secret", "../secret", "b/../../secret"} {
		if file, err := f.Open(name); err == nil {
			file.Close()
			if links || name != "out" {
				t.Errorf("%s was opened", name)
			}
		}
	}
	if _, err := (&folderFS{dir: filepath.Join(outer, "gone")}).Open("a"); err == nil {
		t.Error("a folder that is not there was opened")
	}
}
