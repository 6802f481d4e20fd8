package mcpprobe

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/skilltool/skilltool/pkg/spec"
)

// AuditOptions say what an audit does beside what it always does.
type AuditOptions struct {
	// Skills bounds the audit to skills with one of these URIs or names.
	Skills []string
	// URIs are skills to audit that need not be listed.
	URIs []string
	// Only and Leave choose checks by id, group, or a glob over either.
	Only, Leave []string
	// NoNegative leaves out the requests that a server has to refuse.
	NoNegative bool
	// RequireDigests makes a dynamic skill a failure.
	RequireDigests bool
	// Content runs the validator on each skill as it is served, with all its
	// files.
	Content bool
	// Lint gives the findings for Content; nil stands for spec.Validate.
	Lint func(*spec.Skill) []spec.Diagnostic
	// OnFile gets every file as soon as it is verified, from several
	// goroutines; an error is reported as a fault of ours. nil is allowed.
	OnFile func(e *Entry, uri string, content []byte) error
	// OnEntry gets every entry that was listed or got, in the order of their
	// URIs, before any file is read.
	OnEntry func(e *Entry)
	// Progress is told how far the audit is, from one goroutine at a time.
	Progress func(Progress)
}

// Progress is how far an audit is.
type Progress struct {
	Stage         Group
	Skills, Files int // done
	Total         int // skills known so far
}

// Audit holds a server against every requirement of the extension. It always
// gives a Report: what ended it early is in Report.Fatal and Report.Bounds. A
// ctx with a deadline ends the audit as the bound max-time.
func Audit(ctx context.Context, c *Client, o AuditOptions) *Report {
	start := time.Now()
	a := &auditor{
		findings: newFindings(o.Only, o.Leave), client: c, server: c.Server(), options: o,
		report: &Report{Server: c.Server(), GroupElapsed: map[Group]time.Duration{GroupConnect: c.Server().Connect}},
		files:  make(chan struct{}, max(c.options.Concurrency, 1)), bounds: map[string]LimitError{}, seenFaults: map[seenFault]bool{},
	}
	ctx, a.cancel = context.WithCancelCause(ctx)
	defer a.cancel(nil)
	a.run(ctx)
	a.finish()
	a.report.Elapsed = time.Since(start)
	return a.report
}

// auditor is one audit at work.
type auditor struct {
	*findings
	client  *Client
	server  Server
	options AuditOptions
	report  *Report
	// cancel ends all requests in flight, with a reason.
	cancel context.CancelCauseFunc
	// files has a place for each file that may be held at one time.
	files chan struct{}
	// repeated counts the requests that were sent more than once.
	repeated atomic.Int64

	// skills are those to audit, sorted by URI; whole says that they are all
	// that are listed.
	skills []*skillAudit
	whole  bool
	// byDir finds a skill by its directory.
	byDir map[string]*skillAudit

	relisting sync.Once
	relisted  map[string]string // canonical entries by URI

	state      sync.Mutex // guards what follows, and report
	bounds     map[string]LimitError
	incomplete bool
	seenFaults map[seenFault]bool
	progress   Progress
}

// run goes through the stages. Each looks at ctx through the errors of its
// requests: once the connection is lost nothing more is sent.
func (a *auditor) run(ctx context.Context) {
	a.judgeConnection()
	a.judgeServerStrings()
	if !a.judgeCapability() {
		return
	}
	a.list(ctx)
	a.findUnlisted(ctx)
	a.prepare()
	a.judgeNames()
	a.readResourceList(ctx)
	a.auditSkills(ctx)
	a.judgeNesting()
	a.readPrefixes(ctx)
	a.askForWhatIsRefused(ctx)
	a.judgeWire()
	a.judgeTiming()
}

// several does n things, as many at a time as requests may be in flight.
func (a *auditor) several(n int, do func(i int)) {
	var group errgroup.Group
	group.SetLimit(max(a.client.options.Concurrency, 1))
	for i := range n {
		group.Go(func() error {
			do(i)
			return nil
		})
	}
	_ = group.Wait() // the functions give no errors
}

