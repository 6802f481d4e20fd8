package mcpprobe

import (
	"context"
	"encoding/json"
	"errors"
)

// Client is a connection to a server. Its methods may be called from several
// goroutines; Options.Concurrency bounds the requests in flight.
type Client struct {
	link    link
	server  Server
	options Options
}

// Connect reaches a server and negotiates the protocol. The error is a
// *ConnectError, or that of ctx. A Client that was given has to be closed, also
// when the server does not declare the extension: Server tells.
func Connect(ctx context.Context, t Target, o Options) (*Client, error) {
	return nil, errors.New("not there yet")
}

// Server tells what the handshake said.
func (c *Client) Server() Server { return c.server }

// Call sends a request as it is and gives the raw answer. It refuses, without
// sending anything, methods of the extension that the server has not declared
// (C-1): Exchange.Err is an *UnsupportedError then. limit bounds the answer in
// bytes on the wire; zero stands for what the largest file may need.
func (c *Client) Call(ctx context.Context, method string, params map[string]any, limit int64) *Exchange {
	return &Exchange{Method: method, Err: errors.New("not there yet")}
}

// Traffic sums up what went over the wire so far.
func (c *Client) Traffic() Traffic { return Traffic{} }

// Close ends the connection. No process that Connect started is left after it.
func (c *Client) Close() error { return nil }

var _ = json.RawMessage{}
