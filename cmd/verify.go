package cmd

import (
	"cmp"
	"context"
	"fmt"
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

func verifyCommand() *command {
	return &command{
		name:    "verify",
		usage:   "[PATH]",
		summary: "tell whether skills are what a manifest, a lock or a digest says",
		description: "Compares the files of a skill, or of the skills below a directory, with what is expected of them. A " +
			"file is ok, modified, missing, extra, or has another mode. A skill is ok; explained, if every difference is one " +
			"that harmless tools make, such as other line ends; unverifiable, if nothing was promised that can be checked; " +
			"or tampered.\n\n" +
			"Anything but ok fails. --accept-explained lets explained differences pass, as warnings. Skills that nothing is " +
			"said about are a warning.",
		arguments: []argument{{"PATH", "a skill's directory, or a directory with skills; none is \".\""}},
		maxArgs:   1,
		flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "manifest", Usage: "compare with `FILE`: an entry of the MCP Skills extension, {\"skills\": […]}, or a native manifest"},
			&cli.StringFlag{Name: "sums", Usage: "compare with `FILE` as sha256sum writes it"},
			&cli.StringFlag{Name: "lock", Usage: "compare with `FILE`, a skills-lock.json"},
			&cli.StringFlag{Name: "digest", Usage: "compare with `DIGEST`: sha256:… or h1:…, as skilltool digest prints it"},
			&cli.StringFlag{Name: "git-tree", Usage: "compare with the Git tree `ID`"},
			&cli.BoolFlag{Name: "accept-explained", Usage: "let differences pass that have a harmless explanation"},
		}, outputFlagsOf(verifyFormats), jobsFlags()),
		examples: []example{
			{"is the folder what the server listed?", "skilltool verify pdf-tools --manifest entry.json"},
			{"are the installed skills those of the lock file?", "skilltool verify .agents/skills --lock skills-lock.json"},
			{"one digest for the whole skill", "skilltool verify pdf-tools --digest sha256:…"},
		},
		exits: []exitCode{
			{exitOK, "every skill is ok"},
			{exitFindings, "some skill is not"},
			{exitFailure, "usage error, no skill to check, or something that could not be read: no verdict"},
			{exitInterrupted, "interrupted"},
		},
		action: runVerify,
	}
}

// verifyFormats are the formats of verify: its own text, and those of reports.
var verifyFormats = []string{"text", "concise", "json", "jsonl", "sarif", "github", "junit"}

func runVerify(c *cli.Context, e *env) error {
	start := time.Now()
	if c.Int("jobs") < 0 {
		return usagef("--jobs takes a number from 0 on, not %d", c.Int("jobs"))
	}
	t, err := search{nested: true}.resolve(c.Context, e.args, nil)
	if err != nil {
		return err
	}
	p, err := newPlan(c, e, t)
	if err != nil {
		return err
	}
	verdicts := make([]verdict, len(p.jobs))
	err = parallel(c.Context, c.Int("jobs"), len(p.jobs), func(i int) { verdicts[i] = p.jobs[i].verify(c.Context, c.Bool("accept-explained")) })
	if err != nil {
		return err
	}
	for _, dir := range p.unlisted {
		verdicts = append(verdicts, unlistedSkill(dir))
	}
	slices.SortStableFunc(verdicts, func(a, b verdict) int { return strings.Compare(a.skill.Path, b.skill.Path) })
	r := verifyReport(t, verdicts)
	if len(p.jobs) == 0 && len(r.Errors) == 0 {
		r.Errors = append(r.Errors, report.Error{Message: "there is no skill to check; that is no pass"})
	}
	r.Elapsed = time.Since(start)
	return finishVerify(c, e, r)
}

