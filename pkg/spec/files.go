package spec

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/internal/cause"
)

// FileKind is what a directory entry is.
type FileKind int

// The kinds of files. Directories are walked and not listed.
const (
	Regular FileKind = iota
	// Symlink entries are symbolic links, to whatever.
	Symlink
	// Special entries are pipes, sockets and devices.
	Special
)

// File is one entry below a skill's directory.
type File struct {
	// Path is slash-separated and relative to the skill's directory. It may
	// hold any byte that the file system allows, backslashes and invalid UTF-8
	// included.
	Path string
	Kind FileKind
	// Mode holds the type and permission bits.
	Mode fs.FileMode
	// Size is the length in bytes of a Regular file.
	Size int64
	// Link says where a Symlink leads.
	Link Link
}

// Link is where a symbolic link leads.
type Link struct {
	// Target is the text of the link.
	Target string
	State  LinkState
	// Mode holds the type and permission bits of a target inside the skill.
	Mode fs.FileMode
}

// LinkState says whether a link can be followed within the skill (AS-S4).
type LinkState int

// The states of a link.
const (
	// LinkInside: the target is a file or folder of the same skill.
	LinkInside LinkState = iota
	// LinkEscapes: the target lies outside of the skill.
	LinkEscapes
	// LinkDangles: there is nothing at the target.
	LinkDangles
	// LinkLoops: the link leads back to itself or to a folder above it.
	LinkLoops
)

// ErrTooManyFiles ends the listing of a folder with more than MaxFiles entries.
var ErrTooManyFiles = fmt.Errorf("more than %d files and folders", MaxFiles)

// PathError names the path that an operation failed on, relative to the
// skill's directory or to the root of a search.
type PathError struct {
	Path string
	Err  error
}

func (e *PathError) Error() string { return e.Path + ": " + e.Err.Error() }

func (e *PathError) Unwrap() error { return e.Err }

// lister collects the files of one skill.
type lister struct {
	fsys    fs.FS
	root    string
	realDir string // absolute path of the skill on disk, or ""
	files   []File
	seen    int
	budget  int // links that may still be followed for this path
	errors  []error
	main    fs.FileInfo // of SKILL.md, once that was read
}

// sorted gives every file that belongs to the skill: all below its folder
// except .git (AS-S4). What could not be read is among the errors, and the rest
// is here.
func (l *lister) sorted() []File {
	slices.SortFunc(l.files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return l.files
}

func (l *lister) dir(rel string, depth int) {
	if depth > MaxDepth {
		l.errors = append(l.errors, &PathError{rel, fmt.Errorf("folders nest deeper than %d levels", MaxDepth)})
		return
	}
	entries, err := fs.ReadDir(l.fsys, path.Join(l.root, rel))
	if err != nil {
		l.errors = append(l.errors, &PathError{rel, cause.Of(err)})
	}
	l.entries(rel, entries, depth)
}

func (l *lister) entries(rel string, entries []fs.DirEntry, depth int) {
	for _, entry := range entries {
		if l.seen++; l.seen > MaxFiles {
			if l.seen == MaxFiles+1 {
				l.errors = append(l.errors, &PathError{".", ErrTooManyFiles})
			}
			return
		}
		l.entry(joinName(rel, entry.Name()), entry, depth)
	}
}

// joinName is path.Join for a name that may hold any byte.
func joinName(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

func (l *lister) entry(rel string, entry fs.DirEntry, depth int) {
	if entry.Name() == ".git" {
		return
	}
	if entry.IsDir() {
		l.dir(rel, depth+1)
		return
	}
	f := File{Path: rel, Kind: Special, Mode: entry.Type()}
	switch {
	case entry.Type().IsRegular():
		f.Kind = Regular
		info, err := l.info(rel, entry)
		if err != nil {
			l.errors = append(l.errors, &PathError{rel, cause.Of(err)})
			return
		}
		f.Mode, f.Size = info.Mode(), info.Size()
	case entry.Type()&fs.ModeSymlink != 0:
		f.Kind = Symlink
		f.Link = l.link(rel)
	}
	l.files = append(l.files, f)
}

// info gives size and mode of a file; those of the file that was read already
// are known.
func (l *lister) info(rel string, entry fs.DirEntry) (fs.FileInfo, error) {
	if l.main != nil && rel == l.main.Name() {
		return l.main, nil
	}
	return entry.Info()
}

// maxLinks bounds the links that are followed for one path, as kernels do.
const maxLinks = 40

// link finds out where a symbolic link leads by reading the links on its way,
// without ever leaving the skill's directory.
func (l *lister) link(rel string) Link {
	target, err := fs.ReadLink(l.fsys, path.Join(l.root, rel))
	if err != nil {
		return Link{State: LinkDangles}
	}
	l.budget = maxLinks
	at, state := l.follow(path.Dir(rel), target)
	link := Link{Target: target, State: state}
	if state != LinkInside {
		return link
	}
	info, err := fs.Lstat(l.fsys, path.Join(l.root, at))
	if err != nil {
		link.State = LinkDangles
		return link
	}
	link.Mode = info.Mode()
	if info.IsDir() && (at == "." || strings.HasPrefix(rel, at+"/")) {
		link.State = LinkLoops
	}
	return link
}

// follow resolves target, seen from the folder dir, to a path without links.
func (l *lister) follow(dir, target string) (string, LinkState) {
	target = filepath.ToSlash(target)
	if isAbsolute(target) {
		inside, ok := l.insideReal(target)
		if !ok {
			return "", LinkEscapes
		}
		dir, target = ".", inside
	}
	at := dir
	segments := strings.Split(target, "/")
	for i, segment := range segments {
		if i > 0 && !l.isDir(at) {
			return "", LinkDangles
		}
		if segment == "" || segment == "." {
			continue
		}
		if segment == ".." {
			if at == "." {
				return l.comeBack(strings.Join(segments[i:], "/"))
			}
			at = path.Dir(at)
			continue
		}
		var state LinkState
		if at, state = l.step(joinName(at, segment)); state != LinkInside {
			return "", state
		}
	}
	return at, LinkInside
}

// isDir reports whether a path free of links is a folder.
func (l *lister) isDir(at string) bool {
	info, err := fs.Lstat(l.fsys, path.Join(l.root, at))
	return err == nil && info.IsDir()
}

// step resolves one path whose folder is free of links.
func (l *lister) step(at string) (string, LinkState) {
	next, err := fs.ReadLink(l.fsys, path.Join(l.root, at))
	if err != nil {
		return at, LinkInside // no link, or nothing there: the caller looks
	}
	if l.budget--; l.budget < 0 {
		return "", LinkLoops
	}
	return l.follow(path.Dir(at), next)
}

// comeBack judges a target that climbs out of the skill from its folder: it may
// lead back in through the directory's own name, as ../skill/file does.
func (l *lister) comeBack(target string) (string, LinkState) {
	if l.realDir == "" {
		return "", LinkEscapes
	}
	inside, ok := l.insideReal(path.Join(l.realDir, target))
	if !ok {
		return "", LinkEscapes
	}
	return l.follow(".", inside)
}

// insideReal turns an absolute target that lies in the skill into a path in it.
func (l *lister) insideReal(target string) (string, bool) {
	if l.realDir == "" || !isAbsolute(target) {
		return "", false
	}
	clean := path.Clean(target)
	if clean == l.realDir {
		return ".", true
	}
	return strings.CutPrefix(clean, l.realDir+"/")
}

func isAbsolute(target string) bool {
	return strings.HasPrefix(target, "/") || len(target) > 2 && target[1:3] == ":/"
}
