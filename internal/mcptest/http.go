package mcptest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Handler serves Streamable HTTP, at any path. It panics at options that are
// wrong.
func Handler(o Options) http.Handler { return mustNew(o).Handler() }

// Handler is what the function Handler does.
func (s *Server) Handler() http.Handler {
	var h http.Handler = &httpHandler{server: s, sessions: map[string]*session{}}
	if s.options.Stateful {
		s.options.Protocol = ProtocolLegacy // sessions are of the older handshake alone
	}
	h = s.authorize(h)
	for _, wrap := range s.script.https {
		h = wrap(h)
	}
	return h
}

// authorize asks for the bearer token.
func (s *Server) authorize(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.options.Token != "" && r.Header.Get("Authorization") != "Bearer "+s.options.Token {
			w.Header().Set("WWW-Authenticate", `Bearer realm="fixture", error="invalid_token"`)
			http.Error(w, "a token is needed", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// httpHandler is Streamable HTTP.
type httpHandler struct {
	server *Server

	mu       sync.Mutex
	sessions map[string]*session
}

// The headers of Streamable HTTP.
const (
	headerSession  = "Mcp-Session-Id"
	headerProtocol = "Mcp-Protocol-Version"
	headerMethod   = "Mcp-Method"
	headerName     = "Mcp-Name"
)

func (h *httpHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodDelete && h.server.options.Stateful:
		h.mu.Lock()
		delete(h.sessions, r.Header.Get(headerSession))
		h.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
		return
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "only POST is served", http.StatusMethodNotAllowed)
		return
	}
	accept := r.Header.Get("Accept")
	if !strings.Contains(accept, "application/json") || !strings.Contains(accept, "text/event-stream") {
		http.Error(w, "both application/json and text/event-stream have to be accepted", http.StatusNotAcceptable)
		return
	}
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		http.Error(w, "a message has the type application/json", http.StatusUnsupportedMediaType)
		return
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLine))
	if err != nil {
		http.Error(w, "the message cannot be read", http.StatusBadRequest)
		return
	}
	h.post(w, r, raw)
}

// post answers one message.
func (h *httpHandler) post(w http.ResponseWriter, r *http.Request, raw []byte) {
	var m message
	_ = json.Unmarshal(raw, &m) // reply says what is wrong with it
	n, status := h.session(w, r, m.Method)
	if n == nil {
		http.Error(w, "there is no such session", status)
		return
	}
	out := &httpSink{w: w, events: h.server.options.Events || h.server.script.events}
	if problem := headerProblem(r.Header, &m); problem != nil {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(answerFrame(m.ID, nil, problem)) // the client may be gone
		return
	}
	err := h.server.reply(r.Context(), n, raw, func(c *call, failure error) sink {
		out.status = httpStatus(c, failure)
		return out
	})
	switch {
	case errors.Is(err, errSilence) && len(m.ID) == 0:
		w.WriteHeader(http.StatusAccepted)
	case err != nil:
		panic(http.ErrAbortHandler) // ends the connection
	}
}

// session finds the session of a request, and begins one with a handshake.
func (h *httpHandler) session(w http.ResponseWriter, r *http.Request, method string) (*session, int) {
	if !h.server.options.Stateful {
		return &session{free: true}, 0
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	id := r.Header.Get(headerSession)
	switch {
	case method == methodInitialize:
		id = "session-" + strconv.Itoa(len(h.sessions)+1)
		h.sessions[id] = &session{}
		w.Header().Set(headerSession, id)
	case id == "" && method == methodDiscover:
		return &session{}, 0
	case id == "":
		return nil, http.StatusBadRequest
	}
	return h.sessions[id], http.StatusNotFound
}

// headerProblem compares the headers of a request with its message.
func headerProblem(header http.Header, m *message) error {
	meta, _ := m.Params["_meta"].(object)
	revision, modern := meta[metaProtocol].(string)
	given := header.Get(headerProtocol)
	switch {
	case modern && given != revision:
		return refuse(codeHeader, "%s is %q, and the message says %q", headerProtocol, given, revision)
	case !modern && given != "" && !slices.Contains(legacyRevisions, given):
		return refuse(codeHeader, "%s is %q, which needs a message of that revision", headerProtocol, given)
	case !modern:
		return nil
	case header.Get(headerMethod) != m.Method:
		return refuse(codeHeader, "%s is %q, and the message says %q", headerMethod, header.Get(headerMethod), m.Method)
	}
	if uri, _ := m.Params["uri"].(string); m.Method == methodRead && decodeHeader(header.Get(headerName)) != uri {
		return refuse(codeHeader, "%s is %q, and the message says %q", headerName, header.Get(headerName), uri)
	}
	return nil
}

// decodeHeader reads a header that may be encoded for its characters.
func decodeHeader(value string) string {
	inner, ok := strings.CutPrefix(value, "=?base64?")
	if !ok {
		return value
	}
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(inner, "?="))
	if err != nil {
		return value
	}
	return string(decoded)
}

// httpStatus is the status of an answer: since 2026-07-28 some errors have one
// of their own.
func httpStatus(c *call, failure error) int {
	var known *rpcError
	if !errors.As(failure, &known) {
		return http.StatusOK
	}
	switch {
	case known.Code == codeParse:
		return http.StatusBadRequest
	case !c.modern:
		return http.StatusOK
	case known.Code == codeMethodNotFound:
		return http.StatusNotFound
	case known.Code == codeInvalidParams, known.Code == codeRevision:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// httpSink writes messages as the body of a response: one as JSON, or several
// as events.
type httpSink struct {
	w      http.ResponseWriter
	events bool
	status int

	begun, inside bool
}

// several reports a stream: an error with a status of its own is none.
func (h *httpSink) several() bool { return h.events && h.status == http.StatusOK }

func (h *httpSink) write(p []byte) error {
	events := h.several()
	if !h.begun {
		h.begun = true
		contentType := "application/json"
		if events {
			contentType = "text/event-stream"
		}
		h.w.Header().Set("Content-Type", contentType)
		h.w.WriteHeader(h.status)
	}
	if events && !h.inside {
		p = append([]byte("event: message\ndata: "), p...)
	}
	h.inside = true
	if _, err := h.w.Write(p); err != nil {
		return err
	}
	if events {
		return http.NewResponseController(h.w).Flush()
	}
	return nil
}

func (h *httpSink) end() error {
	if h.several() && h.inside {
		if err := h.write([]byte("\n\n")); err != nil {
			return err
		}
	}
	h.inside = false
	return nil
}
