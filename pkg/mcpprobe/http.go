package mcpprobe

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sync/semaphore"
)

// The headers of Streamable HTTP.
const (
	headerSession  = "Mcp-Session-Id"
	headerProtocol = "Mcp-Protocol-Version"
	headerMethod   = "Mcp-Method"
	headerName     = "Mcp-Name"
)

const (
	typeJSON   = "application/json"
	typeEvents = "text/event-stream"
)

const (
	// memoryBudget bounds what long answers that are on their way take
	// together, in bytes.
	memoryBudget = 96 << 20
	// maxErrorBody bounds the body of an answer with a status of failure, in
	// bytes.
	maxErrorBody = 1 << 20
	// lingerTime is how long a stream that has given its answer may take to
	// end, so that its connection can be used again.
	lingerTime = 100 * time.Millisecond
)

// httpLink is Streamable HTTP: each request is a POST, and its answer the body
// of the response.
type httpLink struct {
	*wire
	url    string
	client *http.Client
	own    bool // the client is ours
	memory *semaphore.Weighted
	next   atomic.Int64
	// lingers is set once a stream stayed open after its answer.
	lingers atomic.Bool

	mu       sync.Mutex
	session  string
	protocol string

	ctx     context.Context // ends with close
	stop    context.CancelCauseFunc
	work    sync.WaitGroup // grows only under mu, while ctx lasts
	closing sync.Once
}

func openHTTP(w *wire, t Target) (link, error) {
	l := &httpLink{wire: w, url: t.URL, client: t.HTTP, memory: semaphore.NewWeighted(memoryBudget)}
	if l.client == nil {
		l.client, l.own = newHTTPClient(), true
	}
	l.ctx, l.stop = context.WithCancelCause(context.Background())
	return l, nil
}

func (l *httpLink) negotiated(protocol string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.protocol = protocol
}

// enter joins ctx with the life of the link. The error is that of a link that
// was closed.
func (l *httpLink) enter(ctx context.Context) (context.Context, func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil {
		return nil, nil, errClosed
	}
	l.work.Add(1)
	joined, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(l.ctx, func() { cancel(errClosed) })
	return joined, func() {
		stop()
		cancel(nil)
		l.work.Done()
	}, nil
}

func (l *httpLink) call(ctx context.Context, method string, params json.RawMessage, limit int64) (*Exchange, again) {
	ctx, leave, err := l.enter(ctx)
	if err != nil {
		return &Exchange{Err: err}, again{}
	}
	defer leave()
	id := requestID(l.next.Add(1))
	raw, err := encode(envelope{Version: "2.0", ID: id, Method: method, Params: params})
	if err != nil {
		return &Exchange{Err: err}, again{}
	}
	a := &httpAnswer{httpLink: l, ctx: ctx, id: id, method: method, limit: limit, start: time.Now()}
	defer a.release()
	response, reached, err := l.post(ctx, method, id, params, raw)
	if err != nil {
		lost := contextError(ctx, l.unsent(err))
		a.traceAnswer(nil, nil, lost)
		return &Exchange{Err: lost}, again{ok: !reached && ctx.Err() == nil && passing(err)}
	}
	defer response.Body.Close()
	if method == methodInitialize {
		l.mu.Lock()
		l.session = response.Header.Get(headerSession)
		l.mu.Unlock()
	}
	x, retry := a.read(response)
	x.Status, x.Header = response.StatusCode, response.Header
	return x, retry
}

// post sends one message. reached says that something of it may have reached
// the server.
func (l *httpLink) post(ctx context.Context, method, id string, params json.RawMessage, raw []byte) (response *http.Response, reached bool, err error) {
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { reached = true }})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url, bytes.NewReader(raw))
	if err != nil {
		return nil, false, err
	}
	request.Header.Set("Content-Type", typeJSON)
	request.Header.Set("Accept", typeJSON+", "+typeEvents)
	l.setHeaders(request.Header, method, params)
	l.meter.sent.Add(int64(len(raw)))
	l.trace.write(traceLine{Direction: "sent", Method: method, ID: id}, request.Header, raw)
	response, err = l.client.Do(request)
	return response, reached, err
}

