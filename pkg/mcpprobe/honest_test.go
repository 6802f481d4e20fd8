package mcpprobe_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
	"github.com/skilltool/skilltool/pkg/spec"
)

// honestParams are those of all methods of the extension.
type honestParams struct {
	mcp.ParamsBase
	URI    string  `json:"uri"`
	Cursor *string `json:"cursor"`
}

// honestResult is a result as it is to be sent.
type honestResult struct {
	mcp.ResultBase
	members map[string]any
}

func (r *honestResult) MarshalJSON() ([]byte, error) { return json.Marshal(r.members) }

// honestCatalog is what a server on the SDK serves.
type honestCatalog struct {
	skills   map[string]digest.Skill
	children map[string]map[string]*mcp.Resource
}

// honestServer serves the valid skills of testdata with the Go SDK.
func honestServer(t *testing.T) *mcp.Server {
	t.Helper()
	capabilities := &mcp.ServerCapabilities{Resources: &mcp.ResourceCapabilities{}}
	capabilities.AddExtension(mcpprobe.Extension, map[string]any{"directoryRead": true})
	server := mcp.NewServer(&mcp.Implementation{Name: "honest", Version: "1.0"}, &mcp.ServerOptions{Capabilities: capabilities})
	c := &honestCatalog{skills: map[string]digest.Skill{}, children: map[string]map[string]*mcp.Resource{}}
	fsys := os.DirFS("../../testdata/skills")
	names, err := fs.ReadDir(fsys, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		c.add(t, server, fsys, name.Name())
	}
	for method, answer := range map[string]func(*honestParams) (map[string]any, error){
		mcpprobe.MethodList: c.list, mcpprobe.MethodGet: c.get, mcpprobe.MethodDirectory: c.directory,
	} {
		err := mcp.AddReceivingCustomMethod(server, method, func(_ context.Context, _ *mcp.ServerSession, p *honestParams) (*honestResult, error) {
			members, err := answer(p)
			return &honestResult{members: members}, err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	server.AddReceivingMiddleware(olderResults)
	return server
}

// olderResults takes out of results what the older revisions do not have.
func olderResults(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, request)
		session, _ := request.GetSession().(*mcp.ServerSession)
		if r, ok := result.(*honestResult); ok && session.InitializeParams() != nil && session.InitializeParams().ProtocolVersion < mcpprobe.ProtocolModern {
			for _, member := range []string{"resultType", "ttlMs", "cacheScope"} {
				delete(r.members, member)
			}
		}
		return result, err
	}
}

// add serves one skill, below a prefix.
func (c *honestCatalog) add(t *testing.T, server *mcp.Server, fsys fs.FS, name string) {
	t.Helper()
	s, err := spec.Load(fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	manifest, errs := digest.Build(context.Background(), s)
	frontmatter, err := s.Frontmatter.JSON()
	if err := errors.Join(append(errs, err)...); err != nil {
		t.Fatal(err)
	}
	dir := digest.Prefix{Segments: []string{"honest"}}.Dir(name)
	entry := digest.NewSkill(dir, frontmatter, manifest)
	c.skills[entry.URI] = entry
	for _, e := range manifest.Entries {
		content, err := fs.ReadFile(fsys, path.Join(name, e.Path))
		if err != nil {
			t.Fatal(err)
		}
		r := &mcp.Resource{URI: digest.FileURI(dir, e.Path), Name: path.Base(e.Path), Size: e.Size, MIMEType: "application/octet-stream"}
		if e.Path == spec.SkillFile {
			r.Name, r.Description, r.MIMEType = s.Frontmatter.Name, s.Frontmatter.Description, "text/markdown"
		}
		server.AddResource(r, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			item := &mcp.ResourceContents{URI: r.URI, MIMEType: r.MIMEType, Text: string(content)}
			if !utf8.Valid(content) {
				item.Text, item.Blob = "", content
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{item}}, nil
		})
		c.addChild(r)
	}
}

func (c *honestCatalog) addChild(r *mcp.Resource) {
	for strings.Count(r.URI, "/") > 2 {
		dir := r.URI[:strings.LastIndexByte(r.URI, '/')]
		if c.children[dir] == nil {
			c.children[dir] = map[string]*mcp.Resource{}
		}
		c.children[dir][r.URI] = r
		r = &mcp.Resource{URI: dir, Name: path.Base(dir), MIMEType: "inode/directory"}
	}
}

func (c *honestCatalog) list(p *honestParams) (map[string]any, error) {
	if p.Cursor != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no cursor was given"}
	}
	var skills []digest.Skill
	for _, uri := range slices.Sorted(maps.Keys(c.skills)) {
		skills = append(skills, c.skills[uri])
	}
	return map[string]any{"resultType": "complete", "ttlMs": 1000, "cacheScope": "private", "skills": skills}, nil
}

