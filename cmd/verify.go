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

func verifyCommand() *command {
	return &command{
		name:    "verify",
		usage:   "[PATH]",
		summary: "tell whether skills are what a manifest, a lock or a digest says",
		description: "Compares the files of a skill, or of the skills below a directory, with what is expected of them. A " +
			"file is ok, modified, missing, extra, or has another mode. A skill is ok; explained, if every difference is one " +
			"that harmless tools make, such as other line ends; unverifiable, if nothing was promised that can be checked; " +
			"or tampered.\n\n" +
			"Anything but ok fails. --accept-explained lets explained differences pass, as warnings.",
		arguments: []argument{{"PATH", "a skill's directory, or a directory with skills; none is \".\""}},
		maxArgs:   1,
		flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "manifest", Usage: "compare with `FILE`: an entry of the MCP Skills extension, {\"skills\": […]}, or a native manifest"},
			&cli.StringFlag{Name: "sums", Usage: "compare with `FILE` as sha256sum writes it"},
			&cli.StringFlag{Name: "lock", Usage: "compare with `FILE`, a skills-lock.json"},
			&cli.StringFlag{Name: "digest", Usage: "compare with `DIGEST`: sha256:… or h1:…, as skilltool digest prints it"},
			&cli.StringFlag{Name: "git-tree", Usage: "compare with the Git tree `ID`"},
			&cli.BoolFlag{Name: "accept-explained", Usage: "let differences pass that have a harmless explanation"},
		}, outputFlagsOf(verifyFormats)),
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

// job is one skill to verify.
type job struct {
	dir      string // "" where the skill is not there
	name     string
	expected *digest.Expected
	sum      *wantedSum
}

// wantedSum is a digest over a whole skill.
type wantedSum struct {
	algorithm digest.Algorithm
	value     string
}

// verdict is the outcome of one job.
type verdict struct {
	job      job
	skill    report.Skill
	result   digest.Result
	findings []report.Finding
	errors   []report.Error
}

func runVerify(c *cli.Context, e *env) error {
	start := time.Now()
	t, err := search{nested: true}.resolve(c.Context, e.args, nil)
	if err != nil {
		return err
	}
	jobs, extra, err := planVerify(c, t)
	if err != nil {
		return err
	}
	verdicts := make([]verdict, len(jobs))
	err = parallel(c.Context, 0, len(jobs), func(i int) { verdicts[i] = jobs[i].verify(c.Context, c.Bool("accept-explained")) })
	if err != nil {
		return err
	}
	r := &report.Report{
		Command: "verify", Base: filepath.ToSlash(t.base), Errors: t.errors, Notes: t.notes,
		Rules: digest.Rules(), FailLevel: spec.Error,
	}
	for _, dir := range extra {
		r.Findings = append(r.Findings, digestFinding(filepath.ToSlash(dir), digest.RuleSkillUnlisted, ".", "this skill is not listed; nothing about it was checked"))
		r.Skills = append(r.Skills, report.Skill{Path: filepath.ToSlash(dir), Name: filepath.Base(dir), Status: report.StatusValid})
	}
	for _, v := range verdicts {
		r.Skills = append(r.Skills, v.skill)
		r.Findings = append(r.Findings, v.findings...)
		r.Errors = append(r.Errors, v.errors...)
	}
	if len(jobs) == 0 && len(r.Errors) == 0 {
		r.Errors = append(r.Errors, report.Error{Message: "there is no skill to check; that is no pass"})
	}
	r.Elapsed = time.Since(start)
	return finishVerify(c, e, r, verdicts)
}

// finishVerify writes the outcome and gives the exit code.
func finishVerify(c *cli.Context, e *env, r *report.Report, verdicts []verdict) error {
	slices.SortStableFunc(r.Skills, func(a, b report.Skill) int { return strings.Compare(a.Path, b.Path) })
	slices.SortStableFunc(r.Findings, func(a, b report.Finding) int { return strings.Compare(a.Skill, b.Skill) })
	tool := build()
	r.Tool = report.Tool{Name: tool.Name, Version: tool.Version, Commit: tool.Commit}
	switch {
	case len(r.Errors) > 0:
		r.ExitCode = exitFailure
	case r.Count(spec.Error) > 0:
		r.ExitCode = exitFindings
	}
	fingerprint(r)
	workDir, err := realPath(".")
	if err != nil {
		return err
	}
	r.WorkDir = filepath.ToSlash(workDir)
	files, err := reportFiles(c)
	if err != nil {
		return err
	}
	for _, file := range files {
		if file.format == "text" && file.path == "" {
			err = printVerdicts(e.stdout, r.WorkDir, verdicts)
		} else {
			err = e.writeReport(r, file)
		}
		if err != nil {
			return err
		}
	}
	e.comment(r)
	if r.ExitCode != exitOK {
		return exitStatus(r.ExitCode)
	}
	return nil
}

