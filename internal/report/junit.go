package report

import (
	"cmp"
	"encoding/xml"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/spec"
)

// junitReporter writes JUnit XML: a suite for each skill, in it a case for each
// rule that ran, so that passes count too. Findings that fail the run are
// failures, the others are output of their case.
type junitReporter struct{}

type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}

	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}

	junitCase struct {
		Name      string         `xml:"name,attr"`
		Classname string         `xml:"classname,attr"`
		Skipped   string         `xml:"skipped,omitempty"`
		Errors    []junitProblem `xml:"error"`
		Failures  []junitProblem `xml:"failure"`
		Output    string         `xml:"system-out,omitempty"`
	}

	junitProblem struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// Report writes r as one document, without times, so that two runs are alike.
func (junitReporter) Report(w io.Writer, r *Report) error {
	return writeJUnit(w, r.Tool.Name+" "+r.Command, newJUnitBuilder(r).suites())
}

// writeJUnit writes suites as one document.
func writeJUnit(w io.Writer, name string, suites []junitSuite) error {
	document := junitSuites{Name: name, Suites: suites}
	for _, s := range suites {
		document.Tests += s.Tests
		document.Failures += s.Failures
		document.Errors += s.Errors
	}
	out, err := xml.MarshalIndent(document, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(out)+"\n")
	return err
}

// junitBuilder holds a report's findings and errors by skill.
type junitBuilder struct {
	report   *Report
	findings map[string][]*Finding
	errors   map[string][]Error
	// others are the Finding.Skill of findings outside every skill, and strays
	// are such errors.
	others []string
	strays []Error
}

func newJUnitBuilder(r *Report) *junitBuilder {
	b := &junitBuilder{report: r, findings: map[string][]*Finding{}, errors: map[string][]Error{}}
	var skills []string
	for _, s := range r.Skills {
		skills = append(skills, s.Path)
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if b.findings[f.Skill] == nil && !slices.Contains(skills, f.Skill) {
			b.others = append(b.others, f.Skill)
		}
		b.findings[f.Skill] = append(b.findings[f.Skill], f)
	}
	for _, e := range r.Errors {
		if skill := owner(skills, e.Path); skill != "" {
			b.errors[skill] = append(b.errors[skill], e)
			continue
		}
		b.strays = append(b.strays, e)
	}
	return b
}

func (b *junitBuilder) suites() []junitSuite {
	var suites []junitSuite
	for _, s := range b.report.Skills {
		suites = append(suites, newJUnitSuite(b.path(s.Path), b.skillCases(s)))
	}
	for _, other := range b.others {
		path := cmp.Or(b.path(other), b.report.Tool.Name)
		suites = append(suites, newJUnitSuite(path, b.ruleCases(path, b.findings[other], nil)))
	}
	for _, e := range b.strays {
		path := cmp.Or(b.path(e.Path), b.report.Tool.Name)
		suites = append(suites, newJUnitSuite(path, []junitCase{b.errorCase(path, []Error{e})}))
	}
	return suites
}

func newJUnitSuite(name string, cases []junitCase) junitSuite {
	suite := junitSuite{Name: name, Tests: len(cases), Cases: cases}
	for _, c := range cases {
		switch {
		case len(c.Errors) > 0:
			suite.Errors++
		case len(c.Failures) > 0:
			suite.Failures++
		case c.Skipped != "":
			suite.Skipped++
		}
	}
	return suite
}

// skillCases gives a case for each rule, and one more for a skill that could
// not be examined whole. There a rule without a finding has not passed.
func (b *junitBuilder) skillCases(s Skill) []junitCase {
	path := b.path(s.Path)
	cases := b.ruleCases(path, b.findings[s.Path], b.report.Rules)
	if s.Status != StatusError && len(b.errors[s.Path]) == 0 {
		return cases
	}
	for i := range cases {
		if len(cases[i].Failures) == 0 && cases[i].Output == "" {
			cases[i].Skipped = "the skill could not be examined whole"
		}
	}
	return append([]junitCase{b.errorCase(path, b.errors[s.Path])}, cases...)
}

// ruleCases gives a case for each rule that ran, and for any other that found
// something.
func (b *junitBuilder) ruleCases(path string, found []*Finding, ran []spec.RuleInfo) []junitCase {
	byRule := map[string][]*Finding{}
	for _, rule := range ran {
		byRule[rule.ID] = nil
	}
	for _, f := range found {
		byRule[f.RuleID] = append(byRule[f.RuleID], f)
	}
	var cases []junitCase
	for _, id := range slices.Sorted(maps.Keys(byRule)) {
		cases = append(cases, b.ruleCase(id, path, byRule[id]))
	}
	return cases
}

func (b *junitBuilder) ruleCase(id, path string, found []*Finding) junitCase {
	c := junitCase{Name: id, Classname: path}
	var output []string
	for _, f := range found {
		place := b.path(join(f.Skill, f.Path)) + showPosition(f.Range)
		text := place + ": " + f.Severity.String() + " " + id + ": " + term.Escape(f.Message)
		if f.Help != "" {
			text += "\nhelp: " + term.Escape(f.Help)
		}
		if b.report.fails(f.Severity) {
			message := place + ": " + term.Escape(f.Message)
			c.Failures = append(c.Failures, junitProblem{Type: f.Severity.String(), Message: message, Text: text})
			continue
		}
		output = append(output, text)
	}
	c.Output = strings.Join(output, "\n")
	return c
}

// errorCase stands for the reading of a skill or path. A skill of status error
// may come without an Error of its own.
func (b *junitBuilder) errorCase(path string, errors []Error) junitCase {
	if len(errors) == 0 {
		errors = []Error{{Message: "could not be examined whole"}}
	}
	return junitCase{Name: "examine", Classname: path, Errors: convert(errors, func(e *Error) junitProblem {
		message := term.Escape(e.Message)
		if e.Path != "" {
			message = b.path(e.Path) + ": " + message
		}
		return junitProblem{Type: "error", Message: message}
	})}
}

func (b *junitBuilder) path(path string) string { return showPath(relative(b.report.Base, path)) }
