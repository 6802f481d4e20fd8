package spec

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skilltool/skilltool/internal/cause"
)

// FindOptions bound and steer a search for skills. The zero value searches to
// MaxDepth and stops at each skill.
type FindOptions struct {
	// MaxDepth is how many folders below the root are entered; 0 stands for
	// MaxDepth.
	MaxDepth int
	// MaxDirs is how many folders are entered in all; 0 is no bound.
	MaxDirs int
	// Nested goes on below a skill, where other skills may stand (AS-S3).
	Nested bool
	// Exclude, where it is not nil, leaves out the files and folders for which
	// it gives true. It gets paths in the file system that is searched.
	Exclude func(path string) bool
	// OnSkill, where it is not nil, is called for each skill as soon as it is
	// found, so that it can be read while the search goes on.
	OnSkill func(Candidate)
}

// Candidate is the folder of a skill as a search has seen it.
type Candidate struct {
	// Dir is the folder, as in Found.Skills.
	Dir     string
	entries []fs.DirEntry
}

// Found is the outcome of a search.
type Found struct {
	// Skills are the folders of skills, sorted.
	Skills []string
	// Links are symbolic links to folders that hold a SKILL.md, sorted. They
	// are not among Skills: the caller knows whether it has their targets
	// already.
	Links []string
	// Limits say which bounds were reached and so left something unsearched.
	Limits []string
	// Errors name the folders that could not be listed.
	Errors []error
}

// skippedDirs are never searched (AS-S1): they hold other people's files.
var skippedDirs = map[string]bool{".git": true, "node_modules": true, ".venv": true, "venv": true, "__pycache__": true}

// errNotUTF8: a folder was not searched.
var errNotUTF8 = errors.New("the name of this folder is no UTF-8; it was not searched")

// finder is one search.
type finder struct {
	ctx     context.Context
	fsys    fs.FS
	options FindOptions
	dirs    int
	limits  map[string]bool
	found   Found
}

// Find looks for skills in the tree below root, a slash-separated directory of
// fsys; root itself may be one. Symbolic links are not followed, so the search
// ends in any tree. Find fails only if ctx ends or root cannot be listed.
func Find(ctx context.Context, fsys fs.FS, root string, options FindOptions) (*Found, error) {
	if options.MaxDepth == 0 {
		options.MaxDepth = MaxDepth
	}
	f := &finder{ctx: ctx, fsys: fsys, options: options, limits: map[string]bool{}}
	entries, err := fs.ReadDir(fsys, root)
	if err != nil && len(entries) == 0 {
		return nil, &PathError{root, cause.Of(err)}
	}
	f.dir(root, entries, 0, true)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for limit := range f.limits {
		f.found.Limits = append(f.found.Limits, limit)
	}
	slices.Sort(f.found.Limits)
	slices.Sort(f.found.Skills)
	slices.Sort(f.found.Links)
	slices.SortFunc(f.found.Errors, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return &f.found, nil
}

// dir looks at one folder whose entries are read already.
func (f *finder) dir(dir string, entries []fs.DirEntry, depth int, isRoot bool) {
	if f.ctx.Err() != nil {
		return
	}
	if f.isSkill(dir, entries, isRoot) {
		f.found.Skills = append(f.found.Skills, dir)
		if f.options.OnSkill != nil {
			f.options.OnSkill(Candidate{dir, entries})
		}
		if !f.options.Nested {
			return
		}
	}
	for _, entry := range entries {
		at := joinName(dir, entry.Name())
		switch {
		case f.options.Exclude != nil && f.options.Exclude(at):
		case entry.Type()&fs.ModeSymlink != 0:
			if f.linksToSkill(at) {
				f.found.Links = append(f.found.Links, at)
			}
		case entry.IsDir() && !utf8.ValidString(entry.Name()):
			f.found.Errors = append(f.found.Errors, &PathError{at, errNotUTF8})
		case entry.IsDir() && !skippedDirs[entry.Name()]:
			f.enter(at, depth+1)
		}
	}
}

func (f *finder) enter(dir string, depth int) {
	if depth > f.options.MaxDepth {
		f.limits["depth"] = true
		return
	}
	if f.options.MaxDirs > 0 && f.dirs >= f.options.MaxDirs {
		f.limits["directories"] = true
		return
	}
	f.dirs++
	entries, err := fs.ReadDir(f.fsys, dir)
	if err != nil {
		f.found.Errors = append(f.found.Errors, &PathError{dir, cause.Of(err)})
	}
	f.dir(dir, entries, depth, false)
}

// isSkill reports whether a folder is a skill. In a tree that is searched
// skills.md counts only if it begins like a skill: a page of documentation may
// well be called that.
func (f *finder) isSkill(dir string, entries []fs.DirEntry, isRoot bool) bool {
	main, problem := mainFile(entries)
	if main == nil {
		return false
	}
	if f.options.Exclude != nil && f.options.Exclude(joinName(dir, main.Name())) {
		return false
	}
	if problem != FileMisnamed || isRoot || strings.EqualFold(main.Name(), SkillFile) || main.Name() == "SKILLS.md" {
		return true
	}
	return main.Type().IsRegular() && f.beginsWithFence(joinName(dir, main.Name()))
}

func (f *finder) beginsWithFence(name string) bool {
	file, err := f.fsys.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, 512)
	n, _ := file.Read(head)
	text := strings.TrimLeft(strings.TrimPrefix(string(head[:n]), string(bom)), " \t\r\n")
	return strings.HasPrefix(text, "---")
}

// linksToSkill reports whether a link leads to a folder that holds SKILL.md.
func (f *finder) linksToSkill(at string) bool {
	info, err := fs.Stat(f.fsys, at)
	if err != nil || !info.IsDir() {
		return false
	}
	info, err = fs.Stat(f.fsys, path.Join(at, SkillFile))
	return err == nil && info.Mode().IsRegular()
}
