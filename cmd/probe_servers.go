package cmd

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/servers"
	"github.com/skilltool/skilltool/internal/term"
)

// listServersFlag is the flag of a command that can call runListServers.
func listServersFlag() cli.Flag {
	return &cli.BoolFlag{Name: "list-servers", Usage: "list the servers of configuration files (text or json), without values, and connect to nothing"}
}

// listedServer is a server of a configuration file as --list-servers shows it:
// of variables and headers only the names.
type listedServer struct {
	Name      string   `json:"name"`
	File      string   `json:"file"`
	Line      int      `json:"line"`
	Transport string   `json:"transport,omitempty"`
	Command   string   `json:"command,omitempty"`
	URL       string   `json:"url,omitempty"`
	Env       []string `json:"env"`
	Headers   []string `json:"headers"`
	// HiddenBy is the place of the server that its name stands for.
	HiddenBy string `json:"hidden_by,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
	Problem  string `json:"problem,omitempty"`
}

// serverList is the JSON form of --list-servers.
type serverList struct {
	Version int            `json:"version"`
	Servers []listedServer `json:"servers"`
	Errors  []string       `json:"errors"`
}

// runListServers lists the servers of the configuration files, or of those that
// are named as arguments. It exits with 2 where one could not be read.
func runListServers(c *cli.Context, e *env) error {
	format := c.String("output-format")
	if format != "text" && format != "json" {
		return usagef("--list-servers goes with -f text and -f json, not with %s", format)
	}
	r := &targetResolver{c: c, e: e}
	listing := r.place().List()
	if len(e.args) > 0 {
		listing = r.listFiles(e.args)
	}
	list := serverList{Version: 1, Servers: []listedServer{}, Errors: []string{}}
	for _, s := range listing.Servers {
		list.Servers = append(list.Servers, listServer(s))
	}
	for _, err := range listing.Errors {
		list.Errors = append(list.Errors, err.Error())
	}
	if err := list.write(e.stdout, format); err != nil {
		return err
	}
	for _, message := range list.Errors {
		fmt.Fprintf(e.stderr, "skilltool: %s\n", term.Escape(message))
	}
	switch {
	case len(list.Errors) > 0:
		return exitStatus(exitFailure)
	case len(list.Servers) == 0:
		e.notef("no configuration file names a server")
	}
	return nil
}

func (r *targetResolver) listFiles(files []string) servers.Listing {
	var listing servers.Listing
	for _, file := range files {
		all, err := r.place().In(file)
		if err != nil {
			listing.Errors = append(listing.Errors, err)
		}
		for _, s := range all {
			listing.Servers = append(listing.Servers, servers.Listed{Server: s})
		}
	}
	return listing
}

func listServer(s servers.Listed) listedServer {
	out := listedServer{
		Name: s.Name, File: s.File.Show, Line: s.Line, HiddenBy: s.HiddenBy, Disabled: s.Disabled,
		Env: pairNames(s.Env), Headers: pairNames(s.Headers),
	}
	if s.Problem != nil {
		out.Problem = s.Problem.Error()
		return out
	}
	out.Transport = s.Transport
	if s.Transport == "stdio" {
		out.Command = s.Show()
	} else {
		out.URL = s.Show()
	}
	return out
}

// pairNames gives the names of variables or headers, without the values.
func pairNames(pairs []servers.Pair) []string {
	list := []string{}
	for _, pair := range pairs {
		list = append(list, pair.Name)
	}
	slices.Sort(list)
	return list
}

func (l serverList) write(w io.Writer, format string) error {
	if format == "json" {
		return printJSON(w, l)
	}
	width := 0
	for _, s := range l.Servers {
		width = max(width, utf8.RuneCountInString(term.Escape(s.Name)))
	}
	var b strings.Builder
	file := ""
	for _, s := range l.Servers {
		if s.File != file {
			if file != "" {
				b.WriteString("\n")
			}
			file = s.File
			fmt.Fprintln(&b, term.Escape(file))
		}
		s.writeText(&b, width)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s listedServer) writeText(b *strings.Builder, width int) {
	kind, what := cmp.Or(s.Transport, "url"), s.Command+s.URL
	if s.Problem != "" {
		kind, what = "-", "cannot be used: "+s.Problem
	}
	fmt.Fprintf(b, "  %-*s  %-5s  %s\n", width, term.Escape(s.Name), kind, term.Escape(what))
	indent := strings.Repeat(" ", width+11)
	for _, line := range []struct {
		label string
		words []string
	}{{"env", s.Env}, {"headers", s.Headers}} {
		if len(line.words) > 0 {
			fmt.Fprintf(b, "%s%s: %s\n", indent, line.label, term.Escape(strings.Join(line.words, ", ")))
		}
	}
	if s.HiddenBy != "" {
		fmt.Fprintf(b, "%shidden by the one in %s\n", indent, term.Escape(s.HiddenBy))
	}
	if s.Disabled {
		fmt.Fprintf(b, "%sdisabled for its client\n", indent)
	}
}

// resolveProbeTargets finds the servers that --all means: those of the file that
// is the argument, or else those of the project's configuration files. Servers
// that are only in the user's own files are not the project's business.
func resolveProbeTargets(c *cli.Context, e *env) ([]probeTarget, error) {
	r := &targetResolver{c: c, e: e}
	if err := r.onlyForOne(); err != nil {
		return nil, err
	}
	all, notes, err := r.all()
	if err != nil {
		return nil, mistake(err)
	}
	var targets []probeTarget
	for _, s := range all {
		if s.Disabled {
			notes = append(notes, fmt.Sprintf("%q is disabled in %s and left out", s.Name, s.Where()))
			continue
		}
		one := &targetResolver{c: c, e: e}
		t, err := one.named(s)
		if err != nil {
			return nil, err
		}
		targets = append(targets, t)
	}
	if len(targets) == 0 {
		return nil, usagef("no configuration file of the project names a server").
			hintf("for those of another file: skilltool probe --all FILE")
	}
	targets[0].Notes = append(notes, targets[0].Notes...)
	return targets, nil
}

// onlyForOne refuses what is about one server: a token for one of them is none
// of the others' business.
func (r *targetResolver) onlyForOne() error {
	if r.e.program != nil || len(r.e.args) > 1 {
		return usagef("--all takes the servers of configuration files").hintf("skilltool probe --all [FILE]")
	}
	one := slices.Concat(credentialFlags(), commandFlags(), []cli.Flag{
		&cli.StringFlag{Name: "server"}, &cli.StringFlag{Name: "label"}, &cli.StringFlag{Name: "transport"}, &cli.StringFlag{Name: "input"},
		&cli.StringFlag{Name: "cert"}, &cli.StringFlag{Name: "tls-server-name"},
	})
	return r.only(one, "one server, not with --all")
}

// all gives the servers that --all means, each name once.
func (r *targetResolver) all() ([]servers.Server, []string, error) {
	if len(r.e.args) == 1 {
		if _, err := os.Stat(r.e.args[0]); err != nil && isURL(r.e.args[0]) {
			return nil, nil, usagef("--all takes a configuration file, not the URL %q", r.e.args[0])
		}
		all, err := r.place().In(r.e.args[0])
		return all, nil, err
	}
	listing := r.place().List()
	if len(listing.Errors) > 0 {
		return nil, nil, listing.Errors[0]
	}
	var all []servers.Server
	var notes []string
	for _, s := range listing.Servers {
		switch {
		case !s.File.Project:
		case s.HiddenBy != "":
			notes = append(notes, fmt.Sprintf("%q in %s is left out: the nearer one in %s counts", s.Name, s.Where(), s.HiddenBy))
		default:
			all = append(all, s.Server)
		}
	}
	return all, notes, nil
}

func isURL(text string) bool { return strings.Contains(text, "://") }