// setHeaders sets what the base protocol wants.
func (l *httpLink) setHeaders(header http.Header, method string, params json.RawMessage) {
	l.mu.Lock()
	protocol, session := l.protocol, l.session
	l.mu.Unlock()
	if protocol == "" && method == methodDiscover {
		_ = json.Unmarshal(member(member(params, "_meta"), mcp.MetaKeyProtocolVersion), &protocol)
	}
	if protocol != "" {
		header.Set(headerProtocol, protocol)
	}
	if session != "" {
		header.Set(headerSession, session)
	}
	if protocol < ProtocolModern || method == "" {
		return
	}
	header.Set(headerMethod, method)
	if method == MethodRead {
		var uri string
		_ = json.Unmarshal(member(params, "uri"), &uri)
		header.Set(headerName, headerValue(uri))
	}
}

// headerValue encodes what a header may not hold as it is, in the way of the
// base protocol.
func headerValue(text string) string {
	const prefix, suffix = "=?base64?", "?="
	plain := text == strings.TrimSpace(text) && !strings.HasPrefix(text, prefix)
	for _, c := range []byte(text) {
		plain = plain && ' ' <= c && c <= '~'
	}
	if plain {
		return text
	}
	return prefix + base64.StdEncoding.EncodeToString([]byte(text)) + suffix
}

func (l *httpLink) notify(ctx context.Context, method string, params json.RawMessage) error {
	ctx, leave, err := l.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	raw, err := encode(envelope{Version: "2.0", Method: method, Params: params})
	if err != nil {
		return err
	}
	return l.tell(ctx, method, params, raw)
}

// unsent is the error of a request that got no answer over HTTP. The client that
// the caller gave knows best when credentials were the reason.
func (w *wire) unsent(err error) error {
	if refused, ok := errors.AsType[*ConnectError](err); ok {
		return refused
	}
	return closedError("%s", w.outside(plainCause(err)))
}

// tell posts what has no answer.
func (l *httpLink) tell(ctx context.Context, method string, params json.RawMessage, raw []byte) error {
	response, _, err := l.post(ctx, method, "", params, raw)
	if err != nil {
		return contextError(ctx, l.unsent(err))
	}
	defer response.Body.Close()
	_, _ = io.CopyN(io.Discard, response.Body, maxErrorBody) // for the next request on the connection
	l.trace.write(traceLine{Direction: "received", Method: method, Status: response.StatusCode}, response.Header, nil)
	switch status := response.StatusCode; {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return l.refused(response, nil)
	case status < 200 || 299 < status:
		l.faults.add(FaultHTTP, "HTTP %d for a notification or a reply; 202 is what the protocol has", status)
	}
	return nil
}

// refused is the error of a server that wants credentials.
func (w *wire) refused(response *http.Response, body []byte) *ConnectError {
	message := "the server wants credentials (HTTP 401)"
	if response.StatusCode == http.StatusForbidden {
		message = "the server refuses access (HTTP 403)"
	}
	if text := w.excerpt(body); text != "" {
		message += ": " + text
	}
	return &ConnectError{Kind: ErrCredentials, Message: message, Challenge: w.options.Redact(response.Header.Get("WWW-Authenticate"))}
}

// httpAnswer is the answer to one request, while it is read.
type httpAnswer struct {
	*httpLink
	ctx    context.Context
	id     string
	method string
	limit  int64
	start  time.Time
	held   int64 // of the memory budget
}

// metered counts what is read of a body.
type metered struct {
	body  io.Reader
	meter *meter
}

func (m metered) Read(p []byte) (int, error) {
	n, err := m.body.Read(p)
	if over := m.meter.spent(n); over != nil {
		return n, over
	}
	return n, err
}

func (a *httpAnswer) read(response *http.Response) (*Exchange, again) {
	contentType, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	good := 200 <= response.StatusCode && response.StatusCode <= 299
	body := metered{response.Body, a.meter}
	if good && contentType == typeEvents {
		return a.events(response, body)
	}
	var rest io.Reader = body
	if !good || contentType == "text/html" {
		// Its beginning says enough.
		rest, response.ContentLength = io.LimitReader(body, maxErrorBody), -1
	}
	text, err := a.whole(response, rest)
	if err != nil {
		err = a.failure(err)
		a.traceAnswer(response, nil, err)
		return &Exchange{Err: err, Bytes: int64(len(text))}, again{}
	}
	x, retry := a.document(response, contentType, good, text)
	a.traceAnswer(response, text, x.Err)
	x.Bytes = int64(len(text))
	return x, retry
}

