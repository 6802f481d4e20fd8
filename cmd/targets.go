package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/spec"
)

// search says how arguments become skills.
type search struct {
	nested       bool
	maxDepth     int
	maxDirs      int
	exclude      []string
	forceExclude bool
	// ignoreUnmatched takes arguments that lead to no skill without complaint.
	ignoreUnmatched bool
}

// newSearch reads the flags of searchFlags.
func newSearch(c *cli.Context) (search, error) {
	s := search{
		nested:          c.Bool("nested"),
		maxDepth:        c.Int("max-depth"),
		maxDirs:         c.Int("max-dirs"),
		exclude:         c.StringSlice("exclude"),
		forceExclude:    c.Bool("force-exclude"),
		ignoreUnmatched: c.Bool("ignore-unmatched"),
	}
	if s.maxDepth < 1 {
		return s, usagef("--max-depth takes a number from 1 on, not %d", s.maxDepth)
	}
	if s.maxDirs < 0 {
		return s, usagef("--max-dirs takes a number from 0 on, not %d", s.maxDirs)
	}
	for _, pattern := range s.exclude {
		if !doublestar.ValidatePattern(pattern) {
			return s, usagef("--exclude: %q is no glob", pattern)
		}
	}
	return s, nil
}

func searchFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "nested", Usage: "check skills within skills on their own too"},
		&cli.StringSliceFlag{Name: "exclude", Usage: "leave out what fits `GLOB`: a name anywhere, or with a slash a path below the repository's root"},
		&cli.BoolFlag{Name: "force-exclude", Usage: "exclude paths that are named as arguments too"},
		&cli.BoolFlag{Name: "ignore-unmatched", Usage: "take arguments that lead to no skill without complaint"},
		&cli.IntFlag{Name: "max-depth", Value: spec.MaxDepth, Usage: "enter at most `N` folders below an argument"},
		&cli.IntFlag{Name: "max-dirs", Usage: "enter at most `N` folders for an argument; 0 is no bound"},
	}
}

// targets are the skills that the arguments of a command stand for.
type targets struct {
	// dirs are the real, absolute directories of skills, sorted, each once.
	dirs []string
	// below gives for each of dirs its path below the argument that led to it,
	// slash-separated, and "." where it is the argument itself.
	below map[string]string
	// base is the absolute directory that machine formats start paths from.
	base   string
	errors []report.Error
	notes  []string
}

// skillDir is the real, absolute directory of a skill, and what a search of
// root has seen of it, if one has.
type skillDir struct {
	dir, root string
	candidate *spec.Candidate
}

// load reads the skill.
func (s skillDir) load() (*spec.Skill, error) {
	if s.candidate != nil {
		return s.candidate.LoadDir(s.root)
	}
	return spec.LoadDir(s.dir)
}

// resolver collects targets.
type resolver struct {
	ctx     context.Context
	search  search
	workDir string
	base    string
	dirs    map[string]string // real directory to path below its argument
	found   func(skillDir)
	errors  []report.Error
	// unmatched are arguments that lead to no skill, each with the reason.
	unmatched []report.Error
}

// resolve turns arguments into skills (AS-S5). No argument stands for ".".
//
// found, where it is not nil, is called for each skill as soon as it is known,
// while the search goes on.
func (s search) resolve(ctx context.Context, args []string, found func(skillDir)) (targets, error) {
	workDir, err := realPath(".")
	if err != nil {
		return targets{}, fmt.Errorf("the working directory cannot be found: %w", err)
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	r := &resolver{ctx: ctx, search: s, workDir: workDir, base: baseOf(workDir, args), dirs: map[string]string{}, found: found}
	for _, arg := range args {
		r.argument(arg)
	}
	if err := ctx.Err(); err != nil {
		return targets{}, err
	}
	return r.targets(), nil
}

// targets judges the arguments that led nowhere: beside others that matched
// they are worth a note, alone they are a failure.
func (r *resolver) targets() targets {
	t := targets{base: r.base, errors: r.errors, below: r.dirs}
	for dir := range r.dirs {
		t.dirs = append(t.dirs, dir)
	}
	slices.Sort(t.dirs)
	for _, u := range r.unmatched {
		switch {
		case len(t.dirs) == 0 && !r.search.ignoreUnmatched:
			t.errors = append(t.errors, u)
		case !r.search.ignoreUnmatched:
			t.notes = append(t.notes, displayPath(r.workDir, u.Path)+": "+u.Message)
		}
	}
	slices.SortFunc(t.errors, func(a, b report.Error) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Message, b.Message))
	})
	t.errors = slices.Compact(t.errors)
	return t
}

