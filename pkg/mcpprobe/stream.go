package mcpprobe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// idPrefix marks the ids of our requests; a number follows.
	idPrefix = "sk-"
	// maxCancelled bounds the ids of requests that nobody waits for any more.
	maxCancelled = 1024
	// maxReplies bounds the replies to a server's requests that are being
	// written. A server that asks faster than it reads gets no more.
	maxReplies = 16
	// maxID is how long the id of a request of the server may be that gets a
	// reply, in bytes.
	maxID = 1 << 10
	// replyTime bounds the writing of what nobody waits for.
	replyTime = 2 * time.Second
	// closeTime bounds the end of a connection whose other side keeps it: the
	// transport may be somebody else's, and not every system lets go of a pipe.
	closeTime = 5 * time.Second
)

// duplex carries whole messages both ways.
type duplex interface {
	// run gives whatever comes to s, until the end, and says why it ended.
	run(s *stream) error
	// send writes a message. Several may be written at one time.
	send(ctx context.Context, raw json.RawMessage) (again, error)
	// close ends run and waits until nothing is left.
	close() error
}

// stream is a link over which answers come in any order, and mixed with other
// messages.
type stream struct {
	*wire
	duplex duplex
	// what names a message in faults: "line on standard output".
	what string

	mu        sync.Mutex
	next      int
	pending   map[string]*waiter
	cancelled map[string]struct{}
	protocol  string

	dead    chan struct{}
	reason  error // why it is dead
	replies chan struct{}
	work    sync.WaitGroup // grows only under mu, while the stream lives
	closing sync.Once
}

// waiter waits for one answer.
type waiter struct {
	method string
	limit  int64
	sent   time.Time
	answer chan *Exchange
}

func openStream(w *wire, d duplex, what string) *stream {
	s := &stream{
		wire: w, duplex: d, what: what, pending: map[string]*waiter{}, cancelled: map[string]struct{}{},
		dead: make(chan struct{}), replies: make(chan struct{}, maxReplies),
	}
	s.work.Go(func() { s.die(d.run(s)) })
	return s
}

func (s *stream) negotiated(protocol string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.protocol = protocol
}

func (s *stream) call(ctx context.Context, method string, params json.RawMessage, limit int64) (*Exchange, again) {
	id, w := s.register(method, limit)
	raw, err := encode(envelope{Version: "2.0", ID: id, Method: method, Params: params})
	if err != nil {
		s.forget(id)
		return &Exchange{Err: err}, again{}
	}
	s.sending(method, id, raw)
	type outcome struct {
		again again
		err   error
	}
	sent := make(chan outcome, 1)
	s.begin(func() {
		retry, err := s.duplex.send(ctx, raw)
		sent <- outcome{retry, err}
	})
	for {
		select {
		case x := <-w.answer:
			return x, again{}
		case o := <-sent:
			if o.err == nil {
				sent = nil
				continue
			}
			s.forget(id)
			return s.lost(id, w, s.unsendable(ctx, o.err)), o.again
		case <-s.dead:
			select {
			case x := <-w.answer: // it came before the end
				return x, again{}
			default:
				return s.lost(id, w, s.reason), again{}
			}
		case <-ctx.Done():
			s.cancel(id, w)
			return s.lost(id, w, context.Cause(ctx)), again{}
		}
	}
}

// unsendable is the error of a request that could not be sent. Where that is
// because the connection ends, the end itself says more, and says the same
// whichever came first.
func (s *stream) unsendable(ctx context.Context, err error) error {
	select {
	case <-s.dead:
		return s.reason
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(exitTime):
		return err
	}
}

// envelope is a request or a notification.
type envelope struct {
	Version string          `json:"jsonrpc"`
	ID      string          `json:"id,omitempty"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params,omitempty"`
}

// requestID gives the id of a request. All have one length, so that what goes
// over the wire has the same length whatever comes first.
func requestID(n int64) string { return fmt.Sprintf("%s%07d", idPrefix, n) }

func (s *stream) register(method string, limit int64) (string, *waiter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	id := requestID(int64(s.next))
	w := &waiter{method: method, limit: limit, sent: time.Now(), answer: make(chan *Exchange, 1)}
	s.pending[id] = w
	return id, w
}