func (c *honestCatalog) get(p *honestParams) (map[string]any, error) {
	entry, ok := c.skills[p.URI]
	if !ok {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no skill is served there"}
	}
	return map[string]any{"resultType": "complete", "ttlMs": 1000, "cacheScope": "private", "skill": entry}, nil
}

func (c *honestCatalog) directory(p *honestParams) (map[string]any, error) {
	if p.Cursor != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no cursor was given"}
	}
	found, ok := c.children[p.URI]
	if !ok {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no directory is served there"}
	}
	children := []*mcp.Resource{}
	for _, uri := range slices.Sorted(maps.Keys(found)) {
		children = append(children, found[uri])
	}
	return map[string]any{"resultType": "complete", "resources": children}, nil
}

// TestHonestSDK: servers on the Go SDK that tell the truth pass, in both eras
// and over each of its transports.
func TestHonestSDK(t *testing.T) {
	overHTTP := func(o *mcp.StreamableHTTPOptions) func(*testing.T, *mcp.Server) mcpprobe.Target {
		return func(t *testing.T, server *mcp.Server) mcpprobe.Target {
			listening := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, o))
			t.Cleanup(listening.Close)
			return mcpprobe.Target{URL: listening.URL}
		}
	}
	inMemory := func(t *testing.T, server *mcp.Server) mcpprobe.Target {
		theirs, ours := mcp.NewInMemoryTransports()
		ctx, stop := context.WithCancel(context.Background())
		t.Cleanup(stop)
		go func() { _ = server.Run(ctx, theirs) }() // it ends with the test
		return mcpprobe.Target{Label: "memory", Conn: ours}
	}
	for _, test := range []struct {
		name, protocol, want string
		target               func(*testing.T, *mcp.Server) mcpprobe.Target
	}{
		{"memory", mcpprobe.ProtocolAuto, "2026-07-28", inMemory},
		{"memory, older", mcpprobe.ProtocolLegacy, "2025-11-25", inMemory},
		{"stateless", mcpprobe.ProtocolAuto, "2026-07-28", overHTTP(&mcp.StreamableHTTPOptions{Stateless: true})},
		{"stateless, JSON", mcpprobe.ProtocolAuto, "2026-07-28", overHTTP(&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})},
		{"stateless, older", mcpprobe.ProtocolLegacy, "2025-11-25", overHTTP(&mcp.StreamableHTTPOptions{Stateless: true})},
		{"stateful", mcpprobe.ProtocolAuto, "2025-11-25", overHTTP(nil)},
		{"stateful, JSON", mcpprobe.ProtocolLegacy, "2025-11-25", overHTTP(&mcp.StreamableHTTPOptions{JSONResponse: true})},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx := context.Background()
			client, err := mcpprobe.Connect(ctx, test.target(t, honestServer(t)), mcpprobe.Options{Protocol: test.protocol})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			report := mcpprobe.Audit(ctx, client, mcpprobe.AuditOptions{Content: true})
			if report.Server.Protocol != test.want {
				t.Errorf("the revision is %s, want %s", report.Server.Protocol, test.want)
			}
			if report.Verdict != mcpprobe.VerdictPass || len(report.Skills) != 4 || report.Fatal != nil {
				t.Errorf("verdict %s over %d skills, %v", report.Verdict, len(report.Skills), report.Fatal)
			}
			for _, r := range report.Results {
				if r.Status == mcpprobe.Fail || r.Status == mcpprobe.Warn || r.Status == mcpprobe.Error {
					t.Errorf("%s %s %s %s: %s", r.Status, r.Check.ID, r.Skill, r.URI, r.Message)
				}
			}
			for _, s := range report.Skills {
				if s.Outcome != mcpprobe.OutcomeVerified {
					t.Errorf("%s is %s", s.URI, s.Outcome)
				}
			}
		})
	}
}
