package cmd

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/spec"
)

func validateCommand() *command {
	return &command{
		name:    "validate",
		usage:   "[PATH...]",
		summary: "check skills against the Agent Skills specification",
		description: "Finds the skills that the arguments stand for, reads each SKILL.md, and reports what does not " +
			"conform to the specification (errors) and what conforms but is read differently by different clients " +
			"(warnings). Every finding has a rule; \"skilltool explain ID\" says what it is about.\n\n" +
			"Comments in a skill silence nothing here: an error of the specification can be left out only by --select " +
			"and --ignore.",
		arguments: []argument{
			{"PATH", "a skill's directory, a directory to search for skills, or any file of a skill; \"-\" reads a SKILL.md from standard input; none is \".\""},
		},
		maxArgs: anyArgs,
		flags:   slices.Concat(verdictFlags(), ruleFlags(), searchFlags(), inputFlags(), outputFlagsOf(report.Names()), runFlags(), fixFlags()),
		completeFlag: map[string]completer{
			"select": ruleWords, "ignore": ruleWords, "report": reportWords,
		},
		examples: []example{
			{"the skill in this directory, or all skills below it", "skilltool validate"},
			{"fail on warnings too, as in CI", "skilltool validate --strict skills/"},
			{"mend what can be mended safely", "skilltool validate --fix skills/pdf-tools"},
			{"annotations for GitHub and SARIF from one run", "skilltool validate -f github --report sarif=skilltool.sarif"},
			{"what an editor has not saved yet", "skilltool validate --stdin-filename skills/pdf-tools/SKILL.md - < buffer"},
		},
		exits: []exitCode{
			{exitOK, "nothing at or above the fail level (--fail-on, --strict)"},
			{exitFindings, "findings at or above it, more warnings than --max-warnings, or a difference with --diff"},
			{exitFailure, "usage error, a missing path, no skill found, or something that could not be read: no verdict"},
			{exitInterrupted, "interrupted"},
		},
		action: runValidate,
	}
}

func verdictFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "strict", Usage: "fail on warnings too"},
		&choiceFlag{
			StringFlag: &cli.StringFlag{Name: "fail-on", Value: spec.Error.String(), Usage: "fail on findings of `LEVEL` and above"},
			choices:    []string{spec.Error.String(), spec.Warning.String(), spec.Info.String()},
		},
		&cli.IntFlag{Name: "max-warnings", Value: -1, DefaultText: "no bound", Usage: "fail on more than `N` warnings"},
		&cli.BoolFlag{Name: "exit-zero", Usage: "exit with 0 whatever is found"},
	}
}

func ruleFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "select", Usage: "run only these rules: `IDS`, categories or globs, separated by commas"},
		&cli.StringSliceFlag{Name: "ignore", Usage: "leave these rules out: `IDS`, categories or globs, separated by commas"},
	}
}

func inputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "stdin-filename", Usage: "where the text from standard input belongs: `FILE`"},
	}
}

// outputFlagsOf are the flags about reports, for a command with these formats.
func outputFlagsOf(formats []string) []cli.Flag {
	return []cli.Flag{
		&choiceFlag{
			StringFlag: &cli.StringFlag{Name: "output-format", Aliases: []string{"f"}, Value: "text", Usage: "report as `FORMAT`"},
			choices:    formats,
		},
		&cli.StringFlag{Name: "output-file", Aliases: []string{"o"}, Usage: "write the report to `FILE` instead of standard output"},
		&cli.StringSliceFlag{Name: "report", Usage: "write another report from the same run: `FORMAT=PATH`"},
	}
}

func runFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "check `N` skills at a time; 0 is one for each core"},
		&cli.BoolFlag{Name: "timings", Usage: "say how long each rule took"},
	}
}

func fixFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "fix", Usage: "apply safe fixes to the files"},
		&cli.BoolFlag{Name: "diff", Usage: "show what --fix would change, and write nothing"},
	}
}

// ruleWords completes what --select and --ignore take.
func ruleWords() []candidate {
	return append(ruleIDs(), candidate{word: string(spec.CategorySpec), text: "all rules of the specification"})
}

func reportWords() []candidate {
	var list []candidate
	for _, name := range report.Names() {
		list = append(list, candidate{word: name + "="})
	}
	return list
}

func runValidate(c *cli.Context, e *env) error {
	start := time.Now()
	v, err := newValidation(c, e, spec.Rules())
	if err != nil {
		return err
	}
	r, changes, err := v.run(c.Context)
	if err != nil {
		return err
	}
	r.Elapsed = time.Since(start)
	return v.finish(r, changes)
}

// validation is one run of a checking command, as its flags describe it.
type validation struct {
	c       *cli.Context
	e       *env
	search  search
	check   check
	all     int // rules before --select and --ignore
	reports []reportFile
}

// reportFile is one report to write: to a path, or to standard output for "".
type reportFile struct{ format, path string }

