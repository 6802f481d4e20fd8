package report

import (
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// Probe is the outcome of one run of probe.
type Probe struct {
	Tool Tool
	// Audits are in the order in which the servers were asked for.
	Audits []ProbeAudit
	// Several says that the run was about all servers of a configuration: its
	// documents hold a list then, whatever its length.
	Several bool
	// Strict says that warnings fail the run.
	Strict bool
	// Timings says that machine formats hold durations too.
	Timings  bool
	ExitCode int
}

// ProbeAudit is what the run says of one server.
type ProbeAudit struct {
	// Label is the user's name for the server, and Address how to name it to
	// people: neither holds a secret.
	Label, Address string
	// Report is nil for a server that was not reached.
	Report  *mcpprobe.Report
	Verdict mcpprobe.Verdict
	// Budget are the bounds of the run.
	Budget []ProbeBound
	// Errors say what kept the audit from its end.
	Errors   []ProbeError
	Notes    []string
	ExitCode int
}

// ProbeBound is a bound, what was used of it, and whether it ended anything.
type ProbeBound struct {
	Name string
	// Limit and Used are in Unit; Used is -1 where it is not known, and for
	// times.
	Limit, Used int64
	// Unit is "ms", "skills", "pages" or "bytes".
	Unit string
	// Ended is what the bound ended; "" for nothing.
	Ended string
}

// ProbeError says what kept an audit from its end.
type ProbeError struct {
	// Kind is unreachable, not-mcp, revision, credentials, not-declared, closed,
	// malformed, input-required, limit, refused, verification, interrupted or
	// internal.
	Kind    string
	Message string
	// Challenge is what a server that wants credentials said of them, or "".
	Challenge string
	// Stderr is the end of what a started server wrote there, or "".
	Stderr string
	// Requests is the input that the server wants, as sent; nil elsewhere.
	Requests []byte
}

// ProbeReporter writes the outcome of a run of probe in one format.
type ProbeReporter interface {
	// ReportProbe writes p to w. Its errors are those of w.
	ReportProbe(w io.Writer, p *Probe) error
}

// probeFormats lists the formats in the order that help shows them.
var probeFormats = []struct {
	name string
	make func(Options) ProbeReporter
}{
	{"text", func(o Options) ProbeReporter { return probeText{o} }},
	{"concise", func(o Options) ProbeReporter { return probeConcise{o} }},
	{"json", func(Options) ProbeReporter { return probeJSON{} }},
	{"jsonl", func(Options) ProbeReporter { return probeJSONL{} }},
	{"sarif", func(Options) ProbeReporter { return probeSARIF{} }},
	{"junit", func(Options) ProbeReporter { return probeJUnit{} }},
	{"github", func(Options) ProbeReporter { return probeGitHub{} }},
	{"markdown", func(Options) ProbeReporter { return probeMarkdown{} }},
}

// ProbeNames gives the names of the formats of probe.
func ProbeNames() []string {
	names := make([]string, len(probeFormats))
	for i, f := range probeFormats {
		names[i] = f.name
	}
	return names
}

// NewProbe gives the reporter of a name that ProbeNames lists.
func NewProbe(name string, opts Options) (ProbeReporter, error) {
	for _, f := range probeFormats {
		if f.name == name {
			return f.make(opts), nil
		}
	}
	return nil, unknownFormat(name, ProbeNames())
}

// CheckURL gives the address of a check's page.
func CheckURL(id string) string {
	return "https://github.com/skilltool/skilltool/blob/main/docs/checks/" + url.PathEscape(id) + ".md"
}

// fails reports whether a result fails the run.
func (p *Probe) fails(r *mcpprobe.Result) bool {
	return !r.Expected && (r.Status == mcpprobe.Fail || p.Strict && r.Status == mcpprobe.Warn)
}

// results gives those of the audit, none for a server that was not reached.
func (a *ProbeAudit) results() []mcpprobe.Result {
	if a.Report == nil {
		return nil
	}
	return a.Report.Results
}

// skills gives those of the audit.
func (a *ProbeAudit) skills() []mcpprobe.SkillReport {
	if a.Report == nil {
		return nil
	}
	return a.Report.Skills
}

// subject is what a result is about: its file, else its skill, else "".
func subject(r *mcpprobe.Result) string {
	if r.URI != "" {
		return r.URI
	}
	return r.Skill
}

// outcomes are those of a skill in the order of reports.
var outcomes = []mcpprobe.Outcome{
	mcpprobe.OutcomeVerified, mcpprobe.OutcomeFailed, mcpprobe.OutcomeUnverifiable, mcpprobe.OutcomeIncomplete,
}

// countOutcome gives the number of skills with an outcome.
func (a *ProbeAudit) countOutcome(o mcpprobe.Outcome) int {
	n := 0
	for _, s := range a.skills() {
		if s.Outcome == o {
			n++
		}
	}
	return n
}

// count gives the number of results with a status that are not expected.
func (a *ProbeAudit) count(s mcpprobe.Status) int {
	if a.Report == nil {
		return 0
	}
	return a.Report.Count(s)
}

// expected counts the results that a file of expected failures names.
func (a *ProbeAudit) expected() int {
	n := 0
	for _, r := range a.results() {
		if r.Expected {
			n++
		}
	}
	return n
}

func (a *ProbeAudit) files() int {
	n := 0
	for _, s := range a.skills() {
		n += len(s.Files)
	}
	return n
}

// groups gives the groups that have results, in their order, with these.
func (a *ProbeAudit) groups() []probeGroup {
	var list []probeGroup
	for _, group := range mcpprobe.Groups() {
		g := probeGroup{group: group}
		for i := range a.results() {
			if r := &a.Report.Results[i]; r.Check.Group == group {
				g.results = append(g.results, r)
			}
		}
		if len(g.results) > 0 {
			list = append(list, g)
		}
	}
	return list
}

// probeGroup is the results of one group.
type probeGroup struct {
	group   mcpprobe.Group
	results []*mcpprobe.Result
}

// count gives the number of things with a status; expected ones count as
// nothing.
func (g probeGroup) count(s mcpprobe.Status) int {
	n := 0
	for _, r := range g.results {
		if r.Status == s && !r.Expected {
			n += r.Count
		}
	}
	return n
}

// status is the worst of the group.
func (g probeGroup) status() mcpprobe.Status {
	for _, s := range []mcpprobe.Status{mcpprobe.Fail, mcpprobe.Error, mcpprobe.Warn, mcpprobe.Pass, mcpprobe.Info} {
		if g.count(s) > 0 {
			return s
		}
	}
	if slices.ContainsFunc(g.results, func(r *mcpprobe.Result) bool { return r.Expected }) {
		return mcpprobe.Pass
	}
	return mcpprobe.Skip
}

// summary says what of the group there is: "5 passed, 1 failed".
func (g probeGroup) summary() string {
	expected := 0
	for _, r := range g.results {
		if r.Expected {
			expected++
		}
	}
	return statusCounts(g.count, expected, false)
}

// statusCounts lists counts of results. all names the usual ones also where
// there is none.
func statusCounts(count func(mcpprobe.Status) int, expected int, all bool) string {
	var parts []string
	add := func(n int, text string, always bool) {
		if n > 0 || all && always {
			parts = append(parts, text)
		}
	}
	passed, failed, skipped := count(mcpprobe.Pass), count(mcpprobe.Fail), count(mcpprobe.Skip)
	warnings, infos, errors := count(mcpprobe.Warn), count(mcpprobe.Info), count(mcpprobe.Error)
	add(passed, fmt.Sprintf("%d passed", passed), true)
	add(failed, fmt.Sprintf("%d failed", failed), true)
	add(expected, fmt.Sprintf("%d expected", expected), false)
	add(warnings, plural(warnings, "warning"), true)
	add(infos, plural(infos, "info"), false)
	add(errors, plural(errors, "error"), false)
	add(skipped, fmt.Sprintf("%d skipped", skipped), true)
	return strings.Join(parts, ", ")
}

func plural(n int, noun string) string { return count(n, noun) }

// size gives a number of bytes as people say it: "812 bytes", "6 kB".
func size(n int64) string {
	if n < 1000 {
		return count(int(n), "byte")
	}
	value := float64(n)
	for _, unit := range []string{"kB", "MB", "GB"} {
		if value /= 1000; value < 999.5 || unit == "GB" {
			if value < 9.95 {
				return strings.TrimSuffix(fmt.Sprintf("%.1f", value), ".0") + " " + unit
			}
			return fmt.Sprintf("%.0f %s", value, unit)
		}
	}
	return ""
}

// clip shortens text of strangers to at most n code points.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return string(runes[:n-1]) + "…"
}

// The bounds on text from a server in formats for people, in code points: a
// URI is shown whole in all but absurd cases, a message may hold two of them.
const (
	maxShownURI     = 300
	maxShownMessage = 700
	maxShownName    = 100
)

var transportNames = map[mcpprobe.Transport]string{
	mcpprobe.TransportStdio: "stdio",
	mcpprobe.TransportHTTP:  "Streamable HTTP",
	mcpprobe.TransportSSE:   "HTTP+SSE",
	mcpprobe.TransportOther: "another transport",
}
