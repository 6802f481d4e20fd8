package cmd

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/spec"
)

// clientTargets are the skills that arguments stand for, by the root that they
// stand in. What a client makes of a skill depends on its way from there.
type clientTargets struct {
	targets
	// roots are real, absolute directories, sorted.
	roots []clientRoot
}

// clientRoot is one root, with the folders of skills and the flat files that are
// asked for in it, sorted.
type clientRoot struct {
	dir    string
	wanted []string
	search search
	base   string
}

// resolveRoots turns arguments into roots.
func resolveRoots(ctx context.Context, s search, args []string) (*clientTargets, error) {
	t, err := s.resolve(ctx, args, nil)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	r := &rootFinder{
		search: s, base: t.base, wanted: map[string][]string{}, linked: map[string]bool{}, named: map[string]bool{},
		holds: map[string]bool{}, outer: map[string]string{}, roots: map[string]string{},
	}
	searched := r.directories(ctx, args)
	r.linkedSkills(args)
	for _, dir := range t.dirs {
		if (r.named[dir] || !r.linked[dir]) && !slices.ContainsFunc(searched, func(top string) bool { return contains(top, dir) }) {
			r.want(dir)
		}
	}
	r.flatFiles(searched)
	if r.nested > 0 && !s.nested {
		t.notes = append(t.notes, nestedNote(r.nested))
	}
	found := &clientTargets{targets: t}
	for dir, wanted := range r.wanted {
		slices.Sort(wanted)
		found.roots = append(found.roots, clientRoot{dir: dir, wanted: slices.Compact(wanted), search: s, base: t.base})
	}
	slices.SortFunc(found.roots, func(a, b clientRoot) int { return strings.Compare(a.dir, b.dir) })
	return found, nil
}

// rootFinder finds the root of each skill.
type rootFinder struct {
	search search
	base   string
	holds  map[string]bool     // whether a folder holds folders of skills
	outer  map[string]string   // the outermost skill around a folder
	roots  map[string]string   // of the skills in a folder
	wanted map[string][]string // by root
	linked map[string]bool     // what links lead to that are asked for
	named  map[string]bool     // what is an argument itself
	nested int                 // skills within skills that are passed by
}

// directories adds what stands below the arguments that are folders to be
// searched, links to skills as well, and gives these folders.
func (r *rootFinder) directories(ctx context.Context, args []string) []string {
	var searched []string
	excluder := &resolver{search: r.search, base: r.base}
	for _, arg := range args {
		top, err := realPath(arg)
		if err != nil {
			continue // reported
		}
		info, err := os.Stat(top)
		if err != nil || !info.IsDir() || spec.IsSkillDir(top) || r.search.forceExclude && excluder.excluded(r.base, top) {
			continue
		}
		options := spec.FindOptions{MaxDepth: r.search.maxDepth, MaxDirs: r.search.maxDirs, Nested: true}
		if len(r.search.exclude) > 0 {
			options.Exclude = func(at string) bool { return excluder.excluded(top, filepath.Join(top, filepath.FromSlash(at))) }
		}
		found, err := spec.Find(ctx, os.DirFS(top), ".", options)
		if err != nil {
			continue // reported
		}
		searched = append(searched, top)
		outer := ""
		for _, at := range found.Skills {
			if outer != "" && strings.HasPrefix(at, outer+"/") {
				if r.nested++; !r.search.nested {
					continue
				}
			} else {
				outer = at
			}
			r.want(filepath.Join(top, filepath.FromSlash(at)))
		}
		for _, at := range found.Links {
			link := filepath.Join(top, filepath.FromSlash(at))
			if real, err := realPath(link); err == nil {
				r.linked[real] = true
			}
			r.want(link)
		}
	}
	return searched
}

// linkedSkills adds the arguments that are links to a skill: what a client makes
// of it depends on the link.
func (r *rootFinder) linkedSkills(args []string) {
	for _, arg := range args {
		abs, err := filepath.Abs(arg)
		if err != nil {
			continue // reported
		}
		parent, err := realPath(filepath.Dir(abs))
		if err != nil {
			continue
		}
		link := filepath.Join(parent, filepath.Base(abs))
		real, err := realPath(abs)
		if info, lerr := os.Lstat(link); err == nil && lerr == nil && info.Mode()&fs.ModeSymlink != 0 && spec.IsSkillDir(real) {
			r.linked[real] = true
			r.want(link)
		} else if err == nil {
			r.named[real] = true
		}
	}
}

// flatFiles adds the Markdown files in the roots below the folders that are
// searched, where they have the fields of a skill: some clients take them for
// one.
func (r *rootFinder) flatFiles(searched []string) {
	excluder := &resolver{search: r.search, base: r.base}
	for root := range r.wanted {
		if !slices.ContainsFunc(searched, func(top string) bool { return contains(top, root) }) {
			continue
		}
		entries, err := os.ReadDir(root)
		if err != nil {
			continue // reported
		}
		for _, entry := range entries {
			name := filepath.Join(root, entry.Name())
			flat := entry.Type().IsRegular() && filepath.Ext(name) == ".md" && !strings.EqualFold(entry.Name(), spec.SkillFile)
			if flat && !excluder.excluded(root, name) && hasFields(name) {
				r.wanted[root] = append(r.wanted[root], name)
			}
		}
	}
}

// hasFields reports whether a file has a name or a description in frontmatter.
func hasFields(name string) bool {
	source, err := readSkillFile(name)
	if err != nil {
		return false
	}
	fields := spec.Parse(source).Frontmatter
	return fields.Name != "" || fields.Description != ""
}

