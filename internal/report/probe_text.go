package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
	"github.com/skilltool/skilltool/pkg/spec"
)

// probeText writes the outcome for people: a line for each group of checks,
// and below it what did not pass.
type probeText struct{ options Options }

const (
	// groupWidth is that of the longest name of a group, and countsWidth that
	// of what is said of it before the facts at the end of the line.
	groupWidth  = len("performance")
	countsWidth = 40
	// probeWidth is used where there is no terminal, and is the most that is
	// used of a wide one: a requirement at the end of a longer line is lost.
	probeWidth = 90
	// maxRepeats bounds the results that are shown of one check, unless -v was
	// given.
	maxRepeats = 10
)

// ReportProbe writes p.
func (t probeText) ReportProbe(w io.Writer, p *Probe) error {
	out := &probePrinter{
		printer: printer{
			Writer: bufio.NewWriter(w),
			style:  newStyle(w, t.options),
			width:  max(minWidth, min(cmp.Or(t.options.Width, probeWidth), probeWidth)),
		},
		verbose: t.options.Verbose,
	}
	for i := range p.Audits {
		if i > 0 {
			out.printf("\n")
		}
		a := &p.Audits[i]
		if p.Several {
			out.target(a)
			out.errors(a)
		}
		if a.Report != nil {
			out.audit(a)
		}
	}
	return out.Flush()
}

type probePrinter struct {
	printer
	verbose bool
}

// target names the server where there are several.
func (p *probePrinter) target(a *ProbeAudit) {
	p.printf("target   %s", p.style.path.Render(show(a.Label, maxShownName)))
	if a.Address != "" && a.Address != a.Label {
		p.printf("  %s", show(a.Address, maxShownURI))
	}
	p.printf("\n")
}

// errors says what kept an audit from its end. Where there is one server only,
// standard error says so.
func (p *probePrinter) errors(a *ProbeAudit) {
	for _, e := range a.Errors {
		p.printf("%s  %s\n", p.status(mcpprobe.Error, "error", -7), show(e.Message, maxShownMessage))
	}
}

func (p *probePrinter) audit(a *ProbeAudit) {
	p.server(&a.Report.Server)
	if groups := a.groups(); len(groups) > 0 {
		p.printf("\n")
		for _, g := range groups {
			p.group(a, g)
		}
	}
	p.end(a)
}

func (p *probePrinter) server(s *mcpprobe.Server) {
	name := strings.TrimSpace(s.Name + " " + s.Version)
	p.printf("server   %s, MCP %s over %s", show(cmp.Or(name, "without a name"), maxShownName),
		show(cmp.Or(s.Protocol, "of no revision"), maxShownName), cmp.Or(transportNames[s.Transport], string(s.Transport)))
	if s.Connect > 0 {
		p.printf(", %s", duration(s.Connect))
	}
	p.printf("\n")
}

// group writes the line of a group, and what is in it that did not pass.
func (p *probePrinter) group(a *ProbeAudit, g probeGroup) {
	status := g.status()
	said := g.summary()
	skipped := skips(g)
	if status == mcpprobe.Skip && len(skipped) == 1 {
		said, skipped = show(skipped[0].message, maxShownMessage), nil
	}
	line := fmt.Sprintf("  %-*s  %s  %s", groupWidth, g.group, p.status(status, statusWord[status], 4), said)
	if facts := groupFacts(a, g.group); facts != "" {
		line += strings.Repeat(" ", max(2, countsWidth+2-len(said))) + facts
	}
	p.printf("%s\n", line)
	if p.verbose {
		p.passes(g)
	}
	p.problems(g)
	for _, s := range skipped {
		p.skip(s)
	}
}

// skip says why checks of a group were left out; -v names all of them.
func (p *probePrinter) skip(s skipped) {
	who := fmt.Sprintf("%d checks", len(s.checks))
	if len(s.checks) == 1 {
		who = s.checks[0].ID
	}
	p.printf("    %s %s: %s\n", who, p.style.dim.Render("skipped"), show(s.message, maxShownMessage))
	if p.verbose && len(s.checks) > 1 {
		for _, check := range s.checks {
			p.printf("      %s\n", check.ID)
		}
	}
}

// statusWord is how the line of a group says its status.
var statusWord = map[mcpprobe.Status]string{
	mcpprobe.Pass: "ok", mcpprobe.Fail: "FAIL", mcpprobe.Warn: "warn", mcpprobe.Info: "ok", mcpprobe.Skip: "skip", mcpprobe.Error: "ERR",
}

// groupFacts are numbers about the work of a group.
func groupFacts(a *ProbeAudit, group mcpprobe.Group) string {
	var facts []string
	switch group {
	case mcpprobe.GroupList:
		facts = append(facts, plural(a.Report.Pages, "page"), plural(len(a.Report.Skills), "skill"))
	case mcpprobe.GroupIntegrity:
		facts = append(facts, plural(a.files(), "file"))
	default:
		return ""
	}
	if spent := a.Report.GroupElapsed[group]; spent > 0 {
		facts = append(facts, duration(spent))
	}
	return strings.Join(facts, ", ")
}