// verifyReport puts the verdicts of all skills into one report.
func verifyReport(t targets, verdicts []verdict) *report.Report {
	tool := build()
	r := &report.Report{
		Tool: report.Tool{Name: tool.Name, Version: tool.Version, Commit: tool.Commit}, Command: "verify",
		Base: filepath.ToSlash(t.base), Errors: t.errors, Notes: t.notes,
		Rules: digest.Rules(), FailLevel: spec.Error, Verdicts: []report.Verdict{},
	}
	for _, v := range verdicts {
		r.Skills = append(r.Skills, v.skill)
		r.Findings = append(r.Findings, v.findings...)
		r.Errors = append(r.Errors, v.errors...)
		r.Verdicts = append(r.Verdicts, v.wire())
	}
	slices.SortStableFunc(r.Findings, func(a, b report.Finding) int {
		return cmp.Or(cmp.Compare(a.Skill, b.Skill), cmp.Compare(a.Path, b.Path), cmp.Compare(a.RuleID, b.RuleID), cmp.Compare(a.Message, b.Message))
	})
	fingerprint(r)
	return r
}

// finishVerify writes the outcome and gives the exit code.
func finishVerify(c *cli.Context, e *env, r *report.Report) error {
	switch {
	case len(r.Errors) > 0:
		r.ExitCode = exitFailure
	case r.Count(spec.Error) > 0:
		r.ExitCode = exitFindings
	}
	workDir, err := realPath(".")
	if err != nil {
		return err
	}
	r.WorkDir = filepath.ToSlash(workDir)
	files, err := reportFiles(c, report.Names())
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := e.writeVerdicts(r, file); err != nil {
			return err
		}
	}
	e.comment(r)
	if r.ExitCode != exitOK {
		return exitStatus(r.ExitCode)
	}
	return nil
}

// writeVerdicts writes a report; as text, the verdicts.
func (e *env) writeVerdicts(r *report.Report, file reportFile) error {
	if file.format != "text" {
		return e.writeReport(r, file)
	}
	text := []byte(verdictText(r))
	if file.path == "" {
		_, err := e.stdout.Write(text)
		return err
	}
	if err := writeAtomic(file.path, text); err != nil {
		return fmt.Errorf("the report cannot be written to %q: %w", file.path, plainError(err))
	}
	return nil
}

// verdictText gives a line for each skill and for each file that is not ok.
func verdictText(r *report.Report) string {
	var b strings.Builder
	for _, v := range r.Verdicts {
		fmt.Fprintf(&b, "%-12s  %s%s\n", v.State, term.Escape(displayPath(filepath.FromSlash(r.WorkDir), v.Skill)), countFiles(v.Files))
		if v.Note != "" {
			fmt.Fprintf(&b, "  note: %s\n", term.Escape(v.Note))
		}
		for _, f := range r.Findings {
			if f.Skill == v.Skill && f.Path == "." {
				fmt.Fprintf(&b, "  %s: %s\n", f.RuleID, term.Escape(f.Message))
			}
		}
		for _, f := range v.Files {
			writeFileVerdict(&b, f)
		}
	}
	return b.String()
}

func writeFileVerdict(b *strings.Builder, f report.FileVerdict) {
	if f.State == string(digest.FileOK) {
		return
	}
	fmt.Fprintf(b, "  %-8s  %s\n", f.State, term.Escape(f.Message))
	if f.Explained != "" {
		fmt.Fprintf(b, "            explained: %s\n", term.Escape(f.Explained))
	}
	if f.Unverifiable != "" {
		fmt.Fprintf(b, "            unverifiable: %s\n", term.Escape(f.Unverifiable))
	}
}

