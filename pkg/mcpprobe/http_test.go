package mcpprobe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestHTTPAnswers makes one request of each server.
func TestHTTPAnswers(t *testing.T) {
	flush := func(w http.ResponseWriter) { w.(http.Flusher).Flush() }
	drip := func(w http.ResponseWriter, text string) {
		for _, c := range text {
			if _, err := fmt.Fprintf(w, "%c", c); err != nil {
				return
			}
			flush(w)
			time.Sleep(10 * time.Millisecond)
		}
	}
	long := `"` + strings.Repeat("x", 3<<20) + `"`
	for name, c := range map[string]struct {
		behave   func(r rawRequest, w http.ResponseWriter, q *http.Request)
		limit    int64
		o        Options
		want     string // the result, or the error with its type
		faults   string // of the exchange
		rest     string // those of the traffic
		attempts int    // one where zero
	}{
		"JSON":   {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) { writeJSON(w, resultMessage(r, "{}")) }, want: "{}"},
		"events": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) { writeEvents(w, resultMessage(r, "{}")) }, want: "{}"},
		"events, the stream stays open": {behave: func(r rawRequest, w http.ResponseWriter, q *http.Request) {
			writeEvents(w, resultMessage(r, "{}"))
			flush(w)
			<-q.Context().Done()
		}, want: "{}"},
		"events, others before": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			_, _ = io.WriteString(w, ": hello\n\nid: 7\nretry: 5\ndata:\n\nevent: other\ndata: {}\n\n")
			writeEvents(w,
				`{"jsonrpc":"2.0","method":"notifications/resources/updated"}`,
				`{"jsonrpc":"2.0","id":3,"method":"ping"}`,
				`{"jsonrpc":"2.0","id":4,"method":"sampling/createMessage"}`,
				`{"jsonrpc":"2.0","id":"sk-0000001","result":{}}`, resultMessage(r, "{}"))
		}, want: "{}", rest: `notification: the server sent notifications/resources/updated
server-request: the server asked for sampling/createMessage
unknown-id: an answer to the id "\"sk-0000001\"" in the answer to another request`},
		"events without the answer": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			writeEvents(w, `{"jsonrpc":"2.0","method":"notifications/message"}`)
		}, want: "*mcpprobe.ClosedError: the stream ended before the answer to skills/list"},
		"events, cut": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", typeEvents)
			_, _ = io.WriteString(w, `data: {"jsonrpc":`)
			flush(w)
			panic(http.ErrAbortHandler)
		}, want: "*mcpprobe.ClosedError: the answer to skills/list broke off: the peer closed the connection before it had answered"},
		"events, no JSON": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) { writeEvents(w, "hello") },
			want: "*mcpprobe.MalformedError: a message cannot be read: no JSON value at byte 0"},
		"events, too long": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) { writeEvents(w, resultMessage(r, long)) }, limit: 2 << 20,
			want: "*mcpprobe.LimitError: the answer to skills/list has more than 2097152 bytes"},
		"events, slow": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", typeEvents)
			drip(w, "data: "+strings.Repeat(" ", 1000))
		}, o: Options{Timeout: time.Second}, want: "*mcpprobe.LimitError: no whole answer to skills/list within 1s"},
		"JSON, cut": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			writeJSON(w, `{"jsonrpc":`)
		}, want: "*mcpprobe.ClosedError: the answer to skills/list broke off: the peer closed the connection before it had answered"},
		"JSON, length too long": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			text := resultMessage(r, long)
			w.Header().Set("Content-Length", fmt.Sprint(len(text)))
			writeJSON(w, text)
		}, limit: 2 << 20, want: "*mcpprobe.LimitError: the answer to skills/list has more than 2097152 bytes"},
		"JSON, chunks too long": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", typeJSON)
			flush(w)
			_, _ = io.WriteString(w, resultMessage(r, long))
		}, limit: 2 << 20, want: "*mcpprobe.LimitError: the answer to skills/list has more than 2097152 bytes"},
		"JSON, at the limit": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) { writeJSON(w, resultMessage(r, `"xxx"`)) }, limit: int64(len(`{"jsonrpc":"2.0","id":"sk-0000003","result":"xxx"}`)), want: `"xxx"`},
		"JSON, slow": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", typeJSON)
			drip(w, strings.Repeat(" ", 1000))
		}, o: Options{Timeout: time.Second}, want: "*mcpprobe.LimitError: no whole answer to skills/list within 1s"},
		"silent": {behave: func(r rawRequest, w http.ResponseWriter, q *http.Request) { <-q.Context().Done() },
			o: Options{Timeout: time.Second}, want: "*mcpprobe.LimitError: no whole answer to skills/list within 1s"},
		"max bytes": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) { writeJSON(w, resultMessage(r, long)) },
			o: Options{MaxBytes: 1 << 20}, want: "*mcpprobe.LimitError: all answers together have more than 1048576 bytes"},
		"deep": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			writeJSON(w, resultMessage(r, strings.Repeat("[", 100_000)))
		}, want: "*mcpprobe.MalformedError: a message cannot be read: JSON nested deeper than 1000 levels"},
		"other id": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			writeJSON(w, `{"jsonrpc":"2.0","id":"zz","result":{}}`)
		}, want: `*mcpprobe.MalformedError: the body of the answer to skills/list is another message, with the id "\"zz\""`},
		"error with 400": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", typeJSON)
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no"}}`, r.ID)
		}, want: "*mcpprobe.RPCError: the server answered with error -32602: no"},
		"error with 400 and id null": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", typeJSON)
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}`)
		}, want: "*mcpprobe.RPCError: the server answered with error -32700: no", faults: "envelope: an answer whose id is null"},
		"result with 404": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", typeJSON)
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, resultMessage(r, "{}"))
		}, want: "{}", faults: "http: a result with HTTP 404"},
		"type text": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, resultMessage(r, "{}"))
		}, want: "{}", faults: `http: an answer with the content type "text/plain"`},
		"page": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "<!doctype html>\n<title>Hi</title>"+strings.Repeat(" ", 2<<20))
		}, want: `*mcpprobe.MalformedError: the server answers with the content type "text/html", not with a message of MCP: <!doctype html> <title>Hi</title>`},
		"nothing": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) },
			want: "*mcpprobe.MalformedError: HTTP 202 without an answer to skills/list"},
		"404": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "404 page not found", http.StatusNotFound)
		}, want: "*mcpprobe.MalformedError: HTTP 404 Not Found instead of an answer of MCP: 404 page not found"},
		"401": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("WWW-Authenticate", "Bearer realm=x")
			w.WriteHeader(http.StatusUnauthorized)
		}, want: "*mcpprobe.ConnectError: the server wants credentials (HTTP 401)"},
		"502": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
			o: Options{Retries: 1}, want: "*mcpprobe.MalformedError: HTTP 502 Bad Gateway instead of an answer of MCP", attempts: 2},
		"502, no retries": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
			o: Options{Retries: -1}, want: "*mcpprobe.MalformedError: HTTP 502 Bad Gateway instead of an answer of MCP"},
		"503 for long": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "600")
			w.WriteHeader(http.StatusServiceUnavailable)
		}, want: "*mcpprobe.MalformedError: HTTP 503 Service Unavailable instead of an answer of MCP"},
		"500": {behave: func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
		},
			want: "*mcpprobe.MalformedError: HTTP 500 Internal Server Error instead of an answer of MCP"},
		"redirect": {behave: func(r rawRequest, w http.ResponseWriter, q *http.Request) {
			http.Redirect(w, q, "/other", http.StatusFound)
		},
			want: `*mcpprobe.MalformedError: the server redirects (HTTP 302) to "/other"`},
		"redirects": {behave: func(r rawRequest, w http.ResponseWriter, q *http.Request) {
			http.Redirect(w, q, q.URL.Path+"x", http.StatusTemporaryRedirect)
		}, want: `*mcpprobe.MalformedError: the server redirects (HTTP 307) to "/mcpxxxxxx"`},
		"redirect elsewhere": {behave: func(r rawRequest, w http.ResponseWriter, q *http.Request) {
			http.Redirect(w, q, "https://elsewhere.example/mcp", http.StatusPermanentRedirect)
		}, want: `*mcpprobe.MalformedError: the server redirects (HTTP 308) to "https://elsewhere.example/mcp"`},
		"dies": {behave: func(r rawRequest, w http.ResponseWriter, q *http.Request) { panic(http.ErrAbortHandler) },
			want: "*mcpprobe.ClosedError: the peer closed the connection before it had answered"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := connected(t, httpTarget(t, rawHTTP(c.behave)), c.o)
			x := client.Call(t.Context(), MethodList, nil, c.limit)
			if diff := cmp.Diff(c.want, outcome(x)); diff != "" {
				t.Errorf("outcome (-want +have):\n%s", diff)
			}
			if diff := cmp.Diff(c.faults, faultText(x.Faults)); diff != "" {
				t.Errorf("faults (-want +have):\n%s", diff)
			}
			if diff := cmp.Diff(c.rest, faultText(client.Traffic().Faults)); diff != "" {
				t.Errorf("other faults (-want +have):\n%s", diff)
			}
			if want := max(c.attempts, 1); x.Attempts != want {
				t.Errorf("%d attempts, want %d", x.Attempts, want)
			}
		})
	}
}

// TestHTTPRetries asks again where the server has no time, and as late as it
// says.
func TestHTTPRetries(t *testing.T) {
	var n atomic.Int64
	target := httpTarget(t, rawHTTP(func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		writeJSON(w, resultMessage(r, "{}"))
	}))
	x := connected(t, target, Options{}).Call(t.Context(), MethodList, nil, 0)
	if outcome(x) != "{}" || x.Attempts != 2 || x.Duration < time.Second {
		t.Errorf("%s after %d attempts in %s", outcome(x), x.Attempts, x.Duration)
	}
}

func TestHTTPContext(t *testing.T) {
	c := connected(t, httpTarget(t, rawHTTP(func(_ rawRequest, _ http.ResponseWriter, q *http.Request) { <-q.Context().Done() })), Options{})
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if x := c.Call(ctx, MethodList, nil, 0); !errors.Is(x.Err, context.DeadlineExceeded) {
		t.Errorf("err %v", x.Error())
	}
	// Close ends what is under way.
	started := make(chan struct{})
	done := make(chan *Exchange)
	go func() {
		close(started)
		done <- c.Call(t.Context(), MethodList, nil, 0)
	}()
	<-started
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if x := <-done; x.Err != error(errClosed) {
		t.Errorf("err %v", x.Err)
	}
}

// TestHTTPSession sends and ends a session.
func TestHTTPSession(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	gone := false
	inner := rawHTTP(func(r rawRequest, w http.ResponseWriter, q *http.Request) {
		if gone {
			http.Error(w, "no such session", http.StatusNotFound)
			return
		}
		writeJSON(w, resultMessage(r, "{}"))
	})
	target := httpTarget(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		q.Body = io.NopCloser(strings.NewReader(string(body)))
		var r rawRequest
		_ = json.Unmarshal(body, &r)
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, strings.Join([]string{q.Method, r.Method, q.Header.Get(headerSession), q.Header.Get(headerProtocol), q.Header.Get(headerMethod)}, " "))
		if r.Method == methodInitialize {
			w.Header().Set(headerSession, "s1")
		}
		inner.ServeHTTP(w, q)
	}))
	c := connected(t, target, Options{})
	if x := c.Call(t.Context(), MethodList, nil, 0); x.Error() != nil {
		t.Error(x.Error())
	}
	mu.Lock()
	gone = true
	mu.Unlock()
	if x := c.Call(t.Context(), MethodList, nil, 0); outcome(x) != "*mcpprobe.ClosedError: the server ended the session (HTTP 404)" {
		t.Error(outcome(x))
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	want := []string{
		"POST server/discover  2026-07-28 server/discover", "POST initialize   ", "POST notifications/initialized s1 2025-11-25 ",
		"POST skills/list s1 2025-11-25 ", "POST skills/list s1 2025-11-25 ", "DELETE  s1 2025-11-25 ",
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("requests (-want +have):\n%s", diff)
	}
}

// TestHTTPHeaders sends what the base protocol wants since 2026-07-28.
func TestHTTPHeaders(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	target := httpTarget(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		var r rawRequest
		_ = json.Unmarshal(body, &r)
		mu.Lock()
		defer mu.Unlock()
		result := `{"contents":[]}`
		if r.Method == methodDiscover {
			result = `{"supportedVersions":["2026-07-28"],"capabilities":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"n","version":"1"}}}`
		} else {
			seen = append(seen, strings.Join([]string{q.Header.Get("Accept"), q.Header.Get("Content-Type"), q.Header.Get(headerProtocol), q.Header.Get(headerMethod), q.Header.Get(headerName), string(body)}, " | "))
		}
		writeJSON(w, resultMessage(r, result))
	}))
	c := connected(t, target, Options{Version: "1.0"})
	if s := c.Server(); s.Name != "n" || s.Version != "1" || s.Protocol != ProtocolModern {
		t.Errorf("server %+v", s)
	}
	for _, uri := range []string{"skill://a/b.md", "skill://a/é.md", "skill://a/\n"} {
		if x := c.Call(t.Context(), MethodRead, map[string]any{"uri": uri}, 0); x.Error() != nil {
			t.Error(x.Error())
		}
	}
	const accept = "application/json, text/event-stream | application/json | 2026-07-28 | resources/read | "
	const meta = `{"_meta":{"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"skilltool","version":"1.0"},"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	want := []string{
		accept + `skill://a/b.md | {"jsonrpc":"2.0","id":"sk-0000002","method":"resources/read","params":` + meta + `,"uri":"skill://a/b.md"}}`,
		accept + `=?base64?c2tpbGw6Ly9hL8OpLm1k?= | {"jsonrpc":"2.0","id":"sk-0000003","method":"resources/read","params":` + meta + `,"uri":"skill://a/é.md"}}`,
		accept + `=?base64?c2tpbGw6Ly9hLwo=?= | {"jsonrpc":"2.0","id":"sk-0000004","method":"resources/read","params":` + meta + `,"uri":"skill://a/\n"}}`,
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("requests (-want +have):\n%s", diff)
	}
}

// TestHTTPConcurrency has as many requests in flight as it may, and no more.
func TestHTTPConcurrency(t *testing.T) {
	var now, most atomic.Int64
	const may = 5
	full := make(chan struct{})
	target := httpTarget(t, rawHTTP(func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		if n == may {
			select {
			case <-full:
			default:
				close(full)
			}
		}
		<-full
		writeJSON(w, resultMessage(r, "{}"))
	}))
	c := connected(t, target, Options{Concurrency: may})
	var group sync.WaitGroup
	for range 30 {
		group.Go(func() {
			if x := c.Call(t.Context(), MethodList, nil, 0); x.Error() != nil {
				t.Error(x.Error())
			}
		})
	}
	group.Wait()
	if most.Load() != may {
		t.Errorf("%d requests at a time, want %d", most.Load(), may)
	}
}

