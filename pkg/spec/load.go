package spec

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
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
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return load(dirFS{root.FS(), real}, ".", filepath.Base(real), filepath.ToSlash(real))
}

// dirFS is a skill's folder on disk. Files are opened through an os.Root, which
// refuses what leaves the folder; listings come from the plain path, which
// takes a third of the time and follows no link that was listed as one.
type dirFS struct {
	fs.FS
	dir string
}

func (d dirFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return os.ReadDir(filepath.Join(d.dir, filepath.FromSlash(name)))
}

func (d dirFS) ReadLink(name string) (string, error) {
	return os.Readlink(filepath.Join(d.dir, filepath.FromSlash(name)))
}

func (d dirFS) Lstat(name string) (fs.FileInfo, error) {
	return os.Lstat(filepath.Join(d.dir, filepath.FromSlash(name)))
}

func load(fsys fs.FS, dir, dirName, realDir string) (*Skill, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil && len(entries) == 0 {
		return nil, &PathError{dir, reason(err)}
	}
	main, problem := mainFile(entries)
	if main == nil {
		return nil, ErrNoSkill
	}
	files, errs := listFiles(fsys, dir, realDir)
	if problem == FileOK && main.Type()&fs.ModeSymlink != 0 {
		problem = linkProblem(files, main.Name())
	}
	s := unread()
	if problem == FileOK || problem == FileMisnamed && main.Type().IsRegular() {
		source, err := readSkillFile(fsys, path.Join(dir, main.Name()))
		if err != nil {
			errs = append(errs, &PathError{main.Name(), reason(err)})
		} else {
			s = Parse(source)
		}
	}
	s.File, s.FileProblem = main.Name(), problem
	s.FS, s.Dir, s.DirName, s.Files, s.Errors = fsys, dir, dirName, files, errs
	s.RepositoryRoot = hasEntry(entries, ".git")
	return s, nil
}

func linkProblem(files []File, name string) FileProblem {
	for _, f := range files {
		if f.Path == name && f.Link.State == LinkInside && !f.Link.Dir {
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
	switch strings.ToLower(name) {
	case "skill.md", "skills.md":
		return name != SkillFile
	}
	return false
}

// readSkillFile reads a file up to one byte more than MaxSkillFileBytes.
func readSkillFile(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("no regular file")
	}
	source := make([]byte, 0, min(info.Size(), MaxSkillFileBytes)+1)
	for {
		n, err := f.Read(source[len(source):cap(source)])
		source = source[:len(source)+n]
		if err == io.EOF || len(source) > MaxSkillFileBytes {
			return source, nil
		}
		if err != nil {
			return nil, err
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
