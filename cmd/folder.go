package cmd

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// folderFS opens the files of a skill on disk, those of one folder after the
// other, and keeps that folder open: without it each file would open every
// folder on its way again. Nothing outside of the skill is opened, whatever
// links are put in the way, and nothing waits for the other end of a pipe.
type folderFS struct {
	dir    string // of the skill
	root   *os.Root
	at     string // of folder, below dir
	folder *os.Root
}

// Open opens a file by its slash-separated path below the skill's directory.
func (f *folderFS) Open(name string) (fs.File, error) {
	at, base := ".", name
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		at, base = name[:i], name[i+1:]
	}
	if f.folder == nil || f.at != at {
		if err := f.enter(at); err != nil {
			return nil, err
		}
	}
	return f.folder.OpenFile(base, os.O_RDONLY|nonBlocking, 0)
}

func (f *folderFS) enter(at string) (err error) {
	f.leave()
	if f.root == nil {
		if f.root, err = os.OpenRoot(f.dir); err != nil {
			return err
		}
	}
	if f.at = at; at == "." {
		f.folder = f.root
		return nil
	}
	f.folder, err = f.root.OpenRoot(filepath.FromSlash(at))
	return err
}

// leave lets go of the folder.
func (f *folderFS) leave() {
	if f.folder != nil && f.folder != f.root {
		f.folder.Close()
	}
	f.folder = nil
}

// close lets go of everything.
func (f *folderFS) close() {
	f.leave()
	if f.root != nil {
		f.root.Close()
		f.root = nil
	}
}
