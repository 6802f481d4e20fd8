package mcpprobe

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// roleVariable makes the test binary a server over its standard streams.
const roleVariable = "MCPPROBE_TEST_ROLE"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		stdioRoles[role](&rawServer{in: os.Stdin, out: os.Stdout})
		return
	}
	os.Exit(m.Run())
}

// stdioTarget is the test binary in one of stdioRoles.
func stdioTarget(t *testing.T, role string) Target {
	t.Helper()
	if stdioRoles[role] == nil {
		t.Fatalf("there is no role %q", role)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Target{Label: role, Command: &Command{Args: []string{program}, Env: append(os.Environ(), roleVariable+"="+role, "GORACE=atexit_sleep_ms=0")}}
}

func connected(t *testing.T, target Target, o Options) *Client {
	t.Helper()
	c, err := Connect(t.Context(), target, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return c
}

// rawRequest is what a fake reads.
type rawRequest struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		URI string `json:"uri"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// rawServer is a server that writes any bytes at all.
type rawServer struct {
	in  io.Reader
	mu  sync.Mutex
	out io.Writer
}

func (s *rawServer) write(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = fmt.Fprintf(s.out, format, args...)
}

// answer writes a result.
func (s *rawServer) answer(r rawRequest, result string) { s.write("%s\n", resultMessage(r, result)) }

func resultMessage(r rawRequest, result string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, r.ID, result)
}

// serve answers the older handshake, and leaves the rest to behave.
func (s *rawServer) serve(behave func(r rawRequest)) {
	in := bufio.NewScanner(s.in)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var r rawRequest
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			panic(err)
		}
		if handshake := handshakeMessage(r); handshake != "" {
			s.write("%s\n", handshake)
		} else if r.Method != "notifications/initialized" {
			behave(r)
		}
	}
}

const rawHandshake = `{"protocolVersion":"2025-11-25","capabilities":{"resources":{},"extensions":{"io.modelcontextprotocol/skills":{}}},"serverInfo":{"name":"raw","version":"0"}}`

// handshakeMessage answers the messages of the handshake, in the older way.
func handshakeMessage(r rawRequest) string {
	switch r.Method {
	case methodDiscover:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, r.ID)
	case methodInitialize:
		return resultMessage(r, rawHandshake)
	}
	return ""
}

// rawHTTP is a server over Streamable HTTP that answers the handshake, and
// leaves the rest to behave.
func rawHTTP(behave func(r rawRequest, w http.ResponseWriter, q *http.Request)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		var r rawRequest
		if err := json.NewDecoder(q.Body).Decode(&r); err != nil && q.Method == http.MethodPost {
			http.Error(w, "no JSON", http.StatusBadRequest)
			return
		}
		if handshake := handshakeMessage(r); handshake != "" {
			writeJSON(w, handshake)
		} else if r.Method == "notifications/initialized" {
			w.WriteHeader(http.StatusAccepted)
		} else {
			behave(r, w, q)
		}
	})
}

func writeJSON(w http.ResponseWriter, message string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, message)
}

func writeEvents(w http.ResponseWriter, messages ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, message := range messages {
		_, _ = fmt.Fprintf(w, "event: message\ndata: %s\n\n", message)
	}
}

func httpTarget(t *testing.T, handler http.Handler) Target {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return Target{URL: server.URL + "/mcp"}
}

// sdkParams and sdkResult are those of a method that the SDK does not know.
type sdkParams struct {
	mcp.ParamsBase
	URI string `json:"uri,omitempty"`
}

type sdkResult struct {
	mcp.ResultBase
	raw string
}

func (r *sdkResult) MarshalJSON() ([]byte, error) { return []byte(r.raw), nil }

const (
	sdkList = `{"resultType":"complete","skills":[],"ttlMs":0,"cacheScope":"public","n":1.0}`
	sdkURI  = "skill://a/SKILL.md"
)

// sdkServer is a server of the SDK.
func sdkServer() *mcp.Server {
	capabilities := &mcp.ServerCapabilities{Resources: &mcp.ResourceCapabilities{}}
	capabilities.AddExtension(Extension, map[string]any{"directoryRead": true})
	s := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1.2.3"}, &mcp.ServerOptions{
		Capabilities: capabilities, Instructions: "Read them.",
	})
	mcp.AddReceivingCustomMethod(s, MethodList, func(context.Context, *mcp.ServerSession, *sdkParams) (*sdkResult, error) {
		return &sdkResult{raw: sdkList}, nil
	})
	mcp.AddReceivingCustomMethod(s, MethodGet, func(_ context.Context, _ *mcp.ServerSession, p *sdkParams) (*sdkResult, error) {
		return nil, fmt.Errorf("no skill %s", p.URI)
	})
	s.AddResource(&mcp.Resource{URI: sdkURI, Name: "a"}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: "---\nname: a\n---\n"}}}, nil
	})
	return s
}

// sdkTargets are servers of the SDK over each of its transports, with the
// revision that is negotiated.
func sdkTargets(t *testing.T) map[string]struct {
	target   Target
	protocol string
} {
	t.Helper()
	streamable := func(o mcp.StreamableHTTPOptions) Target {
		return httpTarget(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return sdkServer() }, &o))
	}
	theirs, ours := mcp.NewInMemoryTransports()
	session, err := sdkServer().Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	type kind = struct {
		target   Target
		protocol string
	}
	return map[string]kind{
		"stdio":               {stdioTarget(t, "sdk"), ProtocolModern},
		"HTTP stateless":      {streamable(mcp.StreamableHTTPOptions{Stateless: true}), ProtocolModern},
		"HTTP stateless JSON": {streamable(mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}), ProtocolModern},
		"HTTP stateful":       {streamable(mcp.StreamableHTTPOptions{}), protocolBefore},
		"HTTP stateful JSON":  {streamable(mcp.StreamableHTTPOptions{JSONResponse: true}), protocolBefore},
		"connection":          {Target{Conn: ours}, ProtocolModern},
	}
}

func TestSDKServers(t *testing.T) {
	for _, protocol := range []string{ProtocolAuto, ProtocolLegacy} {
		for name, kind := range sdkTargets(t) {
			t.Run(name+" "+protocol, func(t *testing.T) {
				c := connected(t, kind.target, Options{Protocol: protocol, Version: "0"})
				s := c.Server()
				if s.Name != "sdk" || s.Version != "1.2.3" || s.Instructions != "Read them." || !s.Declared || !s.DirectoryRead {
					t.Errorf("server: %+v", s)
				}
				want := kind.protocol
				if protocol == ProtocolLegacy {
					want = protocolBefore
				}
				if s.Protocol != want {
					t.Errorf("protocol %s, want %s", s.Protocol, want)
				}
				exerciseSDK(t, c)
			})
		}
	}
}

func exerciseSDK(t *testing.T, c *Client) {
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 10 {
				x := c.Call(t.Context(), MethodList, nil, 0)
				if x.Error() != nil || string(x.Result) != sdkList {
					t.Errorf("list: %s, %v", x.Result, x.Error())
				}
				x = c.Call(t.Context(), MethodRead, map[string]any{"uri": sdkURI}, 0)
				if x.Error() != nil || x.URI != sdkURI || !strings.Contains(string(x.Result), `"text":"---\nname: a\n---\n"`) {
					t.Errorf("read: %s, %v", x.Result, x.Error())
				}
			}
		})
	}
	group.Wait()
	if x := c.Call(t.Context(), MethodRead, map[string]any{"uri": "skill://none"}, 0); x.RPC == nil {
		t.Errorf("unknown resource: %s, %v", x.Result, x.Err)
	}
	if x := c.Call(t.Context(), MethodGet, map[string]any{"uri": "skill://none"}, 0); x.RPC == nil || !strings.Contains(x.RPC.Message, "no skill skill://none") {
		t.Errorf("get: %s, %v", x.Result, x.Error())
	}
	traffic := c.Traffic()
	if len(traffic.Faults) > 0 || traffic.BytesSent == 0 || traffic.BytesReceived == 0 {
		t.Errorf("traffic: %+v", traffic)
	}
	i := slices.IndexFunc(traffic.Methods, func(m MethodStats) bool { return m.Method == MethodList })
	if m := traffic.Methods[i]; m.Requests != 40 || m.Errors != 0 || m.Min > m.Median || m.Median > m.P95 || m.P95 > m.Max {
		t.Errorf("stats: %+v", m)
	}
}

// TestNothingLeft holds that no goroutine outlives Close.
func TestNothingLeft(t *testing.T) {
	targets := sdkTargets(t)
	silent := httpTarget(t, rawHTTP(func(_ rawRequest, _ http.ResponseWriter, q *http.Request) { <-q.Context().Done() }))
	for name, target := range map[string]Target{
		"stdio": targets["stdio"].target, "HTTP": targets["HTTP stateful"].target, "connection": targets["connection"].target,
		"deaf": stdioTarget(t, "deaf"), "silent": silent, "endless": stdioTarget(t, "endless"), "no line": stdioTarget(t, "no line"),
		"SSE": httpTarget(t, &sseServer{endpoint: "/messages", behave: func(rawRequest, func(string), http.ResponseWriter) {}}),
	} {
		c := connected(t, target, Options{})
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
				defer stop()
				c.Call(ctx, MethodList, map[string]any{"text": strings.Repeat("x", 200_000)}, 0)
			})
		}
		group.Wait()
		if err := c.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var stacks string
		for range 100 {
			buffer := make([]byte, 1<<20)
			stacks = string(buffer[:runtime.Stack(buffer, true)])
			if !strings.Contains(stacks, "/mcpprobe.(*stream)") && !strings.Contains(stacks, "/mcpprobe.(*process)") && !strings.Contains(stacks, "/mcpprobe.(*handshake)") && !strings.Contains(stacks, "/mcpprobe.(*httpLink)") {
				stacks = ""
				break
			}
			time.Sleep(10 * time.Millisecond) // an end takes a moment to be seen
		}
		if stacks != "" {
			t.Errorf("%s: goroutines are left:\n%s", name, stacks)
		}
	}
}

func TestParseMessage(t *testing.T) {
	for name, c := range map[string]struct {
		raw, want string
	}{
		"result":            {`{"jsonrpc":"2.0","id":"sk-1","result":{"a":1.0}}`, `id "sk-1" result {"a":1.0}`},
		"result null":       {`{"jsonrpc":"2.0","id":1,"result":null}`, `id 1 result null`},
		"error":             {`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":[1]}}`, `id 1 error -32602 no [1]`},
		"notification":      {`{"jsonrpc":"2.0","method":"a/b"}`, `method a/b`},
		"request":           {`{"jsonrpc":"2.0","id":7,"method":"a/b"}`, `id 7 method a/b`},
		"no version":        {`{"id":1,"result":{}}`, `id 1 result {}; envelope: a message without "jsonrpc": "2.0"`},
		"version 1":         {`{"jsonrpc":"1.0","id":1,"result":{}}`, `id 1 result {}; envelope: a message without "jsonrpc": "2.0"`},
		"both":              {`{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}`, `id 1 error 1 x ; envelope: an answer with both result and error`},
		"error null":        {`{"jsonrpc":"2.0","id":1,"result":{},"error":null}`, `id 1 result {}; envelope: an answer with both result and error`},
		"no id":             {`{"jsonrpc":"2.0","result":{}}`, `result {}; envelope: an answer without an id`},
		"no message":        {`{"jsonrpc":"2.0","id":1,"error":{"code":1}}`, `id 1 error 1  ; envelope: an error without a message`},
		"duplicate":         {`{"jsonrpc":"2.0","id":1,"result":{"a":{"b":1,"b":2}}}`, `id 1 result {"a":{"b":1,"b":2}}; duplicate-key: the key "b" comes again in /result/a`},
		"duplicate outside": {`{"jsonrpc":"2.0","id":1,"id":2,"result":{}}`, `id 2 result {}; duplicate-key: the key "id" comes again in the message itself`},
		"no UTF-8":          {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xff\"}", "id 1 result \"\xff\"; invalid-utf8: no UTF-8 at byte 34 of the message"},
		"surrogate":         {`{"jsonrpc":"2.0","id":1,"result":"\ud800"}`, `id 1 result "\ud800"; lone-surrogate: half a surrogate pair at byte 34 of the message`},
		"neither":           {`{"jsonrpc":"2.0","id":1}`, `error: an answer with neither result nor error`},
		"array":             {`[]`, `error: a message is a JSON array, not an object`},
		"text":              {`Listening on port 80`, `error: a message cannot be read: no JSON value at byte 0`},
		"code text":         {`{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":""}}`, `error: an answer whose error is "{\"code\":\"x\",\"message\":\"\"}", not an object with an integer code and a message`},
		"code fraction":     {`{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}`, `error: an answer whose error has the code "1.5", not an integer`},
		"error text":        {`{"jsonrpc":"2.0","id":1,"error":"no"}`, `error: an answer whose error is "\"no\"", not an object with an integer code and a message`},
		"method number":     {`{"jsonrpc":"2.0","id":1,"method":1}`, `error: a message whose method is "1"`},
		"deep":              {strings.Repeat("[", 2000), `error: a message cannot be read: JSON nested deeper than 1000 levels`},
	} {
		t.Run(name, func(t *testing.T) {
			if have := describe(parseMessage([]byte(c.raw))); have != c.want {
				t.Errorf("have %s\nwant %s", have, c.want)
			}
		})
	}
}

