package servers

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/skilltool/skilltool/internal/near"
	"github.com/skilltool/skilltool/internal/redact"
)

// Ready is a server with its variables filled in.
type Ready struct {
	Command []string
	// Set are variables as NAME=value, in the order in which the later wins;
	// Unset are names to take away.
	Set, Unset []string
	// Dir is absolute, or "".
	Dir     string
	URL     string
	Headers []Header
	// Secrets are what of all this must never be shown.
	Secrets []string
}

// Header is one header field.
type Header struct{ Name, Value string }

// Filler fills in the variables of servers.
type Filler struct {
	Place Place
	// Lookup finds a variable of the environment.
	Lookup func(string) (string, bool)
	// Inputs are the answers for ${input:ID}, by id.
	Inputs map[string]string
}

// Fill fills in the variables of s. A variable that is not set is an error that
// names it and where it stands. Every one of Inputs has to be asked for.
func (f Filler) Fill(s Server) (Ready, error) {
	if s.Problem != nil {
		return Ready{}, s.Problem
	}
	w := &filling{Filler: f, server: s, asked: map[string]bool{}}
	ready := w.fill()
	if w.err != nil {
		return Ready{}, w.err
	}
	for _, id := range slices.Sorted(maps.Keys(f.Inputs)) {
		if !w.asked[id] {
			m := mistakef("--input: %q is not asked for by the server %q of %s", id, s.Name, s.File.Show)
			if meant := near.Word(id, slices.Sorted(maps.Keys(w.asked))); meant != "" {
				m = m.hintf("did you mean %q?", meant)
			}
			return Ready{}, m
		}
	}
	return ready, nil
}

// filling is the work on one server. The first error stays.
type filling struct {
	Filler
	server Server
	ready  Ready
	asked  map[string]bool
	err    error
}

func (w *filling) fill() Ready {
	s, r := w.server, &w.ready
	if s.Transport == "stdio" {
		w.command()
		return *r
	}
	r.URL = w.text(s.URL, "")
	r.Secrets = append(r.Secrets, redact.URL(r.URL)...)
	for _, pair := range s.Headers {
		if pair.Unset {
			continue
		}
		h := Header{pair.Name, w.text(pair.Value, pair.Name)}
		r.Headers = append(r.Headers, h)
		if redact.SecretName(h.Name) {
			r.Secrets = append(r.Secrets, redact.Credential(h.Value)...)
		} else if redact.SecretValue(h.Name, h.Value) {
			r.Secrets = append(r.Secrets, h.Value)
		}
	}
	return *r
}

func (w *filling) command() {
	s, r := w.server, &w.ready
	r.Command = []string{w.text(s.Command, "")}
	for _, arg := range s.Args {
		r.Command = append(r.Command, w.text(arg, ""))
	}
	r.Secrets = append(r.Secrets, redact.Arguments(r.Command)...)
	r.Dir = s.File.Workspace
	if s.Dir.Raw != "" {
		r.Dir = w.path(s.Dir)
	}
	if s.EnvFile.Raw != "" {
		w.envFile(w.path(s.EnvFile))
	}
	for _, pair := range s.Env {
		if pair.Unset {
			r.Unset = append(r.Unset, pair.Name)
			continue
		}
		w.set(pair.Name, w.text(pair.Value, pair.Name))
	}
}

func (w *filling) set(name, value string) {
	w.ready.Set = append(w.ready.Set, name+"="+value)
	if redact.SecretValue(name, value) {
		w.ready.Secrets = append(w.ready.Secrets, value)
	}
}

func (w *filling) envFile(path string) {
	if w.err != nil {
		return
	}
	variables, err := ReadEnvFile(path)
	if err != nil {
		w.fail(w.server.EnvFile, fmt.Errorf("%s: %w", w.Place.show(path), err))
		return
	}
	for _, v := range variables {
		w.set(v.Name, v.Value)
	}
}

// path fills in a path, which is relative to the workspace.
func (w *filling) path(t Text) string {
	path := filepath.FromSlash(w.text(t, ""))
	if filepath.IsAbs(path) {
		return path
	}
	if base := w.server.File.Workspace; base != "" {
		return filepath.Join(base, path)
	}
	return filepath.Join(w.Place.Dir, path)
}

