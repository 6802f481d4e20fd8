package cmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/redact"
	"github.com/skilltool/skilltool/internal/servers"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// probeTarget is a server to probe, and how to speak of it.
type probeTarget struct {
	Target mcpprobe.Target
	// Redact hides every secret that is known, in whatever form. It may be
	// called from several goroutines, and knows more once the server was
	// reached: tokens that were got on the way.
	Redact func(string) string
	// Show names the target on a terminal: its URL or command line, without
	// secrets.
	Show string
	// Notes are for stderr, one line each.
	Notes []string
	// Insecure says that the server's certificate is not verified.
	Insecure bool
}

// probeTargetFlags are the flags that say which server is meant, and how it is
// reached.
func probeTargetFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		&cli.StringFlag{Name: "server", Usage: "take the server called `NAME` in a configuration file"},
		&cli.StringSliceFlag{Name: "input", Usage: "fill in ${input:ID} of a configuration file: `ID=VALUE`; VALUE may have ${VAR}"},
		&choiceFlag{
			StringFlag: &cli.StringFlag{Name: "transport", Value: "auto", Usage: "speak `HOW` to a URL: http is Streamable HTTP, auto tries it before sse"},
			choices:    []string{"auto", "http", "sse"},
		},
	}, commandFlags(), credentialFlags(), httpFlags())
}

// commandFlags are about servers that are started.
func commandFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "cwd", Usage: "start the command in `DIR`"},
		&cli.StringSliceFlag{Name: "env", Usage: "give the command the variable `NAME=VALUE`, or NAME as it is here"},
		&cli.StringFlag{Name: "env-file", Usage: "give the command the variables in `FILE`, one NAME=VALUE a line"},
		&cli.BoolFlag{Name: "clear-env", Usage: "give the command no variables but those that are named"},
	}
}

// resolveProbeTarget finds the one server that the line names. Nothing is
// started or dialled.
func resolveProbeTarget(c *cli.Context, e *env) (probeTarget, error) {
	r := &targetResolver{c: c, e: e}
	if err := r.oneTarget(); err != nil {
		return probeTarget{}, err
	}
	var named servers.Server
	var err error
	switch arg := strings.Join(e.args, " "); {
	case e.program != nil:
		return r.command(e.program)
	case c.IsSet("server"):
		named, err = r.byName(c.String("server"))
	case isFileTarget(arg):
		file, name, _ := strings.Cut(arg, "#")
		named, err = r.place().FindIn(file, name)
	default:
		return r.url(arg)
	}
	if err != nil {
		return probeTarget{}, mistake(err)
	}
	return r.named(named)
}

// targetResolver turns the flags and arguments of one line into a target.
type targetResolver struct {
	c     *cli.Context
	e     *env
	notes []string
}

// oneTarget wants the server to be named in one way.
func (r *targetResolver) oneTarget() error {
	ways := len(r.e.args)
	if r.e.program != nil {
		ways++
	}
	if r.c.IsSet("server") {
		ways++
	}
	hint := `name a URL, a command behind "--", FILE#NAME or --server NAME`
	switch {
	case ways == 0:
		return usagef("no server is named").hintf("%s", hint)
	case ways > 1:
		return usagef("the server is named %d times", ways).hintf("%s", hint)
	case r.c.IsSet("label") && strings.TrimSpace(r.c.String("label")) == "":
		return usagef("--label must not be empty")
	}
	return nil
}

// isFileTarget tells FILE#NAME from a URL.
func isFileTarget(arg string) bool {
	before, _, found := strings.Cut(arg, "#")
	return found && !strings.Contains(before, "://")
}

// mistake makes an error of package servers one of the command line.
func mistake(err error) error {
	var m *servers.Mistake
	if !errors.As(err, &m) {
		return usagef("%w", err)
	}
	u := usagef("%s", m.Message)
	if m.Hint != "" {
		u = u.hintf("%s", m.Hint)
	}
	return u
}

// place is where names are looked up.
func (r *targetResolver) place() servers.Place {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	root, ok := repository(dir)
	if !ok {
		root = dir
	}
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		home = ""
	}
	return servers.Place{Dir: dir, Root: root, Home: home, Getenv: r.e.getenv}
}

