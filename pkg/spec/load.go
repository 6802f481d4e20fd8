package spec

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/skilltool/skilltool/internal/cause"
)

// ErrNoSkill: a folder holds neither a SKILL.md nor anything that was meant to
// be one (AS-F1).
var ErrNoSkill = errors.New("no SKILL.md in this folder")

// Load reads the skill in the directory dir of fsys, slash-separated. It gives
// ErrNoSkill for a folder that is none, and another error where the folder
// cannot be listed. A skill with faults, even one whose SKILL.md is missing its
// frontmatter or has the wrong name, is no error.
//
// Load follows no link that leaves dir, opens no pipe or device, and reads no
// file but SKILL.md. The directory's name, which name must equal (AS-N3), is
// the last segment of dir; for "." it is unknown.
func Load(fsys fs.FS, dir string) (*Skill, error) {
	name := path.Base(path.Clean(dir))
	if name == "." {
		name = ""
	}
	return load(fsys, dir, name, "")
}

// LoadDir reads the skill in a directory on disk. Links on the way to it are
// followed, and the name and place of the real directory count, so that every
// path to a skill gives the same skill. Below it nothing is read through a link
// that leaves it.
func LoadDir(dir string) (*Skill, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	if real, err = filepath.Abs(real); err != nil {
		return nil, err
	}
	return load(dirFS(real), ".", filepath.Base(real), filepath.ToSlash(real))
}

// LoadDir reads the skill that a search of the directory root on disk has
// found, without listing its folder again. root must be absolute and free of
// links, as filepath.EvalSymlinks gives it.
func (c Candidate) LoadDir(root string) (*Skill, error) {
	real := filepath.Join(root, filepath.FromSlash(c.Dir))
	return loadListed(dirFS(real), ".", filepath.Base(real), filepath.ToSlash(real), c.entries)
}

// dirFS is a skill's folder on disk. Files are opened in a way that cannot
// leave the folder; listings come from the plain path, which takes a third of
// the time and follows no link that was listed as one. It holds nothing open.
type dirFS string

func (d dirFS) Open(name string) (fs.File, error) {
	return openWithin(string(d), filepath.FromSlash(name))
}

func (d dirFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return os.ReadDir(filepath.Join(string(d), filepath.FromSlash(name)))
}

func (d dirFS) ReadLink(name string) (string, error) {
	return os.Readlink(filepath.Join(string(d), filepath.FromSlash(name)))
}

func (d dirFS) Lstat(name string) (fs.FileInfo, error) {
	return os.Lstat(filepath.Join(string(d), filepath.FromSlash(name)))
}

func load(fsys fs.FS, dir, dirName, realDir string) (*Skill, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil && len(entries) == 0 {
		return nil, &PathError{dir, cause.Of(err)}
	}
	return loadListed(fsys, dir, dirName, realDir, entries)
}

// loadListed reads a skill whose folder has been listed.
func loadListed(fsys fs.FS, dir, dirName, realDir string, entries []fs.DirEntry) (*Skill, error) {
	main, problem := mainFile(entries)
	if main == nil {
		return nil, ErrNoSkill
	}
	l := &lister{fsys: fsys, root: dir, realDir: realDir}
	s := unread()
	if main.Type().IsRegular() {
		s = l.read(main.Name())
	}
	l.entries(".", entries, 0)
	if problem == FileOK && main.Type()&fs.ModeSymlink != 0 {
		if problem = linkProblem(l.files, main.Name()); problem == FileOK {
			s = l.read(main.Name())
		}
	}
	s.File, s.FileProblem = main.Name(), problem
	s.FS, s.Dir, s.DirName, s.Files, s.Errors = fsys, dir, dirName, l.sorted(), l.errors
	s.RepositoryRoot = hasEntry(entries, ".git")
	return s, nil
}

// read parses the file that makes the folder a skill, and keeps what the file
// system says of it for the listing.
func (l *lister) read(name string) *Skill {
	source, info, err := readSkillFile(l.fsys, path.Join(l.root, name))
	if err != nil {
		l.errors = append(l.errors, &PathError{name, cause.Of(err)})
		return unread()
	}
	l.main = info
	return Parse(source)
}

func linkProblem(files []File, name string) FileProblem {
	for _, f := range files {
		if f.Path == name && f.Link.State == LinkInside && f.Link.Mode.IsRegular() {
			return FileOK
		}
	}
	return FileUnreachable
}

func hasEntry(entries []fs.DirEntry, name string) bool {
	for _, entry := range entries {
		if entry.Name() == name {
			return true
		}
	}
	return false
}

// mainFile gives the entry that makes a folder a skill: SKILL.md under that
// very name as the directory lists it, or else what was meant to be it (AS-F2).
func mainFile(entries []fs.DirEntry) (fs.DirEntry, FileProblem) {
	var near fs.DirEntry
	for _, entry := range entries {
		switch {
		case entry.Name() == SkillFile && (entry.Type().IsRegular() || entry.Type()&fs.ModeSymlink != 0):
			return entry, FileOK
		case entry.Name() == SkillFile:
			return entry, FileNotRegular
		case near == nil && !entry.IsDir() && isNearMiss(entry.Name()):
			near = entry
		}
	}
	return near, FileMisnamed
}

// isNearMiss reports whether a file name was meant to be SKILL.md.
func isNearMiss(name string) bool {
	return name != SkillFile && (strings.EqualFold(name, SkillFile) || strings.EqualFold(name, "SKILLS.md"))
}

// readSkillFile reads a file up to one byte more than MaxSkillFileBytes.
func readSkillFile(fsys fs.FS, name string) ([]byte, fs.FileInfo, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errors.New("no regular file")
	}
	source := make([]byte, 0, min(info.Size(), MaxSkillFileBytes)+1)
	for {
		n, err := f.Read(source[len(source):cap(source)])
		source = source[:len(source)+n]
		done := err == io.EOF || len(source) > MaxSkillFileBytes
		if done || int64(len(source)) == info.Size() {
			return source, info, nil // what the file had when it was opened
		}
		if err != nil {
			return nil, nil, err
		}
		if len(source) == cap(source) {
			source = append(source, 0)[:len(source)]
		}
	}
}

// IsSkillDir reports whether a directory on disk is a skill: whether it holds a
// SKILL.md, or something that was meant to be one and looks like it (AS-F2).
func IsSkillDir(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	f := &finder{fsys: os.DirFS(dir)}
	return f.isSkill(".", entries, false)
}