// begin runs a function beside, while the stream lives.
func (s *stream) begin(run func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.dead:
	default:
		s.work.Go(run)
	}
}

func (s *stream) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pending, id)
}

func (s *stream) sending(method, id string, raw []byte) {
	s.meter.sent.Add(int64(len(raw)))
	s.trace.write(traceLine{Direction: "sent", Method: method, ID: id}, nil, raw)
}

// lost is the exchange without an answer.
func (s *stream) lost(id string, w *waiter, err error) *Exchange {
	s.trace.write(traceLine{Direction: "lost", Method: w.method, ID: id, Took: milliseconds(time.Since(w.sent)), Error: err.Error()}, nil, nil)
	return &Exchange{Err: err}
}

// cancel tells the server that nobody waits any more. An answer that comes all
// the same is dropped.
func (s *stream) cancel(id string, w *waiter) {
	s.mu.Lock()
	if len(s.cancelled) == maxCancelled {
		clear(s.cancelled)
	}
	s.cancelled[id] = struct{}{}
	delete(s.pending, id)
	protocol := s.protocol
	s.mu.Unlock()
	if w.method == methodInitialize || w.method == methodDiscover {
		return // these must not be cancelled
	}
	params, err := encode(cancelledParams(id, protocol))
	if err != nil {
		return
	}
	s.begin(func() {
		ctx, stop := context.WithTimeout(context.Background(), replyTime)
		defer stop()
		_ = s.notify(ctx, methodCancelled, params) // nobody waits for it
	})
}

func (s *stream) notify(ctx context.Context, method string, params json.RawMessage) error {
	raw, err := encode(envelope{Version: "2.0", Method: method, Params: params})
	if err != nil {
		return err
	}
	s.sending(method, "", raw)
	_, err = s.duplex.send(ctx, raw)
	return err
}

// longest is how long a message may be that could answer anything that is
// waited for.
func (s *stream) longest() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	longest := int64(answerOverhead)
	for _, w := range s.pending {
		longest = max(longest, w.limit)
	}
	return longest
}

// frame takes the bytes of one message.
func (s *stream) frame(raw []byte) {
	m, err := parseMessage(raw)
	if err == nil {
		s.message(m, raw)
		return
	}
	s.trace.write(traceLine{Direction: "received"}, nil, raw)
	if id, w := s.addressee(raw, raw); w != nil {
		s.answer(id, w, &Exchange{Err: err, Bytes: int64(len(raw))})
		return
	}
	s.faults.add(FaultNoise, "a %s is no message of MCP: %s", s.what, s.quoted(raw))
}

// tooLong takes the beginning, and at last the end, of a message that is longer
// than anything may be. It reports whether it was told which request it answers.
func (s *stream) tooLong(head, tail []byte) bool {
	id, w := s.addressee(head, tail)
	if w == nil {
		return false
	}
	s.answer(id, w, s.lost(id, w, tooLongError(w.method, w.limit)))
	return true
}

func tooLongError(method string, limit int64) *LimitError {
	return &LimitError{Bound: "max-file-bytes", Message: fmt.Sprintf("the answer to %s has more than %d bytes", method, limit)}
}

// ownID finds the ids of our requests in the text of a message.
var ownID = regexp.MustCompile(`"id"\s*:\s*"(` + idPrefix + `[0-9]+)"`)

// addressee finds the request that a message answers which cannot be read.
func (s *stream) addressee(head, tail []byte) (string, *waiter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := ownID.FindSubmatch(head[:min(len(head), edge)])
	if found == nil {
		if all := ownID.FindAllSubmatch(tail[max(0, len(tail)-edge):], -1); all != nil {
			found = all[len(all)-1]
		}
	}
	if found != nil {
		id := string(found[1])
		return id, s.pending[id]
	}
	return "", nil
}

// message takes a message that could be read. raw is for the trace.
func (s *stream) message(m *message, raw []byte) {
	if m.method != "" {
		s.trace.write(traceLine{Direction: "received", Method: m.method}, nil, raw)
		s.unasked(m)
		return
	}
	id, w := s.waiting(m)
	line := traceLine{Direction: "received", ID: string(m.id), Bytes: m.bytes}
	if w != nil {
		line.ID, line.Method, line.Took = id, w.method, milliseconds(time.Since(w.sent))
	}
	s.trace.write(line, nil, raw)
	switch {
	case w == nil:
	case m.bytes > w.limit:
		s.answer(id, w, &Exchange{Err: tooLongError(w.method, w.limit), Bytes: m.bytes})
	default:
		s.answer(id, w, m.exchange(s.options.Redact))
	}
}

