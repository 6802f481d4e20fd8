package mcptest

import (
	"context"
	"encoding/json"
)

// call is one request while it is answered.
type call struct {
	ctx    context.Context
	server *Server
	id     json.RawMessage
	method string
	params object
	// modern says that the request is of the era since 2026-07-28.
	modern bool
	// number counts the requests of this method, this one included; those for
	// further pages do not count.
	number int
}

// text gives a parameter that is a string, or "".
func (c *call) text(name string) string {
	value, _ := c.params[name].(string)
	return value
}

func (c *call) uri() string { return c.text("uri") }

// first reports a request that asks for no further page.
func (c *call) first() bool { return c.params["cursor"] == nil }

// handler answers a request with a result or an error.
type handler func(*call) (any, error)

// The methods that a server answers, beside the handshake's and ping.
const (
	methodList      = "skills/list"
	methodGet       = "skills/get"
	methodRead      = "resources/read"
	methodResources = "resources/list"
	methodDirectory = "resources/directory/read"

	methodDiscover   = "server/discover"
	methodInitialize = "initialize"
	methodPing       = "ping"
)

// extension is the identifier of the Skills extension.
const extension = "io.modelcontextprotocol/skills"

// The members of _meta of modern requests and of answers.
const (
	metaProtocol     = "io.modelcontextprotocol/protocolVersion"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaServer       = "io.modelcontextprotocol/serverInfo"
)