// document takes an answer that is a body of its own.
func (a *httpAnswer) document(response *http.Response, contentType string, good bool, text []byte) (*Exchange, again) {
	status := response.StatusCode
	if status == http.StatusUnauthorized || status == http.StatusForbidden {
		return &Exchange{Err: a.refused(response, text)}, again{}
	}
	m, err := parseMessage(text)
	if err == nil && m.method == "" && (a.answers(m) || !good && string(m.id) == "null" && m.rpc != nil) {
		if !a.answers(m) {
			m.fault(FaultEnvelope, "an answer whose id is null")
		}
		x := m.exchange(a.options.Redact)
		if contentType != typeJSON {
			x.Faults = append(x.Faults, WireFault{FaultHTTP, fmt.Sprintf("an answer with the content type %s", shown(contentType))})
		}
		if !good && m.rpc == nil {
			x.Faults = append(x.Faults, WireFault{FaultHTTP, fmt.Sprintf("a result with HTTP %d", status)})
		}
		return x, again{}
	}
	return &Exchange{Err: a.noAnswer(response, contentType, good, text, m, err)}, retryStatus(response)
}

// answers reports whether m answers our request.
func (a *httpAnswer) answers(m *message) bool {
	var id string
	return json.Unmarshal(m.id, &id) == nil && id == a.id
}

// noAnswer says what came instead of an answer.
func (a *httpAnswer) noAnswer(response *http.Response, contentType string, good bool, text []byte, m *message, err error) error {
	status := response.StatusCode
	a.mu.Lock()
	session := a.session
	a.mu.Unlock()
	excerpt := ""
	if shown := a.excerpt(text); shown != "" {
		excerpt = ": " + shown
	}
	switch {
	case good && err == nil:
		return malformed("the body of the answer to %s is another message, with the id %s", a.method, a.quoted(m.id))
	case good && len(text) == 0:
		return malformed("HTTP %d without an answer to %s", status, a.method)
	case good && contentType == typeJSON:
		return err
	case good:
		return malformed("the server answers with the content type %s, not with a message of MCP%s", shown(contentType), excerpt)
	case status == http.StatusNotFound && session != "" && a.method != methodInitialize:
		return closedError("the server ended the session (HTTP 404)")
	case 300 <= status && status <= 399:
		return malformed("the server redirects (HTTP %d) to %s", status, a.quoted([]byte(response.Header.Get("Location"))))
	}
	return malformed("HTTP %d %s instead of an answer of MCP%s", status, http.StatusText(status), excerpt)
}

// retryStatus says whether a status means for now.
func retryStatus(response *http.Response) again {
	switch response.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return again{}
	}
	retry := again{ok: true}
	after := response.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(after); err == nil {
		retry.after = min(time.Duration(max(seconds, 0))*time.Second, time.Hour)
	} else if date, err := http.ParseTime(after); err == nil {
		retry.after = max(time.Until(date), 0)
	}
	return retry
}

// whole reads a body to its end.
func (a *httpAnswer) whole(response *http.Response, body io.Reader) ([]byte, error) {
	if response.ContentLength > a.limit {
		return nil, errEventTooLong
	}
	var text []byte
	if response.ContentLength > 0 {
		if err := a.reserve(response.ContentLength); err != nil {
			return nil, err
		}
		text = make([]byte, 0, response.ContentLength+1) // one more, to see the end
	} else {
		text = make([]byte, 0, 4<<10)
	}
	for {
		if len(text) == cap(text) {
			if int64(len(text)) > answerOverhead {
				if err := a.reserve(a.limit); err != nil {
					return nil, err
				}
			}
			text = grown(text, 1, a.limit)
		}
		n, err := body.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case int64(len(text)) > a.limit:
			return nil, errEventTooLong
		case errors.Is(err, io.EOF):
			return fitted(text), nil
		case err != nil:
			return text, err
		}
	}
}

