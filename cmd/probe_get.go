package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// probeURIUsage is that of commands that take a URI beside the target.
const probeURIUsage = "TARGET URI | URI -- COMMAND ARG..."

func probeGetCommand() *command {
	return &command{
		name:    "get",
		usage:   probeURIUsage,
		summary: "show what a server says of one skill",
		description: "Prints the entry of a skill, listed or not, as the server sent it. What does not keep the " +
			"specification is said on standard error. No file is read.",
		arguments:    []argument{probeTargetArgument(), {"URI", "the URI of the skill's SKILL.md"}, probeProgramArgument()},
		minArgs:      1,
		maxArgs:      2,
		takesProgram: true,
		flags:        askingFlags(),
		examples: []example{
			{"the files of a skill and their digests", "skilltool probe get https://example.com/mcp skill://pdf-tools/SKILL.md"},
		},
		exits:  askingExits("the entry keeps the specification", "it breaks a MUST of the specification, or the server refused the request"),
		action: runProbeGet,
	}
}

func runProbeGet(c *cli.Context, e *env) error {
	return ask(c, e, 1, func(ctx context.Context, a *asking) (probeAnswer, error) {
		entry, err := a.client.GetSkill(ctx, a.args[0])
		if err != nil {
			return nil, err
		}
		redactEntry(entry, a.target.Redact)
		a.problems(entry)
		return &gotten{entry, a.target.Redact}, nil
	})
}

// problems says on standard error how an entry does not keep the specification.
func (a *asking) problems(entry *mcpprobe.Entry) {
	for _, p := range entry.Problems {
		about := p.URI
		if about != "" {
			about += ": "
		}
		word := map[mcpprobe.Level]string{mcpprobe.Must: "error", mcpprobe.Should: "warning", mcpprobe.May: "info"}[p.Check.Level]
		fmt.Fprintf(a.e.stderr, "%s %s: %s\n", word, p.Check.ID, shorten(about+p.Message, 1000))
	}
}

// gotten is the answer to get.
type gotten struct {
	entry  *mcpprobe.Entry
	redact func(string) string
}

func (g *gotten) code() int {
	if mustProblems(g.entry) > 0 {
		return exitFindings
	}
	return exitOK
}

// raw is the entry as sent, without secrets.
func (g *gotten) raw() json.RawMessage {
	return redactJSON(g.entry.Raw, g.redact)
}

func (g *gotten) write(w io.Writer) error {
	_, err := w.Write(report.IndentJSON(g.raw()))
	return err
}

func (g *gotten) document(head report.ProbeHead) any {
	return struct {
		report.ProbeHead
		Entry    json.RawMessage       `json:"entry"`
		Problems []report.ProbeProblem `json:"problems"`
	}{head, g.raw(), report.NewProbeProblems(g.entry.Problems)}
}
