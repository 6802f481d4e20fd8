package cmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// probeRun is one run of probe, as its flags describe it.
type probeRun struct {
	e       *env
	options mcpprobe.Options
	audit   mcpprobe.AuditOptions
	maxTime time.Duration
	strict  bool
	several bool
	timings bool
	trace   *os.File
	targets []keptTarget
	reports []reportFile
}

// keptTarget is a server with what is kept of it: a lock, saved files.
type keptTarget struct {
	probeTarget
	keeper *keeper
}

func newProbeRun(c *cli.Context, e *env) (*probeRun, error) {
	p := &probeRun{
		e: e, maxTime: c.Duration("max-time"), strict: c.Bool("strict"), several: c.Bool("all"), timings: c.Bool("timings"),
	}
	var err error
	if p.options, err = clientOptions(c); err != nil {
		return nil, err
	}
	if p.audit, err = auditOptions(c); err != nil {
		return nil, err
	}
	if p.reports, err = reportFiles(c, report.ProbeNames()); err != nil {
		return nil, err
	}
	targets, err := probeTargets(c, e)
	if err != nil {
		return nil, err
	}
	for _, t := range targets {
		k, err := newKeeper(c, e, t)
		if err != nil {
			return nil, err
		}
		p.targets = append(p.targets, keptTarget{t, k})
	}
	if name := c.String("trace"); name != "" {
		if p.trace, err = openTrace(name); err != nil {
			return nil, fmt.Errorf("--trace: %q cannot be written: %w", name, plainError(err))
		}
	}
	return p, nil
}

func probeTargets(c *cli.Context, e *env) ([]probeTarget, error) {
	if c.Bool("all") {
		return resolveProbeTargets(c, e)
	}
	t, err := resolveProbeTarget(c, e)
	return []probeTarget{t}, err
}

// run audits all targets, one after the other. The failure of one does not
// stop the others; an interrupt does.
func (p *probeRun) run(ctx context.Context) (*report.Probe, error) {
	if p.trace != nil {
		defer p.trace.Close()
	}
	tool := build()
	out := &report.Probe{
		Tool:    report.Tool{Name: tool.Name, Version: tool.Version, Commit: tool.Commit},
		Several: p.several, Strict: p.strict, Timings: p.timings,
	}
	for _, t := range p.targets {
		if ctx.Err() != nil {
			break
		}
		a := p.target(ctx, t)
		out.Audits = append(out.Audits, a)
		out.ExitCode = worse(out.ExitCode, a.ExitCode)
	}
	return out, nil
}

// target audits one server.
func (p *probeRun) target(ctx context.Context, t keptTarget) report.ProbeAudit {
	a := report.ProbeAudit{Label: t.Target.Label, Address: t.Show, Notes: t.Notes, Verdict: mcpprobe.VerdictIncomplete}
	ctx, cancel := context.WithTimeout(ctx, p.maxTime)
	defer cancel()
	client, err := connectProbe(ctx, t.Target, p.clientOptions(t.probeTarget))
	if err != nil {
		problem, code := classify(err)
		redactProblem(&problem, t.Redact)
		a.Errors, a.ExitCode = append(a.Errors, problem), code
		a.Budget = p.budget(nil)
		return a
	}
	defer client.Close() // whatever happens, no process is left
	r := p.auditClient(ctx, client, t)
	// What the audit learnt is worth more than a fault at the end of the
	// connection, of which Close leaves nothing.
	_ = client.Close()
	a.Label = cmp.Or(r.Server.Label, a.Label)
	a.Report, a.Budget = r, p.budget(r)
	if err := t.keeper.finish(r); err != nil {
		a.Errors = append(a.Errors, report.ProbeError{Kind: "internal", Message: err.Error()})
		a.ExitCode = exitFailure
	}
	redactReport(r, t.Redact)
	p.judge(&a)
	for i := range a.Errors {
		redactProblem(&a.Errors[i], t.Redact)
	}
	return a
}

func (p *probeRun) clientOptions(t probeTarget) mcpprobe.Options {
	o := p.options
	o.Redact = t.Redact
	if p.trace != nil {
		o.Trace = io.Writer(p.trace)
	}
	return o
}

// auditClient audits over a connection, and shows how far it is.
func (p *probeRun) auditClient(ctx context.Context, client *mcpprobe.Client, t keptTarget) *mcpprobe.Report {
	shown := p.e.startProgress("files")
	defer shown.end()
	o := p.audit
	o.Progress = func(now mcpprobe.Progress) { shown.say(progressLine(now)) }
	t.keeper.auditOptions(&o)
	r := mcpprobe.Audit(ctx, client, o)
	if t.Insecure {
		r.Results = append(r.Results, mcpprobe.InsecureResult())
	}
	return r
}

