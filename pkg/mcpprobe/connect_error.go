package mcpprobe

import (
	"context"
	"errors"
	"fmt"
)

// refusedError is the cause of a ConnectError where an HTTP server refuses the
// POST of Streamable HTTP in the way of the transport before it.
type refusedError struct{ status int }

func (e *refusedError) Error() string { return fmt.Sprintf("HTTP status %d", e.status) }

// connectError says why there is no handshake.
func (c *Client) connectError(ctx context.Context, h *handshake, err error) error {
	var known *ConnectError
	if errors.As(err, &known) {
		return known
	}
	result := &ConnectError{Kind: ErrUnreachable, Err: err, Message: c.wire.outside(err.Error())}
	var (
		closed *ClosedError
		limit  *LimitError
		bad    *MalformedError
	)
	switch {
	case errors.As(context.Cause(ctx), &limit):
		result.Message = limit.Message
		c.blameNoise(result)
	case errors.As(err, &closed):
		result.Message, result.Stderr = closed.Message, closed.Stderr
		c.blameNoise(result)
	case errors.As(err, &limit):
		result.Message = limit.Message
		if limit.Bound != "timeout" {
			result.Kind = ErrNotMCP
		}
	case errors.As(err, &bad):
		result.Kind, result.Message = ErrNotMCP, bad.Message
	case h != nil && h.last != nil:
		h.blame(result)
	}
	if h != nil && h.last != nil && h.last.RPC == nil {
		switch h.last.Status {
		case 400, 404, 405:
			result.Err = &refusedError{h.last.Status}
		}
	}
	if tail, ok := c.link.(interface{ stderrTail() string }); ok && result.Stderr == "" {
		result.Stderr = c.options.Redact(tail.stderrTail())
	}
	return result
}

// blameNoise makes a peer that says something else one that speaks no MCP.
func (c *Client) blameNoise(e *ConnectError) {
	if noise := c.wire.faults.first(FaultNoise); noise != "" {
		e.Kind = ErrNotMCP
		e.Message = fmt.Sprintf("%s; %s", noise, e.Message)
	}
}

// blame reads the last answer, after which the SDK gave up.
func (h *handshake) blame(e *ConnectError) {
	e.Kind = ErrNotMCP
	var bad *MalformedError
	switch x := h.last; {
	case x.RPC != nil:
		e.Message = "the handshake was refused: " + h.client.wire.outside(x.RPC.Error())
		if x.RPC.Code == codeRevision || h.client.options.Protocol == ProtocolLegacy {
			e.Kind = ErrRevision
		}
	case errors.As(x.Err, &bad):
		e.Message = bad.Message
	case h.good != nil:
		var said struct {
			ProtocolVersion string `json:"protocolVersion"`
		}
		_, said.ProtocolVersion, _ = reduce(methodInitialize, h.good.Result)
		e.Kind = ErrRevision
		e.Message = fmt.Sprintf("the server wants revision %s, which is not known", shown(said.ProtocolVersion))
	}
}