func TestRate(t *testing.T) {
	c := connected(t, httpTarget(t, rawHTTP(func(r rawRequest, w http.ResponseWriter, _ *http.Request) { writeJSON(w, resultMessage(r, "{}")) })), Options{Rate: 50})
	start := time.Now()
	for range 5 {
		if x := c.Call(t.Context(), MethodList, nil, 0); x.Error() != nil {
			t.Error(x.Error())
		}
	}
	if took := time.Since(start); took < 4*time.Second/50 {
		t.Errorf("5 requests in %s", took)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Millisecond)
	defer stop()
	if x := c.Call(ctx, MethodList, nil, 0); !errors.Is(x.Err, context.DeadlineExceeded) {
		t.Errorf("err %v", x.Error())
	}
}

// TestHTTPHuge reads the longest files that have to be accepted, several at a
// time.
func TestHTTPHuge(t *testing.T) {
	const n = (16<<20 + 2) / 3 * 4 / hugeShare
	blob := strings.Repeat("x", n)
	for name, write := range map[string]func(http.ResponseWriter, string){
		"JSON":   writeJSON,
		"events": func(w http.ResponseWriter, message string) { writeEvents(w, message) },
	} {
		t.Run(name, func(t *testing.T) {
			c := connected(t, httpTarget(t, rawHTTP(func(r rawRequest, w http.ResponseWriter, _ *http.Request) { write(w, resultMessage(r, `"`+blob+`"`)) })), Options{Concurrency: 8})
			var group sync.WaitGroup
			for range 4 {
				group.Go(func() {
					x := c.Call(t.Context(), MethodRead, nil, 0)
					if x.Error() != nil || len(x.Result) != n+2 {
						t.Errorf("%d bytes, %v", len(x.Result), x.Error())
					}
				})
			}
			group.Wait()
		})
	}
}

