package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/internal/term"
)

// env is what an action gets of the world: streams, global flags and
// arguments. The working directory is the process's own: Main has changed into
// the directory of --chdir before an action runs.
type env struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	// args are the arguments, without flags.
	args []string
	// program is the command line behind "--", for a command that takes one
	// (command.takesProgram), and nil without "--".
	program []string
	// quiet and verbose are about notes on stderr, never about results.
	quiet, verbose bool
	// noProgress keeps long work from showing how far it is.
	noProgress bool
	// color is the value of --color: auto, always or never.
	color string
	// interactive says that somebody is there to answer a question.
	interactive bool
	getenv      func(string) string
	// root is the definition of the whole command line.
	root *command
}

// colorFor decides whether w, one of the two output streams, gets colour.
func (e *env) colorFor(w io.Writer) bool {
	return term.ColorEnabled(e.color, w, e.getenv)
}

// options says what a report can show on w, one of the two output streams.
func (e *env) options(w io.Writer) report.Options {
	width := term.Width(w)
	color := e.colorFor(w)
	return report.Options{Color: color, Width: width, Links: color && term.IsTerminal(w)}
}

// notef writes a line for people to stderr, unless --quiet was given.
func (e *env) notef(format string, args ...any) {
	if !e.quiet {
		fmt.Fprintf(e.stderr, format+"\n", args...)
	}
}

// splitList splits each of values at commas and gives all parts that are not
// blank, trimmed.
func splitList(values []string) []string {
	var list []string
	for _, value := range values {
		for part := range strings.SplitSeq(value, ",") {
			if part = strings.TrimSpace(part); part != "" {
				list = append(list, part)
			}
		}
	}
	return list
}
