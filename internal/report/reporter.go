package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/skilltool/skilltool/internal/near"
)

// Reporter writes a whole report in one format.
type Reporter interface {
	// Report writes r to w. Its errors are those of w.
	Report(w io.Writer, r *Report) error
}

// Options say what the stream behind a reporter can show. Machine formats
// ignore them.
type Options struct {
	Color bool
	// Width is the terminal's width in columns, or 0 where there is none.
	Width int
	// Links makes paths and rule ids hyperlinks (OSC 8).
	Links bool
	// Verbose unfolds what is of little interest, such as passed checks.
	Verbose bool
}

// formats lists the output formats in the order that help shows them.
var formats = []struct {
	name string
	make func(Options) Reporter
}{
	{"text", func(o Options) Reporter { return textReporter{options: o} }},
	{"full", func(o Options) Reporter { return textReporter{options: o, full: true} }},
	{"concise", func(o Options) Reporter { return conciseReporter{options: o} }},
	{"json", func(Options) Reporter { return jsonReporter{} }},
	{"jsonl", func(Options) Reporter { return jsonlReporter{} }},
	{"sarif", func(Options) Reporter { return sarifReporter{} }},
	{"github", func(Options) Reporter { return githubReporter{} }},
	{"junit", func(Options) Reporter { return junitReporter{} }},
}

// Names gives the names of the output formats, for help and completion.
func Names() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// New gives the reporter of a name that Names lists. The error for any other
// lists them, the nearest first.
func New(name string, opts Options) (Reporter, error) {
	for _, f := range formats {
		if f.name == name {
			return f.make(opts), nil
		}
	}
	return nil, unknownFormat(name, Names())
}

// unknownFormat is the error for a format that is none of names.
func unknownFormat(name string, names []string) error {
	hint := ""
	if word := near.Word(name, names); word != "" {
		hint = fmt.Sprintf("; did you mean %q?", word)
	}
	return fmt.Errorf("output format %q is not known%s\nformats: %s", name, hint, strings.Join(names, ", "))
}
