package mcpprobe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSSEReader(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []sseEvent
		err  error
	}{
		"empty":       {"", nil, io.EOF},
		"one":         {"data: a\n\n", []sseEvent{{data: []byte("a")}}, io.EOF},
		"no blank":    {"data:a\n\n", []sseEvent{{data: []byte("a")}}, io.EOF},
		"two blanks":  {"data:  a\n\n", []sseEvent{{data: []byte(" a")}}, io.EOF},
		"lines":       {"data: a\ndata: b\ndata\n\n", []sseEvent{{data: []byte("a\nb\n")}}, io.EOF},
		"CRLF":        {"event: x\r\ndata: a\r\n\r\ndata: b\r\n\r\n", []sseEvent{{name: "x", data: []byte("a")}, {data: []byte("b")}}, io.EOF},
		"CR":          {"data: a\r\rdata: b\r\r", []sseEvent{{data: []byte("a")}, {data: []byte("b")}}, io.EOF},
		"BOM":         {"\ufeffdata: a\n\n", []sseEvent{{data: []byte("a")}}, io.EOF},
		"comment":     {": hello\n\ndata: a\n: b\n\n", []sseEvent{{data: []byte("a")}}, io.EOF},
		"id":          {"id: 1\nretry: 2\n\n", []sseEvent{{id: "1"}}, io.EOF},
		"other field": {"foo: 1\ndatum: 2\n\n", nil, io.EOF},
		"not ended":   {"data: a\n\ndata: b\n", []sseEvent{{data: []byte("a")}}, io.EOF},
		"at limit":    {"data: " + strings.Repeat("x", 94) + "\n\n", []sseEvent{{data: bytes.Repeat([]byte("x"), 94)}}, io.EOF},
		"over limit":  {"data: " + strings.Repeat("x", 95) + "\n\n", nil, errEventTooLong},
		"sum":         {strings.Repeat("data: xxxxxxxxxxxxxxx\n", 10) + "\n", nil, errEventTooLong},
	} {
		t.Run(name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(c.text), oneByte{strings.NewReader(c.text)}} {
				events, err := readEvents(in, 100)
				if diff := cmp.Diff(c.want, events, cmp.AllowUnexported(sseEvent{})); diff != "" {
					t.Errorf("(-want +have):\n%s", diff)
				}
				if !errors.Is(err, c.err) {
					t.Errorf("err %v", err)
				}
			}
		})
	}
}

// oneByte gives one byte at a time.
type oneByte struct{ in io.Reader }

func (r oneByte) Read(p []byte) (int, error) { return r.in.Read(p[:min(len(p), 1)]) }

func readEvents(in io.Reader, limit int64) (events []sseEvent, err error) {
	r := newSSEReader(in, func() int64 { return limit }, nil)
	for {
		event, err := r.next()
		if err != nil {
			return events, err
		}
		events = append(events, event)
	}
}

// FuzzSSEReader holds that the events do not depend on how they come in, and
// keep to the limit.
func FuzzSSEReader(f *testing.F) {
	for _, text := range []string{"data: a\n\n", "event: x\r\ndata: a\r\n\r\n", "\ufeffdata: a\r\rid: 1\n\n", ":\n\n\r\n\rdata\n\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		const limit = 64
		whole, err := readEvents(bytes.NewReader(text), limit)
		pieces, err2 := readEvents(oneByte{bytes.NewReader(text)}, limit)
		if diff := cmp.Diff(whole, pieces, cmp.AllowUnexported(sseEvent{})); diff != "" {
			t.Fatalf("whole and in pieces:\n%s", diff)
		}
		if !errors.Is(err, err2) {
			t.Fatalf("errors %v and %v", err, err2)
		}
		for _, event := range whole {
			if len(event.data) > limit {
				t.Fatalf("an event of %d bytes", len(event.data))
			}
		}
	})
}

// sseServer is a server of the transport before Streamable HTTP.
type sseServer struct {
	endpoint string
	behave   func(r rawRequest, say func(string), w http.ResponseWriter)

	mu     sync.Mutex
	stream chan string
}

