package servers

import (
	"errors"
	"fmt"
	"strings"

	"github.com/skilltool/skilltool/internal/near"
)

// Server is one server of a configuration file, as it is written there:
// variables are not filled in.
type Server struct {
	// Name is the key of its entry.
	Name string
	// File is the file that it stands in, and Line and Column are the place of
	// its name.
	File         File
	Line, Column int
	// Transport is "stdio", "http" or "sse", or "" for a URL of either kind.
	Transport string
	// Command, Args, Env, EnvFile and Dir start a server, URL and Headers reach
	// one.
	Command Text
	Args    []Text
	Env     []Pair
	EnvFile Text
	Dir     Text
	URL     Text
	Headers []Pair
	// Disabled says that the file wants its client to leave it alone.
	Disabled bool
	// Problem says why the entry cannot be used, or is nil.
	Problem error

	inputs map[string]input
}

// Text is a string of a file, with its place.
type Text struct {
	// Raw is as it is written, with its variables.
	Raw string
	// Key is the way to it within the file, such as mcpServers.github.args[2].
	Key string
	at  position
}

// Pair is a variable or header. Unset stands for null: the variable is taken
// away.
type Pair struct {
	Name  string
	Value Text
	Unset bool
}

// Where names the place of the server's entry.
func (s Server) Where() string { return fmt.Sprintf("%s:%d:%d", s.File.Show, s.Line, s.Column) }

// input is what a file says about ${input:ID}.
type input struct {
	standard   string
	hasDefault bool
	password   bool
}

// transports are the values of "type", with what they come to.
var transports = map[string]string{
	"stdio": "stdio", "local": "stdio", "sse": "sse",
	"http": "http", "streamable-http": "http", "streamableHttp": "http", "streamable_http": "http", "streamablehttp": "http",
}

// readEntries gives the servers of an object of servers. path is the way to it.
func readEntries(list *value, path string, file File, inputs map[string]input) ([]Server, error) {
	if list == nil || list.kind == kindNull {
		return nil, nil
	}
	if list.kind != kindObject {
		return nil, list.errorf("%s is %s; servers stand in an object, by name", path, list.kind)
	}
	var all []Server
	for _, m := range list.members {
		s := Server{Name: m.key, File: file, Line: m.at.line, Column: m.at.column, inputs: inputs}
		e := &entry{server: &s, path: path + "." + m.key}
		if err := e.read(m.value); err != nil {
			s.Problem = &FileError{file, err}
		}
		all = append(all, s)
	}
	return all, nil
}

// entry reads the value of one server.
type entry struct {
	server *Server
	path   string
}

func (e *entry) read(v *value) error {
	if v.kind != kindObject {
		return v.errorf("%s is %s; a server is an object", e.path, v.kind)
	}
	s := e.server
	err := errors.Join(
		e.text(v, &s.Command, "command"),
		e.text(v, &s.URL, "url", "serverUrl", "httpUrl"),
		e.text(v, &s.EnvFile, "envFile"),
		e.text(v, &s.Dir, "cwd"),
		e.args(v.get("args")),
		e.pairs(v.get("env"), "env", &s.Env),
		e.pairs(v.get("headers"), "headers", &s.Headers),
	)
	if err != nil {
		return firstOf(err)
	}
	if disabled := v.get("disabled"); disabled != nil {
		s.Disabled = disabled.text == "true"
	}
	return e.transport(v)
}

// firstOf gives the first of joined errors: a message is one line.
func firstOf(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()[0]
	}
	return err
}

