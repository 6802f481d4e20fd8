package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// The exit codes of probe, besides those that all commands share.
const (
	exitUnreachable = 3
	exitCredentials = 4
	exitUndeclared  = 5
	exitStopped     = 6
)

func probeExits() []exitCode {
	return []exitCode{
		{exitFailure, "usage error, a file that cannot be read or written, or a fault of the tool: no verdict"},
		{exitUnreachable, "the server cannot be reached or went away, or does not speak MCP"},
		{exitCredentials, "the server wants credentials, or refuses those given"},
		{exitUndeclared, "the server does not declare the extension, or not the feature or revision asked for"},
		{exitStopped, "stopped by a bound, or the server wants input (--answer), with no failure before: no verdict"},
		{exitInterrupted, "interrupted"},
	}
}

// worstFirst orders exit codes for --all: no verdict at all for a reason on
// this side, failures, then the reasons on the side of a server.
var worstFirst = []int{
	exitInterrupted, exitFailure, exitFindings, exitCredentials, exitUnreachable, exitUndeclared, exitStopped, exitOK,
}

// worse gives the worse of two exit codes.
func worse(a, b int) int {
	if slices.Index(worstFirst, b) < slices.Index(worstFirst, a) {
		return b
	}
	return a
}

// classify gives the kind and the exit code of what ended a conversation with a
// server.
func classify(err error) (report.ProbeError, int) {
	out := report.ProbeError{Kind: "internal", Message: err.Error()}
	code := exitFailure
	var (
		connect     *mcpprobe.ConnectError
		closed      *mcpprobe.ClosedError
		input       *mcpprobe.InputRequiredError
		limit       *mcpprobe.LimitError
		malformed   *mcpprobe.MalformedError
		rpc         *mcpprobe.RPCError
		unsupported *mcpprobe.UnsupportedError
		verify      *mcpprobe.VerificationError
	)
	switch {
	case errors.As(err, &unsupported):
		out.Kind, code = "not-declared", exitUndeclared
	case errors.As(err, &connect):
		out.Challenge, out.Stderr = connect.Challenge, connect.Stderr
		out.Kind, code = connectKind(err)
	case errors.As(err, &closed):
		out.Kind, out.Stderr, code = "closed", closed.Stderr, exitUnreachable
	case errors.As(err, &malformed):
		out.Kind, code = "malformed", exitFindings
	case errors.As(err, &input):
		out.Kind, out.Requests, code = "input-required", input.Requests, exitStopped
	case errors.As(err, &limit):
		out.Kind, out.Message, code = "limit", limit.Message+" (--"+limit.Bound+")", exitStopped
	case errors.As(err, &verify):
		out.Kind, code = "verification", exitFindings
		if !strings.Contains(verify.Message, verify.URI) {
			out.Message = verify.URI + ": " + verify.Message
		}
	case errors.As(err, &rpc):
		out.Kind, code = "refused", exitFindings
	case errors.Is(err, context.Canceled):
		out.Kind, out.Message, code = "interrupted", "interrupted", exitInterrupted
	case errors.Is(err, context.DeadlineExceeded):
		out.Kind, out.Message, code = "limit", "the run took longer than --max-time", exitStopped
	}
	return out, code
}

func connectKind(err error) (string, int) {
	switch {
	case errors.Is(err, mcpprobe.ErrCredentials):
		return "credentials", exitCredentials
	case errors.Is(err, mcpprobe.ErrRevision):
		return "revision", exitUndeclared
	case errors.Is(err, mcpprobe.ErrNotMCP):
		return "not-mcp", exitUnreachable
	}
	return "unreachable", exitUnreachable
}

// complain says on standard error what ended a conversation with the server
// called name: one line, and below it what the server said of it.
func (e *env) complain(name string, problem report.ProbeError) {
	const lines, columns = 20, 300 // of a server's stderr: enough for a stack
	fmt.Fprintf(e.stderr, "skilltool: %s: %s\n", shorten(name, columns), term.Escape(problem.Message))
	if problem.Challenge != "" {
		fmt.Fprintf(e.stderr, "  challenge: %s\n", shorten(problem.Challenge, columns))
	}
	if problem.Requests != nil {
		fmt.Fprintf(e.stderr, "  it asks for: %s\n", shorten(string(problem.Requests), 10*columns))
		fmt.Fprintln(e.stderr, "  answer with --answer KEY=VALUE")
	}
	if text := strings.TrimRight(problem.Stderr, "\r\n"); text != "" {
		said := strings.Split(text, "\n")
		for _, line := range said[max(0, len(said)-lines):] {
			fmt.Fprintf(e.stderr, "  | %s\n", shorten(strings.TrimSuffix(line, "\r"), columns))
		}
	}
}

// shorten makes text of strangers one line of at most n code points.
func shorten(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		text = string(runes[:n-1]) + "…"
	}
	return term.Escape(text)
}