// reserve waits for memory, once, while the clock of the request stands. What is
// short needs none.
func (a *httpAnswer) reserve(size int64) error {
	if size <= answerOverhead || a.held > 0 {
		return nil
	}
	size = min(size, memoryBudget)
	if k, ok := a.ctx.Value(clockKey{}).(*clock); ok {
		k.stop()
		defer k.resume()
	}
	if err := a.memory.Acquire(a.ctx, size); err != nil {
		return err
	}
	a.held = size
	return nil
}

func (a *httpAnswer) release() {
	if a.held > 0 {
		a.memory.Release(a.held)
	}
}

// events takes an answer that comes in a stream, among other messages.
func (a *httpAnswer) events(response *http.Response, body io.Reader) (*Exchange, again) {
	reader := newSSEReader(body, func() int64 { return a.limit }, func() error { return a.reserve(a.limit) })
	for {
		event, err := reader.next()
		if err != nil {
			err = a.failure(err)
			a.traceAnswer(response, nil, err)
			return &Exchange{Err: err}, again{}
		}
		if len(event.data) == 0 || event.name != "" && event.name != "message" {
			continue
		}
		m, err := parseMessage(event.data)
		if err != nil {
			a.traceAnswer(response, event.data, err)
			return &Exchange{Err: err, Bytes: int64(len(event.data))}, again{}
		}
		a.traceAnswer(response, event.data, nil)
		switch {
		case m.method != "":
			a.unasked(m)
		case a.answers(m):
			a.drain(response)
			return m.exchange(a.options.Redact), again{}
		default:
			a.faults.add(FaultUnknownID, "an answer to the id %s in the answer to another request", a.quoted(m.id))
		}
	}
}

// unasked replies to a request of the server. One that does not take the reply
// loses the time of its own answer.
func (a *httpAnswer) unasked(m *message) {
	if reply := a.unaskedReply(m); reply != nil {
		ctx, stop := context.WithTimeout(a.ctx, replyTime)
		defer stop()
		_ = a.tell(ctx, "", nil, reply) // nobody waits for it
	}
}

// drain lets a stream end that has given its answer, so that its connection can
// be used again. It does so no more once a stream stayed open.
func (a *httpAnswer) drain(response *http.Response) {
	if a.lingers.Load() {
		return
	}
	timer := time.AfterFunc(lingerTime, func() {
		a.lingers.Store(true)
		_ = response.Body.Close()
	})
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, metered{response.Body, a.meter}, maxErrorBody)
}

// failure says why a body could not be read.
func (a *httpAnswer) failure(err error) error {
	var limit *LimitError
	switch {
	case errors.Is(err, errEventTooLong):
		return tooLongError(a.method, a.limit)
	case errors.As(err, &limit):
		return err
	case a.ctx.Err() != nil:
		return context.Cause(a.ctx)
	case errors.Is(err, io.EOF):
		return closedError("the stream ended before the answer to %s", a.method)
	}
	return closedError("the answer to %s broke off: %s", a.method, a.outside(plainCause(err)))
}

func (a *httpAnswer) traceAnswer(response *http.Response, body []byte, err error) {
	if a.wire.trace == nil {
		return
	}
	line := traceLine{Direction: "received", Method: a.method, ID: a.id, Took: milliseconds(time.Since(a.start))}
	var header http.Header
	if response != nil {
		line.Status, header = response.StatusCode, response.Header
	}
	if err != nil {
		line.Error = err.Error()
		if body == nil {
			line.Direction = "lost"
		}
	}
	a.wire.trace.write(line, header, body)
}

// close ends what is under way, and the session.
func (l *httpLink) close() error {
	l.closing.Do(func() {
		l.mu.Lock()
		l.stop(errClosed)
		l.mu.Unlock()
		l.work.Wait()
		l.endSession()
		if l.own {
			l.client.CloseIdleConnections()
		}
	})
	return nil
}

// endSession tells the server that a session is over. A server that does not
// take it ends the session by itself.
func (l *httpLink) endSession() {
	l.mu.Lock()
	session := l.session
	l.mu.Unlock()
	if session == "" {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), replyTime)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodDelete, l.url, nil)
	if err != nil {
		return
	}
	l.setHeaders(request.Header, "", nil)
	l.wire.trace.write(traceLine{Direction: "sent", Method: http.MethodDelete}, request.Header, nil)
	if response, err := l.client.Do(request); err == nil {
		_ = response.Body.Close()
	}
}
