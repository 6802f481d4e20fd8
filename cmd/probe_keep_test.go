package cmd

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// keepContext parses a line of the flags of probeKeepFlags.
func keepContext(t *testing.T, line ...string) *cli.Context {
	t.Helper()
	set := flag.NewFlagSet("probe", flag.ContinueOnError)
	for _, f := range append(probeKeepFlags(), &cli.StringSliceFlag{Name: "skill"}) {
		if err := f.Apply(set); err != nil {
			t.Fatal(err)
		}
	}
	if err := set.Parse(line); err != nil {
		t.Fatal(err)
	}
	return cli.NewContext(cli.NewApp(), set, nil)
}

// keepRun is what a keeper did for one audit.
type keepRun struct {
	report *mcpprobe.Report
	notes  string
	err    error
}

// lines are the results, one a line.
func (k keepRun) lines() []string {
	var lines []string
	for _, r := range k.report.Results {
		line := fmt.Sprintf("%s %s %s", r.Check.ID, r.Status, r.Skill)
		if r.Expected {
			line += " expected"
		}
		lines = append(lines, strings.TrimRight(line, " ")+strings.TrimSuffix(": "+r.Message, ": "))
	}
	slices.Sort(lines)
	return lines
}

// keepSkill makes an entry of one file and its content.
func keepSkill(dir, content string) (*mcpprobe.Entry, []byte) {
	e := &mcpprobe.Entry{URI: dir + "/SKILL.md", Dir: dir, Name: dir[strings.LastIndexByte(dir, '/')+1:]}
	e.Resources = []mcpprobe.Resource{{URI: e.URI, Digest: digest.Of([]byte(content)).String(), Size: int64(len(content))}}
	return e, []byte(content)
}

// keep runs a keeper over an audit whose skills are all verified, with what
// change makes of the report.
func keep(t *testing.T, c *cli.Context, skills map[string]string, change func(*mcpprobe.Report)) keepRun {
	t.Helper()
	var stderr bytes.Buffer
	e := &env{stderr: &stderr, getenv: func(string) string { return "" }}
	k, err := newKeeper(c, e, probeTarget{Target: mcpprobe.Target{Label: "demo"}, Show: "demo server"})
	if err != nil {
		t.Fatal(err)
	}
	var o mcpprobe.AuditOptions
	k.auditOptions(&o)
	r := &mcpprobe.Report{Server: mcpprobe.Server{Label: "demo"}, Verdict: mcpprobe.VerdictPass}
	contents := map[*mcpprobe.Entry][]byte{}
	for _, dir := range slices.Sorted(maps.Keys(skills)) {
		entry, content := keepSkill(dir, skills[dir])
		if skills[dir] == "dynamic" {
			entry.Dynamic, entry.Resources = true, nil
		}
		contents[entry] = content
		o.OnEntry(entry)
		r.Skills = append(r.Skills, mcpprobe.SkillReport{URI: entry.URI, Name: entry.Name, Outcome: outcomeOf(entry)})
	}
	for entry, content := range contents {
		if o.OnFile != nil && !entry.Dynamic {
			if err := o.OnFile(entry, entry.URI, content); err != nil {
				t.Error(err)
			}
		}
	}
	if change != nil {
		change(r)
	}
	err = k.finish(r)
	return keepRun{r, stderr.String(), err}
}

func outcomeOf(e *mcpprobe.Entry) mcpprobe.Outcome {
	if e.Dynamic {
		return mcpprobe.OutcomeUnverifiable
	}
	return mcpprobe.OutcomeVerified
}

func failing(check string) func(*mcpprobe.Report) {
	return func(r *mcpprobe.Report) {
		for _, info := range mcpprobe.Checks() {
			if info.ID == check {
				r.Results = append(r.Results, mcpprobe.Result{Check: info, Status: mcpprobe.Fail, Skill: "skill://pdf/SKILL.md", Count: 1})
			}
		}
	}
}