func (r *resolver) argument(arg string) {
	info, err := os.Stat(arg)
	if err != nil {
		if _, lerr := os.Lstat(arg); lerr != nil {
			r.fail(absolute(r.workDir, arg), plainError(err))
			return
		}
		// A link that leads nowhere is still a file of the skill around it.
		r.file(arg)
		return
	}
	if info.IsDir() {
		r.directory(arg)
		return
	}
	r.file(arg)
}

func (r *resolver) fail(path string, err error) {
	r.errors = append(r.errors, report.Error{Path: filepath.ToSlash(path), Message: err.Error()})
}

func (r *resolver) miss(path, message string) {
	r.unmatched = append(r.unmatched, report.Error{Path: filepath.ToSlash(path), Message: message})
}

// directory searches a folder, which may be a skill itself.
func (r *resolver) directory(arg string) {
	root, err := realPath(arg)
	if err != nil {
		r.fail(absolute(r.workDir, arg), plainError(err))
		return
	}
	if r.search.forceExclude && r.excluded(r.base, root) {
		r.miss(root, "it is excluded")
		return
	}
	before := len(r.dirs)
	found, err := spec.Find(r.ctx, os.DirFS(root), ".", r.findOptions(root))
	if err != nil {
		if r.ctx.Err() == nil {
			r.failBelow(root, err)
		}
		return
	}
	for _, link := range found.Links {
		if real, err := realPath(filepath.Join(root, filepath.FromSlash(link))); err == nil {
			r.add(skillDir{dir: real}, displayPath(root, filepath.ToSlash(real)))
		}
	}
	for _, err := range found.Errors {
		r.failBelow(root, err)
	}
	for _, limit := range found.Limits {
		r.fail(root, fmt.Errorf("the search ended at the bound on %s; --max-depth and --max-dirs set the bounds", limit))
	}
	if len(r.dirs) == before && len(found.Skills) == 0 && len(found.Links) == 0 {
		r.missBelow(root)
	}
}

// findOptions makes a search of root add each skill as it finds it.
func (r *resolver) findOptions(root string) spec.FindOptions {
	options := spec.FindOptions{MaxDepth: r.search.maxDepth, MaxDirs: r.search.maxDirs, Nested: r.search.nested}
	if len(r.search.exclude) > 0 {
		options.Exclude = func(at string) bool { return r.excluded(root, filepath.Join(root, filepath.FromSlash(at))) }
	}
	rootIsSkill := false
	options.OnSkill = func(c spec.Candidate) {
		below := c.Dir
		if rootIsSkill {
			below = path.Join(filepath.Base(root), c.Dir) // the path of a skill goes on below its own
		}
		rootIsSkill = rootIsSkill || c.Dir == "."
		r.add(skillDir{dir: filepath.Join(root, filepath.FromSlash(c.Dir)), root: root, candidate: &c}, below)
	}
	return options
}

// missBelow says that a folder holds no skill, and which skill it is part of.
func (r *resolver) missBelow(root string) {
	message := "no skill found; a skill is a folder with a SKILL.md"
	if outer := enclosing(root); len(outer) > 0 {
		message += fmt.Sprintf(" (this folder is part of the skill %s)", displayPath(r.workDir, filepath.ToSlash(outer[0])))
	}
	r.miss(root, message)
}

// failBelow reports an error of the search, which names a path below root.
func (r *resolver) failBelow(root string, err error) {
	var at *spec.PathError
	if errors.As(err, &at) {
		r.fail(filepath.Join(root, filepath.FromSlash(at.Path)), plainError(at.Err))
		return
	}
	r.fail(root, plainError(err))
}

