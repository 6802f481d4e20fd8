package mcptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/skilltool/skilltool/pkg/digest"
)

// Server serves skills.
type Server struct {
	options Options
	world   *world
	script  *script
	handle  handler

	mu     sync.Mutex
	counts map[string]int
}

// New makes a server. The error names an unknown lie, or a folder that cannot
// be served.
func New(o Options) (*Server, error) {
	s := &Server{options: o, script: &script{prefix: digest.Prefix{}}, counts: map[string]int{}}
	lies := allLies()
	for _, name := range o.Lies {
		i := slices.IndexFunc(lies, func(l Lie) bool { return l.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no lie %q", name)
		}
		lies[i].tell(s.script)
	}
	files, err := o.files()
	if err != nil {
		return nil, err
	}
	for _, change := range s.script.files {
		change(files)
	}
	if s.world, err = collect(files, s.script.prefix, o.Blobs || s.script.blobs); err != nil {
		return nil, err
	}
	s.world.name, s.world.version = "fixture", "1.0.0"
	s.world.directory, s.world.pageSize = !o.NoDirectory, o.pageSize()
	s.world.capabilities = capabilities(s.world.directory)
	for _, change := range s.script.worlds {
		if err := change(s.world); err != nil {
			return nil, err
		}
	}
	s.world.index()
	s.handle = s.answer
	for _, wrap := range s.script.handlers {
		s.handle = wrap(s.handle)
	}
	return s, nil
}

func (o Options) files() (map[string][]byte, error) {
	switch {
	case o.Files != nil:
		return maps.Clone(o.Files), nil
	case o.Dir != "":
		return readDir(o.Dir)
	}
	return builtIn(), nil
}

// capabilities declare the extension (S-CAP1, S-CAP2).
func capabilities(directory bool) object {
	settings := object{}
	if directory {
		settings["directoryRead"] = true
	}
	return object{"resources": object{}, "extensions": object{extension: settings}}
}

// session is what a connection remembers of the older handshake.
type session struct {
	// free connections need no handshake: each HTTP request is one.
	free bool

	mu          sync.Mutex
	initialized bool
}

func (n *session) ready() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.free || n.initialized
}

// sink takes the bytes of messages. A message is written in as many pieces as
// wanted, and ended.
type sink interface {
	// write sends bytes at once.
	write(p []byte) error
	// end ends the message.
	end() error
	// several says that there may be more than one message.
	several() bool
}

// reply answers one message of a client. The error is one of out, errDeath, or
// errSilence where there is nothing to answer.
func (s *Server) reply(ctx context.Context, n *session, raw []byte, open func(*call, error) sink) error {
	var m message
	if err := json.Unmarshal(raw, &m); err != nil {
		return s.send(&call{ctx: ctx, server: s}, open, nil, refuse(codeParse, "this is no JSON-RPC: %v", err))
	}
	if m.Method == "" || len(m.ID) == 0 {
		return errSilence // an answer, or a notification
	}
	c := &call{ctx: ctx, server: s, id: m.ID, method: m.Method, params: m.Params}
	if err := s.admit(c, n); err != nil {
		return s.send(c, open, nil, err)
	}
	s.count(c)
	if s.options.Latency > 0 && !pause(ctx, s.options.Latency) {
		return errSilence
	}
	result, err := s.handle(c)
	if errors.Is(err, errSilence) || errors.Is(err, errDeath) {
		return err
	}
	if c.method == methodInitialize && err == nil {
		n.mu.Lock()
		n.initialized = true
		n.mu.Unlock()
	}
	return s.send(c, open, result, err)
}

// pause waits, and reports that ctx did not end.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// admit finds the era of a request, and refuses one that this server or this
// connection does not have.
func (s *Server) admit(c *call, n *session) error {
	meta, _ := c.params["_meta"].(object)
	revision, modern := meta[metaProtocol].(string)
	if modern || c.method == methodDiscover {
		return s.admitModern(c, meta, revision)
	}
	switch {
	case !s.options.legacy():
		return s.wrongRevision(c.text("protocolVersion"))
	case c.method != methodInitialize && c.method != methodPing && !n.ready():
		return refuse(codeInvalidRequest, "the method %q came before the handshake", c.method)
	}
	return nil
}

func (s *Server) admitModern(c *call, meta object, revision string) error {
	c.modern = true
	switch {
	case !s.options.modern() && c.method == methodDiscover:
		return refuse(codeMethodNotFound, "the method %q is not known", c.method)
	case !s.options.modern() || !slices.Contains(modernRevisions, revision):
		return s.wrongRevision(revision)
	case c.method == methodInitialize:
		return refuse(codeMethodNotFound, "the method %q is not of revision %s", c.method, revision)
	}
	for _, member := range []string{metaClient, metaCapabilities} {
		if _, ok := meta[member].(object); !ok {
			return refuse(codeInvalidParams, "_meta has no object %q", member)
		}
	}
	return nil
}

func (s *Server) wrongRevision(requested string) error {
	return &rpcError{
		Code: codeRevision, Message: fmt.Sprintf("the revision %q is not supported", requested),
		Data: object{"supported": s.options.revisions(), "requested": requested},
	}
}

func (s *Server) count(c *call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.first() {
		s.counts[c.method]++
	}
	c.number = s.counts[c.method]
}

// send writes the message that answers a request.
func (s *Server) send(c *call, open func(*call, error) sink, result any, failure error) error {
	frame := answerFrame(c.id, result, failure)
	for _, change := range s.script.frames {
		frame = change(c, frame)
	}
	out := open(c, failure)
	for _, send := range s.script.sends {
		if done, err := send(c, out, frame); done || err != nil {
			return err
		}
	}
	return writeFrame(out, frame)
}

func writeFrame(out sink, frame []byte) error {
	if err := out.write(frame); err != nil {
		return err
	}
	return out.end()
}
