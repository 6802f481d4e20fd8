package mcpprobe

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skilltool/skilltool/internal/mcptest"
)

// fixtureDir is the variable that names the folder of the role "fixture".
const fixtureDir = "SKILLTOOL_TEST_FIXTURE_DIR"

func init() {
	stdioRoles["fixture"] = func(*rawServer) {
		_ = mcptest.Serve(context.Background(), mcptest.Options{Dir: os.Getenv(fixtureDir), PageSize: 50}, os.Stdin, os.Stdout)
	}
}

// benchSkills and benchFiles make the collection of the benchmarks: 200 skills
// with 2,000 files.
const (
	benchSkills = 200
	benchFiles  = 10
)

func writeBenchSkills(b *testing.B, skills int) string {
	b.Helper()
	root := b.TempDir()
	for i := range skills {
		name := fmt.Sprintf("skill-%03d", i)
		dir := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Join(dir, "references"), 0o777); err != nil {
			b.Fatal(err)
		}
		write := func(file, content string) {
			if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(file)), []byte(content), 0o666); err != nil {
				b.Fatal(err)
			}
		}
		write("SKILL.md", "---\nname: "+name+"\ndescription: Counts to "+name+". Use when counting.\n---\n\n# Counting\n"+strings.Repeat("One more line of the body.\n", 80))
		for f := range benchFiles - 1 {
			write(fmt.Sprintf("references/part-%d.md", f), strings.Repeat(fmt.Sprintf("Line of part %d.\n", f), 200))
		}
	}
	return root
}

// benchTargets are servers of the fixture as the audit and the SDK reach them.
type benchTarget struct {
	name      string
	target    Target
	transport func() mcp.Transport
}

func benchTargets(b *testing.B) []benchTarget {
	b.Helper()
	dir := writeBenchSkills(b, benchSkills)
	program, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	env := append(os.Environ(), roleVariable+"=fixture", fixtureDir+"="+dir)
	server := httptest.NewServer(mcptest.Handler(mcptest.Options{Dir: dir, PageSize: 50}))
	b.Cleanup(server.Close)
	return []benchTarget{
		{"stdio", Target{Command: &Command{Args: []string{program}, Env: env}}, func() mcp.Transport {
			command := exec.Command(program)
			command.Env = env
			return &mcp.CommandTransport{Command: command}
		}},
		{"http", Target{URL: server.URL, Transport: TransportHTTP}, func() mcp.Transport {
			// As many idle connections as requests in flight, as for the audit.
			transport := http.DefaultTransport.(*http.Transport).Clone()
			transport.MaxIdleConnsPerHost = 2 * DefaultConcurrency
			b.Cleanup(transport.CloseIdleConnections)
			return &mcp.StreamableClientTransport{Endpoint: server.URL, HTTPClient: &http.Client{Transport: transport}, DisableStandaloneSSE: true, MaxRetries: -1}
		}},
	}
}

// BenchmarkAudit compares an audit of 200 skills with 2,000 files with a bare
// loop over the SDK that sends the same requests, as many at a time, and judges
// nothing. The ratio of the two is the metric "ratio".
func BenchmarkAudit(b *testing.B) {
	for _, t := range benchTargets(b) {
		b.Run(t.name, func(b *testing.B) {
			requests := recordRequests(b, t.target)
			var audit, bare time.Duration
			for b.Loop() {
				start := time.Now()
				benchAudit(b, t.target, Options{})
				audit += time.Since(start)
				start = time.Now()
				replay(b, t.transport(), requests)
				bare += time.Since(start)
			}
			b.ReportMetric(float64(len(requests)), "requests")
			b.ReportMetric(float64(audit.Milliseconds())/float64(b.N), "audit-ms")
			b.ReportMetric(float64(bare.Milliseconds())/float64(b.N), "bare-ms")
			b.ReportMetric(float64(audit)/float64(bare), "ratio")
		})
	}
}

