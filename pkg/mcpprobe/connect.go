package mcpprobe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"
)

// clientName is what servers are told of the program.
const clientName = "skilltool"

// Client is a connection to a server. Its methods may be called from several
// goroutines; Options.Concurrency bounds the requests in flight.
type Client struct {
	link    link
	wire    *wire
	server  Server
	options Options

	places  chan struct{} // one for each request in flight
	limiter *rate.Limiter // nil without Options.Rate

	mu      sync.Mutex
	methods map[string]*methodMeter
}

// Connect reaches a server and negotiates the protocol. The error is a
// *ConnectError, or that of ctx. A Client that was given has to be closed, also
// when the server does not declare the extension: Server tells.
func Connect(ctx context.Context, t Target, o Options) (*Client, error) {
	o = o.withDefaults()
	if err := t.check(); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, o.ConnectTimeout, &LimitError{
		Bound:   "connect-timeout",
		Message: fmt.Sprintf("no handshake within %s", o.ConnectTimeout),
	})
	defer cancel()
	c, err := connectAny(limited, t, o)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	return c, nil
}

// connectAny tries the transports that a target may have.
func connectAny(ctx context.Context, t Target, o Options) (*Client, error) {
	switch {
	case t.Conn != nil:
		return connectOver(ctx, t, o, TransportOther, func(w *wire) (link, error) { return openConn(ctx, w, t.Conn) })
	case t.Command != nil:
		return connectCommand(ctx, t, o)
	}
	older := func() (*Client, error) {
		return connectOver(ctx, t, o, TransportSSE, func(w *wire) (link, error) { return openSSE(ctx, w, t) })
	}
	if t.Transport == TransportSSE {
		return older()
	}
	c, err := connectOver(ctx, t, o, TransportHTTP, func(w *wire) (link, error) { return openHTTP(w, t) })
	var refused *refusedError
	if err == nil || t.Transport == TransportHTTP || !errors.As(err, &refused) {
		return c, err
	}
	c, olderErr := older()
	if olderErr == nil || errors.Is(olderErr, ErrCredentials) {
		return c, olderErr
	}
	return nil, err
}

// connectCommand starts a command. Some servers from before server/discover end
// when anything but the older handshake comes first; they are started again.
func connectCommand(ctx context.Context, t Target, o Options) (*Client, error) {
	start := func(w *wire) (link, error) { return openStdio(w, *t.Command) }
	c, err := connectOver(ctx, t, o, TransportStdio, start)
	var closed *ClosedError
	if o.Protocol != ProtocolAuto || !errors.Is(err, ErrUnreachable) || !errors.As(err, &closed) {
		return c, err
	}
	o.Protocol = ProtocolLegacy
	if c, olderErr := connectOver(ctx, t, o, TransportStdio, start); olderErr == nil {
		return c, nil
	}
	return nil, err
}

// connectOver opens a link and does the handshake over it.
func connectOver(ctx context.Context, t Target, o Options, transport Transport, open func(*wire) (link, error)) (*Client, error) {
	c := &Client{
		wire: newWire(o), options: o, places: make(chan struct{}, o.Concurrency),
		methods: map[string]*methodMeter{},
		server:  Server{Label: t.label(), Transport: transport, Authenticated: t.Authenticated},
	}
	if o.Rate > 0 {
		c.limiter = rate.NewLimiter(rate.Limit(o.Rate), 1)
	}
	start := time.Now()
	var err error
	if c.link, err = open(c.wire); err != nil {
		return nil, c.connectError(ctx, nil, err)
	}
	h := &handshake{client: c, ctx: ctx, in: make(chan jsonrpc.Message, 1), done: make(chan struct{})}
	if err := h.run(); err != nil {
		err = c.connectError(ctx, h, err)
		_ = c.link.close() // there is nothing to say about a connection that never was
		return nil, err
	}
	c.server.Connect = time.Since(start)
	return c, nil
}

// Server tells what the handshake said.
func (c *Client) Server() Server { return c.server }

// Call sends a request as it is and gives the raw answer. It refuses, without
// sending anything, methods of the extension that the server has not declared
// (C-1): Exchange.Err is an *UnsupportedError then. limit bounds the answer in
// bytes on the wire; zero stands for what the largest file may need.
func (c *Client) Call(ctx context.Context, method string, params map[string]any, limit int64) *Exchange {
	uri, _ := params["uri"].(string)
	fail := func(err error) *Exchange { return &Exchange{Method: method, URI: uri, Err: err} }
	if err := c.supports(method); err != nil {
		return fail(err)
	}
	raw, err := c.params(params)
	if err != nil {
		return fail(fmt.Errorf("parameters of %s: %w", method, err))
	}
	if ctx.Err() != nil {
		return fail(ctx.Err())
	}
	select {
	case c.places <- struct{}{}:
		defer func() { <-c.places }()
	case <-ctx.Done():
		return fail(ctx.Err())
	}
	x := c.exchange(ctx, outgoing{method, raw, limit, c.options.Timeout})
	x.URI = uri
	return x
}

// supports refuses what the server has not declared.
func (c *Client) supports(method string) error {
	switch {
	case !c.server.Declared && (strings.HasPrefix(method, "skills/") || method == MethodDirectory):
		return &UnsupportedError{Feature: Extension, Message: "the server does not declare the extension " + Extension}
	case !c.server.DirectoryRead && method == MethodDirectory:
		return &UnsupportedError{Feature: "directoryRead", Message: "the server does not declare directoryRead: true"}
	}
	return nil
}

// params encodes parameters, with what each request tells since 2026-07-28.
func (c *Client) params(params map[string]any) (json.RawMessage, error) {
	if params == nil {
		params = map[string]any{}
	}
	if c.server.Modern() {
		meta := map[string]any{
			mcp.MetaKeyProtocolVersion:    c.server.Protocol,
			mcp.MetaKeyClientInfo:         c.implementation(),
			mcp.MetaKeyClientCapabilities: struct{}{},
		}
		if own, ok := params["_meta"].(map[string]any); ok {
			maps.Copy(meta, own)
		}
		params = maps.Clone(params)
		params["_meta"] = meta
	}
	return encode(params)
}

func (c *Client) implementation() *mcp.Implementation {
	return &mcp.Implementation{Name: clientName, Version: c.options.Version}
}

// encode gives JSON without the escapes that are for HTML.
func encode(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// Traffic sums up what went over the wire so far.
func (c *Client) Traffic() Traffic {
	traffic := Traffic{BytesSent: c.wire.meter.sent.Load(), BytesReceived: c.wire.meter.received.Load()}
	traffic.Faults, traffic.MoreFaults = c.wire.faults.seen()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, method := range slices.Sorted(maps.Keys(c.methods)) {
		stats := c.methods[method].sum()
		traffic.Requests += stats.Requests
		traffic.Methods = append(traffic.Methods, stats)
	}
	return traffic
}

// Close ends the connection. No process that Connect started is left after it.
func (c *Client) Close() error { return c.link.close() }