// lookup finds a variable of the environment. An empty one counts as unset.
func (r *targetResolver) lookup(name string) (string, bool) {
	value := r.e.getenv(name)
	return value, value != ""
}

func (r *targetResolver) byName(name string) (servers.Server, error) {
	if strings.Contains(name, "#") {
		return servers.Server{}, usagef("--server takes a name, not %q", name).hintf("name a file as the target: skilltool probe FILE#NAME")
	}
	s, notes, err := r.place().Find(name)
	r.notes = append(r.notes, notes...)
	return s, err
}

// target gives what all kinds of targets have in common.
func (r *targetResolver) target(label, show string, set *redact.Set) probeTarget {
	if r.c.IsSet("label") {
		label = r.c.String("label")
	}
	return probeTarget{
		Target: mcpprobe.Target{Label: label}, Redact: set.Redact, Show: set.Redact(show), Notes: r.notes,
	}
}

// url is a target that is a URL.
func (r *targetResolver) url(text string) (probeTarget, error) {
	if err := r.mistakenURL(text); err != nil {
		return probeTarget{}, err
	}
	u, err := servers.Endpoint(text)
	if err != nil {
		return probeTarget{}, mistake(err)
	}
	set := &redact.Set{}
	set.Add(redact.URL(u.String())...)
	t := r.target(u.Host, u.String(), set)
	t.Target.URL = u.String()
	return t, r.http(&t, set, nil)
}

