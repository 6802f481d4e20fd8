package cmd

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

func TestJudge(t *testing.T) {
	check := &mcpprobe.CheckInfo{ID: "sample", Group: mcpprobe.GroupList, Level: mcpprobe.Must}
	one := func(status mcpprobe.Status) []mcpprobe.Result {
		return []mcpprobe.Result{{Check: check, Status: status, Count: 1}}
	}
	expected := one(mcpprobe.Fail)
	expected[0].Expected = true
	bound := []mcpprobe.LimitError{{Bound: "max-pages", Message: "too many"}}
	for name, test := range map[string]struct {
		report  mcpprobe.Report
		strict  bool
		broken  bool
		code    int
		verdict mcpprobe.Verdict
	}{
		"pass":                      {report: mcpprobe.Report{Results: one(mcpprobe.Pass)}, code: 0, verdict: "pass"},
		"nothing":                   {code: 0, verdict: "pass"},
		"fail":                      {report: mcpprobe.Report{Results: one(mcpprobe.Fail)}, code: 1, verdict: "fail"},
		"warn":                      {report: mcpprobe.Report{Results: one(mcpprobe.Warn)}, code: 0, verdict: "pass"},
		"warn, strict":              {report: mcpprobe.Report{Results: one(mcpprobe.Warn)}, strict: true, code: 1, verdict: "fail"},
		"info, strict":              {report: mcpprobe.Report{Results: one(mcpprobe.Info)}, strict: true, code: 0, verdict: "pass"},
		"expected":                  {report: mcpprobe.Report{Results: expected, Verdict: "fail"}, strict: true, code: 0, verdict: "pass"},
		"error":                     {report: mcpprobe.Report{Results: one(mcpprobe.Error)}, code: 2, verdict: "incomplete"},
		"saving failed":             {report: mcpprobe.Report{Results: one(mcpprobe.Pass)}, broken: true, code: 2, verdict: "incomplete"},
		"saving failed, and a fail": {report: mcpprobe.Report{Results: one(mcpprobe.Fail)}, broken: true, code: 2, verdict: "fail"},
		"bound":                     {report: mcpprobe.Report{Results: one(mcpprobe.Pass), Bounds: bound}, code: 6, verdict: "incomplete"},
		"bound after a fail":        {report: mcpprobe.Report{Results: one(mcpprobe.Fail), Bounds: bound}, code: 1, verdict: "fail"},
		"incomplete":                {report: mcpprobe.Report{Results: one(mcpprobe.Pass), Incomplete: true}, code: 6, verdict: "incomplete"},
		"closed":                    {report: mcpprobe.Report{Fatal: &mcpprobe.ClosedError{}}, code: 3, verdict: "incomplete"},
		"closed after a fail":       {report: mcpprobe.Report{Results: one(mcpprobe.Fail), Fatal: &mcpprobe.ClosedError{}}, code: 1, verdict: "fail"},
		"not declared":              {report: mcpprobe.Report{Results: one(mcpprobe.Fail), Fatal: &mcpprobe.UnsupportedError{}}, code: 5, verdict: "fail"},
		"credentials":               {report: mcpprobe.Report{Fatal: &mcpprobe.ConnectError{Kind: mcpprobe.ErrCredentials}}, code: 4, verdict: "incomplete"},
	} {
		p := &probeRun{strict: test.strict}
		a := report.ProbeAudit{Report: &test.report, Verdict: mcpprobe.VerdictIncomplete}
		if test.broken {
			a.ExitCode = exitFailure
		}
		if p.judge(&a); a.ExitCode != test.code || a.Verdict != test.verdict {
			t.Errorf("%s: exit code %d, verdict %s, want %d, %s", name, a.ExitCode, a.Verdict, test.code, test.verdict)
		}
	}
}

// TestRedactReport fills every text of a report with a secret: none of them
// may come out in any format.
func TestRedactReport(t *testing.T) {
	const secret = "s3cr3t-t0ken"
	r := &mcpprobe.Report{}
	fillTexts(reflect.ValueOf(r).Elem(), "about "+secret+".", 0)
	for i := range r.Results {
		r.Results[i].Check = &mcpprobe.CheckInfo{ID: "sample", Group: mcpprobe.GroupList, Level: mcpprobe.Must}
		r.Results[i].Status, r.Results[i].Count = mcpprobe.Fail, 1
	}
	for i := range r.Skills {
		for j := range r.Skills[i].Diagnostics {
			r.Skills[i].Diagnostics[j].RuleID = "name-charset"
		}
	}
	r.Server.Capabilities = json.RawMessage(`{"` + secret + `":"` + secret + `"}`)
	r.Traffic.Methods = nil
	r.Fatal = &mcpprobe.ClosedError{Message: secret, Stderr: secret}
	redact := func(text string) string { return strings.ReplaceAll(text, secret, "HIDDEN") }
	redactReport(r, redact)
	a := report.ProbeAudit{Report: r}
	(&probeRun{}).judge(&a)
	for i := range a.Errors {
		redactProblem(&a.Errors[i], redact)
	}
	a.Budget = (&probeRun{}).budget(r)
	for _, format := range report.ProbeNames() {
		reporter, err := report.NewProbe(format, report.Options{Verbose: true})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := reporter.ReportProbe(&b, &report.Probe{Audits: []report.ProbeAudit{a}}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), secret) {
			t.Errorf("%s holds a secret:\n%s", format, &b)
		}
		if !strings.Contains(b.String(), "HIDDEN") {
			t.Errorf("%s holds no text of the report", format)
		}
	}
}

// fillTexts sets every text below v, with one element in each list.
func fillTexts(v reflect.Value, text string, depth int) {
	const deepest = 8
	switch v.Kind() {
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() { // the others are words of ours
			v.SetString(text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fillTexts(v.Field(i), text, depth+1)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 && depth < deepest {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fillTexts(v.Index(0), text, depth+1)
		}
	}
}

func TestSkillGuesses(t *testing.T) {
	for uri, want := range map[string][]string{
		"skill://a/b/references/x.md": {"skill://a/b/references/SKILL.md", "skill://a/b/SKILL.md", "skill://a/SKILL.md"},
		"skill://a/SKILL.md":          {"skill://a/SKILL.md"},
		"skill://a":                   nil,
		"no uri":                      nil,
		"":                            nil,
	} {
		if got := skillGuesses(uri); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", uri, got, want)
		}
	}
	if n := len(skillGuesses("skill://" + strings.Repeat("a/", 1000) + "x")); n != maxGuesses {
		t.Errorf("%d guesses", n)
	}
}
