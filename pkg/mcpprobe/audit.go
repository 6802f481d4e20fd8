package mcpprobe

import (
	"context"

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
	return &Report{Server: c.Server(), Verdict: VerdictIncomplete}
}