// add takes a skill. A path that is not below the argument, as that of a linked
// folder may be, counts as the argument itself.
func (r *resolver) add(s skillDir, below string) {
	if _, known := r.dirs[s.dir]; known {
		return
	}
	if path.IsAbs(below) || filepath.IsAbs(below) {
		below = "."
	}
	r.dirs[s.dir] = below
	if r.found != nil {
		r.found(s)
	}
}

// file adds the outermost skill that holds a file, and the innermost as well
// with --nested.
func (r *resolver) file(arg string) {
	dir, err := realPath(filepath.Dir(arg))
	if err != nil {
		r.fail(absolute(r.workDir, arg), plainError(err))
		return
	}
	name := filepath.Join(dir, filepath.Base(arg))
	if r.search.forceExclude && r.excluded(r.base, name) {
		r.miss(name, "it is excluded")
		return
	}
	skills := enclosing(dir)
	if len(skills) == 0 && strings.EqualFold(filepath.Base(arg), spec.SkillFile) {
		skills = []string{dir} // named outright, it counts whatever it holds
	}
	if len(skills) == 0 {
		r.miss(name, "this file is in no skill")
		return
	}
	r.add(skillDir{dir: skills[0]}, ".")
	if r.search.nested {
		r.add(skillDir{dir: skills[len(skills)-1]}, ".")
	}
}

// enclosing gives the skills that hold a real directory, the outermost first.
// The search goes up to the root of the repository, or of the file system
// outside of one, and so does not depend on the working directory.
func enclosing(dir string) []string {
	var skills []string
	for {
		if spec.IsSkillDir(dir) {
			skills = append(skills, dir)
		}
		parent := filepath.Dir(dir)
		if parent == dir || exists(filepath.Join(dir, ".git")) {
			slices.Reverse(skills)
			return skills
		}
		dir = parent
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// excluded matches a real path, and the folders between it and top, with the
// patterns of --exclude. A pattern without a slash fits a name anywhere, one
// with a slash a path below the base.
func (r *resolver) excluded(top, name string) bool {
	for ; name != top && name != filepath.Dir(name); name = filepath.Dir(name) {
		rel, err := filepath.Rel(r.base, name)
		if err != nil {
			return false
		}
		for _, pattern := range r.search.exclude {
			subject := filepath.ToSlash(rel)
			if !strings.Contains(pattern, "/") {
				subject = path.Base(subject)
			}
			if doublestar.MatchUnvalidated(strings.Trim(pattern, "/"), subject) {
				return true
			}
		}
	}
	return false
}

// baseOf gives the root of the repository that holds the first argument, else
// of the one that holds the working directory, else the working directory.
func baseOf(workDir string, args []string) string {
	first, err := realPath(args[0])
	if err != nil {
		first = absolute(workDir, args[0])
	}
	for _, dir := range []string{first, workDir} {
		if root, ok := repository(dir); ok {
			return root
		}
	}
	return workDir
}

// repository gives the nearest folder above a path, or the path itself, that
// holds .git.
func repository(dir string) (string, bool) {
	for {
		if exists(filepath.Join(dir, ".git")) {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// realPath gives the absolute path without links, with the last segment
// spelt as its folder lists it: a disk that ignores case takes any spelling.
func realPath(name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return "", err
	}
	parent, base := filepath.Split(abs)
	if base == "" {
		return abs, nil
	}
	entries, err := os.ReadDir(parent)
	if err != nil {
		return abs, nil
	}
	i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return e.Name() == base })
	if i < 0 {
		i = slices.IndexFunc(entries, func(e fs.DirEntry) bool { return strings.EqualFold(e.Name(), base) })
	}
	if i >= 0 {
		return filepath.Join(parent, entries[i].Name()), nil
	}
	return abs, nil
}

func absolute(workDir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(workDir, name)
}

// displayPath makes an absolute path relative to dir if it lies within.
func displayPath(dir, name string) string {
	if rel, err := filepath.Rel(dir, filepath.FromSlash(name)); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return name
}

// plainError reduces an error of the file system to what a person wants to
// read: the path stands in front of it anyway.
func plainError(err error) error {
	var pathError *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file or folder")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("permission denied")
	case errors.As(err, &pathError):
		return pathError.Err
	}
	return err
}