func describe(m *message, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	var parts []string
	if m.id != nil {
		parts = append(parts, "id "+string(m.id))
	}
	if m.method != "" {
		parts = append(parts, "method "+m.method)
	}
	if m.result != nil {
		parts = append(parts, "result "+string(m.result))
	}
	if m.rpc != nil {
		parts = append(parts, fmt.Sprintf("error %d %s %s", m.rpc.Code, m.rpc.Message, m.rpc.Data))
	}
	text := strings.Join(parts, " ")
	for _, fault := range m.faults {
		text += fmt.Sprintf("; %s: %s", fault.Kind, fault.Message)
	}
	return text
}

func TestMethodMeter(t *testing.T) {
	var m methodMeter
	const n = 10 * maxSamples
	for i := range n {
		m.add(&Exchange{Duration: time.Duration(i + 1), Bytes: 2})
	}
	s := m.sum()
	if s.Requests != n || s.Bytes != 2*n || s.Min != 1 || s.Max != n || s.Total != n*(n+1)/2 {
		t.Errorf("%+v", s)
	}
	if len(m.samples) > maxSamples {
		t.Errorf("%d samples", len(m.samples))
	}
	near := func(have time.Duration, want float64) bool {
		return float64(have) > 0.99*want && float64(have) < 1.01*want
	}
	if !near(s.Median, n/2) || !near(s.P95, 0.95*n) {
		t.Errorf("median %d, P95 %d of %d", s.Median, s.P95, n)
	}
	var one methodMeter
	one.add(&Exchange{Duration: 5, Err: errClosed})
	if s := one.sum(); s.Median != 5 || s.P95 != 5 || s.Errors != 1 {
		t.Errorf("%+v", s)
	}
}

func TestFaultLog(t *testing.T) {
	var l faultLog
	for range 3 {
		for i := range maxFaults + 5 {
			l.add(FaultNoise, "line %03d", i)
		}
	}
	kept, more := l.seen()
	if len(kept) != maxFaults || more != 15 || kept[0].Message != "line 000" {
		t.Errorf("%d kept, %d more, first %v", len(kept), more, kept[0])
	}
}