// readSkillFile reads a file up to one byte more than spec.MaxSkillFileBytes.
func readSkillFile(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, spec.MaxSkillFileBytes+1))
}

// want adds a skill's folder to what is asked for in its root.
func (r *rootFinder) want(dir string) {
	root := r.root(dir)
	r.wanted[root] = append(r.wanted[root], dir)
}

// root gives the root of a skill: the nearest folder above the outermost skill
// that holds it which is called as roots are, or else the outermost folder in
// its repository that holds folders of skills, or else the one that it stands
// in.
func (r *rootFinder) root(dir string) string {
	if outer := r.outermost(filepath.Dir(dir)); outer != "" {
		dir = outer
	}
	parent := filepath.Dir(dir)
	if isRootName(dir) && strings.HasPrefix(filepath.Base(parent), ".") {
		return dir // a SKILL.md in .claude/skills itself
	}
	root, known := r.roots[parent]
	if !known {
		root = r.rootOf(parent)
		r.roots[parent] = root
	}
	return root
}

func (r *rootFinder) rootOf(parent string) string {
	top, _ := repository(parent)
	for at := parent; ; at = filepath.Dir(at) {
		if isRootName(at) {
			return at
		}
		if at == top || at == filepath.Dir(at) {
			break
		}
	}
	root := parent
	if top == "" {
		return root
	}
	for at := parent; ; at = filepath.Dir(at) {
		if r.holdsSkills(at) {
			root = at
		}
		if at == top || at == filepath.Dir(at) {
			return root
		}
	}
}

// outermost gives the outermost skill that holds a folder, or is it, as far as
// the root of its repository; "" where there is none.
func (r *rootFinder) outermost(dir string) string {
	outer, known := r.outer[dir]
	if known {
		return outer
	}
	if parent := filepath.Dir(dir); parent != dir && !exists(filepath.Join(dir, ".git")) {
		outer = r.outermost(parent)
	}
	if outer == "" && spec.IsSkillDir(dir) {
		outer = dir
	}
	r.outer[dir] = outer
	return outer
}

// isRootName reports whether a folder is called as the roots of clients are.
func isRootName(dir string) bool {
	name := filepath.Base(dir)
	return name == "skills" || name == "skill" || name == ".skills"
}

func (r *rootFinder) holdsSkills(dir string) bool {
	holds, known := r.holds[dir]
	if known {
		return holds
	}
	entries, err := os.ReadDir(dir)
	holds = err == nil && slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		return entry.IsDir() && spec.IsSkillDir(filepath.Join(dir, entry.Name()))
	})
	r.holds[dir] = holds
	return holds
}

// contains reports whether a path is a folder or lies within it.
func contains(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}

// readersOf gives the clients that look into a root of a project, where any
// does: it is known by its last two names, such as .claude/skills.
func readersOf(root string, profiles []*clients.Profile) []string {
	tail := filepath.Base(filepath.Dir(root)) + "/" + filepath.Base(root)
	var ids []string
	for _, p := range profiles {
		if strings.HasPrefix(tail, ".") && slices.Contains(p.Roots.Project, tail) {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// rootFS is a root as clients are to see it: only what is asked for. It keeps
// the errors of files that could not be read.
type rootFS struct {
	fs.FS
	root clientRoot
	// whole are the folders and files asked for, and onWay those above them.
	whole, onWay map[string]bool
	errors       []report.Error
}

func newRootFS(root clientRoot) *rootFS {
	f := &rootFS{FS: os.DirFS(filepath.Dir(root.dir)), root: root, whole: map[string]bool{}, onWay: map[string]bool{}}
	for _, wanted := range root.wanted {
		f.whole[wanted] = true
		for at := filepath.Dir(wanted); contains(root.dir, at) && !f.onWay[at]; at = filepath.Dir(at) {
			f.onWay[at] = true
		}
	}
	return f
}

// name gives the name of the root in the file system: it has one, so that a
// skill in the root itself has a folder.
func (f *rootFS) name() string {
	if filepath.Dir(f.root.dir) == f.root.dir {
		return "."
	}
	return filepath.Base(f.root.dir)
}

func (f *rootFS) real(name string) string {
	return filepath.Join(filepath.Dir(f.root.dir), filepath.FromSlash(name))
}

// Open opens a file.
func (f *rootFS) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if err != nil {
		f.errors = append(f.errors, report.Error{Path: filepath.ToSlash(f.real(name)), Message: plainError(err).Error()})
	}
	return file, err
}

// Stat looks at a file, links followed.
func (f *rootFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.FS, name) }

// passedBy are folders that hold other people's files.
var passedBy = []string{".git", "node_modules", ".venv", "venv", "__pycache__"}

// ReadDir lists a folder, without what nobody asked about.
func (f *rootFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(f.FS, name)
	dir := f.real(name)
	inside := f.inside(dir)
	excluder := &resolver{search: f.root.search, base: f.root.base}
	return slices.DeleteFunc(entries, func(entry fs.DirEntry) bool {
		at := filepath.Join(dir, entry.Name())
		switch {
		case f.whole[at], f.onWay[at]:
			return false
		case !inside, slices.Contains(passedBy, entry.Name()):
			return true
		case strings.EqualFold(entry.Name(), spec.SkillFile):
			return false
		}
		return !f.root.search.nested || excluder.excluded(dir, at)
	}), err
}

// inside reports whether a folder is one that is asked for, or stands in one.
func (f *rootFS) inside(dir string) bool {
	for ; contains(f.root.dir, dir); dir = filepath.Dir(dir) {
		if f.whole[dir] {
			return true
		}
		if dir == f.root.dir {
			break
		}
	}
	return false
}