func TestConnectHTTPErrors(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused := "http://" + listener.Addr().String()
	_ = listener.Close()
	handler := func(status int, header, value, body string) string {
		return httpTarget(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(header, value)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		})).URL
	}
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // that nobody trusts it is meant
	secure.StartTLS()
	t.Cleanup(secure.Close)
	plain := handler(200, "", "", "")
	for name, c := range map[string]struct {
		url       string
		o         Options
		kind      error
		message   string
		challenge string
	}{
		"refused":      {refused, Options{}, ErrUnreachable, "connection refused", ""},
		"no host":      {"http://no-such-host.invalid/mcp", Options{}, ErrUnreachable, `there is no host "no-such-host.invalid"`, ""},
		"unknown TLS":  {secure.URL, Options{}, ErrUnreachable, "the certificate is signed by an authority that is not trusted here", ""},
		"no TLS":       {strings.Replace(plain, "http:", "https:", 1), Options{}, ErrUnreachable, "the peer does not speak TLS on this port", ""},
		"page":         {handler(200, "Content-Type", "text/html", "<h1>Hello</h1>"), Options{}, ErrNotMCP, `the server answers with the content type "text/html", not with a message of MCP: <h1>Hello</h1>`, ""},
		"404":          {handler(404, "Content-Type", "text/plain", "not here"), Options{}, ErrNotMCP, "HTTP 404 Not Found instead of an answer of MCP: not here", ""},
		"401":          {handler(401, "WWW-Authenticate", `Bearer resource_metadata="x"`, "token=hunter2"), Options{}, ErrCredentials, "the server wants credentials (HTTP 401): token=***", `Bearer resource_metadata="x"`},
		"403":          {handler(403, "Content-Type", "text/plain", ""), Options{}, ErrCredentials, "the server refuses access (HTTP 403)", ""},
		"other JSON":   {handler(200, "Content-Type", "application/json", `{"ok":true}`), Options{}, ErrNotMCP, "an answer with neither result nor error", ""},
		"redirect":     {handler(302, "Location", "/login?token=hunter2", ""), Options{}, ErrNotMCP, `the server redirects (HTTP 302) to "/login?token=***"`, ""},
		"forced":       {httpTarget(t, rawHTTP(nil)).URL, Options{Protocol: ProtocolModern}, ErrRevision, "the server does not speak revision 2026-07-28: the server answered with error -32601: no such method", ""},
		"401 later":    {httpTarget(t, http.HandlerFunc(refuseInitialized)).URL, Options{}, ErrCredentials, "the server wants credentials (HTTP 401)", "Basic"},
		"other scheme": {"ftp://127.0.0.1/", Options{}, ErrUnreachable, "the URL of a server is http://HOST or https://HOST", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.o.Redact = func(text string) string { return strings.ReplaceAll(text, "hunter2", "***") }
			client, err := Connect(t.Context(), Target{URL: c.url}, c.o)
			if err == nil {
				_ = client.Close()
				t.Fatal("it connects")
			}
			var failure *ConnectError
			if !errors.As(err, &failure) || !errors.Is(err, c.kind) {
				t.Fatalf("%T: %v", err, err)
			}
			if failure.Message != c.message || failure.Challenge != c.challenge {
				t.Errorf("message %q, want %q; challenge %q", failure.Message, c.message, failure.Challenge)
			}
		})
	}
}

// refuseInitialized wants credentials once the handshake seems done.
func refuseInitialized(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	if strings.Contains(string(body), "notifications/initialized") {
		w.Header().Set("WWW-Authenticate", "Basic")
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	q.Body = io.NopCloser(strings.NewReader(string(body)))
	rawHTTP(nil).ServeHTTP(w, q)
}
