package mcpprobe

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// maxTraced bounds the body of one line of a trace, in bytes: a file of 16 MiB
// tells nothing in it.
const maxTraced = 64 << 10

// redacted stands for the value of a header that is or has a secret.
const redacted = "redacted"

// tracer writes the trace. A nil tracer writes nothing.
type tracer struct {
	mu     sync.Mutex
	w      io.Writer
	redact func(string) string
	start  time.Time
}

func newTracer(o Options) *tracer {
	if o.Trace == nil {
		return nil
	}
	return &tracer{w: o.Trace, redact: o.Redact, start: time.Now()}
}

// traceLine is one line of a trace.
type traceLine struct {
	// At is the time since the connection began, in milliseconds.
	At float64 `json:"at_ms"`
	// Direction is "sent", "received" or "lost": there was no answer.
	Direction string            `json:"direction"`
	Method    string            `json:"method,omitempty"`
	ID        string            `json:"id,omitempty"`
	Status    int               `json:"status,omitempty"`
	Headers   map[string]string `json:"headers,omitempty"`
	Body      string            `json:"body,omitempty"`
	// Cut says that Body is only the beginning.
	Cut   bool  `json:"cut,omitempty"`
	Bytes int64 `json:"bytes"`
	// Took is the time since the request was sent, in milliseconds.
	Took float64 `json:"took_ms,omitempty"`
	// Error is why there is no answer.
	Error string `json:"error,omitempty"`
}

// write adds a line. body may be nil; header too.
func (t *tracer) write(line traceLine, header http.Header, body []byte) {
	if t == nil {
		return
	}
	if line.Bytes == 0 {
		line.Bytes = int64(len(body))
	}
	line.Body, line.Cut = t.body(body)
	line.Headers = t.headers(header)
	line.Error = t.redact(line.Error)
	t.mu.Lock()
	defer t.mu.Unlock()
	line.At = milliseconds(time.Since(t.start))
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(line) == nil {
		// A trace that cannot be written must not fail what it traces.
		_, _ = t.w.Write(out.Bytes())
	}
}

func (t *tracer) body(body []byte) (text string, cut bool) {
	// Twice the bound, so that a secret across it is still seen whole.
	if cut = len(body) > 2*maxTraced; cut {
		body = body[:2*maxTraced]
	}
	text = t.redact(string(body))
	if len(text) > maxTraced {
		end := maxTraced
		for end > maxTraced-utf8.UTFMax && !utf8.RuneStart(text[end]) {
			end--
		}
		return text[:end], true
	}
	return text, cut
}

func (t *tracer) headers(header http.Header) map[string]string {
	if len(header) == 0 {
		return nil
	}
	shown := make(map[string]string, len(header))
	for _, name := range slices.Sorted(maps.Keys(header)) {
		value := strings.Join(header[name], ", ")
		switch name {
		case "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", headerSession:
			value = redacted
		default:
			if t.redact(value) != value {
				value = redacted
			}
		}
		shown[name] = value
	}
	return shown
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