// countFiles says how many files are in which state.
func countFiles(files []report.FileVerdict) string {
	counts := map[string]int{}
	for _, f := range files {
		counts[f.State]++
	}
	var parts []string
	for _, state := range []digest.FileState{digest.FileOK, digest.FileModified, digest.FileMissing, digest.FileExtra, digest.FileMode} {
		if n := counts[string(state)]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// verdict is the outcome for one skill.
type verdict struct {
	skill    report.Skill
	state    string // of digest.State, or one of those below
	result   digest.Result
	findings []report.Finding
	errors   []report.Error
}

// The verdicts on skills that nothing could be compared for.
const (
	stateMissing  = "missing"
	stateUnlisted = "unlisted"
	stateError    = "error"
)

// wire gives what reports say of a verdict.
func (v *verdict) wire() report.Verdict {
	w := report.Verdict{Skill: v.skill.Path, State: v.state, Note: v.result.Note, Files: []report.FileVerdict{}}
	for _, f := range v.result.Files {
		w.Files = append(w.Files, report.FileVerdict{
			Path: f.Path, State: string(f.State), Message: f.Message, Explained: f.Explained, Unverifiable: f.Unverifiable,
		})
	}
	return w
}

func unlistedSkill(dir string) verdict {
	slash := filepath.ToSlash(dir)
	return verdict{
		skill:    report.Skill{Path: slash, Name: filepath.Base(dir), Status: report.StatusValid},
		state:    stateUnlisted,
		findings: []report.Finding{digestFinding(slash, digest.RuleSkillUnlisted, ".", "this skill is not listed; nothing about it was checked")},
	}
}

// job is one skill to verify.
type job struct {
	dir string // "" where the skill is not there
	// name and place are those of what is expected: as it says itself, and
	// where the skill would be.
	name, place string
	expected    *digest.Expected
	sum         *wantedSum
}

// wantedSum is a digest over a whole skill.
type wantedSum struct {
	algorithm digest.Algorithm
	value     string
}

// verify holds one skill against what is expected of it.
func (j job) verify(ctx context.Context, acceptExplained bool) verdict {
	if j.dir == "" {
		return verdict{
			skill:    report.Skill{Path: j.place, Name: path.Base(j.place), Status: report.StatusInvalid},
			state:    stateMissing,
			findings: []report.Finding{digestFinding(j.place, digest.RuleSkillMissing, ".", fmt.Sprintf("the skill %q is listed and not there", j.name))},
		}
	}
	slash := filepath.ToSlash(j.dir)
	v := verdict{state: stateError, skill: report.Skill{Path: slash, Name: filepath.Base(j.dir), Status: report.StatusError}}
	skill, errs := loadSkill(skillDir{dir: j.dir})
	if v.errors = errs; len(errs) > 0 {
		return v
	}
	v.skill.Name, v.skill.Files, v.skill.Bytes = skill.Frontmatter.Name, len(skill.Files), skill.Bytes()
	for _, err := range v.compare(ctx, j, skill) {
		v.errors = append(v.errors, digestError(slash, err))
	}
	if len(v.errors) > 0 {
		v.result = digest.Result{}
		return v
	}
	v.state = string(v.result.State)
	v.report(acceptExplained)
	return v
}

func (v *verdict) compare(ctx context.Context, j job, skill *spec.Skill) (failed []error) {
	if j.sum == nil {
		v.result, failed = digest.Verify(ctx, skill, *j.expected)
		return failed
	}
	var err error
	if v.result, err = digest.VerifySum(ctx, skill, j.sum.algorithm, j.sum.value); err != nil {
		return []error{err}
	}
	return nil
}

// report turns the result into findings.
func (v *verdict) report(acceptExplained bool) {
	for _, fault := range v.result.Faults {
		f := digestFinding(v.skill.Path, fault.Rule, ".", fault.Message)
		f.Help = v.result.Note
		v.findings = append(v.findings, soften(f, acceptExplained && v.result.State == digest.Explained))
	}
	for _, file := range v.result.Files {
		if file.State == digest.FileOK {
			continue
		}
		f := digestFinding(v.skill.Path, file.Rule, file.Path, file.Message)
		f.Severity, f.Help = spec.Error, file.Explained+file.Unverifiable
		v.findings = append(v.findings, soften(f, acceptExplained && file.Explained != ""))
	}
	v.skill.Status = report.StatusValid
	if slices.ContainsFunc(v.findings, func(f report.Finding) bool { return f.Severity == spec.Error }) {
		v.skill.Status = report.StatusInvalid
	}
}

// soften makes a warning of an error that is accepted.
func soften(f report.Finding, accepted bool) report.Finding {
	if accepted && f.Severity == spec.Error {
		f.Severity = spec.Warning
	}
	return f
}