func (s *sseServer) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	switch {
	case q.Method == http.MethodGet:
		s.mu.Lock()
		s.stream = make(chan string, 100)
		s.mu.Unlock()
		w.Header().Set("Content-Type", typeEvents)
		_, _ = fmt.Fprintf(w, "event: endpoint\ndata: %s\n\n", s.endpoint)
		w.(http.Flusher).Flush()
		for {
			select {
			case text := <-s.stream:
				if text == "" {
					return
				}
				_, _ = fmt.Fprintf(w, "event: message\ndata: %s\n\n", text)
				w.(http.Flusher).Flush()
			case <-q.Context().Done():
				return
			}
		}
	case q.URL.Path == "/messages":
		var r rawRequest
		_ = json.NewDecoder(q.Body).Decode(&r)
		s.mu.Lock()
		stream := s.stream
		s.mu.Unlock()
		if handshake := handshakeMessage(r); handshake != "" {
			stream <- handshake
		} else if r.Method != "notifications/initialized" {
			s.behave(r, func(text string) { stream <- text }, w)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	default:
		http.Error(w, "no POST here", http.StatusMethodNotAllowed)
	}
}

func TestSSEAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		behave func(r rawRequest, say func(string), w http.ResponseWriter)
		limit  int64
		o      Options
		want   string
	}{
		"answer": {behave: func(r rawRequest, say func(string), w http.ResponseWriter) {
			w.WriteHeader(http.StatusAccepted)
			say(resultMessage(r, "{}"))
		}, want: "{}"},
		"answer first": {behave: func(r rawRequest, say func(string), w http.ResponseWriter) { say(resultMessage(r, "{}")) }, want: "{}"},
		"ends": {behave: func(r rawRequest, say func(string), w http.ResponseWriter) { say("") },
			want: "*mcpprobe.ClosedError: the server closed the stream of events"},
		"404": {behave: func(r rawRequest, say func(string), w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) },
			want: "*mcpprobe.MalformedError: HTTP 404 Not Found for a message"},
		"401": {behave: func(r rawRequest, say func(string), w http.ResponseWriter) { w.WriteHeader(http.StatusUnauthorized) },
			want: "*mcpprobe.ConnectError: the server wants credentials (HTTP 401)"},
		"too long": {behave: func(r rawRequest, say func(string), w http.ResponseWriter) {
			say(resultMessage(r, `"`+strings.Repeat("x", 3<<20)+`"`))
		}, limit: 2 << 20, want: "*mcpprobe.LimitError: an event of the stream has more than 2097152 bytes"},
		"silent": {behave: func(rawRequest, func(string), http.ResponseWriter) {}, o: Options{Timeout: time.Second},
			want: "*mcpprobe.LimitError: no whole answer to skills/list within 1s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := httpTarget(t, &sseServer{endpoint: "/messages?id=1", behave: c.behave})
			client := connected(t, target, c.o)
			if s := client.Server(); s.Transport != TransportSSE || s.Protocol != protocolBefore {
				t.Errorf("server %+v", s)
			}
			if have := outcome(client.Call(t.Context(), MethodList, nil, c.limit)); have != c.want {
				t.Errorf("have %s\nwant %s", have, c.want)
			}
		})
	}
}

func TestSSEConnectErrors(t *testing.T) {
	elsewhere := httpTarget(t, &sseServer{endpoint: "http://elsewhere.example/messages"})
	for name, c := range map[string]struct {
		target  Target
		kind    error
		message string
	}{
		"other origin":   {Target{URL: elsewhere.URL, Transport: TransportSSE}, ErrNotMCP, `the stream names the endpoint "http://elsewhere.example/messages", which is not of the same origin`},
		"other, by auto": {Target{URL: elsewhere.URL}, ErrNotMCP, "HTTP 405 Method Not Allowed instead of an answer of MCP: no POST here"},
		"no stream":      {Target{URL: httpTarget(t, http.NotFoundHandler()).URL, Transport: TransportSSE}, ErrNotMCP, "HTTP 404 Not Found instead of a stream of events"},
		"only HTTP":      {Target{URL: httpTarget(t, &sseServer{}).URL, Transport: TransportHTTP}, ErrNotMCP, "HTTP 405 Method Not Allowed instead of an answer of MCP: no POST here"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Connect(t.Context(), c.target, Options{})
			if !errors.Is(err, c.kind) || err.Error() != c.message {
				t.Errorf("err %v", err)
			}
		})
	}
}
