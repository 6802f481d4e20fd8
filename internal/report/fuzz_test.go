package report_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/spec"
)

// FuzzFormats holds every format against hostile text in every place that a
// skill or its path can fill.
func FuzzFormats(f *testing.F) {
	f.Add("message", "skills/x/SKILL.md", "name: x", 3, 5)
	f.Add("a\r\n::error::x\x00%0A", "a:1:1: error x: y\n,file=z", "\t日本\u202e\x1b[31m", 2, 2)
	f.Add("]]>&<\xff\ufffe\U000e0041", "../%\x7f\u0085", "\xff\xfe\u200d", 0, 90)
	json, sarif, xsd := reportSchema(f, ""), sarifSchema(f), readXSD(f)
	f.Fuzz(func(t *testing.T, message, path, line string, start, length int) {
		r := hostile(message, path, line, start, length)
		validate(t, json, write(t, "json", report.Options{}, r))
		validate(t, sarif, write(t, "sarif", report.Options{}, r))
		checkGitHub(t, write(t, "github", report.Options{}, r), r)
		suites := parseXML(t, write(t, "junit", report.Options{}, r))
		if problems := xsd.check(suites); problems != nil {
			t.Errorf("junit: %s", strings.Join(problems, "\n"))
		}
		checkCounts(t, suites)
		if got, want := strings.Count(write(t, "jsonl", report.Options{}, r), "\n"), 6; got != want {
			t.Errorf("jsonl has %d lines, want %d", got, want)
		}
		if got := write(t, "concise", report.Options{}, r); strings.Count(got, "\n") != 1 {
			t.Errorf("concise has more than a line: %q", got)
		}
		for _, format := range []string{"text", "full", "concise", "github"} {
			checkPlain(t, format, write(t, format, report.Options{}, r))
		}
		checkPlain(t, "stderr", report.ErrorLines(r, report.Options{})+report.NoteLines(r, report.Options{}))
		plain := write(t, "full", report.Options{Color: true, Links: true}, r)
		if got := stripEscapes(plain); got != write(t, "full", report.Options{}, r) {
			t.Errorf("colour and links change the text: %q", got)
		}
	})
}

// hostile puts strings of a stranger everywhere.
func hostile(message, path, line string, start, length int) *report.Report {
	start, length = bound(start), bound(length)
	place := spec.Range{
		Start: spec.Position{Line: 1, Column: start + 1},
		End:   spec.Position{Line: 1 + start%2, Column: start + length + 1},
	}
	r := clean()
	skill := "/work/repo/" + path
	f := report.Finding{Skill: skill, Line: line, Fingerprint: message}
	f.Diagnostic = spec.Diagnostic{
		RuleID: "name-charset", Severity: spec.Error, Path: path, Field: message, Range: place, Message: message, Help: message,
		Related: []spec.Related{{Path: path, Range: place, Message: message}},
		Fixes: []spec.Fix{{Title: message, Safety: spec.Safe, Edits: []spec.Edit{
			{Path: path, Range: place, Text: message}, {Path: ".", Range: place},
		}}},
	}
	r.Skills = []report.Skill{{Path: skill, Name: message, Status: report.StatusInvalid}}
	r.Findings = []report.Finding{f}
	r.Suppressed = []report.Suppressed{{Finding: f, By: message}}
	r.Errors = []report.Error{{Path: "/" + path, Message: message}}
	r.Notes = []string{message}
	return r
}

// bound keeps a number where a place in a file can be.
func bound(n int) int { return int(uint(n) % 5000) }

// checkPlain holds text to what a terminal only shows.
func checkPlain(t *testing.T, format, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s is not UTF-8: %q", format, text)
	}
	for _, r := range text {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029') {
			t.Errorf("%s holds %U: %q", format, r, text)
		}
	}
}
