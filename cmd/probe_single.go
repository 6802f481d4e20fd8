package cmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// asking is one run of a command that asks a server for one thing.
type asking struct {
	e      *env
	name   string // of the command: "probe list"
	target probeTarget
	client *mcpprobe.Client
	// args are the arguments behind the target.
	args []string
	json bool
}

// askingFlags are those of every such command.
func askingFlags(more ...cli.Flag) []cli.Flag {
	format := &choiceFlag{
		StringFlag: &cli.StringFlag{Name: "output-format", Aliases: []string{"f"}, Value: "text", Usage: "print as `FORMAT`"},
		choices:    []string{"text", "json"},
	}
	return slices.Concat(more, []cli.Flag{format}, probeTargetFlags(), probeBoundFlags())
}

// askingExits are the exit codes of every such command.
func askingExits(done, findings string) []exitCode {
	return slices.Concat([]exitCode{{exitOK, done}, {exitFindings, findings}}, probeExits())
}

// targetFirst splits the arguments of a command that takes n of its own: the
// target comes before them, unless a flag or a command line names it.
func targetFirst(c *cli.Context, e *env, n int) (target, own []string, err error) {
	first := 1
	if e.program != nil || c.IsSet("server") {
		first = 0
	}
	if len(e.args) != first+n {
		return nil, nil, usagef("probe %s takes %s", c.Command.Name, map[bool]string{
			true: "a target and a URI", false: "one URI beside the server that a flag or a command line names",
		}[first == 1]).hintf("for help, run: skilltool probe %s --help", c.Command.Name)
	}
	return e.args[:first], e.args[first:], nil
}

// ask reaches the server of a command with n arguments of its own, and does
// what is to be done there.
func ask(c *cli.Context, e *env, n int, do func(context.Context, *asking) (probeAnswer, error)) error {
	a := &asking{e: e, name: "probe " + c.Command.Name, json: c.String("output-format") == "json"}
	options, err := clientOptions(c)
	if err != nil {
		return err
	}
	targetArgs, own, err := targetFirst(c, e, n)
	if err != nil && n > 0 {
		return err
	}
	if n == 0 {
		targetArgs, own = e.args, nil
	}
	a.args = own
	onlyTarget := *e
	onlyTarget.args = targetArgs
	if a.target, err = resolveProbeTarget(c, &onlyTarget); err != nil {
		return err
	}
	options.Redact = a.target.Redact
	if name := c.String("trace"); name != "" {
		trace, err := openTrace(name)
		if err != nil {
			return fmt.Errorf("--trace: %q cannot be written: %w", name, plainError(err))
		}
		defer trace.Close()
		options.Trace = trace
	}
	ctx, cancel := context.WithTimeout(c.Context, c.Duration("max-time"))
	defer cancel()
	return a.run(ctx, options, do)
}

// probeAnswer is what a server's answer comes to.
type probeAnswer interface {
	// write writes it as text.
	write(w io.Writer) error
	// document gives its JSON form below a head.
	document(head report.ProbeHead) any
	// code is the exit code where nothing else went wrong.
	code() int
}

func (a *asking) run(ctx context.Context, o mcpprobe.Options, do func(context.Context, *asking) (probeAnswer, error)) error {
	for _, note := range a.target.Notes {
		a.e.notef("note: %s", shorten(note, 1000))
	}
	var got probeAnswer
	var server *mcpprobe.Server
	var err error
	if a.client, err = connectProbe(ctx, a.target.Target, o); err == nil {
		s := a.client.Server()
		server = &s
		redactServer(server, a.target.Redact)
		defer a.client.Close() // whatever happens, no process is left
		got, err = do(ctx, a)
		_ = a.client.Close()
	}
	return a.conclude(server, got, err)
}

// conclude prints what there is, and gives the exit code.
func (a *asking) conclude(server *mcpprobe.Server, got probeAnswer, err error) error {
	code := exitOK
	var problems []report.ProbeError
	if err != nil {
		var problem report.ProbeError
		if problem, code = classify(err); problem.Kind == "interrupted" {
			return err
		}
		redactProblem(&problem, a.target.Redact)
		problems = append(problems, problem)
		a.e.complain(cmp.Or(a.target.Show, a.target.Target.Label), problem)
	} else {
		code = got.code()
	}
	label := a.target.Target.Label
	if server != nil {
		label = server.Label
	}
	tool := build()
	head := report.NewProbeHead(report.Tool{Name: tool.Name, Version: tool.Version, Commit: tool.Commit}, a.name, label, a.target.Show, server, problems)
	switch {
	case a.json && got == nil:
		err = a.printJSON(head)
	case a.json:
		err = a.printJSON(got.document(head))
	case got != nil:
		err = got.write(a.e.stdout)
	default:
		err = nil
	}
	if err != nil {
		return err
	}
	if code != exitOK {
		return exitStatus(code)
	}
	return nil
}

func (a *asking) printJSON(document any) error {
	// The document may hold what a server sent, which must not grow without
	// bound when it is indented.
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(document); err != nil {
		return err
	}
	_, err := a.e.stdout.Write(report.IndentJSON(b.Bytes()))
	return err
}

// note says something about the answer on standard error.
func (a *asking) note(format string, args ...any) {
	a.e.notef("note: %s", shorten(fmt.Sprintf(format, args...), 1000))
}
