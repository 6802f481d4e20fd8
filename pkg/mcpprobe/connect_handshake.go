package mcpprobe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The messages of the handshake.
const (
	methodDiscover   = "server/discover"
	methodInitialize = "initialize"
	methodCancelled  = "notifications/cancelled"

	// protocolBefore is the newest revision with the older handshake.
	protocolBefore = "2025-11-25"
)

// codeRevision is the error of a server that does not speak a revision.
const codeRevision = -32022

// handshake lets the SDK negotiate over a link. To the SDK it is a transport
// and the connection that the transport gives; what it sees of an answer is as
// much as it negotiates with, so that whatever else is wrong with the answer is
// left to the audit.
type handshake struct {
	client *Client
	ctx    context.Context
	in     chan jsonrpc.Message // what the SDK reads next
	done   chan struct{}

	last    *Exchange // the newest, for its reasons
	good    *Exchange // the one that is a handshake
	failure error     // what makes more messages useless
}

// run negotiates, and fills in what the handshake told.
func (h *handshake) run() error {
	forced := h.client.options.forcedRevision()
	revision := forced
	if h.client.options.Protocol == ProtocolLegacy {
		revision = protocolBefore
	}
	if forced != "" && (forced < ProtocolModern || !slices.Contains(mcp.SupportedProtocolVersions(), forced)) {
		return &ConnectError{Kind: ErrRevision, Message: fmt.Sprintf("the revision %q is not known; use %s, %s, or %s", forced, ProtocolAuto, ProtocolModern, ProtocolLegacy)}
	}
	sdk := mcp.NewClient(h.client.implementation(), &mcp.ClientOptions{
		Capabilities:   &mcp.ClientCapabilities{},
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
		Logger:         slog.New(slog.DiscardHandler),
	})
	session, err := sdk.Connect(h.ctx, h, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	switch {
	case h.failure != nil:
		err = h.failure
	case err == nil && h.good == nil:
		err = errors.New("the SDK negotiated without an answer")
	}
	if session != nil {
		// Nothing that comes later is for the SDK: the session ends here, and
		// the link lives on.
		defer session.Close()
	}
	if err != nil {
		return err
	}
	if negotiated := session.InitializeResult().ProtocolVersion; forced != "" && negotiated != forced {
		return h.refusal()
	}
	h.client.server.read(h.good.Result, session.InitializeResult().ProtocolVersion)
	h.client.link.negotiated(h.client.server.Protocol)
	return nil
}

func (h *handshake) Connect(context.Context) (mcp.Connection, error) { return h, nil }

func (h *handshake) SessionID() string { return "" }

func (h *handshake) Close() error {
	select {
	case <-h.done:
	default:
		close(h.done)
	}
	return nil
}

func (h *handshake) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-h.in:
		return m, nil
	case <-h.done:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write sends a message of the SDK and keeps the answer for Read.
func (h *handshake) Write(_ context.Context, m jsonrpc.Message) error {
	request, ok := m.(*jsonrpc.Request)
	if !ok || request.Method == methodCancelled { // the link cancels what it sent
		return nil
	}
	if !request.IsCall() {
		err := h.client.link.notify(h.ctx, request.Method, request.Params)
		if err != nil {
			h.fail(err)
		}
		return err
	}
	result, failure := h.ask(request)
	response := &jsonrpc.Response{ID: request.ID, Result: result}
	if failure != nil {
		response.Error = failure
	}
	select {
	case h.in <- response:
	case <-h.done:
	}
	return nil
}

// ask sends a request of the SDK and gives what the SDK is to see.
func (h *handshake) ask(request *jsonrpc.Request) (json.RawMessage, *jsonrpc.Error) {
	unanswered := &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "no answer"}
	if request.Method == methodInitialize && h.client.options.forcedRevision() != "" {
		h.fail(h.refusal())
	}
	if h.failure != nil {
		return nil, unanswered
	}
	// Connect bounds the handshake as a whole, and that bound is to be the
	// first.
	timeout := 2 * h.client.options.ConnectTimeout
	x := h.client.exchange(h.ctx, outgoing{method: request.Method, params: request.Params, timeout: timeout})
	h.last = x
	for _, fault := range x.Faults {
		h.client.wire.faults.add(fault.Kind, "%s", fault.Message)
	}
	if x.RPC != nil {
		return nil, &jsonrpc.Error{Code: x.RPC.Code, Message: x.RPC.Message, Data: x.RPC.Data}
	}
	var malformed *MalformedError
	if x.Err != nil {
		if request.Method != methodDiscover || !errors.As(x.Err, &malformed) {
			h.fail(x.Err)
		}
		return nil, unanswered
	}
	reduced, revision, err := reduce(request.Method, x.Result)
	if err != nil {
		x.Result, x.Err = nil, err
		return nil, unanswered
	}
	h.good = x
	if request.Method == methodInitialize {
		h.client.link.negotiated(revision)
	}
	return reduced, nil
}

func (h *handshake) fail(err error) {
	if h.failure == nil {
		h.failure = err
	}
}

// refusal says what a server answered to the revision that was asked for.
func (h *handshake) refusal() error {
	message := fmt.Sprintf("the server does not speak revision %s", h.client.options.Protocol)
	if h.last != nil && h.last.Error() != nil {
		message += ": " + h.client.wire.outside(h.last.Error().Error())
	}
	return &ConnectError{Kind: ErrRevision, Message: message}
}

// reduce gives what the SDK needs of a handshake, and its revision. The error is
// a *MalformedError: the answer is no handshake.
func reduce(method string, result json.RawMessage) (json.RawMessage, string, error) {
	var said struct {
		ProtocolVersion   string   `json:"protocolVersion"`
		SupportedVersions []string `json:"supportedVersions"`
	}
	// An error leaves what could be read; what is missing is said below.
	_ = json.Unmarshal(result, &said)
	reduced := map[string]any{"capabilities": struct{}{}}
	if method == methodInitialize {
		if said.ProtocolVersion == "" {
			return nil, "", malformed("the answer to %s has no protocolVersion", method)
		}
		reduced["protocolVersion"] = said.ProtocolVersion
		reduced["serverInfo"] = mcp.Implementation{}
	} else {
		if len(said.SupportedVersions) == 0 {
			return nil, "", malformed("the answer to %s has no supportedVersions", method)
		}
		reduced["supportedVersions"] = said.SupportedVersions
		reduced["resultType"] = "complete"
	}
	raw, err := encode(reduced)
	return raw, said.ProtocolVersion, err
}

// read fills in what a handshake told (S-CAP1, S-CAP3).
func (s *Server) read(result json.RawMessage, protocol string) {
	s.Protocol, s.Handshake = protocol, result
	s.Capabilities = member(result, "capabilities")
	_ = json.Unmarshal(member(result, "instructions"), &s.Instructions)
	info := member(result, "serverInfo")
	if info == nil {
		info = member(member(result, "_meta"), mcp.MetaKeyServerInfo)
	}
	_ = json.Unmarshal(member(info, "name"), &s.Name)
	_ = json.Unmarshal(member(info, "version"), &s.Version)
	settings := member(member(s.Capabilities, "extensions"), Extension)
	var object map[string]json.RawMessage
	s.Declared = json.Unmarshal(settings, &object) == nil && object != nil
	s.DirectoryRead = s.Declared && string(object["directoryRead"]) == "true"
}

// member gives the value of a key, or nil where raw is no object with it.
func member(raw json.RawMessage, key string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return nil
	}
	return object[key]
}
