package report

import (
	"io"
	"strings"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// probeJUnit writes JUnit XML: a suite for each group, in it a case for each
// check. Results that fail the run are failures, the others are output of their
// case.
type probeJUnit struct{}

// ReportProbe writes p as one document, without times, so that two runs are
// alike.
func (probeJUnit) ReportProbe(w io.Writer, p *Probe) error {
	var suites []junitSuite
	for i := range p.Audits {
		a := &p.Audits[i]
		if len(a.Errors) > 0 {
			suites = append(suites, newJUnitSuite(junitText(a.name()), []junitCase{probeErrorCase(a)}))
		}
		for _, g := range a.groups() {
			name := junitText(a.name() + "/" + string(g.group))
			suites = append(suites, newJUnitSuite(name, probeCases(p, name, g)))
		}
	}
	return writeJUnit(w, p.Tool.Name+" probe", suites)
}

func probeErrorCase(a *ProbeAudit) junitCase {
	return junitCase{Name: "audit", Classname: junitText(a.name()), Errors: convert(a.Errors, func(e *ProbeError) junitProblem {
		return junitProblem{Type: e.Kind, Message: junitText(e.Message)}
	})}
}

// probeCases gives a case for each check of a group.
func probeCases(p *Probe, suite string, g probeGroup) []junitCase {
	var cases []junitCase
	var check *mcpprobe.CheckInfo
	var results []*mcpprobe.Result
	flush := func() {
		if check != nil {
			cases = append(cases, probeCase(p, suite, check, results))
		}
	}
	for _, r := range g.results {
		if r.Check != check {
			flush()
			check, results = r.Check, nil
		}
		results = append(results, r)
	}
	flush()
	return cases
}

func probeCase(p *Probe, suite string, check *mcpprobe.CheckInfo, results []*mcpprobe.Result) junitCase {
	c := junitCase{Name: check.ID, Classname: suite}
	passed := false
	var output, skipped []string
	for _, r := range results {
		text := junitText(subjectAnd(r))
		switch {
		case r.Status == mcpprobe.Pass:
			passed = true
		case r.Status == mcpprobe.Skip:
			skipped = append(skipped, text)
		case r.Status == mcpprobe.Error:
			c.Errors = append(c.Errors, junitProblem{Type: "error", Message: text})
		case p.fails(r):
			c.Failures = append(c.Failures, junitProblem{Type: string(r.Status), Message: text, Text: junitEvidence(r)})
		default:
			output = append(output, statusOf(r)+": "+text)
		}
	}
	if !passed && len(c.Errors)+len(c.Failures)+len(output) == 0 {
		c.Skipped = strings.Join(skipped, "\n")
	}
	c.Output = strings.Join(output, "\n")
	return c
}

// subjectAnd gives "SUBJECT: MESSAGE".
func subjectAnd(r *mcpprobe.Result) string {
	if about := subject(r); about != "" {
		return clip(about, maxShownURI) + ": " + clip(r.Message, maxShownMessage)
	}
	return clip(r.Message, maxShownMessage)
}

func junitEvidence(r *mcpprobe.Result) string {
	lines := []string{junitText(subjectAnd(r))}
	for _, e := range r.Evidence {
		lines = append(lines, junitText(e.Label+" "+e.Text))
	}
	return strings.Join(append(lines, CheckURL(r.Check.ID)), "\n")
}

func junitText(text string) string { return term.Escape(text) }
