package mcptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// SSEHandler serves the transport before Streamable HTTP: GET opens a stream of
// events, and messages are posted to the address that it names.
func (s *Server) SSEHandler() http.Handler {
	s.options.Protocol = ProtocolLegacy
	h := s.authorize(&sseHandler{server: s, streams: map[string]*sseStream{}})
	for _, wrap := range s.script.https {
		h = wrap(h)
	}
	return h
}

type sseHandler struct {
	server *Server

	mu      sync.Mutex
	streams map[string]*sseStream
	opened  int
}

// sseStream is the stream of one client.
type sseStream struct {
	ctx     context.Context
	die     context.CancelCauseFunc
	session session
	mu      sync.Mutex // guards sink
	sink    httpSink
}

func (h *sseHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("session")
	switch {
	case r.Method == http.MethodGet && id == "":
		h.stream(w, r)
	case r.Method == http.MethodPost && id != "":
		h.post(w, r, id)
	default:
		http.Error(w, "GET opens a stream, POST goes to the address that it names", http.StatusMethodNotAllowed)
	}
}

// stream keeps a stream open until its client goes.
func (h *sseHandler) stream(w http.ResponseWriter, r *http.Request) {
	ctx, die := context.WithCancelCause(r.Context())
	defer die(nil)
	t := &sseStream{ctx: ctx, die: die, sink: httpSink{w: w, events: true, status: http.StatusOK, begun: true}}
	h.mu.Lock()
	h.opened++
	id := strconv.Itoa(h.opened)
	h.streams[id] = t
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.streams, id)
		h.mu.Unlock()
		t.mu.Lock() // nobody writes any more once this returns
		t.sink.w = nil
		t.mu.Unlock()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	t.mu.Lock()
	_, err := fmt.Fprintf(w, "event: endpoint\ndata: %s?session=%s\n\n", r.URL.Path, id)
	if err == nil {
		err = http.NewResponseController(w).Flush()
	}
	t.mu.Unlock()
	if err != nil {
		return
	}
	<-ctx.Done()
	if errors.Is(context.Cause(ctx), errDeath) {
		panic(http.ErrAbortHandler)
	}
}

// post takes a message and answers it in the stream.
func (h *sseHandler) post(w http.ResponseWriter, r *http.Request, id string) {
	h.mu.Lock()
	t := h.streams[id]
	h.mu.Unlock()
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLine))
	if t == nil || err != nil {
		http.Error(w, "there is no such session", http.StatusNotFound)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	go func() {
		if err := h.server.event(t, raw); err != nil && !errors.Is(err, errSilence) {
			t.die(err)
		}
	}()
}

// event answers one message in a stream.
func (s *Server) event(t *sseStream, raw []byte) error {
	held := false
	defer func() {
		if held {
			t.mu.Unlock()
		}
	}()
	return s.reply(t.ctx, &t.session, raw, func(*call, error) sink {
		t.mu.Lock()
		held = true
		if t.sink.w == nil {
			return closedSink{}
		}
		return &t.sink
	})
}

// closedSink is that of a client who has gone.
type closedSink struct{}

func (closedSink) write([]byte) error { return errSilence }
func (closedSink) end() error         { return errSilence }
func (closedSink) several() bool      { return true }