// BenchmarkConcurrency audits a server with 20 ms of latency, one request at a
// time and eight. The metric "speedup" is the ratio of the two.
func BenchmarkConcurrency(b *testing.B) {
	server := httptest.NewServer(mcptest.Handler(mcptest.Options{Dir: writeBenchSkills(b, 20), Latency: 20 * time.Millisecond, PageSize: -1}))
	defer server.Close()
	target := Target{URL: server.URL, Transport: TransportHTTP}
	var one, eight time.Duration
	for b.Loop() {
		start := time.Now()
		benchAudit(b, target, Options{Concurrency: 1})
		one += time.Since(start)
		start = time.Now()
		benchAudit(b, target, Options{Concurrency: 8})
		eight += time.Since(start)
	}
	b.ReportMetric(float64(one)/float64(eight), "speedup")
}

func benchAudit(b *testing.B, t Target, o Options) {
	b.Helper()
	c, err := Connect(b.Context(), t, o)
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	if r := Audit(b.Context(), c, AuditOptions{}); r.Verdict != VerdictPass {
		b.Fatalf("verdict %s: %v, %d failures", r.Verdict, r.Fatal, r.Count(Fail))
	}
}

// recorded is one request of an audit.
type recorded struct {
	Method string
	Params struct{ URI, Cursor string }
}

// recordRequests audits a server and gives the requests that were sent after
// the handshake.
func recordRequests(b *testing.B, t Target) []recorded {
	b.Helper()
	var trace bytes.Buffer
	benchAudit(b, t, Options{Trace: &trace})
	var all []recorded
	for line := range bytes.Lines(trace.Bytes()) {
		var l traceLine
		if err := json.Unmarshal(line, &l); err != nil {
			b.Fatal(err)
		}
		if l.Direction != "sent" || l.Method == methodDiscover || l.Method == "DELETE" {
			continue
		}
		var r recorded
		if err := json.Unmarshal([]byte(l.Body), &r); err != nil {
			b.Fatal(err)
		}
		all = append(all, r)
	}
	// Pages come one after the other, the rest in any order.
	slices.SortStableFunc(all, func(a, b recorded) int {
		rank := func(r recorded) int {
			return slices.Index([]string{MethodRead, MethodGet, MethodDirectory, MethodResources, MethodList}, r.Method)
		}
		return rank(b) - rank(a)
	})
	return all
}

type bareParams struct {
	mcp.ParamsBase
	URI    string `json:"uri,omitempty"`
	Cursor string `json:"cursor,omitempty"`
}

type bareResult struct {
	mcp.ResultBase
	raw json.RawMessage
}

func (r *bareResult) UnmarshalJSON(raw []byte) error {
	r.raw = slices.Clone(raw)
	return nil
}

func (r *bareResult) MarshalJSON() ([]byte, error) { return r.raw, nil }

// replay sends requests over the SDK. What the server refuses was meant to be
// refused.
func replay(b *testing.B, transport mcp.Transport, requests []recorded) {
	b.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
	for _, method := range []string{MethodList, MethodGet, MethodDirectory} {
		mcp.AddSendingCustomMethod[*bareParams, *bareResult](client, method)
	}
	session, err := client.Connect(b.Context(), transport, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	work := make(chan recorded)
	var workers sync.WaitGroup
	for range DefaultConcurrency {
		workers.Go(func() {
			for r := range work {
				ctx := b.Context()
				switch r.Method {
				case MethodRead:
					_, _ = session.ReadResource(ctx, &mcp.ReadResourceParams{URI: r.Params.URI})
				case MethodResources:
					_, _ = session.ListResources(ctx, &mcp.ListResourcesParams{Cursor: r.Params.Cursor})
				default:
					_, _ = mcp.CallCustomMethod[*bareParams, *bareResult](ctx, session, r.Method, &bareParams{URI: r.Params.URI, Cursor: r.Params.Cursor})
				}
			}
		})
	}
	for _, r := range requests {
		work <- r
	}
	close(work)
	workers.Wait()
}
