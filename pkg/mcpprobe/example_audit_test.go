package mcpprobe_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/skilltool/skilltool/internal/mcptest"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// connect reaches a server that serves three skills, and tells the lies given.
func connect(ctx context.Context, lies ...string) (client *mcpprobe.Client, stop func()) {
	server := httptest.NewServer(mcptest.Handler(mcptest.Options{Lies: lies}))
	client, err := mcpprobe.Connect(ctx, mcpprobe.Target{URL: server.URL}, mcpprobe.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return client, func() {
		client.Close()
		server.Close()
	}
}

// An audit holds a server against the whole specification. Findings are values:
// the report is there whatever the server did.
func ExampleAudit() {
	ctx := context.Background()
	client, stop := connect(ctx, "crlf-to-lf")
	defer stop()
	report := mcpprobe.Audit(ctx, client, mcpprobe.AuditOptions{})
	fmt.Println(report.Verdict)
	for _, r := range report.Results {
		if r.Status == mcpprobe.Fail {
			fmt.Println(r.Check.ID, r.URI)
			fmt.Println(r.Message)
		}
	}
	for _, s := range report.Skills {
		fmt.Println(s.Name, s.Outcome)
	}
	// Output:
	// fail
	// size-matches skill://acme/billing/refunds/references/windows.md
	// 54 bytes are listed and 51 are served; the listed digest fits the same text with CRLF line ends
	// refunds failed
	// escalate-refund verified
	// read-csv verified
}

// A listing reads no file.
func ExampleClient_ListSkills() {
	ctx := context.Background()
	client, stop := connect(ctx)
	defer stop()
	for e, err := range client.ListSkills(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Name, len(e.Resources), "files")
	}
	// Output:
	// refunds 8 files
	// escalate-refund 2 files
	// read-csv 3 files
}

// Content that is not what the entry promised is not given to anybody.
func ExampleClient_ReadFile() {
	ctx := context.Background()
	client, stop := connect(ctx, "newline-added")
	defer stop()
	e, err := client.GetSkill(ctx, "skill://read-csv/SKILL.md")
	if err != nil {
		log.Fatal(err)
	}
	f, err := client.ReadFile(ctx, e, e.URI)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.URI, f.Verified)

	f, err = client.ReadFile(ctx, e, e.Dir+"/references/formats.md")
	var failed *mcpprobe.VerificationError
	fmt.Println(f == nil, errors.As(err, &failed))
	fmt.Println(failed.Part, "-", failed.Explanation)
	// Output:
	// skill://read-csv/SKILL.md true
	// true true
	// size - the listed digest fits the same text without its final line end
}

// Directories are read where the server declares directoryRead.
func ExampleClient_ReadDirectory() {
	ctx := context.Background()
	client, stop := connect(ctx)
	defer stop()
	for child, err := range client.ReadDirectory(ctx, "skill://read-csv") {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(child.URI, child.Dir)
	}
	// Output:
	// skill://read-csv/SKILL.md false
	// skill://read-csv/references true
	// skill://read-csv/scripts true
}

// An entry says what is wrong with it.
func ExampleParseEntry() {
	e := mcpprobe.ParseEntry([]byte(`{
		"uri": "skill://weather/SKILL.md",
		"frontmatter": {"name": "weather-report", "description": "Writes the weather report. Use each morning."},
		"resources": "dynamic"
	}`))
	for _, p := range e.Problems {
		fmt.Println(p.Check.ID, p.Check.Level, p.Message)
	}
	// Output: uri-matches-name MUST the segment before /SKILL.md is "weather", and the name is "weather-report"
}
