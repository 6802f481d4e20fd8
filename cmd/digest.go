package cmd

import (
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
		description: "Prints one digest over all files of each skill, and its directory. With --files it prints the digest " +
			"of every file instead.\n\n" +
			"The algorithms: sha256 is the SHA-256 of the lines \"digest, two blanks, path\" of all files, sorted by path; " +
			"h1 is the same as Go writes it in go.sum; skills-lock is computedHash of skills-lock.json; git-tree is the id " +
			"of the folder as a Git tree.",
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
	start := time.Now()
	t, err := resolveSkills(c, e)
	if err != nil {
		return err
	}
	algorithm := digest.Algorithm(c.String("algorithm"))
	if c.Bool("files") && algorithm != digest.SHA256 {
		return usagef("--files goes with the algorithm sha256")
	}
	workDir, err := realPath(".")
	if err != nil {
		return err
	}
	lines := make([]string, len(t.dirs))
	errs := make([][]report.Error, len(t.dirs))
	err = parallel(c.Context, c.Int("jobs"), len(t.dirs), func(i int) {
		shown := displayPath(workDir, filepath.ToSlash(t.dirs[i]))
		lines[i], errs[i] = digestLines(c.Context, t.dirs[i], shown, algorithm, c.Bool("files"))
	})
	if err != nil {
		return err
	}
	if _, err := io.WriteString(e.stdout, strings.Join(lines, "")); err != nil {
		return err
	}
	r := &report.Report{Errors: t.errors, Notes: t.notes, Elapsed: time.Since(start)}
	for _, list := range errs {
		r.Errors = append(r.Errors, list...)
	}
	if len(r.Errors) == 0 && len(r.Notes) == 0 {
		return nil // a pipe of digests needs no summary
	}
	options := e.options(e.stderr)
	r.WorkDir = filepath.ToSlash(workDir)
	fmt.Fprint(e.stderr, report.ErrorLines(r, options))
	if !e.quiet {
		fmt.Fprint(e.stderr, report.NoteLines(r, options))
	}
	if len(r.Errors) > 0 {
		return exitStatus(exitFailure)
	}
	return nil
}

// resolveSkills reads the flags about the search and finds the skills.
func resolveSkills(c *cli.Context, e *env) (targets, error) {
	if c.Int("jobs") < 0 {
		return targets{}, usagef("--jobs takes a number from 0 on, not %d", c.Int("jobs"))
	}
	s, err := newSearch(c)
	if err != nil {
		return targets{}, err
	}
	return s.resolve(c.Context, e.args, nil)
}

// digestLines gives what is printed for one skill.
func digestLines(ctx context.Context, dir, shown string, algorithm digest.Algorithm, files bool) (string, []report.Error) {
	slash := filepath.ToSlash(dir)
	skill, manifest, errs := readSkill(ctx, dir)
	if len(errs) > 0 {
		return "", errs
	}
	if files {
		var b strings.Builder
		for _, f := range manifest.Entries {
			fmt.Fprintf(&b, "%s  %s\n", f.Digest, term.Escape(path.Join(shown, f.Path)))
		}
		return b.String(), nil
	}
	sum, err := digest.Sum(skill, manifest, algorithm)
	if err != nil {
		return "", []report.Error{digestError(slash, err)}
	}
	return fmt.Sprintf("%s  %s\n", sum, term.Escape(shown)), nil
}

// readSkill reads a skill and all its files.
func readSkill(ctx context.Context, dir string) (*spec.Skill, *digest.Manifest, []report.Error) {
	slash := filepath.ToSlash(dir)
	skill, err := spec.LoadDir(dir)
	if err != nil {
		return nil, nil, []report.Error{{Path: slash, Message: plainError(err).Error()}}
	}
	var errs []report.Error
	for _, err := range skill.Errors {
		errs = append(errs, skillError(slash, err))
	}
	manifest, failed := digest.Build(ctx, skill)
	for _, err := range failed {
		errs = append(errs, digestError(slash, err))
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