// A lock is made after an audit without failures, and holds until something
// changes.
func TestKeeperLock(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lock.json")
	plain, update := []string{"--lock", file}, []string{"--lock", file, "--update-lock"}
	one := map[string]string{"skill://pdf": "one"}
	both := map[string]string{"skill://pdf": "one", "skill://live": "dynamic"}
	known := filepath.Join(t.TempDir(), "known.txt")
	if err := os.WriteFile(known, []byte("expected-content\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name   string
		flags  []string
		skills map[string]string
		change func(*mcpprobe.Report)
		want   []string
		note   string
		writes bool
	}{
		{"a failure", update, one, failing("expected-content"),
			[]string{"expected-content fail skill://pdf/SKILL.md", "lock-approved fail skill://pdf/SKILL.md: the skill is not approved"}, "was not updated", false},
		{"a bound", update, one, func(r *mcpprobe.Report) { r.Bounds = []mcpprobe.LimitError{{Bound: "max-time"}} },
			[]string{"lock-approved fail skill://pdf/SKILL.md: the skill is not approved"}, "was not updated", false},
		{"an expected failure", append(slices.Clone(update), "--expected-failures", known), one, failing("expected-content"),
			[]string{"expected-content fail skill://pdf/SKILL.md expected", "lock-approved info skill://pdf/SKILL.md: the lock is updated; before: the skill is not approved", "lock-approved pass"},
			"approves 1 skill of demo now", true},
		{"the same", plain, one, nil, []string{"lock-approved pass"}, "", false},
		{"the same once more", update, one, nil, []string{"lock-approved pass"}, "", false},
		{"changed", plain, map[string]string{"skill://pdf": "two"}, nil,
			[]string{"lock-approved fail skill://pdf/SKILL.md: the skill is not the approved one: 1 file changed"}, "", false},
		{"vanished and new", plain, map[string]string{"skill://new": "one"}, nil,
			[]string{"lock-approved fail skill://new/SKILL.md: the skill is not approved", "lock-approved fail skill://pdf/SKILL.md: the approved skill is not served any more"}, "", false},
		{"only some skills", append(slices.Clone(plain), "--skill", "new"), map[string]string{"skill://new": "one"}, nil,
			[]string{"lock-approved fail skill://new/SKILL.md: the skill is not approved", "lock-approved skip: 1 approved skills were not looked at: the audit did not take in all skills"}, "", false},
		{"only some skills, updated", append(slices.Clone(update), "--skill", "new"), map[string]string{"skill://new": "one"}, nil,
			[]string{"lock-approved info skill://new/SKILL.md: the lock is updated; before: the skill is not approved", "lock-approved pass", "lock-approved skip: 1 approved skills were not looked at: the audit did not take in all skills"},
			"approves 2 skills of demo now", true},
		{"a dynamic skill", update, both, nil, []string{
			"lock-approved fail skill://live/SKILL.md: the skill is dynamic, so that it cannot be approved: it carries no digests",
			"lock-approved info skill://new/SKILL.md: the lock is updated; before: the approved skill is not served any more", "lock-approved pass",
		}, "skill://live/SKILL.md is left out of the lock: it is unverifiable", true},
		{"nothing to say of a server that does not declare it", plain, nil, func(r *mcpprobe.Report) { r.Fatal = errors.New("not declared") }, nil, "", false},
	} {
		before, _ := os.ReadFile(file)
		got := keep(t, keepContext(t, step.flags...), step.skills, step.change)
		if got.err != nil || !slices.Equal(got.lines(), step.want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", step.name, got.err, strings.Join(got.lines(), "\n"), strings.Join(step.want, "\n"))
		}
		if !strings.Contains(got.notes, step.note) || step.note == "" && got.notes != "" {
			t.Errorf("%s: notes %q, want %q", step.name, got.notes, step.note)
		}
		if after, _ := os.ReadFile(file); bytes.Equal(before, after) == step.writes {
			t.Errorf("%s: the file is\n%s", step.name, after)
		}
	}
}

func TestKeeperSave(t *testing.T) {
	dir := t.TempDir()
	got := keep(t, keepContext(t, "--save", dir), map[string]string{"skill://pdf": "one", "skill://live": "dynamic"}, nil)
	if got.err != nil || got.notes != "note: saved 1 skill below "+dir+"\n" {
		t.Errorf("%v %q", got.err, got.notes)
	}
	name := filepath.Join(dir, "demo/skill%3A%2F%2Fpdf/pdf/SKILL.md")
	if text, err := os.ReadFile(name); err != nil || string(text) != "one" {
		t.Errorf("%q %v", text, err)
	}
	if err := os.WriteFile(name, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	got = keep(t, keepContext(t, "--save", dir), map[string]string{"skill://pdf": "two"}, nil)
	if got.err == nil || !strings.Contains(got.err.Error(), "was changed or added since the skill was saved") {
		t.Errorf("%v", got.err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("left: %v %v", entries, err)
	}
}

// What the files of the flags hold is known before a server is reached.
func TestNewKeeperRefuses(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	lock, known := write("lock.json", `{"version": 2}`), write("known.txt", "\nlock-aproved\n")
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		flags            []string
		want, suggestion string
		usage            bool
	}{
		{[]string{"--update-lock"}, "--update-lock needs the file to write", "", true},
		{[]string{"--lock", filepath.Join(dir, "none")}, "skilltool probe --update-lock makes it, once no check fails", "", false},
		{[]string{"--lock", lock}, "line 1: the lock file has version 2; version 1 is understood", "", false},
		{[]string{"--lock", lock, "--update-lock"}, "version 2", "", false},
		{[]string{"--lock", dir}, "cannot be read", "", false},
		{[]string{"--expected-failures", known}, `known.txt:2: there is no check "lock-aproved"`, "lock-approved", true},
		{[]string{"--expected-failures", filepath.Join(dir, "none")}, "there is no such file or folder", "", false},
		{[]string{"--expect", filepath.Join(dir, "none")}, "there is no such file or folder", "", false},
		{[]string{"--expect", empty}, "no skill", "", false},
		{[]string{"--expect", ""}, "it must be a skill", "", false},
		{[]string{"--save", ""}, "--save takes a directory", "", true},
		{[]string{"--force"}, "--force is about the directory of --save", "", true},
		{[]string{"--save", filepath.Join(dir, ".agents/skills")}, "or insist with --force", "", true},
	} {
		e := &env{stderr: &bytes.Buffer{}, getenv: func(string) string { return "" }}
		_, err := newKeeper(keepContext(t, test.flags...), e, probeTarget{Target: mcpprobe.Target{Label: "demo"}})
		var mistake *usageError
		if err == nil || !strings.Contains(err.Error(), test.want) || errors.As(err, &mistake) != test.usage {
			t.Errorf("%q: %v, want %q", test.flags, err, test.want)
		}
		if mistake != nil && mistake.suggestion != test.suggestion {
			t.Errorf("%q: suggests %q", test.flags, cmp.Or(mistake.suggestion, "nothing"))
		}
	}
}

func TestKeeperExpect(t *testing.T) {
	dir := t.TempDir()
	text := "---\nname: pdf\ndescription: Reads PDF files. Use for PDF.\n---\n\n# PDF\n"
	for _, name := range []string{"pdf", "charts"} {
		if err := os.MkdirAll(filepath.Join(dir, "skills", name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "skills", name, "SKILL.md"), []byte(strings.Replace(text, "name: pdf", "name: "+name, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	served := map[string]string{"skill://acme/pdf": strings.ReplaceAll(text, "\n", "\r\n"), "skill://more": "x"}
	crlf := `expected-content fail skill://acme/pdf/SKILL.md: "SKILL.md" has other bytes than expected: 74 bytes are served, 68 are expected; the served file fits with LF line ends`
	missing := `expected-content fail: the skill "charts" is expected and not served`
	more := "expected-content fail skill://more/SKILL.md: the skill is served and not expected"
	for _, test := range []struct {
		flags []string
		skill map[string]string
		want  []string
	}{
		{nil, served, []string{crlf, more, missing}},
		{[]string{"--skill", "pdf"}, map[string]string{"skill://acme/pdf": text}, []string{"expected-content pass"}},
	} {
		got := keep(t, keepContext(t, append([]string{"--expect", filepath.Join(dir, "skills")}, test.flags...)...), test.skill, nil)
		slices.Sort(test.want)
		if got.err != nil || !slices.Equal(got.lines(), test.want) {
			t.Errorf("%v\n%s\nwant\n%s", got.err, strings.Join(got.lines(), "\n"), strings.Join(test.want, "\n"))
		}
	}
}
