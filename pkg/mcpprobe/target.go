package mcpprobe

import (
	"net/http"
	"net/url"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Extension is the identifier of the MCP Skills extension.
const Extension = "io.modelcontextprotocol/skills"

// The methods that a Client sends, besides those of the handshake.
const (
	MethodList      = "skills/list"
	MethodGet       = "skills/get"
	MethodRead      = "resources/read"
	MethodDirectory = "resources/directory/read"
	MethodResources = "resources/list"
)

// Target says which server to reach. Exactly one of URL, Command and Conn is
// set.
type Target struct {
	// Label is the user's own name for the server. Together with a skill's URI
	// it identifies the skill (C-5). "" stands for the host of the URL, or the
	// base name of the command.
	Label string
	// URL is the endpoint of a server that speaks Streamable HTTP or the older
	// HTTP+SSE.
	URL string
	// Transport is one of TransportHTTP and TransportSSE, or "" to try them in
	// this order. It goes with URL.
	Transport Transport
	// HTTP sends the requests for URL: credentials, TLS and proxy are set up in
	// it. nil stands for a client without credentials that follows redirects
	// on the same host alone.
	HTTP *http.Client
	// Authenticated says that HTTP sends credentials. It is only passed on, to
	// Server.
	Authenticated bool
	// Command starts a server that speaks over its standard input and output.
	Command *Command
	// Conn is a transport of the SDK, such as one of
	// mcp.NewInMemoryTransports. The SDK has decoded its messages before they
	// are looked at, so that their envelopes cannot be judged, and its bounds
	// hold. For HTTP use URL: the SDK's own transport would be told nothing of
	// the revision.
	Conn mcp.Transport
}

// Transport names how messages travel.
type Transport string

// The transports. TransportOther is that of Target.Conn.
const (
	TransportStdio Transport = "stdio"
	TransportHTTP  Transport = "http"
	TransportSSE   Transport = "sse"
	TransportOther Transport = "other"
)

// Command is a program to start, without a shell.
type Command struct {
	// Args are the program and its arguments.
	Args []string
	// Dir is the working directory; "" is that of the caller.
	Dir string
	// Env are the variables, as "NAME=value"; nil stands for those of the
	// caller.
	Env []string
}

// check refuses a target that names no server, or more than one.
func (t Target) check() error {
	n := 0
	for _, set := range []bool{t.URL != "", t.Command != nil, t.Conn != nil} {
		if set {
			n++
		}
	}
	unreachable := func(message string) error { return &ConnectError{Kind: ErrUnreachable, Message: message} }
	switch {
	case n != 1:
		return unreachable("a target has one of a URL, a command and a connection")
	case t.Command != nil && len(t.Command.Args) == 0:
		return unreachable("a command has at least one word")
	case t.URL != "":
		if u, err := url.Parse(t.URL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return unreachable("the URL of a server is http://HOST or https://HOST")
		}
	}
	return nil
}

func (t Target) label() string {
	switch {
	case t.Label != "":
		return t.Label
	case t.Command != nil:
		return filepath.Base(t.Command.Args[0])
	case t.URL != "":
		if u, err := url.Parse(t.URL); err == nil {
			return u.Host
		}
	}
	return ""
}