// printVerdicts prints a line for each skill and for each file that is not ok.
func printVerdicts(w io.Writer, workDir string, verdicts []verdict) error {
	var b strings.Builder
	for _, v := range verdicts {
		where := v.job.name
		if v.job.dir != "" {
			where = displayPath(workDir, filepath.ToSlash(v.job.dir))
		}
		state := v.result.State
		if v.job.dir == "" {
			state = "missing"
		}
		fmt.Fprintf(&b, "%-12s %s%s\n", state, term.Escape(where), countFiles(v.result.Files))
		if v.result.Note != "" {
			fmt.Fprintf(&b, "  note: %s\n", term.Escape(v.result.Note))
		}
		for _, fault := range v.result.Faults {
			fmt.Fprintf(&b, "  %s: %s\n", fault.Rule, term.Escape(fault.Message))
		}
		for _, f := range v.result.Files {
			if f.State == digest.FileOK {
				continue
			}
			fmt.Fprintf(&b, "  %-8s %s: %s\n", f.State, term.Escape(f.Path), term.Escape(f.Message))
			if f.Explained != "" {
				fmt.Fprintf(&b, "           explained: %s\n", f.Explained)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// countFiles says how many files are in which state.
func countFiles(files []digest.FileResult) string {
	counts := map[digest.FileState]int{}
	for _, f := range files {
		counts[f.State]++
	}
	var parts []string
	for _, state := range []digest.FileState{digest.FileOK, digest.FileModified, digest.FileMissing, digest.FileExtra, digest.FileMode} {
		if n := counts[state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// verify holds one skill against what is expected of it.
func (j job) verify(ctx context.Context, acceptExplained bool) verdict {
	v := verdict{job: j}
	if j.dir == "" {
		v.skill = report.Skill{Path: j.name, Name: j.name, Status: report.StatusInvalid}
		v.result.Faults = []digest.Fault{{Rule: digest.RuleSkillMissing, Message: "this skill is listed and not there"}}
		v.findings = append(v.findings, digestFinding(j.name, digest.RuleSkillMissing, ".", fmt.Sprintf("the skill %q is listed and not there", j.name)))
		return v
	}
	slash := filepath.ToSlash(j.dir)
	v.skill = report.Skill{Path: slash, Name: j.name, Status: report.StatusError}
	skill, manifest, errs := readSkill(ctx, j.dir)
	if v.errors = errs; len(errs) > 0 {
		return v
	}
	v.skill.Name, v.skill.Files, v.skill.Bytes = skill.Frontmatter.Name, len(skill.Files), skill.Bytes()
	var failed []error
	if j.sum != nil {
		var err error
		if v.result, err = digest.VerifySum(skill, manifest, j.sum.algorithm, j.sum.value); err != nil {
			failed = []error{err}
		}
	} else {
		v.result, failed = digest.Verify(ctx, skill, *j.expected)
	}
	for _, err := range failed {
		v.errors = append(v.errors, digestError(slash, err))
	}
	v.report(slash, acceptExplained)
	return v
}

// report turns the result into findings.
func (v *verdict) report(slash string, acceptExplained bool) {
	for _, fault := range v.result.Faults {
		f := digestFinding(slash, fault.Rule, ".", fault.Message)
		f.Help = v.result.Note
		v.findings = append(v.findings, soften(f, acceptExplained && v.result.State == digest.Explained))
	}
	for _, file := range v.result.Files {
		if file.State == digest.FileOK {
			continue
		}
		f := digestFinding(slash, file.Rule, file.Path, file.Message)
		f.Help = file.Explained
		v.findings = append(v.findings, soften(f, acceptExplained && file.Explained != ""))
	}
	if v.result.State == digest.Unverifiable && len(v.findings) == 0 {
		v.findings = append(v.findings, digestFinding(slash, digest.RuleDynamic, ".", "the skill cannot be verified: "+v.result.Note))
	}
	v.skill.Status = report.StatusValid
	for _, f := range v.findings {
		if f.Severity == spec.Error {
			v.skill.Status = report.StatusInvalid
		}
	}
	if len(v.errors) > 0 {
		v.skill.Status = report.StatusError
	}
}

// soften makes a warning of an error that is accepted.
func soften(f report.Finding, accepted bool) report.Finding {
	if accepted && f.Severity == spec.Error {
		f.Severity = spec.Warning
	}
	return f
}

// planVerify decides which skill is held against what. It also gives the skills
// that nothing is expected of.
func planVerify(c *cli.Context, t targets) ([]job, []string, error) {
	var given []string
	for _, flag := range []string{"manifest", "sums", "lock", "digest", "git-tree"} {
		if c.String(flag) != "" {
			given = append(given, flag)
		}
	}
	if len(given) != 1 {
		return nil, nil, usagef("verify takes exactly one of --manifest, --sums, --lock, --digest and --git-tree")
	}
	value := c.String(given[0])
	switch given[0] {
	case "digest":
		sum, err := parseSum(value)
		if err != nil {
			return nil, nil, err
		}
		jobs, err := oneSkill(t, job{sum: &sum})
		return jobs, nil, err
	case "git-tree":
		jobs, err := oneSkill(t, job{sum: &wantedSum{digest.GitTree, value}})
		return jobs, nil, err
	}
	text, err := readBounded(value, digest.MaxManifestBytes)
	if err != nil {
		return nil, nil, fmt.Errorf("--%s: %q: %w", given[0], value, plainError(err))
	}
	var jobs []job
	var extra []string
	switch given[0] {
	case "sums":
		expected, readErr := digest.ReadSums(text)
		if err = readErr; err == nil {
			jobs, err = oneSkill(t, job{expected: &expected})
		}
	case "lock":
		lock, readErr := digest.ReadLock(text)
		if err = readErr; err == nil {
			jobs, extra = planLock(t, lock)
		}
	default:
		expected, readErr := digest.ReadManifest(text)
		if err = readErr; err == nil {
			jobs, extra = planManifest(t, expected)
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("--%s: %q: %w", given[0], value, err)
	}
	return jobs, extra, nil
}

// parseSum reads a digest in the form that its algorithm has.
func parseSum(value string) (wantedSum, error) {
	if strings.HasPrefix(value, "h1:") {
		return wantedSum{digest.H1, value}, nil
	}
	if _, err := digest.Parse(value); err != nil {
		return wantedSum{}, usagef("--digest: %w", err).hintf("a digest is sha256:… or h1:…, as skilltool digest prints it")
	}
	return wantedSum{digest.SHA256, value}, nil
}

// topSkills are the skills that stand in no other one of t.
func topSkills(t targets) []string {
	return slices.DeleteFunc(slices.Clone(t.dirs), func(dir string) bool {
		return slices.ContainsFunc(t.dirs, func(outer string) bool {
			return outer != dir && strings.HasPrefix(dir, outer+string(filepath.Separator))
		})
	})
}

// oneSkill gives the one skill that there must be the job.
func oneSkill(t targets, j job) ([]job, error) {
	dirs := topSkills(t)
	if len(dirs) > 1 {
		return nil, usagef("%d skills were found; this compares one skill", len(dirs))
	}
	var jobs []job
	for _, dir := range dirs {
		j.dir, j.name = dir, filepath.Base(dir)
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// planLock pairs the skills of a lock with the folders of their names.
func planLock(t targets, lock digest.Lock) ([]job, []string) {
	var jobs []job
	used := map[string]bool{}
	for _, name := range sortedKeys(lock.Skills) {
		j := job{name: name, sum: &wantedSum{digest.SkillsLock, lock.Skills[name].ComputedHash}}
		for _, dir := range topSkills(t) {
			if filepath.Base(dir) == name && j.dir == "" {
				j.dir = dir
				used[dir] = true
			}
		}
		jobs = append(jobs, j)
	}
	return jobs, unused(topSkills(t), used)
}

func unused(dirs []string, used map[string]bool) []string {
	return slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return used[dir] })
}

// planManifest pairs entries with skills: one with one whatever their names, and
// else by the path that the entry's URI ends in, the longest match first.
func planManifest(t targets, list []digest.Expected) ([]job, []string) {
	top := topSkills(t)
	if len(list) == 1 && len(top) == 1 {
		return []job{{dir: top[0], name: filepath.Base(top[0]), expected: &list[0]}}, nil
	}
	used := map[string]bool{}
	var jobs []job
	for i := range list {
		j := job{name: entryName(list[i]), expected: &list[i]}
		j.dir = bestMatch(t, list[i], used)
		if j.dir != "" {
			used[j.dir] = true
		} else if len(top) == 1 && len(t.dirs) == 1 {
			continue // one skill against the manifest of a collection
		}
		jobs = append(jobs, j)
	}
	return jobs, unused(top, used)
}

func entryName(e digest.Expected) string {
	if e.URI != "" {
		return e.URI
	}
	return e.Name
}

// bestMatch gives the skill that shares the most path segments, from the end,
// with an entry's URI; the name must be among them.
func bestMatch(t targets, e digest.Expected, used map[string]bool) string {
	uriPath := strings.TrimSuffix(e.URI, "/"+spec.SkillFile)
	if e.URI == "" {
		uriPath = e.Name
	}
	best, most := "", 0
	for _, dir := range t.dirs {
		if n := commonTail(uriPath, filepath.ToSlash(dir)); n > most && !used[dir] {
			best, most = dir, n
		}
	}
	return best
}

// commonTail counts the segments that two paths share at their ends.
func commonTail(a, b string) int {
	n := 0
	for a != "." && b != "." && path.Base(a) == path.Base(b) && path.Base(a) != "/" {
		n++
		a, b = path.Dir(a), path.Dir(b)
	}
	return n
}
