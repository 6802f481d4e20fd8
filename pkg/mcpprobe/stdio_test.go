package mcpprobe

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestStdioAnswers makes one request of each server.
func TestStdioAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		role   string
		uri    string
		limit  int64
		o      Options
		want   string // the result, or the error with its type
		faults string // of the exchange
		rest   string // those of the traffic
	}{
		"noise": {role: "noise", want: `{}`, rest: `noise: a line on standard output is no message of MCP: "Listening"
noise: a line on standard output is no message of MCP: "{\"level\":\"info\"}"`},
		"CRLF":             {role: "CRLF", want: `{}`},
		"blank end":        {role: "blank end", want: `{}`},
		"long id":          {role: "long id", want: `{}`, rest: "server-request: the server asked for ping with an id of 2050 bytes"},
		"last line no end": {role: "last line", want: `{}`},
		"unasked": {role: "unasked", want: `{}`, rest: `notification: the server sent notifications/resources/list_changed
server-request: the server asked for roots/list`},
		"unknown ids": {role: "unknown ids", want: `{"n":1}`, rest: `unknown-id: a second answer to one request
unknown-id: an answer to the id "99", which no request had
unknown-id: an answer to the id "\"sk-0000099\"", which no request had`},
		"null id": {role: "null id", want: "*mcpprobe.RPCError: the server answered with error -32700: parse", faults: "envelope: an answer whose id is null"},
		"faulty": {role: "faulty", want: "{\"a\":1,\"a\":\"\\udc00\xff\"}", faults: `duplicate-key: the key "a" comes again in /result
invalid-utf8: no UTF-8 at byte 46 of the message
lone-surrogate: half a surrogate pair at byte 40 of the message
envelope: a message without "jsonrpc": "2.0"`},
		"deep":              {role: "deep", want: "*mcpprobe.MalformedError: a message cannot be read: JSON nested deeper than 1000 levels"},
		"brackets":          {role: "brackets", o: Options{MaxFileBytes: 1 << 20}, want: "{}", rest: "noise: a line on standard output is longer than any answer may be: \"" + strings.Repeat("[", maxShown) + "…\""},
		"at the limit":      {role: "id first", uri: "bytes:1000", limit: 1047, want: `"` + strings.Repeat("x", 1000) + `"`},
		"over the limit":    {role: "id first", uri: "bytes:1001", limit: 1047, want: "*mcpprobe.LimitError: the answer to skills/list has more than 1047 bytes"},
		"too long":          {role: "id first", uri: "bytes:3000000", limit: 2 << 20, want: "*mcpprobe.LimitError: the answer to skills/list has more than 2097152 bytes"},
		"too long, id last": {role: "id last", uri: "bytes:3000000", limit: 2 << 20, want: "*mcpprobe.LimitError: the answer to skills/list has more than 2097152 bytes"},
		"no line":           {role: "no line", limit: 2 << 20, want: "*mcpprobe.LimitError: the answer to skills/list has more than 2097152 bytes"},
		"slow":              {role: "slow", o: Options{Timeout: time.Second}, want: "*mcpprobe.LimitError: no whole answer to skills/list within 1s"},
		"silent":            {role: "late", o: Options{Timeout: time.Second}, want: "*mcpprobe.LimitError: no whole answer to skills/list within 1s"},
		"deaf":              {role: "deaf", o: Options{Timeout: time.Second}, want: "*mcpprobe.LimitError: no whole answer to skills/list within 1s"},
		"killed":            {role: "killed", want: "*mcpprobe.ClosedError: the server ended: signal: killed"},
		"max bytes":         {role: "id first", uri: "bytes:3000000", o: Options{MaxBytes: 1 << 20}, want: "*mcpprobe.LimitError: all answers together have more than 1048576 bytes"},
		"endless":           {role: "endless", o: Options{MaxBytes: 30 << 20}, want: "*mcpprobe.LimitError: all answers together have more than 31457280 bytes"},
		"stderr flood":      {role: "stderr flood", want: `{}`},
		"old":               {role: "old", want: `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.role == "killed" && runtime.GOOS == "windows" {
				t.Skip("no signals")
			}
			client := connected(t, stdioTarget(t, c.role), c.o)
			x := client.Call(t.Context(), MethodList, map[string]any{"uri": c.uri}, c.limit)
			if diff := cmp.Diff(c.want, outcome(x)); diff != "" {
				t.Errorf("outcome (-want +have):\n%s", diff)
			}
			if diff := cmp.Diff(c.faults, faultText(x.Faults)); diff != "" {
				t.Errorf("faults (-want +have):\n%s", diff)
			}
			if err := client.Close(); err != nil { // so that all is read
				t.Error(err)
			}
			if diff := cmp.Diff(c.rest, faultText(client.Traffic().Faults)); diff != "" {
				t.Errorf("other faults (-want +have):\n%s", diff)
			}
		})
	}
}

// outcome shows what a call gave.
func outcome(x *Exchange) string {
	if err := x.Error(); err != nil {
		return fmt.Sprintf("%T: %v", err, err)
	}
	return string(x.Result)
}

func faultText(faults []WireFault) string {
	var lines []string
	for _, fault := range faults {
		lines = append(lines, fmt.Sprintf("%s: %s", fault.Kind, fault.Message))
	}
	return strings.Join(lines, "\n")
}

// TestStdioSurvives makes a second request after the first one failed.
func TestStdioSurvives(t *testing.T) {
	for _, role := range []string{"id first", "id last"} {
		c := connected(t, stdioTarget(t, role), Options{})
		x := c.Call(t.Context(), MethodList, map[string]any{"uri": "bytes:3000000"}, 2<<20)
		if x.Err == nil {
			t.Errorf("%s: a result of %d bytes", role, len(x.Result))
		}
		x = c.Call(t.Context(), MethodList, map[string]any{"uri": "bytes:3"}, 0)
		if outcome(x) != `"xxx"` {
			t.Errorf("%s: %v", role, x.Error())
		}
	}
}

func TestStdioReversed(t *testing.T) {
	c := connected(t, stdioTarget(t, "reversed"), Options{})
	var group sync.WaitGroup
	for _, uri := range []string{"a", "b", "c"} {
		group.Go(func() {
			if x := c.Call(t.Context(), MethodGet, map[string]any{"uri": uri}, 0); outcome(x) != `"`+uri+`"` {
				t.Errorf("%s: %s", uri, outcome(x))
			}
		})
	}
	group.Wait()
}

// TestStdioCancel takes an answer that comes too late for no answer to what is
// asked next.
func TestStdioCancel(t *testing.T) {
	c := connected(t, stdioTarget(t, "late"), Options{})
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if x := c.Call(ctx, MethodList, nil, 0); !errors.Is(x.Err, context.DeadlineExceeded) {
		t.Errorf("err %v", x.Error())
	}
	ctx, stop = context.WithCancel(t.Context())
	stop()
	if x := c.Call(ctx, MethodList, nil, 0); !errors.Is(x.Err, context.Canceled) {
		t.Errorf("err %v", x.Error())
	}
	if x := c.Call(t.Context(), MethodList, nil, 0); outcome(x) != `"second"` {
		t.Errorf("second: %s", outcome(x))
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if faults := c.Traffic().Faults; len(faults) > 0 {
		t.Errorf("faults: %v", faults)
	}
}

func TestStdioDeath(t *testing.T) {
	hide := func(text string) string { return strings.ReplaceAll(text, "hunter2", "***") }
	c := connected(t, stdioTarget(t, "dies"), Options{Timeout: time.Hour, Redact: hide})
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			x := c.Call(t.Context(), MethodList, nil, 0)
			var closed *ClosedError
			if !errors.As(x.Err, &closed) || closed.Message != "the server ended in the middle of a message: exit status 3" || closed.Stderr != "boom: token=***\n" {
				t.Errorf("%#v", x.Err)
			}
		})
	}
	group.Wait()
	if x := c.Call(t.Context(), MethodList, nil, 0); x.Err == nil {
		t.Error("an answer of the dead")
	}
}

// TestStdioStderr keeps the end of what a server says.
func TestStdioStderr(t *testing.T) {
	c := connected(t, stdioTarget(t, "stderr flood"), Options{})
	if x := c.Call(t.Context(), MethodList, nil, 0); x.Error() != nil {
		t.Fatal(x.Error())
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	text := c.link.(*stream).stderrTail()
	if len(text) > maxStderr || !strings.HasSuffix(text, "x\nthe last line\n") || strings.Index(text, "\n") != 99 {
		t.Errorf("%d bytes: %q", len(text), text)
	}
}

// TestStdioHuge reads the longest files that have to be accepted.
func TestStdioHuge(t *testing.T) {
	c := connected(t, stdioTarget(t, "id last"), Options{})
	for _, n := range []int{(16<<20 + 2) / 3 * 4 / hugeShare, 3 * 16 << 20 / hugeShare} {
		x := c.Call(t.Context(), MethodRead, map[string]any{"uri": fmt.Sprintf("bytes:%d", n)}, 0)
		if x.Error() != nil || len(x.Result) != n+2 {
			t.Errorf("%d bytes of %d, %v", len(x.Result), n, x.Error())
		}
	}
}

func TestConnectCommandErrors(t *testing.T) {
	hello := `a line on standard output is no message of MCP: "hello"; `
	for name, c := range map[string]struct {
		target  Target
		o       Options
		kind    error
		message string
		stderr  string
	}{
		"exits":           {stdioTarget(t, "exits"), Options{}, ErrUnreachable, "the server ended: exit status 2", "usage: server --port N\n"},
		"hello":           {stdioTarget(t, "hello"), Options{}, ErrNotMCP, hello + "the server ended: exit status 0", ""},
		"hello and waits": {stdioTarget(t, "hello and waits"), Options{ConnectTimeout: time.Second}, ErrNotMCP, hello + "no handshake within 1s", ""},
		"silent":          {stdioTarget(t, "silent"), Options{ConnectTimeout: time.Second}, ErrUnreachable, "no handshake within 1s", ""},
		"no handshake":    {stdioTarget(t, "no handshake"), Options{}, ErrNotMCP, "the answer to initialize has no protocolVersion", ""},
		"tomorrow":        {stdioTarget(t, "revision of tomorrow"), Options{}, ErrRevision, `the server wants revision "2099-01-01", which is not known`, ""},
		"forced":          {stdioTarget(t, "noise"), Options{Protocol: ProtocolModern}, ErrRevision, "the server does not speak revision 2026-07-28: the server answered with error -32601: no such method", ""},
		"unknown":         {stdioTarget(t, "noise"), Options{Protocol: "2031-01-01"}, ErrRevision, `the revision "2031-01-01" is not known; use auto, 2026-07-28, or legacy`, ""},
		"not found":       {Target{Command: &Command{Args: []string{"no-such-command-here"}}}, Options{}, ErrUnreachable, `the command "no-such-command-here" is not found`, ""},
		"no file":         {Target{Command: &Command{Args: []string{"./no/such/file"}}}, Options{}, ErrUnreachable, `the command "./no/such/file" is not found`, ""},
		"no directory":    {Target{Command: &Command{Args: []string{os.Args[0]}, Dir: "/no/such/directory"}}, Options{}, ErrUnreachable, fmt.Sprintf("the command %q cannot start: its working directory %q is no directory", filepath.Base(os.Args[0]), "/no/such/directory"), ""},
		"no words":        {Target{Command: &Command{}}, Options{}, ErrUnreachable, "a command has at least one word", ""},
		"nothing":         {Target{}, Options{}, ErrUnreachable, "a target has one of a URL, a command and a connection", ""},
		"two":             {Target{URL: "http://127.0.0.1", Command: &Command{}}, Options{}, ErrUnreachable, "a target has one of a URL, a command and a connection", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, err := Connect(t.Context(), c.target, c.o)
			if err == nil {
				_ = client.Close()
				t.Fatal("it connects")
			}
			var failure *ConnectError
			if !errors.As(err, &failure) || !errors.Is(err, c.kind) {
				t.Fatalf("%T: %v", err, err)
			}
			if failure.Message != c.message || failure.Stderr != c.stderr {
				t.Errorf("message %q, want %q; stderr %q", failure.Message, c.message, failure.Stderr)
			}
		})
	}
}

func TestConnectContext(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if _, err := Connect(ctx, stdioTarget(t, "silent"), Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err %v", err)
	}
}

// TestOddHandshake leaves what is wrong with a handshake to the audit.
func TestOddHandshake(t *testing.T) {
	s := connected(t, stdioTarget(t, "odd handshake"), Options{}).Server()
	want := Server{
		Label: "odd handshake", Transport: TransportStdio, Protocol: "2025-06-18",
		Capabilities: []byte(`{"extensions":[],"tools":7}`),
		Handshake:    []byte(`{"protocolVersion":"2025-06-18","capabilities":{"extensions":[],"tools":7},"serverInfo":"me","instructions":1}`),
	}
	s.Connect = 0
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
}

func TestServerDeclared(t *testing.T) {
	for settings, want := range map[string][2]bool{
		`{"extensions":{"io.modelcontextprotocol/skills":{}}}`:                       {true, false},
		`{"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}}}`:   {true, true},
		`{"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":"true"}}}`: {true, false},
		`{"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":1}}}`:      {true, false},
		`{"extensions":{"io.modelcontextprotocol/skills":{"DirectoryRead":true}}}`:   {true, false},
		`{"extensions":{"io.modelcontextprotocol/skills":true}}`:                     {false, false},
		`{"extensions":{"io.modelcontextprotocol/skills":null}}`:                     {false, false},
		`{"extensions":{"io.modelcontextprotocol/skills":[]}}`:                       {false, false},
		`{"experimental":{"io.modelcontextprotocol/skills":{"directoryRead":true}}}`: {false, false},
		`{"Extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}}}`:   {false, false},
		`{"extensions":{"io.modelcontextprotocol/skills/":{"directoryRead":true}}}`:  {false, false},
		`null`: {false, false},
	} {
		var s Server
		s.read([]byte(`{"capabilities":`+settings+`}`), ProtocolModern)
		if have := [2]bool{s.Declared, s.DirectoryRead}; have != want {
			t.Errorf("%s: declared, directoryRead: %v, want %v", settings, have, want)
		}
	}
}

// TestUndeclared sends nothing that was not declared (C-1).
func TestUndeclared(t *testing.T) {
	c := connected(t, stdioTarget(t, "odd handshake"), Options{})
	before := c.Traffic().Requests
	for _, method := range []string{MethodList, MethodGet, MethodDirectory} {
		x := c.Call(t.Context(), method, nil, 0)
		var unsupported *UnsupportedError
		if !errors.As(x.Err, &unsupported) || unsupported.Feature != Extension || !errors.Is(x.Err, ErrNotSupported) {
			t.Errorf("%s: %v", method, x.Error())
		}
	}
	if after := c.Traffic().Requests; after != before {
		t.Errorf("%d requests were sent", after-before)
	}
	if x := c.Call(t.Context(), MethodRead, nil, 0); x.Error() != nil {
		t.Errorf("read: %v", x.Error())
	}
	c = connected(t, stdioTarget(t, "noise"), Options{})
	x := c.Call(t.Context(), MethodDirectory, nil, 0)
	var unsupported *UnsupportedError
	if !errors.As(x.Err, &unsupported) || unsupported.Feature != "directoryRead" {
		t.Errorf("directory: %v", x.Error())
	}
}
