package mcpprobe_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// listParams and listResult are those of skills/list, which the SDK does not
// know.
type listParams struct{ mcp.ParamsBase }

type listResult struct {
	mcp.ResultBase `json:"-"`
	ResultType     string            `json:"resultType"`
	Skills         []json.RawMessage `json:"skills"`
	TTL            int               `json:"ttlMs"`
	Scope          string            `json:"cacheScope"`
}

// exampleServer serves no skill, over the returned transport.
func exampleServer(ctx context.Context) mcp.Transport {
	capabilities := &mcp.ServerCapabilities{Resources: &mcp.ResourceCapabilities{}}
	capabilities.AddExtension(mcpprobe.Extension, map[string]any{})
	server := mcp.NewServer(&mcp.Implementation{Name: "example", Version: "1.0"}, &mcp.ServerOptions{Capabilities: capabilities})
	mcp.AddReceivingCustomMethod(server, mcpprobe.MethodList, func(context.Context, *mcp.ServerSession, *listParams) (*listResult, error) {
		return &listResult{ResultType: "complete", Skills: []json.RawMessage{}, Scope: "public"}, nil
	})
	theirs, ours := mcp.NewInMemoryTransports()
	go func() { _ = server.Run(ctx, theirs) }()
	return ours
}

// A program connects to a server, looks at what it declares, and makes a request
// of its own.
func ExampleConnect() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	client, err := mcpprobe.Connect(ctx, mcpprobe.Target{Label: "mine", Conn: exampleServer(ctx)}, mcpprobe.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	server := client.Server()
	fmt.Println(server.Label, server.Name, server.Version, server.Protocol, server.Declared)

	exchange := client.Call(ctx, mcpprobe.MethodList, nil, 0)
	fmt.Println(string(exchange.Result), exchange.Error())
	// Output:
	// mine example 1.0 2026-07-28 true
	// {"resultType":"complete","skills":[],"ttlMs":0,"cacheScope":"public"} <nil>
}