// passes unfolds what passed.
func (p *probePrinter) passes(g probeGroup) {
	for _, r := range g.results {
		if r.Status == mcpprobe.Pass {
			p.printf("    %s\n", p.headed(r.Check.ID+" "+p.style.dim.Render("passed"+times(r.Count)), r.Check))
		}
	}
}

// problems shows what is neither a pass nor a skip.
func (p *probePrinter) problems(g probeGroup) {
	shown := map[string]int{}
	for i, r := range g.results {
		if r.Status == mcpprobe.Pass || r.Status == mcpprobe.Skip {
			continue
		}
		shown[r.Check.ID]++
		if n := shown[r.Check.ID]; n <= maxRepeats || p.verbose {
			p.problem(r)
		}
		last := i+1 == len(g.results) || g.results[i+1].Check != r.Check
		if more := shown[r.Check.ID] - maxRepeats; last && more > 0 && !p.verbose {
			p.printf("    %s %d more of these; -v shows all\n", r.Check.ID, more)
		}
	}
}

func (p *probePrinter) problem(r *mcpprobe.Result) {
	id := p.style.link(CheckURL(r.Check.ID), p.status(r.Status, r.Check.ID, 0))
	head := id
	if about := subject(r); about != "" {
		head += " " + p.style.path.Render(show(about, maxShownURI))
	}
	switch {
	case r.Expected:
		head += " (expected)"
	case r.Status != mcpprobe.Fail:
		head += " (" + string(r.Status) + ")"
	}
	p.printf("    %s\n", p.headed(head, r.Check))
	for _, line := range wrap(show(r.Message, maxShownMessage), p.width-6) {
		p.printf("      %s\n", line)
	}
	p.evidence(r.Evidence)
}

func (p *probePrinter) evidence(list []mcpprobe.Evidence) {
	width := 0
	for _, e := range list {
		width = max(width, len(show(e.Label, maxShownName)))
	}
	for _, e := range list {
		p.printf("        %s %s\n", p.style.dim.Render(fmt.Sprintf("%-*s", width, show(e.Label, maxShownName))), term.Escape(e.Text))
	}
}

// headed puts the level and the requirement of a check at the end of a line.
func (p *probePrinter) headed(head string, check *mcpprobe.CheckInfo) string {
	end := string(check.Level)
	if check.Requirement != "" {
		end += " " + check.Requirement
	}
	room := p.width - len("    ") - ansi.StringWidth(head) - len(end)
	return head + strings.Repeat(" ", max(2, room)) + p.style.dim.Render(end)
}

// end writes the counts over the whole audit.
func (p *probePrinter) end(a *ProbeAudit) {
	p.printf("\n")
	var parts []string
	for _, o := range outcomes {
		parts = append(parts, fmt.Sprintf("%d %s", a.countOutcome(o), o))
	}
	p.printf("skills   %s\n", strings.Join(parts, ", "))
	traffic := a.Report.Traffic
	p.printf("checks   %s in %s; %s, %s\n", statusCounts(a.count, a.expected(), true), duration(a.Report.Elapsed),
		plural(traffic.Requests, "request"), size(traffic.BytesReceived))
	for _, b := range a.Budget {
		if b.Ended != "" {
			p.printf("stopped  %s: %s\n", b.Name, show(b.Ended, maxShownMessage))
		}
	}
	if a.Verdict == mcpprobe.VerdictIncomplete {
		p.printf("verdict  %s\n", p.status(mcpprobe.Warn, "incomplete: not everything could be checked", 0))
	}
}

// status colours a word by a status; width pads it on the left, or on the right
// where it is negative.
func (p *probePrinter) status(s mcpprobe.Status, word string, width int) string {
	padded := fmt.Sprintf("%*s", width, word)
	switch s {
	case mcpprobe.Fail, mcpprobe.Error:
		return p.style.severity[spec.Error].Render(padded)
	case mcpprobe.Warn:
		return p.style.severity[spec.Warning].Render(padded)
	case mcpprobe.Pass:
		return p.style.fix.Render(padded)
	case mcpprobe.Skip:
		return p.style.dim.Render(padded)
	}
	return p.style.severity[spec.Info].Render(padded)
}

// skipped is a reason why checks were left out.
type skipped struct {
	message string
	checks  []*mcpprobe.CheckInfo
}

// skips folds the skips of a group by their reason.
func skips(g probeGroup) []skipped {
	var list []skipped
	for _, r := range g.results {
		if r.Status != mcpprobe.Skip || r.Expected {
			continue
		}
		at := slices.IndexFunc(list, func(s skipped) bool { return s.message == r.Message })
		if at < 0 {
			at = len(list)
			list = append(list, skipped{message: r.Message})
		}
		if !slices.Contains(list[at].checks, r.Check) {
			list[at].checks = append(list[at].checks, r.Check)
		}
	}
	return list
}

// times says how often, where that is more than once.
func times(n int) string {
	if n <= 1 {
		return ""
	}
	return fmt.Sprintf(" %d times", n)
}

// show makes text from a server fit for a line, at most n code points of it.
func show(text string, n int) string { return term.Escape(clip(text, n)) }