func newValidation(c *cli.Context, e *env, all []spec.Rule) (*validation, error) {
	for _, flag := range []string{"select", "ignore"} {
		if c.IsSet(flag) && len(splitList(c.StringSlice(flag))) == 0 {
			return nil, usagef("--%s names no rule", flag)
		}
	}
	rules, err := selectRules(all, splitList(c.StringSlice("select")), splitList(c.StringSlice("ignore")))
	if err != nil {
		return nil, err
	}
	v := &validation{c: c, e: e, all: len(all), check: check{
		rules:   rules,
		jobs:    c.Int("jobs"),
		nested:  c.Bool("nested"),
		timings: c.Bool("timings"),
		begin:   func() *progress { return e.startProgress("skills") },
	}}
	switch {
	case len(rules) == 0:
		return nil, usagef("--select and --ignore leave no rule")
	case c.Bool("fix") && c.Bool("diff"):
		return nil, usagef("--fix and --diff exclude each other")
	case c.Bool("diff"):
		v.check.fix = fixDiff
	case c.Bool("fix"):
		v.check.fix = fixWrite
	}
	if v.search, err = newSearch(c); err != nil {
		return nil, err
	}
	if c.Int("jobs") < 0 {
		return nil, usagef("--jobs takes a number from 0 on, not %d", c.Int("jobs"))
	}
	if v.reports, err = reportFiles(c, report.Names()); err != nil {
		return nil, err
	}
	return v, v.checkInputFlags()
}

// reportFiles gives the reports to write, the main one first, for a command
// with these formats.
func reportFiles(c *cli.Context, formats []string) ([]reportFile, error) {
	files := []reportFile{{c.String("output-format"), c.String("output-file")}}
	for _, value := range c.StringSlice("report") {
		format, path, ok := strings.Cut(value, "=")
		if !ok || path == "" {
			return nil, usagef("--report takes FORMAT=PATH, not %q", value)
		}
		if path == "-" {
			return nil, usagef("--report writes to a file; -f is the format of standard output")
		}
		if slices.ContainsFunc(files, func(f reportFile) bool { return f.path == path }) {
			return nil, usagef("--report: two reports go to %q", path)
		}
		if !slices.Contains(formats, format) {
			return nil, usagef("--report: format %q is not known", format).suggest(format, formats).
				hintf("formats: %s", strings.Join(formats, ", "))
		}
		files = append(files, reportFile{format, path})
	}
	return files, nil
}

func (v *validation) fromStdin() bool { return slices.Contains(v.e.args, "-") }

func (v *validation) checkInputFlags() error {
	name := v.c.String("stdin-filename")
	switch {
	case !v.fromStdin() && name == "":
		return nil
	case !v.fromStdin():
		return usagef("--stdin-filename goes with the argument %q", "-")
	case name == "":
		return usagef("the argument %q needs --stdin-filename, the place where the text belongs", "-")
	case filepath.Base(name) != spec.SkillFile:
		return usagef("--stdin-filename must end in %s, not in %q", spec.SkillFile, filepath.Base(name))
	case len(v.e.args) > 1:
		return usagef("the argument %q stands alone", "-")
	case v.check.fix == fixWrite:
		return usagef("--fix cannot write to standard input; --diff shows the fixes")
	}
	return nil
}

func (v *validation) run(ctx context.Context) (*report.Report, []byte, error) {
	if v.fromStdin() {
		return v.check.checkInput(v.e.stdin, v.c.String("stdin-filename"))
	}
	return v.check.run(ctx, v.search, v.e.args)
}

// finish judges the run, writes its reports, and gives its exit code.
func (v *validation) finish(r *report.Report, changes []byte) error {
	workDir, err := realPath(".")
	if err != nil {
		return fmt.Errorf("the working directory cannot be found: %w", err)
	}
	r.WorkDir, r.Command = filepath.ToSlash(workDir), v.c.Command.Name
	tool := build()
	r.Tool = report.Tool{Name: tool.Name, Version: tool.Version, Commit: tool.Commit}
	if n := v.all - len(r.Rules); n > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %d rules were left out by --select and --ignore", n, v.all))
	}
	r.FailLevel = v.failLevel()
	r.ExitCode = v.exitCode(r, len(changes) > 0)
	if v.check.fix == fixDiff {
		_, err = v.e.stdout.Write(changes)
	} else {
		err = v.write(r)
	}
	if err != nil {
		return err
	}
	v.e.comment(r)
	if r.ExitCode != exitOK {
		return exitStatus(r.ExitCode)
	}
	return nil
}

func (v *validation) failLevel() spec.Severity {
	var level spec.Severity
	// The flag takes only names of severities.
	_ = level.UnmarshalText([]byte(v.c.String("fail-on")))
	if v.c.Bool("strict") {
		level = min(level, spec.Warning)
	}
	return level
}

func (v *validation) exitCode(r *report.Report, differs bool) int {
	if len(r.Errors) > 0 {
		return exitFailure
	}
	if v.check.fix == fixDiff {
		if differs {
			return exitFindings
		}
		return exitOK
	}
	failing := slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Severity >= r.FailLevel })
	most := v.c.Int("max-warnings")
	if (failing || most >= 0 && r.Count(spec.Warning) > most) && !v.c.Bool("exit-zero") {
		return exitFindings
	}
	return exitOK
}

// write writes all reports: the main one, then those of --report.
func (v *validation) write(r *report.Report) error {
	for _, file := range v.reports {
		if err := v.e.writeReport(r, file); err != nil {
			return err
		}
	}
	return nil
}
