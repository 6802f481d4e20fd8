package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/term"
)

// issuesURL is where a person reports a fault of the tool.
const issuesURL = "https://github.com/skilltool/skilltool/issues"

// Main runs the tool on a command line, args[0] being the name of the program,
// and gives the exit code. It changes the working directory when --chdir says
// so. The first interrupt cancels the action's context; the second one ends the
// process at once.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	tuneMemory()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	out := &output{Writer: stdout}
	e := &env{
		stdin:       &input{ctx, stdin},
		stdout:      out,
		stderr:      stderr,
		color:       term.ColorAuto,
		interactive: term.IsTerminal(stdin) && term.IsTerminal(stdout),
		getenv:      os.Getenv,
		root:        rootCommand(),
	}
	err := run(ctx, e, args[min(1, len(args)):])
	if out.err != nil {
		err = fmt.Errorf("writing standard output: %w", out.err)
	}
	return conclude(ctx, e, err)
}

// tuneMemory trades memory that a short process does not miss for time: the
// collector runs when the heap is four times what is in use, up to a bound
// that a run over ordinary skills stays far below. The variables of the Go
// runtime win.
func tuneMemory() {
	const percent, limit = 300, 256 << 20
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// rootCommand defines the whole command line.
func rootCommand() *command {
	return &command{
		name:    "skilltool",
		summary: "check, package and probe Agent Skills",
		description: "Results go to standard output, everything else to standard error. Flags may stand anywhere " +
			"on the line, before \"--\" which ends them. Each global flag can be set by the environment variable " +
			"beside it; the flag wins.",
		flags: []cli.Flag{
			&choiceFlag{
				StringFlag: &cli.StringFlag{Name: "color", Usage: "colour the output, `WHEN`", Value: term.ColorAuto},
				choices:    []string{term.ColorAuto, term.ColorAlways, term.ColorNever},
			},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "say nothing but results and errors"},
			&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "say more on standard error"},
			&cli.BoolFlag{Name: "no-progress", Usage: "do not show how far long work is"},
			&cli.StringFlag{Name: "chdir", Aliases: []string{"C"}, Usage: "work in `DIR`"},
			&cli.BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "print help"},
			&cli.BoolFlag{Name: "version", Usage: "print the version"},
		},
		exits: []exitCode{
			{exitOK, "done, nothing at or above the fail level"},
			{exitFindings, "done, with findings"},
			{exitFailure, "usage, missing path, I/O or internal error: no verdict"},
			{exitInterrupted, "interrupted"},
		},
		examples: []example{
			{"help for one command", "skilltool new --help"},
		},
		subcommands: []*command{
			validateCommand(),
			manifestCommand(),
			digestCommand(),
			verifyCommand(),
			diffCommand(),
			clientsCommand(),
			probeCommand(),
			newCommand(),
			ruleCommand(),
			explainCommand(),
			schemaCommand(),
			completionCommand(),
			manCommand(),
			versionCommand(),
			helpCommand(),
			completeCommand(),
		},
		action: func(_ *cli.Context, e *env) error { return printHelp(e.stdout, []*command{e.root}) },
	}
}

// run reads the line and does what it says. A panic comes back as an error.
func run(ctx context.Context, e *env, line []string) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = &internalError{fault, debug.Stack()}
		}
	}()
	p, err := parse(e.root, line, e.getenv)
	if err != nil {
		return err
	}
	e.quiet, e.verbose, e.noProgress, e.args = p.on("quiet"), p.on("verbose"), p.on("no-progress"), p.args
	e.program = p.program
	if color := p.last("color"); color != "" {
		e.color = color
	}
	switch {
	case p.on("help"):
		return printHelp(e.stdout, p.path)
	case p.on("version"):
		return printVersion(e.stdout)
	}
	if dir := p.last("chdir"); dir != "" {
		if err := os.Chdir(dir); err != nil {
			return fmt.Errorf("--chdir: %w", err)
		}
	}
	return app(e).RunContext(ctx, p.argv())
}

// app gives what urfave/cli runs; see command.cli for what is switched off.
func app(e *env) *cli.App {
	root := e.root.cli(e)
	return &cli.App{
		Name:                      root.Name,
		Commands:                  root.Subcommands,
		Action:                    root.Action,
		HideHelp:                  true,
		HideHelpCommand:           true,
		OnUsageError:              onUsageError,
		ExitErrHandler:            func(*cli.Context, error) {},
		DisableSliceFlagSeparator: true,
		Reader:                    e.stdin,
		Writer:                    e.stderr,
		ErrWriter:                 e.stderr,
	}
}

// conclude prints the error that an action ended with and gives the exit code.
func conclude(ctx context.Context, e *env, err error) int {
	var (
		status   exitStatus
		usage    *usageError
		internal *internalError
	)
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil:
		fmt.Fprintln(e.stderr, "skilltool: interrupted")
		return exitInterrupted
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, &usage):
		fmt.Fprint(e.stderr, usage.lines())
	case errors.As(err, &internal):
		fmt.Fprint(e.stderr, internal.lines(e.verbose))
	default:
		fmt.Fprintf(e.stderr, "skilltool: %s\n", term.Escape(err.Error()))
	}
	return exitFailure
}
