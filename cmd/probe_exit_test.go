package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

func TestClassify(t *testing.T) {
	for _, test := range []struct {
		err  error
		kind string
		code int
	}{
		{&mcpprobe.ConnectError{Kind: mcpprobe.ErrUnreachable}, "unreachable", 3},
		{&mcpprobe.ConnectError{Kind: mcpprobe.ErrNotMCP}, "not-mcp", 3},
		{&mcpprobe.ConnectError{Kind: mcpprobe.ErrRevision}, "revision", 5},
		{&mcpprobe.ConnectError{Kind: mcpprobe.ErrCredentials}, "credentials", 4},
		{fmt.Errorf("listing: %w", &mcpprobe.ConnectError{Kind: mcpprobe.ErrCredentials}), "credentials", 4},
		{&mcpprobe.ClosedError{}, "closed", 3},
		{&mcpprobe.MalformedError{}, "malformed", 1},
		{&mcpprobe.UnsupportedError{Feature: mcpprobe.Extension}, "not-declared", 5},
		{&mcpprobe.LimitError{Bound: "max-pages"}, "limit", 6},
		{&mcpprobe.InputRequiredError{}, "input-required", 6},
		{context.DeadlineExceeded, "limit", 6},
		{context.Canceled, "interrupted", 130},
		{&mcpprobe.VerificationError{}, "verification", 1},
		{&mcpprobe.RPCError{Code: -32602}, "refused", 1},
		{errors.New("disk full"), "internal", 2},
	} {
		if problem, code := classify(test.err); problem.Kind != test.kind || code != test.code {
			t.Errorf("%T %v: %s, %d, want %s, %d", test.err, test.err, problem.Kind, code, test.kind, test.code)
		}
	}
}

func TestWorse(t *testing.T) {
	order := []int{0, 6, 5, 3, 4, 1, 2, 130}
	for i, a := range order {
		for j, b := range order {
			if got := worse(a, b); got != order[max(i, j)] {
				t.Errorf("worse(%d, %d) = %d", a, b, got)
			}
		}
	}
}

// What a server says of its end does a terminal no harm, and has a bound.
func TestComplain(t *testing.T) {
	var b bytes.Buffer
	e := &env{stderr: &b}
	lines := ""
	for i := range 30 {
		lines += fmt.Sprintf("line %d\r\n", i)
	}
	e.complain("a\x1bb", report.ProbeError{Message: "gone\nskilltool: all is well", Challenge: "Bearer \x1b[2J", Stderr: lines, Requests: []byte("{}")})
	want := "skilltool: a\\x1bb: gone\\nskilltool: all is well\n  challenge: Bearer \\x1b[2J\n  it asks for: {}\n  answer with --answer KEY=VALUE\n"
	for i := 10; i < 30; i++ {
		want += fmt.Sprintf("  | line %d\n", i)
	}
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", &b, want)
	}
}
