package mcpprobe

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skilltool/skilltool/internal/jsonscan"
)

// sdkConn carries messages over a connection of the SDK.
type sdkConn struct {
	conn mcp.Connection
	ctx  context.Context // ends with close
	stop context.CancelFunc
}

func openConn(ctx context.Context, w *wire, t mcp.Transport) (link, error) {
	conn, err := t.Connect(ctx)
	if err != nil {
		return nil, &ConnectError{Kind: ErrUnreachable, Message: w.outside(plainCause(err)), Err: err}
	}
	own, stop := context.WithCancel(context.Background())
	return openStream(w, &sdkConn{conn: conn, ctx: own, stop: stop}, "message"), nil
}

func (c *sdkConn) run(s *stream) error {
	for {
		read, err := c.conn.Read(c.ctx)
		if err != nil {
			if errors.Is(err, io.EOF) || c.ctx.Err() != nil {
				return closedError("the server closed the connection")
			}
			return closedError("the connection is lost: %s", s.outside(plainCause(err)))
		}
		m, err := sdkMessage(read)
		if err != nil {
			return closedError("the connection is lost: %s", s.outside(err.Error()))
		}
		if err := s.meter.spent(int(m.bytes)); err != nil {
			return err
		}
		s.message(m, m.result)
	}
}

// sdkMessage takes a message as the SDK decoded it. Its length is that of what
// it carries.
func sdkMessage(read jsonrpc.Message) (*message, error) {
	switch read := read.(type) {
	case *jsonrpc.Request:
		id, err := json.Marshal(read.ID.Raw())
		if !read.IsCall() {
			id = nil
		}
		return &message{id: id, method: read.Method, bytes: int64(len(read.Params))}, err
	case *jsonrpc.Response:
		id, err := json.Marshal(read.ID.Raw())
		m := &message{id: id, bytes: int64(len(read.Result))}
		var refused *jsonrpc.Error
		if errors.As(read.Error, &refused) {
			m.rpc = &RPCError{Code: refused.Code, Message: refused.Message, Data: refused.Data}
			return m, err
		}
		scan := jsonscan.Scan(read.Result)
		if scan.Err != nil {
			return nil, malformed("a result cannot be read: %v", scan.Err)
		}
		m.result, m.faults = read.Result, scanFaults(&scan)
		return m, err
	}
	return nil, malformed("neither a request nor an answer")
}

func (c *sdkConn) send(ctx context.Context, raw json.RawMessage) (again, error) {
	m, err := jsonrpc.DecodeMessage(raw)
	if err != nil {
		return again{}, err
	}
	if err := c.conn.Write(ctx, m); err != nil {
		return again{}, closedError("the message cannot be sent: %s", oneLine(plainCause(err)))
	}
	return again{}, nil
}

func (c *sdkConn) close() error {
	c.stop()
	return c.conn.Close()
}