// waiting finds who waits for an answer, and notes one that nobody waits for.
func (s *stream) waiting(m *message) (string, *waiter) {
	var id string
	s.mu.Lock()
	defer s.mu.Unlock()
	if (m.id == nil || string(m.id) == "null") && len(s.pending) == 1 {
		// A server that could not read a request may not know its id.
		for _, id := range slices.Collect(maps.Keys(s.pending)) {
			m.fault(FaultEnvelope, "an answer whose id is null")
			return id, s.pending[id]
		}
	}
	if json.Unmarshal(m.id, &id) == nil {
		if w := s.pending[id]; w != nil {
			return id, w
		}
		if _, late := s.cancelled[id]; late {
			delete(s.cancelled, id)
			return id, nil
		}
		if n, err := strconv.Atoi(strings.TrimPrefix(id, idPrefix)); err == nil && strings.HasPrefix(id, idPrefix) && n <= s.next {
			s.faults.add(FaultUnknownID, "a second answer to one request")
			return id, nil
		}
	}
	s.faults.add(FaultUnknownID, "an answer to the id %s, which no request had", s.quoted(m.id))
	return id, nil
}

// answer hands x to the one who waits.
func (s *stream) answer(id string, w *waiter, x *Exchange) {
	s.mu.Lock()
	delete(s.pending, id)
	s.mu.Unlock()
	w.answer <- x
}

// unasked takes a request or a notification of the server.
func (s *stream) unasked(m *message) {
	reply := s.unaskedReply(m)
	if reply == nil {
		return
	}
	select {
	case s.replies <- struct{}{}:
	default:
		return
	}
	s.begin(func() {
		defer func() { <-s.replies }()
		ctx, stop := context.WithTimeout(context.Background(), replyTime)
		defer stop()
		s.sending("", string(m.id), reply)
		_, _ = s.duplex.send(ctx, reply) // nobody waits for it
	})
}

// unaskedReply notes a request or a notification of the server, and gives the
// reply to a request: a ping is answered, all else declined.
func (w *wire) unaskedReply(m *message) json.RawMessage {
	method := w.outside(m.method)
	for _, fault := range m.faults {
		w.faults.add(fault.Kind, "%s of the server: %s", method, fault.Message)
	}
	if m.id == nil {
		if strings.HasSuffix(m.method, "/list_changed") || strings.HasSuffix(m.method, "/updated") {
			w.faults.add(FaultNotification, "the server sent %s", method)
		}
		return nil
	}
	if len(m.id) > maxID {
		w.faults.add(FaultServerRequest, "the server asked for %s with an id of %d bytes", method, len(m.id))
		return nil
	}
	if m.method == "ping" {
		return json.RawMessage(`{"jsonrpc":"2.0","id":` + string(m.id) + `,"result":{}}`)
	}
	w.faults.add(FaultServerRequest, "the server asked for %s", method)
	return json.RawMessage(`{"jsonrpc":"2.0","id":` + string(m.id) + `,"error":{"code":-32601,"message":"not offered by this client"}}`)
}

// die ends all waits, once.
func (s *stream) die(reason error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.dead:
	default:
		s.reason = reason
		close(s.dead)
	}
}

func (s *stream) close() (err error) {
	s.closing.Do(func() {
		s.die(errClosed)
		err = s.duplex.close()
		done := make(chan struct{})
		go func() {
			s.work.Wait()
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(closeTime):
			err = errors.Join(err, errors.New("the connection does not end"))
		}
	})
	return err
}

// errClosed is why requests fail once Close was called.
var errClosed = &ClosedError{Message: "the connection was closed"}

// stderrTail gives the end of what a started server wrote to standard error.
func (s *stream) stderrTail() string {
	if p, ok := s.duplex.(interface{ stderrTail() string }); ok {
		return p.stderrTail()
	}
	return ""
}

// closedError gives why a connection ended, as what requests get.
func closedError(format string, args ...any) *ClosedError {
	return &ClosedError{Message: fmt.Sprintf(format, args...)}
}
