package mcptest_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skilltool/skilltool/internal/mcptest"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

var update = flag.Bool("update", false, "rewrite caught.txt")

// fixtureRole tells the test's own program to be mcp-fixture.
const fixtureRole = "MCPTEST_FIXTURE"

func TestMain(m *testing.M) {
	if os.Getenv(fixtureRole) != "" {
		os.Exit(mcptest.Main(os.Args, os.Stdin, os.Stdout, os.Stderr))
	}
	flag.Parse()
	// Most of the time of these tests is waiting.
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// program is the command of mcp-fixture.
func program(t *testing.T, args ...string) *mcpprobe.Command {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &mcpprobe.Command{Args: append([]string{self}, args...), Env: append(os.Environ(), fixtureRole+"=1", "GORACE=atexit_sleep_ms=0")}
}

// token is the one that the server wants for lies about credentials.
const token = "s3cret"

// outcome is what an audit came to.
type outcome struct {
	code   int
	checks []string
	report *mcpprobe.Report
}

func (o outcome) String() string {
	return strings.Join(append([]string{fmt.Sprint(o.code)}, o.checks...), " ")
}

// audit audits a server. The bounds are as tight as the faults allow.
func audit(t *testing.T, target mcpprobe.Target, era string, lie mcptest.Lie) outcome {
	t.Helper()
	o := mcpprobe.Options{
		Protocol: mcpprobe.ProtocolAuto, ConnectTimeout: time.Minute, Timeout: 2 * time.Minute,
		MaxSkills: 500, MaxPages: 300, Retries: 1, Concurrency: 8,
	}
	if era == mcptest.ProtocolLegacy {
		o.Protocol = mcpprobe.ProtocolLegacy
	}
	if lie.Waits {
		o.ConnectTimeout, o.Timeout = 4*time.Second, 1500*time.Millisecond
	}
	ctx, stop := context.WithTimeout(context.Background(), 4*time.Minute)
	defer stop()
	client, err := mcpprobe.Connect(ctx, target, o)
	if err != nil {
		return outcome{code: connectCode(t, err)}
	}
	report := mcpprobe.Audit(ctx, client, mcpprobe.AuditOptions{Content: true})
	if err := client.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	return outcome{code: auditCode(t, report), checks: notPassed(report), report: report}
}

func connectCode(t *testing.T, err error) int {
	t.Helper()
	switch {
	case errors.Is(err, mcpprobe.ErrCredentials):
		return 4
	case errors.Is(err, mcpprobe.ErrUnreachable), errors.Is(err, mcpprobe.ErrNotMCP):
		return 3
	}
	t.Errorf("Connect: %v (%T)", err, err)
	return 2
}

func auditCode(t *testing.T, report *mcpprobe.Report) int {
	t.Helper()
	var refused *mcpprobe.ConnectError
	var closed *mcpprobe.ClosedError
	switch {
	case errors.Is(report.Fatal, mcpprobe.ErrNotSupported):
		return 5
	case report.Verdict == mcpprobe.VerdictFail:
		return 1
	case errors.As(report.Fatal, &refused):
		return 4
	case errors.As(report.Fatal, &closed):
		return 3
	case report.Verdict == mcpprobe.VerdictIncomplete:
		return 6
	}
	return 0
}

// notPassed gives the checks that do not pass, with their statuses.
func notPassed(report *mcpprobe.Report) []string {
	var all []string
	for _, r := range report.Results {
		if r.Check.ID == "protocol-revision" {
			continue // it notes the older era
		}
		switch r.Status {
		case mcpprobe.Fail:
			all = append(all, r.Check.ID)
		case mcpprobe.Warn, mcpprobe.Info, mcpprobe.Error:
			all = append(all, r.Check.ID+":"+string(r.Status))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// reach gives a server that tells a lie, by a way on which it can be told.
func reach(t *testing.T, way mcptest.Where, era string, lies ...string) mcpprobe.Target {
	t.Helper()
	switch way {
	case mcptest.OverHTTP:
		options := mcptest.Options{Lies: lies, Protocol: era}
		target := mcpprobe.Target{Label: "fixture"}
		if slices.Contains(lies, "public-with-credentials") {
			options.Token = token
			target.HTTP, target.Authenticated = withToken(), true
		}
		server := httptest.NewServer(mcptest.Handler(options))
		t.Cleanup(server.Close)
		target.URL = server.URL + "/mcp"
		return target
	case mcptest.OfTheProcess:
		args := []string{"--protocol", era}
		for _, lie := range lies {
			args = append(args, "--lie", lie)
		}
		return mcpprobe.Target{Label: "fixture", Command: program(t, args...)}
	}
	return mcpprobe.Target{Label: "fixture", Conn: pipes(t, mcptest.Options{Lies: lies, Protocol: era})}
}

// pipes serves over a pair of streams.
func pipes(t *testing.T, o mcptest.Options) mcp.Transport {
	t.Helper()
	theirIn, ourOut := io.Pipe()
	ourIn, theirOut := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = mcptest.Serve(ctx, o, theirIn, theirOut) // what it says is for the audit
		theirOut.Close()
	}()
	t.Cleanup(func() {
		stop()
		ourOut.Close()
		ourIn.Close()
		<-done
	})
	return &mcp.IOTransport{Reader: ourIn, Writer: ourOut, MaxLineLength: -1}
}

// ways are those on which a lie is tried. What the SDK decodes says nothing
// about faults of the wire.
func ways(lie mcptest.Lie) []mcptest.Where {
	switch lie.Where {
	case mcptest.OverHTTP:
		return []mcptest.Where{mcptest.OverHTTP}
	case mcptest.OverStdio, mcptest.OfTheProcess:
		return []mcptest.Where{mcptest.OfTheProcess}
	}
	if lie.Kind == mcptest.KindFault {
		return []mcptest.Where{mcptest.OverHTTP, mcptest.OfTheProcess}
	}
	return []mcptest.Where{mcptest.OverHTTP, mcptest.Anywhere}
}

// heading is the beginning of caught.txt.
const heading = `# What an audit says of each lie: name, when, exit code, and the checks that do not pass: id for one that fails, id:status for all else.
# "-" is whenever nothing else is said. In the older era protocol-revision:info is left out.
`

// TestCaught audits a server for each lie, fault and oddity, in both eras and on
// all ways, and compares the outcome with caught.txt.
func TestCaught(t *testing.T) {
	var mu sync.Mutex
	found := map[string]string{} // outcomes by lie, era and way
	name := func(lie mcptest.Lie, era string, way mcptest.Where) string {
		return strings.Join([]string{lie.Name, era, cmp.Or(string(way), "pipes")}, "/")
	}
	t.Run("all", func(t *testing.T) {
		eachWay(func(lie mcptest.Lie, era string, way mcptest.Where) {
			t.Run(name(lie, era, way), func(t *testing.T) {
				t.Parallel()
				if raceEnabled && isBulky(lie.Name) {
					t.Skip("the race detector makes minutes of it")
				}
				have := audit(t, reach(t, way, era, lie.Name), era, lie)
				mu.Lock()
				found[name(lie, era, way)] = have.String()
				mu.Unlock()
				want := lie.In(era, way)
				if !*update && have.String() != (outcome{code: want.Code, checks: want.Want}).String() {
					t.Errorf("%s\nhave %s\nwant %d %v\n%s", lie.Doc, have, want.Code, want.Want, messages(have.report))
				}
			})
		})
	})
	if !*update {
		return
	}
	rows := map[string]map[string]string{}
	eachWay(func(lie mcptest.Lie, era string, way mcptest.Where) {
		if rows[lie.Name] == nil {
			rows[lie.Name] = map[string]string{}
		}
		keep(rows[lie.Name], era, cmp.Or(string(way), "pipes"), found[name(lie, era, way)])
	})
	table := heading
	for _, lie := range mcptest.Lies() {
		for _, condition := range slices.Sorted(maps.Keys(rows[lie.Name])) {
			table += fmt.Sprintf("%s %s %s\n", lie.Name, condition, rows[lie.Name][condition])
		}
	}
	if err := os.WriteFile("caught.txt", []byte(table), 0o666); err != nil {
		t.Fatal(err)
	}
}

// isBulky tells the lies with megabytes in one answer.
func isBulky(lie string) bool {
	return strings.HasPrefix(lie, "ten-gib") || strings.HasPrefix(lie, "odd-16-mib-")
}

// eachWay goes through all lies, in both eras and on all ways.
func eachWay(do func(lie mcptest.Lie, era string, way mcptest.Where)) {
	for _, lie := range mcptest.Lies() {
		for _, era := range []string{mcptest.ProtocolModern, mcptest.ProtocolLegacy} {
			for _, way := range ways(lie) {
				do(lie, era, way)
			}
		}
	}
}

// keep adds a row for an outcome unless those before it say the same.
func keep(rows map[string]string, era, way, outcome string) {
	if len(rows) == 0 {
		rows["-"] = outcome
	}
	for _, condition := range []string{era + "/" + way, era, way, "-"} {
		if row, ok := rows[condition]; ok {
			if row == outcome {
				return
			}
			break
		}
	}
	condition := way
	if era == mcptest.ProtocolLegacy {
		condition = era
		if _, taken := rows[era]; taken {
			condition = era + "/" + way
		}
	}
	rows[condition] = outcome
}

// TestLieTable prints what was caught as a table in Markdown, for people.
func TestLieTable(t *testing.T) {
	if !testing.Verbose() {
		t.Skip("-v prints the table")
	}
	fmt.Println("| lie | what the server does | requirement | exit code | caught by |\n| --- | --- | --- | --- | --- |")
	for _, lie := range mcptest.Lies() {
		fmt.Printf("| %s | %s | %s | %d | %s |\n", lie.Name, lie.Doc, lie.Requirement, lie.Code, strings.Join(lie.Want, ", "))
	}
}

// messages are what the audit said, for whoever reads a failure.
func messages(report *mcpprobe.Report) string {
	if report == nil {
		return ""
	}
	var out strings.Builder
	for _, r := range report.Results {
		if r.Status != mcpprobe.Pass && r.Status != mcpprobe.Skip {
			fmt.Fprintf(&out, "  %s %s %s: %.200q\n", r.Status, r.Check.ID, r.URI, r.Message)
		}
	}
	return out.String()
}

// withToken sends the token.
func withToken() *http.Client { return &http.Client{Transport: bearer{}} }

type bearer struct{}

func (bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return http.DefaultTransport.RoundTrip(r)
}