// asking gives an asker whose requests count for a group.
func (a *auditor) asking(group Group) asker {
	return asker{client: a.client, seen: func(x *Exchange) {
		a.state.Lock()
		a.report.GroupElapsed[group] += x.Duration
		a.state.Unlock()
		if x.Attempts > 1 {
			a.repeated.Add(1)
		}
		a.noteFaults(x)
	}}
}

// over reports whether the audit has ended, and looks at an error of a request
// for the reason: a lost connection, refused credentials, the end of ctx, or a
// bound on the whole audit.
func (a *auditor) over(ctx context.Context, err error) bool {
	var closed *ClosedError
	var refused *ConnectError
	var limit *LimitError
	switch {
	case ctx.Err() != nil:
		a.ended(ctx)
		return true
	case errors.As(err, &closed), errors.As(err, &refused):
		a.fatal(err)
		return true
	case errors.As(err, &limit) && (limit.Bound == "max-bytes" || limit.Bound == "max-time"):
		a.bound(limit)
		a.cancel(limit)
		return true
	}
	return false
}

// ended notes why ctx has ended, where it was not the audit that ended it.
func (a *auditor) ended(ctx context.Context) {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, context.DeadlineExceeded):
		a.bound(&LimitError{Bound: "max-time", Message: "the time for the whole audit was over"})
	case errors.Is(cause, context.Canceled):
		a.fatal(cause)
	}
}

// fatal ends the audit with an error.
func (a *auditor) fatal(err error) {
	a.state.Lock()
	defer a.state.Unlock()
	if a.report.Fatal == nil {
		a.report.Fatal = err
	}
	a.cancel(err)
}

// bound notes that a bound ended something. Of one bound the first message in
// order is kept, so that it does not matter what came first in time.
func (a *auditor) bound(limit *LimitError) {
	a.state.Lock()
	defer a.state.Unlock()
	a.incomplete = true
	if before, ok := a.bounds[limit.Bound]; !ok || limit.Message < before.Message {
		a.bounds[limit.Bound] = *limit
	}
}

// unfinished notes that something could not be examined.
func (a *auditor) unfinished() {
	a.state.Lock()
	defer a.state.Unlock()
	a.incomplete = true
}

// advance tells how far the audit is.
func (a *auditor) advance(change func(*Progress)) {
	if a.options.Progress == nil {
		return
	}
	a.state.Lock()
	defer a.state.Unlock()
	change(&a.progress)
	a.options.Progress(a.progress)
}

// finish makes the report of what was found.
func (a *auditor) finish() {
	r := a.report
	r.Results = a.sorted(a.whySkipped)
	for _, s := range a.skills {
		r.Skills = append(r.Skills, s.report)
	}
	slices.SortStableFunc(r.Skills, func(a, b SkillReport) int { return cmp.Compare(a.URI, b.URI) })
	for _, limit := range a.bounds {
		r.Bounds = append(r.Bounds, limit)
	}
	slices.SortFunc(r.Bounds, func(a, b LimitError) int { return strings.Compare(a.Bound, b.Bound) })
	r.Traffic = a.client.Traffic()
	r.Incomplete = a.incomplete || r.Fatal != nil
	r.Verdict = r.judge()
}

// whySkipped gives the reason for a check that came to nothing.
func (a *auditor) whySkipped(check *CheckInfo) string {
	var unsupported *UnsupportedError
	switch {
	case errors.As(a.report.Fatal, &unsupported):
		return "the extension is not declared"
	case a.report.Fatal != nil:
		return "the audit ended before"
	case check.Negative && a.options.NoNegative:
		return "nothing is asked for that has to be refused"
	case check.Group == GroupDirectory && !a.server.DirectoryRead:
		return "directoryRead is not declared"
	case a.incomplete:
		return "the audit did not come to it"
	case len(a.skills) == 0:
		return "there is no skill to look at"
	}
	return "nothing that was served is of the kind that it looks at"
}