// progressLine says how far an audit is.
func progressLine(now mcpprobe.Progress) string {
	if now.Total == 0 {
		return string(now.Stage)
	}
	return fmt.Sprintf("%s: %d of %d skills, %d files", now.Stage, now.Skills, now.Total, now.Files)
}

// judge gives the verdict and the exit code of an audit that reached its
// server.
func (p *probeRun) judge(a *report.ProbeAudit) {
	r := a.Report
	sortResults(r.Results)
	stopped := exitOK
	if r.Fatal != nil {
		problem, code := classify(r.Fatal)
		a.Errors, stopped = append(a.Errors, problem), code
	} else if len(r.Bounds) > 0 {
		stopped = exitStopped
	}
	failed := r.Count(mcpprobe.Fail) > 0 || p.strict && r.Count(mcpprobe.Warn) > 0
	broken := a.ExitCode == exitFailure || r.Count(mcpprobe.Error) > 0
	switch {
	case stopped == exitUndeclared, stopped == exitInterrupted:
		a.ExitCode = stopped
	case broken:
		a.ExitCode = exitFailure
	case failed:
		a.ExitCode = exitFindings
	case stopped == exitOK && r.Incomplete:
		a.ExitCode = exitStopped
	default:
		a.ExitCode = stopped
	}
	switch {
	case failed:
		a.Verdict = mcpprobe.VerdictFail
	case a.ExitCode == exitOK:
		a.Verdict = mcpprobe.VerdictPass
	}
}

// sortResults brings results that were added later to their place.
func sortResults(results []mcpprobe.Result) {
	groups := mcpprobe.Groups()
	slices.SortStableFunc(results, func(a, b mcpprobe.Result) int {
		return cmp.Or(
			cmp.Compare(slices.Index(groups, a.Check.Group), slices.Index(groups, b.Check.Group)),
			cmp.Compare(a.Check.ID, b.Check.ID), cmp.Compare(a.Skill, b.Skill), cmp.Compare(a.URI, b.URI),
			cmp.Compare(a.Message, b.Message),
		)
	})
}

// budget lists the bounds of the run, what was used of them, and what they
// ended. r is nil for a server that was not reached.
func (p *probeRun) budget(r *mcpprobe.Report) []report.ProbeBound {
	o := p.options
	list := []report.ProbeBound{
		{Name: "connect-timeout", Limit: o.ConnectTimeout.Milliseconds(), Used: -1, Unit: "ms"},
		{Name: "timeout", Limit: o.Timeout.Milliseconds(), Used: -1, Unit: "ms"},
		{Name: "max-time", Limit: p.maxTime.Milliseconds(), Used: -1, Unit: "ms"},
		{Name: "max-skills", Limit: int64(o.MaxSkills), Used: -1, Unit: "skills"},
		{Name: "max-pages", Limit: int64(o.MaxPages), Used: -1, Unit: "pages"},
		{Name: "max-bytes", Limit: o.MaxBytes, Used: -1, Unit: "bytes"},
		{Name: "max-file-bytes", Limit: o.MaxFileBytes, Used: -1, Unit: "bytes"},
	}
	if r == nil {
		return list
	}
	used := map[string]int64{
		"max-skills": int64(len(r.Skills)), "max-pages": int64(r.Pages), "max-bytes": r.Traffic.BytesReceived,
	}
	for _, s := range r.Skills {
		for _, f := range s.Files {
			used["max-file-bytes"] = max(used["max-file-bytes"], f.HaveSize)
		}
	}
	for i := range list {
		if n, ok := used[list[i].Name]; ok {
			list[i].Used = n
		}
		for _, ended := range r.Bounds {
			if ended.Bound == list[i].Name && list[i].Ended == "" {
				list[i].Ended = ended.Message
			}
		}
	}
	return list
}

// finish writes the reports and gives the exit code.
func (p *probeRun) finish(ctx context.Context, out *report.Probe) error {
	for _, file := range p.reports {
		if err := p.e.writeProbe(out, file); err != nil {
			return err
		}
	}
	for _, a := range out.Audits {
		for _, note := range a.Notes {
			p.e.notef("note: %s", shorten(note, 1000))
		}
		for _, problem := range a.Errors {
			if problem.Kind != "interrupted" {
				p.e.complain(cmp.Or(a.Address, a.Label), problem)
			}
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case out.ExitCode != exitOK:
		return exitStatus(out.ExitCode)
	}
	return nil
}

// writeProbe writes the outcome to its file, or to standard output.
func (e *env) writeProbe(out *report.Probe, file reportFile) error {
	return e.writeFormatted(file.path, func(w io.Writer, o report.Options) error {
		o.Verbose = e.verbose
		reporter, err := report.NewProbe(file.format, o)
		if err != nil {
			return err
		}
		return reporter.ReportProbe(w, out)
	})
}
