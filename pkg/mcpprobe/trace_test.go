package mcpprobe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// times are what differs from run to run.
var times = regexp.MustCompile(`"(at_ms|took_ms)":[0-9.e-]+`)

func TestTraceHTTP(t *testing.T) {
	var trace bytes.Buffer
	target := httpTarget(t, rawHTTP(func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
		w.Header()["Date"] = nil
		w.Header().Set("Set-Cookie", "a=b")
		w.Header().Set("X-Echo", "token hunter2")
		switch r.Method {
		case MethodList:
			writeEvents(w, `{"jsonrpc":"2.0","method":"notifications/x"}`, resultMessage(r, `"<hunter2>"`))
		default:
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	c := connected(t, target, Options{Protocol: ProtocolLegacy, Trace: &trace, Redact: func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") }})
	trace.Reset()
	c.Call(t.Context(), MethodList, map[string]any{"cursor": "hunter2"}, 0)
	c.Call(t.Context(), MethodGet, nil, 0)
	const sent = `"headers":{"Accept":"application/json, text/event-stream","Content-Type":"application/json","Mcp-Protocol-Version":"2025-11-25"}`
	want := strings.Join([]string{
		`{"at_ms":0,"direction":"sent","method":"skills/list","id":"sk-0000002",` + sent + `,"body":"{\"jsonrpc\":\"2.0\",\"id\":\"sk-0000002\",\"method\":\"skills/list\",\"params\":{\"cursor\":\"***\"}}","bytes":88}`,
		`{"at_ms":0,"direction":"received","method":"skills/list","id":"sk-0000002","status":200,"headers":{"Content-Length":"146","Content-Type":"text/event-stream","Set-Cookie":"redacted","X-Echo":"redacted"},"body":"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}","bytes":44,"took_ms":0}`,
		`{"at_ms":0,"direction":"received","method":"skills/list","id":"sk-0000002","status":200,"headers":{"Content-Length":"146","Content-Type":"text/event-stream","Set-Cookie":"redacted","X-Echo":"redacted"},"body":"{\"jsonrpc\":\"2.0\",\"id\":\"sk-0000002\",\"result\":\"<***>\"}","bytes":56,"took_ms":0}`,
		`{"at_ms":0,"direction":"sent","method":"skills/get","id":"sk-0000003",` + sent + `,"body":"{\"jsonrpc\":\"2.0\",\"id\":\"sk-0000003\",\"method\":\"skills/get\",\"params\":{}}","bytes":69}`,
		`{"at_ms":0,"direction":"received","method":"skills/get","id":"sk-0000003","status":401,"headers":{"Content-Length":"0","Set-Cookie":"redacted","X-Echo":"redacted"},"bytes":0,"took_ms":0,"error":"the server wants credentials (HTTP 401)"}`,
		``}, "\n")
	if diff := cmp.Diff(want, times.ReplaceAllString(trace.String(), `"$1":0`)); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
}

func TestTraceStdio(t *testing.T) {
	var trace bytes.Buffer
	c := connected(t, stdioTarget(t, "noise"), Options{Protocol: ProtocolLegacy, Trace: &trace})
	c.Call(t.Context(), MethodGet, map[string]any{"uri": "a"}, 0)
	lines := strings.Split(times.ReplaceAllString(trace.String(), `"$1":0`), "\n")
	want := []string{
		`{"at_ms":0,"direction":"received","body":"Listening","bytes":9}`,
		`{"at_ms":0,"direction":"sent","method":"skills/get","id":"sk-0000002","body":"{\"jsonrpc\":\"2.0\",\"id\":\"sk-0000002\",\"method\":\"skills/get\",\"params\":{\"uri\":\"a\"}}","bytes":78}`,
		`{"at_ms":0,"direction":"received","method":"skills/get","id":"sk-0000002","body":"{\"jsonrpc\":\"2.0\",\"id\":\"sk-0000002\",\"result\":{}}","bytes":47,"took_ms":0}`,
	}
	for _, line := range want {
		found := false
		for _, have := range lines {
			found = found || have == line
		}
		if !found {
			t.Errorf("no line %s in\n%s", line, strings.Join(lines, "\n"))
		}
	}
}

// TestTraceLong cuts what tells nothing, and still finds a secret there.
func TestTraceLong(t *testing.T) {
	var trace bytes.Buffer
	tr := newTracer(Options{Trace: &trace, Redact: func(s string) string { return strings.ReplaceAll(s, "hunter2", "") }})
	body := strings.Repeat("é", maxTraced/2-1) + "hunter2" + strings.Repeat("é", 10)
	for _, body := range []string{body, body + strings.Repeat("x", 3*maxTraced)} {
		trace.Reset()
		tr.write(traceLine{Direction: "sent"}, nil, []byte(body))
		var line traceLine
		if err := json.Unmarshal(trace.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if !line.Cut || line.Body != strings.Repeat("é", maxTraced/2) || line.Bytes != int64(len(body)) {
			t.Errorf("cut %t, %d bytes of %d: …%s", line.Cut, len(line.Body), line.Bytes, line.Body[max(0, len(line.Body)-20):])
		}
	}
	var none *tracer
	none.write(traceLine{}, nil, nil)
	tr.w = failing{}
	tr.write(traceLine{}, nil, nil) // what is traced goes on
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, fmt.Errorf("full") }
