package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/spec"
)

func TestSummary(t *testing.T) {
	mixed := func(r *report.Report) {
		fixable := find("/work/repo/skills/pdf-tools", "name-charset", "", "", "m")
		fixable.Fixes = []spec.Fix{{Safety: spec.Safe}}
		r.Skills = append(r.Skills, report.Skill{Path: "/x", Files: 14}, report.Skill{Path: "/y"}, report.Skill{Path: "/z"})
		r.Findings = []report.Finding{fixable, find("/x", "file-size", "", "", "m")}
		r.Suppressed = make([]report.Suppressed, 2)
	}
	for _, test := range []struct {
		want   string
		change func(*report.Report)
	}{
		{"1 skill, 3 files checked in 21 ms: no findings", func(*report.Report) {}},
		{"4 skills, 17 files checked in 21 ms: 1 error, 1 warning (1 fixable with --fix), 2 suppressed", mixed},
		{"1 skill, 3 files checked in <1 ms: no findings, 1 suppressed", func(r *report.Report) {
			r.Suppressed, r.Elapsed = make([]report.Suppressed, 1), time.Microsecond
		}},
		{"1 skill, 3 files checked in 1.4 s: 2 infos, 3 fixed", func(r *report.Report) {
			r.Findings = []report.Finding{find("", "text-visible", "", "", ""), find("", "text-visible", "", "", "")}
			r.Fixed, r.Elapsed = 3, 1449*time.Millisecond
		}},
		{"0 skills, 0 files checked in 21 ms: no findings; no verdict: 1 path could not be examined", func(r *report.Report) {
			r.Skills, r.Errors = nil, []report.Error{{Path: "/gone"}}
		}},
		{"1 skill, 3 files checked in 21 ms: no findings; no verdict: 1 skill could not be examined", func(r *report.Report) {
			r.Skills[0].Status = report.StatusError
			r.Errors = []report.Error{{Path: r.Skills[0].Path}, {Path: r.Skills[0].Path + "/SKILL.md"}}
		}},
		{"1 skill, 3 files checked in 21 ms: no findings; no verdict: 1 skill could not be examined, 2 paths could not be examined, 1 failure",
			func(r *report.Report) {
				r.Skills[0].Status = report.StatusError
				r.Errors = []report.Error{{Path: "/gone"}, {Path: r.Skills[0].Path + "-other"}, {}}
			}},
	} {
		r := clean()
		test.change(r)
		if got := report.Summary(r, report.Options{}); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
		if got := stripEscapes(report.Summary(r, report.Options{Color: true})); got != test.want {
			t.Errorf("colour adds to the words: %s", got)
		}
	}
}

func TestStderr(t *testing.T) {
	r := rich()
	r.Timings = []report.Timing{{Name: "find", Duration: 1500 * time.Microsecond}, {Name: "validate", Duration: 2 * time.Second}}
	golden(t, "stderr", report.ErrorLines(r, report.Options{})+
		report.NoteLines(r, report.Options{})+
		report.TimingTable(r)+
		report.Summary(r, report.Options{})+"\n")
	if got := report.ErrorLines(clean(), report.Options{}) + report.NoteLines(clean(), report.Options{}) + report.TimingTable(clean()); got != "" {
		t.Errorf("a clean run has something to tell: %s", got)
	}
	if !strings.Contains(report.ErrorLines(r, report.Options{Color: true}), "\x1b[") {
		t.Error("errors are not coloured")
	}
}