// text fills in one string. name is that of the header or variable that it is
// the value of, if any.
func (w *filling) text(t Text, name string) string {
	if w.err != nil {
		return ""
	}
	filled, err := Expand(t.Raw, func(ref Reference) (string, error) {
		value, secret, err := w.lookup(ref)
		if err == nil && (secret || redact.SecretName(name)) {
			w.ready.Secrets = append(w.ready.Secrets, value)
		}
		return value, err
	})
	if err != nil {
		w.fail(t, err)
	}
	return filled
}

func (w *filling) fail(t Text, err error) {
	if w.err == nil {
		w.err = &FileError{w.server.File, &placeError{t.at, fmt.Sprintf("%s: %v", t.Key, err)}}
	}
}

// lookup gives the value of a reference, and whether it is a secret.
func (w *filling) lookup(ref Reference) (value string, secret bool, err error) {
	if ref.Kind == "input" {
		return w.input(ref.Name)
	}
	if ref.Kind == "" && !ref.HasDefault {
		if value, ok := w.builtin(ref.Name); ok {
			return value, false, nil
		}
	}
	value, err = ref.environment(w.Lookup)
	return value, redact.SecretValue(ref.Name, value), err
}

// environment gives the value of a reference to a variable of the environment.
func (r Reference) environment(lookup func(string) (string, bool)) (string, error) {
	value, set := lookup(r.Name)
	switch {
	case value == "" && r.HasDefault:
		return r.Default, nil
	case !set:
		return "", fmt.Errorf("the variable %s is not set", r.Name)
	}
	return value, nil
}

// ExpandEnvironment fills in the variables of the environment, the only ones
// that text may have. It gives their values too.
func ExpandEnvironment(text string, lookup func(string) (string, bool)) (filled string, values []string, err error) {
	filled, err = Expand(text, func(ref Reference) (string, error) {
		if ref.Kind == "input" {
			return "", fmt.Errorf("${input:%s} has no meaning here", ref.Name)
		}
		value, err := ref.environment(lookup)
		values = append(values, value)
		return value, err
	})
	return filled, values, err
}

// builtin gives the variables that clients have of their own.
func (w *filling) builtin(name string) (string, bool) {
	workspace := w.server.File.Workspace
	if workspace == "" {
		workspace = w.Place.Root
	}
	switch name {
	case "workspaceFolder":
		return workspace, true
	case "workspaceFolderBasename":
		return filepath.Base(workspace), true
	case "userHome":
		return w.Place.Home, w.Place.Home != ""
	case "pathSeparator":
		return string(filepath.Separator), true
	}
	return "", false
}

func (w *filling) input(id string) (value string, secret bool, err error) {
	w.asked[id] = true
	in := w.server.inputs[id]
	if given, ok := w.Inputs[id]; ok {
		return given, in.password || redact.SecretValue(id, given), nil
	}
	if in.hasDefault {
		return in.standard, in.password || redact.SecretValue(id, in.standard), nil
	}
	if in.password {
		return "", false, fmt.Errorf("it asks for ${input:%s}; give --input '%s=${VAR}'", id, id)
	}
	return "", false, fmt.Errorf("it asks for ${input:%s}; give --input %s=VALUE", id, id)
}

// Secret reports whether the file says that the input is a password.
func (s Server) Secret(input string) bool { return s.inputs[input].password }

// Show gives the command line or URL of a server for people: its variables are
// not filled in, and secrets that stand in it are hidden.
func (s Server) Show() string {
	if s.Transport != "stdio" {
		return Address(withoutDefaults(s.URL.Raw))
	}
	line := []string{withoutDefaults(s.Command.Raw)}
	for _, arg := range s.Args {
		line = append(line, withoutDefaults(arg.Raw))
	}
	return Line(line)
}

// onlyReference is a value that stands elsewhere.
var onlyReference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\$\{[^{}]*\}$`)
})

// Address gives a URL without its secrets.
func Address(url string) string {
	var set redact.Set
	set.Add(redact.URL(url)...)
	return set.Redact(url)
}

// Line gives a command line for people, without secrets. Words that a shell
// would take apart stand in quotes.
func Line(words []string) string {
	var set redact.Set
	for _, secret := range redact.Arguments(words) {
		if !onlyReference().MatchString(secret) {
			set.Add(secret)
		}
	}
	shown := make([]string, len(words))
	for i, word := range words {
		word = set.Redact(word)
		if word == "" || strings.ContainsAny(word, " \t\r\n\"'\\|&;<>()*?#!`") {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		shown[i] = word
	}
	return strings.Join(shown, " ")
}
