package cmd

import (
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/spec"
)

func digestCommand() *command {
	return &command{
		name:    "digest",
		usage:   "[PATH...]",
		summary: "print the digests of skills",
		description: "Prints one digest over all files of each skill, and its name, or its path where that is needed to tell " +
			"skills apart. With --files it prints the digest of every file instead.\n\n" +
			"The algorithms: sha256 is the SHA-256 of the lines \"digest, two blanks, path\" of all files, sorted by path; " +
			"h1 is the same as Go writes it in go.sum; skills-lock is computedHash of skills-lock.json; git-tree is the id " +
			"of the folder as a Git tree. sha256 and h1 are over the files that are served; the others are over the files that " +
			"their own tools take.",
		arguments: []argument{{"PATH", "a skill's directory, a directory to search for skills, or any file of a skill; none is \".\""}},
		maxArgs:   anyArgs,
		flags: slices.Concat([]cli.Flag{
			&choiceFlag{
				StringFlag: &cli.StringFlag{Name: "algorithm", Value: string(digest.SHA256), Usage: "compute `NAME`"},
				choices:    algorithmNames(),
			},
			&cli.BoolFlag{Name: "files", Usage: "print the SHA-256 of every file"},
		}, searchFlags(), jobsFlags()),
		examples: []example{
			{"the digest of one skill", "skilltool digest skills/pdf-tools"},
			{"what npx skills has in its lock file", "skilltool digest --algorithm skills-lock .agents/skills"},
		},
		exits: []exitCode{
			{exitOK, "the digests were printed"},
			{exitFailure, "usage error, a missing path, no skill found, or a file that could not be read"},
			{exitInterrupted, "interrupted"},
		},
		action: runDigest,
	}
}

func algorithmNames() []string {
	var names []string
	for _, a := range digest.Algorithms() {
		names = append(names, string(a))
	}
	return names
}

func jobsFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "read `N` skills at a time; 0 is one for each core"},
	}
}

func runDigest(c *cli.Context, e *env) error {
	algorithm := digest.Algorithm(c.String("algorithm"))
	if c.Bool("files") && algorithm != digest.SHA256 {
		return usagef("--files goes with the algorithm sha256")
	}
	workDir, err := realPath(".")
	if err != nil {
		return err
	}
	t, all, err := readSkills(c.Context, c, e, func(ctx context.Context, d skillDir) digested {
		return digestSkill(ctx, d, algorithm, c.Bool("files"))
	})
	if err != nil {
		return err
	}
	r := &report.Report{Errors: t.errors, Notes: t.notes, WorkDir: filepath.ToSlash(workDir)}
	names := map[string]int{}
	for _, d := range all {
		r.Errors = append(r.Errors, d.errors...)
		names[d.name]++
	}
	var b strings.Builder
	for _, d := range all {
		d.write(&b, displayPath(workDir, d.dir), names[d.name] == 1 && d.name != "")
	}
	if _, err := io.WriteString(e.stdout, b.String()); err != nil {
		return err
	}
	options := e.options(e.stderr)
	fmt.Fprint(e.stderr, report.ErrorLines(r, options))
	if !e.quiet {
		fmt.Fprint(e.stderr, report.NoteLines(r, options))
	}
	if len(r.Errors) > 0 {
		return exitStatus(exitFailure)
	}
	return nil
}

// digested is one skill with its digest, or with those of its files.
type digested struct {
	dir, name string
	sum       string
	files     []digest.Entry
	errors    []report.Error
}

func digestSkill(ctx context.Context, d skillDir, algorithm digest.Algorithm, files bool) digested {
	out := digested{dir: filepath.ToSlash(d.dir)}
	if files || algorithm == digest.SHA256 || algorithm == digest.H1 {
		skill, manifest, errs := readSkill(ctx, d)
		if out.errors = errs; len(errs) > 0 {
			return out
		}
		out.name, out.sum = skill.Frontmatter.Name, manifest.Digest().String()
		if algorithm == digest.H1 {
			out.sum = manifest.H1()
		}
		if files {
			out.files = manifest.Entries
		}
		return out
	}
	skill, errs := loadSkill(d)
	if out.errors = errs; len(errs) > 0 {
		return out
	}
	out.name = skill.Frontmatter.Name
	var err error
	if out.sum, err = digest.Sum(ctx, skill, algorithm); err != nil {
		out.errors = []report.Error{digestError(out.dir, err)}
	}
	return out
}

// write writes what is printed for one skill: the name where it tells skills
// apart, else the path.
func (d digested) write(b *strings.Builder, shownPath string, byName bool) {
	switch {
	case len(d.errors) > 0:
	case d.files != nil:
		for _, f := range d.files {
			fmt.Fprintf(b, "%s  %s\n", f.Digest, term.Escape(path.Join(shownPath, f.Path)))
		}
	case byName:
		fmt.Fprintf(b, "%s  %s\n", d.sum, term.Escape(d.name))
	default:
		fmt.Fprintf(b, "%s  %s\n", d.sum, term.Escape(shownPath))
	}
}

// readSkills works on the skills that the arguments stand for, several at a time
// and while the search for them goes on. The results are in the order of the
// skills' directories, whatever the number of workers.
func readSkills[T any](ctx context.Context, c *cli.Context, e *env, work func(context.Context, skillDir) T) (targets, []T, error) {
	if c.Int("jobs") < 0 {
		return targets{}, nil, usagef("--jobs takes a number from 0 on, not %d", c.Int("jobs"))
	}
	s, err := newSearch(c)
	if err != nil {
		return targets{}, nil, err
	}
	shown := e.startProgress("skills")
	defer shown.end()
	var mu sync.Mutex
	results := map[string]T{}
	workers := startPool(ctx, c.Int("jobs"), func(d skillDir) {
		result := work(ctx, d)
		mu.Lock()
		defer mu.Unlock()
		results[d.dir] = result
		shown.done.Add(1)
	})
	t, err := s.resolve(ctx, e.args, workers.add)
	if waitErr := workers.wait(); err == nil {
		err = waitErr
	}
	sorted := make([]T, len(t.dirs))
	for i, dir := range t.dirs {
		sorted[i] = results[dir]
	}
	return t, sorted, err
}

// loadSkill reads a skill, but no file of it save SKILL.md.
func loadSkill(d skillDir) (*spec.Skill, []report.Error) {
	slash := filepath.ToSlash(d.dir)
	skill, err := d.load()
	if err != nil {
		return nil, []report.Error{{Path: slash, Message: plainError(err).Error()}}
	}
	var errs []report.Error
	for _, err := range skill.Errors {
		errs = append(errs, skillError(slash, err))
	}
	return skill, errs
}

// readSkill reads a skill and all its files.
func readSkill(ctx context.Context, d skillDir) (*spec.Skill, *digest.Manifest, []report.Error) {
	skill, errs := loadSkill(d)
	if skill == nil {
		return nil, nil, errs
	}
	folder := &folderFS{dir: d.dir}
	defer folder.close()
	reading := *skill
	reading.FS = folder
	manifest, failed := digest.Build(ctx, &reading)
	for _, err := range failed {
		errs = append(errs, digestError(filepath.ToSlash(d.dir), err))
	}
	return skill, manifest, errs
}

// digestError places an error of pkg/digest.
func digestError(skill string, err error) report.Error {
	if at, ok := err.(*digest.FileError); ok {
		return report.Error{Path: path.Join(skill, at.Path), Message: plainError(at.Err).Error()}
	}
	return report.Error{Path: skill, Message: plainError(err).Error()}
}