// mistakenURL refuses words that are not likely to be meant as a host.
func (r *targetResolver) mistakenURL(text string) error {
	info, err := os.Stat(text)
	switch {
	case err == nil && info.Mode().IsRegular(), strings.HasPrefix(text, "."), strings.HasPrefix(text, "/"), strings.HasPrefix(text, "~"), strings.Contains(text, `\`):
		return usagef("%q is a file, not the URL of a server", text).
			hintf("to start it: -- %s; for a server that it names: %s#NAME", text, text)
	case strings.ContainsAny(text, ".:/"), strings.EqualFold(text, "localhost"):
		return nil
	}
	return usagef("%q may be a name or a host", text).hintf("for the server of that name: --server %s; for the host: https://%s", text, text)
}

// command is a target that is a command line.
func (r *targetResolver) command(line []string) (probeTarget, error) {
	if len(line) == 0 || line[0] == "" {
		return probeTarget{}, usagef(`no command stands behind "--"`)
	}
	set := &redact.Set{}
	set.Add(redact.Arguments(line)...)
	t := r.target(programName(line[0]), servers.Line(line), set)
	return t, r.start(&t, set, servers.Ready{Command: line})
}

// programName is the label of a server that is started.
func programName(path string) string {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	if name := strings.TrimSuffix(base, ".exe"); name != "" {
		return name
	}
	return path
}

// named is a server of a configuration file.
func (r *targetResolver) named(s servers.Server) (probeTarget, error) {
	inputs, err := r.inputs(s)
	if err != nil {
		return probeTarget{}, err
	}
	ready, err := servers.Filler{Place: r.place(), Lookup: r.lookup, Inputs: inputs}.Fill(s)
	if err != nil {
		return probeTarget{}, mistake(err)
	}
	set := &redact.Set{}
	set.Add(ready.Secrets...)
	if s.Transport == "stdio" {
		t := r.target(s.Name, s.Show(), set)
		r.e.notef("starting %s (%s): %s", shorten(s.Name, 100), shorten(s.Where(), 300), shorten(t.Show, 1000))
		return t, r.start(&t, set, ready)
	}
	u, err := servers.Endpoint(ready.URL)
	if err != nil {
		return probeTarget{}, fmt.Errorf("%s: %s", s.Where(), set.Redact(err.Error()))
	}
	t := r.target(s.Name, s.Show(), set)
	t.Target.URL = u.String()
	if s.Transport != "" && !r.c.IsSet("transport") {
		t.Target.Transport = mcpprobe.Transport(s.Transport)
	}
	return t, r.http(&t, set, ready.Headers)
}

// inputs reads the values of --input. That of a password comes from a variable:
// the command line is no place for it.
func (r *targetResolver) inputs(s servers.Server) (map[string]string, error) {
	inputs := map[string]string{}
	for _, pair := range r.c.StringSlice("input") {
		id, text, ok := strings.Cut(pair, "=")
		if !ok || id == "" {
			return nil, usagef("--input takes ID=VALUE, not %q", pair)
		}
		value, variables, err := servers.ExpandEnvironment(text, r.lookup)
		switch {
		case err != nil:
			return nil, usagef("--input %s: %w", id, err)
		case s.Secret(id) && len(variables) == 0:
			return nil, usagef("--input: %q is a password, and the command line is no place for one", id).
				hintf("name a variable of the environment: --input '%s=${VAR}'", id)
		}
		inputs[id] = value
	}
	return inputs, nil
}

// start completes a target that is a command.
func (r *targetResolver) start(t *probeTarget, set *redact.Set, ready servers.Ready) error {
	if err := r.only(httpFlags(), "a URL, not with a command"); err != nil {
		return err
	}
	if err := r.only(append(credentialFlags(), &cli.StringFlag{Name: "transport"}), "a URL, not with a command"); err != nil {
		return err
	}
	dir := ready.Dir
	if r.c.IsSet("cwd") {
		dir = r.c.String("cwd")
	}
	if dir != "" {
		if info, err := os.Stat(dir); err != nil {
			return usagef("the command's folder %q cannot be entered: %w", dir, plainError(err))
		} else if !info.IsDir() {
			return usagef("the command's folder %q is a file", dir)
		}
	}
	variables, err := r.environment(set, ready)
	t.Target.Command = &mcpprobe.Command{Args: ready.Command, Dir: dir, Env: variables}
	return err
}

// environment gives the variables of a command: those of this process, those of
// its entry in a file, those of --env-file and those of --env, the later ones
// winning. nil stands for those of this process.
func (r *targetResolver) environment(set *redact.Set, ready servers.Ready) ([]string, error) {
	own := slices.Clone(ready.Set)
	if file := r.c.String("env-file"); file != "" {
		variables, err := servers.ReadEnvFile(file)
		if err != nil {
			return nil, usagef("--env-file %q: %w", file, err)
		}
		for _, v := range variables {
			own = append(own, v.Name+"="+v.Value)
		}
	}
	for _, pair := range r.c.StringSlice("env") {
		name, _, given := strings.Cut(pair, "=")
		value, set := r.lookup(name)
		switch {
		case name == "":
			return nil, usagef("--env takes NAME=VALUE or NAME, not %q", pair)
		case !given && !set:
			return nil, usagef("--env: the variable %s is not set", name)
		case !given:
			pair = name + "=" + value
		}
		own = append(own, pair)
	}
	for _, pair := range own {
		if name, value, _ := strings.Cut(pair, "="); redact.SecretValue(name, value) {
			set.Add(value)
		}
	}
	return r.merge(own, ready.Unset), nil
}

// merge adds variables to those of this process, which --clear-env leaves out.
func (r *targetResolver) merge(own, unset []string) []string {
	all := []string{}
	switch {
	case r.c.Bool("clear-env"):
	case len(own) == 0 && len(unset) == 0:
		return nil
	default:
		all = slices.DeleteFunc(os.Environ(), func(pair string) bool {
			name, _, _ := strings.Cut(pair, "=")
			return slices.Contains(unset, name)
		})
	}
	return append(all, own...)
}

// http completes a target that is a URL. headers are those of its entry in a
// file.
func (r *targetResolver) http(t *probeTarget, set *redact.Set, headers []servers.Header) error {
	if err := r.only(commandFlags(), "a command, not with a URL"); err != nil {
		return err
	}
	if how := r.c.String("transport"); how != "auto" {
		t.Target.Transport = mcpprobe.Transport(how)
	}
	return r.client(t, set, headers)
}

// only refuses flags that go with another kind of target.
func (r *targetResolver) only(flags []cli.Flag, with string) error {
	for _, flag := range flags {
		if name := flag.Names()[0]; r.c.IsSet(name) {
			return usagef("--%s goes with %s", name, with)
		}
	}
	return nil
}