// transport settles how the server is reached.
func (e *entry) transport(v *value) error {
	s := e.server
	if kind := v.get("type"); kind != nil {
		known, ok := transports[kind.text]
		if kind.kind != kindString || !ok {
			return kind.errorf("%s.type is %q, which is not known; use stdio, http or sse", e.path, kind.text)
		}
		s.Transport = known
	}
	command, url := s.Command.Raw != "", s.URL.Raw != ""
	switch {
	case command && url:
		return v.errorf("%s has both a command and a url; one of them is meant", e.path)
	case !command && !url:
		return v.errorf("%s has neither a command nor a url", e.path)
	case command && s.Transport != "" && s.Transport != "stdio":
		return v.errorf("%s is of type %s and has a command, not a url", e.path, s.Transport)
	case url && s.Transport == "stdio":
		return v.errorf("%s is of type stdio and has a url, not a command", e.path)
	case command:
		s.Transport = "stdio"
	}
	return nil
}

// text reads a string that stands under one of the keys.
func (e *entry) text(v *value, into *Text, keys ...string) error {
	for _, key := range keys {
		item := v.get(key)
		if item == nil || item.kind == kindNull {
			continue
		}
		if item.kind != kindString {
			return item.errorf("%s.%s is %s; it is a string", e.path, key, item.kind)
		}
		*into = Text{Raw: item.text, Key: e.path + "." + key, at: item.at}
		return nil
	}
	return nil
}

func (e *entry) args(v *value) error {
	if v == nil || v.kind == kindNull {
		return nil
	}
	if v.kind != kindArray {
		return v.errorf("%s.args is %s; it is a list of strings", e.path, v.kind)
	}
	for i, item := range v.items {
		if item.kind != kindString {
			return item.errorf("%s.args[%d] is %s; it is a string", e.path, i, item.kind)
		}
		e.server.Args = append(e.server.Args, Text{item.text, fmt.Sprintf("%s.args[%d]", e.path, i), item.at})
	}
	return nil
}

// pairs reads an object of strings. Numbers and booleans stand for their text,
// as clients take them.
func (e *entry) pairs(v *value, key string, into *[]Pair) error {
	if v == nil || v.kind == kindNull {
		return nil
	}
	if v.kind != kindObject {
		return v.errorf("%s.%s is %s; it is an object of strings", e.path, key, v.kind)
	}
	for _, m := range v.members {
		if m.value.kind == kindArray || m.value.kind == kindObject {
			return m.value.errorf("%s.%s.%s is %s; it is a string", e.path, key, m.key, m.value.kind)
		}
		*into = append(*into, Pair{
			Name: m.key, Value: Text{m.value.text, e.path + "." + key + "." + m.key, m.value.at}, Unset: m.value.kind == kindNull,
		})
	}
	return nil
}

// readInputs reads VS Code's list of what it asks its user for.
func readInputs(v *value) map[string]input {
	inputs := map[string]input{}
	if v == nil {
		return inputs
	}
	for _, item := range v.items {
		id := item.get("id")
		if id == nil || id.kind != kindString {
			continue
		}
		var in input
		if standard := item.get("default"); standard != nil && standard.kind == kindString {
			in.standard, in.hasDefault = standard.text, true
		}
		if password := item.get("password"); password != nil {
			in.password = password.text == "true"
		}
		inputs[id.text] = in
	}
	return inputs
}

// Names gives the names of servers in order.
func Names(all []Server) []string {
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Name
	}
	return names
}

// unknown is the Mistake of a name that no server has.
func unknown(name, where string, all []Server) *Mistake {
	m := mistakef("no server is called %q in %s", name, where)
	if meant := near.Word(name, Names(all)); meant != "" {
		return m.hintf("did you mean %q?", meant)
	}
	if len(all) > 0 {
		return m.hintf("there are: %s", strings.Join(shortList(Names(all)), ", "))
	}
	return m.hintf("servers are named in .skilltool.yaml, .mcp.json, .vscode/mcp.json and .cursor/mcp.json, and in the files of clients")
}

// shortList keeps a message to one line.
func shortList(names []string) []string {
	const most = 10
	if len(names) > most {
		return append(names[:most:most], fmt.Sprintf("and %d more", len(names)-most))
	}
	return names
}
