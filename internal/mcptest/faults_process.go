package mcptest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// processFaults are about the program that serves, as a process.
func processFaults() []Lie {
	return []Lie{
		fault("exit-at-start", "ends at once, with a word on standard error", OfTheProcess, starting(func(p *program) int {
			fmt.Fprintln(p.stderr, "fatal: cannot open skills.json: no such file")
			return 7
		})),
		fault("exit-silently", "ends at once, without a word", OfTheProcess, starting(func(*program) int { return 1 })),
		fault("exit-cleanly", "ends at once, with exit code 0", OfTheProcess, starting(func(*program) int { return 0 })),
		fault("usage-text", "prints how it is used, and ends", OfTheProcess, starting(func(p *program) int {
			fmt.Fprint(p.stdout, "Usage: serve [options]\n\nOptions:\n  --port PORT\n")
			return 0
		})),
		fault("stderr-flood", "writes 64 MiB to standard error while it serves", OfTheProcess, starting(func(p *program) int {
			go flood(p.stderr)
			return -1
		})),
		fault("stubborn", "ignores the end of its input, and every signal that can be ignored", OfTheProcess, func(s *script) { s.process.stubborn = true }),
		fault("grandchild", "starts a process that keeps its streams open, and ends", OfTheProcess, starting(startChild)),
		fault("stubborn-grandchild", "does both", OfTheProcess, func(s *script) {
			s.process.stubborn = true
			s.process.start = startChild
		}),
	}
}

func starting(start func(*program) int) func(*script) {
	return func(s *script) { s.process.start = start }
}

func flood(w io.Writer) {
	line := []byte(strings.Repeat("warning: something may be wrong ", 127) + "\n")
	for sent := 0; sent < 64<<20; sent += len(line) {
		if _, err := w.Write(line); err != nil {
			return
		}
	}
}

// childLife bounds the life of a process that outlives its server.
const childLife = time.Minute

// startChild starts this program again, with the same streams.
func startChild(p *program) int {
	child := exec.Command(p.args[0], "--hold", childLife.String())
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := child.Start(); err != nil {
		fmt.Fprintf(p.stderr, "mcp-fixture: %v\n", err)
		return 1
	}
	if err := p.tellProcess(child.Process.Pid); err != nil {
		fmt.Fprintf(p.stderr, "mcp-fixture: %v\n", err)
		return 1
	}
	go func() { _ = child.Wait() }() // its end means nothing
	return -1
}
