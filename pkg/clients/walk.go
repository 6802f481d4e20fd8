package clients

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// Find is one thing in a root that is a skill, or was meant to be one.
type Find struct {
	// Dir is its folder, relative to the root and slash-separated; "." is the
	// root itself.
	Dir string
	// File is the file in it, such as SKILL.md.
	File string
	// Missed says why the client does not find it; nil where it does.
	Missed *Reason
	// Context says that the client shows the file to the model at all times, and
	// takes it for no skill.
	Context bool
}

// Path gives the path by which predictions name it: the folder, or the flat
// file.
func (f Find) Path() string {
	if f.flat() {
		return f.join()
	}
	return f.Dir
}

func (f Find) flat() bool { return !strings.EqualFold(f.File, spec.SkillFile) }

func (f Find) join() string { return path.Join(f.Dir, f.File) }

// Bounds of a search, for any tree: links may make one endless.
const (
	maxWalkDepth = 24
	maxWalkDirs  = 50_000
	maxFinds     = 20_000
	// maxLinkDepth bounds how many links are followed on one way.
	maxLinkDepth = 4
)

// Discover gives the skills below the folder root of fsys that a client would
// find, and those that it would not with the reason, sorted by path. root stands
// for one folder of the client's list, such as .claude/skills. It fails only if
// ctx ends or root cannot be listed.
func Discover(ctx context.Context, fsys fs.FS, root string, p *Profile) ([]Find, error) {
	tree, err := walkTree(ctx, fsys, root)
	if err != nil {
		return nil, err
	}
	return tree.finds(p), nil
}

// tree is what stands in a root, for all clients: each file that may be a
// skill, with what is on the way to it.
type tree struct {
	root    string
	entries []treeEntry
}

type treeEntry struct {
	dir, file        string
	depth            int
	fileLink, isLink bool   // the file, or a folder on the way, is a link
	hidden           string // the first folder on the way that starts with a dot
	segments         []string
	outer            string // the nearest folder above that holds SKILL.md
}

type walker struct {
	ctx  context.Context
	fsys fs.FS
	dirs int
	tree *tree
}

// walkTree looks through a root once, links included.
func walkTree(ctx context.Context, fsys fs.FS, root string) (*tree, error) {
	w := &walker{ctx: ctx, fsys: fsys, tree: &tree{root: root}}
	entries, err := fs.ReadDir(fsys, root)
	if err != nil && len(entries) == 0 {
		return nil, fmt.Errorf("list %s: %w", root, err)
	}
	w.dir(treeEntry{dir: "."}, entries, 0)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return w.tree, nil
}

// dir looks at one folder. at says what is on the way to it.
func (w *walker) dir(at treeEntry, entries []fs.DirEntry, links int) {
	if w.ctx.Err() != nil || w.dirs > maxWalkDirs || at.depth > maxWalkDepth {
		return
	}
	w.dirs++
	inner := at
	for _, entry := range entries {
		if w.isCandidate(at, entry) {
			found := at
			found.file, found.fileLink = entry.Name(), entry.Type()&fs.ModeSymlink != 0
			if len(w.tree.entries) < maxFinds {
				w.tree.entries = append(w.tree.entries, found)
			}
			if entry.Name() == spec.SkillFile {
				inner.outer = at.dir
			}
		}
	}
	for _, entry := range entries {
		if entry.Name() == ".git" {
			continue
		}
		isLink := entry.Type()&fs.ModeSymlink != 0
		if !entry.IsDir() && !(isLink && links < maxLinkDepth && w.isDir(path.Join(w.tree.root, at.dir, entry.Name()))) {
			continue
		}
		next := inner
		next.dir = path.Join(at.dir, entry.Name())
		next.depth++
		next.isLink = at.isLink || isLink
		next.segments = append(slices.Clip(at.segments), entry.Name())
		if next.hidden == "" && strings.HasPrefix(entry.Name(), ".") {
			next.hidden = entry.Name()
		}
		below, err := fs.ReadDir(w.fsys, path.Join(w.tree.root, next.dir))
		if err != nil && len(below) == 0 {
			continue // nobody finds anything there
		}
		more := links
		if isLink {
			more++
		}
		w.dir(next, below, more)
	}
}

func (w *walker) isDir(name string) bool {
	info, err := fs.Stat(w.fsys, name)
	return err == nil && info.IsDir()
}

// isCandidate reports whether an entry is a file that some client takes for a
// skill.
func (w *walker) isCandidate(at treeEntry, entry fs.DirEntry) bool {
	name := entry.Name()
	if !strings.EqualFold(name, spec.SkillFile) && (at.depth > 0 || path.Ext(name) != ".md") {
		return false
	}
	if entry.Type()&fs.ModeSymlink != 0 {
		info, err := fs.Stat(w.fsys, path.Join(w.tree.root, at.dir, name))
		return err == nil && info.Mode().IsRegular()
	}
	return entry.Type().IsRegular()
}

// finds says of each entry whether a client finds it.
func (t *tree) finds(p *Profile) []Find {
	finds := make([]Find, 0, len(t.entries))
	for i := range t.entries {
		e := &t.entries[i]
		f := Find{Dir: e.dir, File: e.file}
		if f.flat() {
			f.Context = p.Walk.Flat == "context"
		}
		if reason := p.misses(e); reason != nil {
			reason.Effect, reason.Path = Drops, e.file
			f.Missed = reason
		}
		finds = append(finds, f)
	}
	slices.SortStableFunc(finds, func(a, b Find) int { return strings.Compare(a.join(), b.join()) })
	return finds
}

// misses says why a client does not find an entry, or gives nil.
func (p *Profile) misses(e *treeEntry) *Reason {
	w := &p.Walk
	reason := func(id, format string, args ...any) *Reason {
		return &Reason{ID: idPrefix + id, Message: fmt.Sprintf(format, args...)}
	}
	if !strings.EqualFold(e.file, spec.SkillFile) {
		if w.Flat == "" || w.Flat == "none" {
			return reason("flat-file", "%q is a file in the root; a skill is a folder with SKILL.md", clip(e.file, 80))
		}
		return nil
	}
	if e.file != spec.SkillFile && w.FileName != "any" && !(w.FileName == "lower" && e.file == "skill.md") {
		return reason("file-name", "the file is called %q; it must be SKILL.md", e.file)
	}
	if e.depth == 0 && !w.Root && !(w.Flat == "skill" && e.depth == 0) {
		return reason("folder-depth", "the skill stands in the root itself; it must have a folder of its own")
	}
	for _, segment := range e.segments {
		if contains(w.Ignored, segment) {
			return reason("folder-ignored", "the folder %q is not searched", segment)
		}
	}
	switch {
	case e.hidden != "" && !w.Hidden:
		return reason("folder-hidden", "the folder %q starts with a dot, and hidden folders are not searched", clip(e.hidden, 80))
	case e.isLink && w.FolderLinks == "skip":
		return reason("folder-link", "the way to the skill leads through a link, and links are not followed")
	case e.fileLink && w.FileLinks == "skip":
		return reason("file-link", "SKILL.md is a link, and such files are skipped")
	case w.Depth > 0 && e.depth > w.Depth:
		return reason("folder-depth", "the skill stands %d folders deep; the limit is %d", e.depth, w.Depth)
	case e.outer != "" && !w.Nested && !(e.outer == "." && !w.Root):
		return reason("folder-nested", "the skill stands within another one, in %q", clip(e.outer, 80))
	}
	return nil
}
