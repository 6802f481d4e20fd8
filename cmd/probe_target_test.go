package cmd

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// resolved is what a command line names, and what it said on stderr.
type resolved struct {
	probeTarget
	stderr string
}

// resolveLine finds the target of the command line "probe LINE...". environment
// holds pairs of names and values.
func resolveLine(t *testing.T, environment []string, line ...string) (resolved, error) {
	t.Helper()
	var out resolved
	var stderr bytes.Buffer
	root := rootCommand()
	root.subcommands = []*command{{
		name: "probe", maxArgs: anyArgs, takesProgram: true,
		flags: append(probeTargetFlags(), &cli.StringFlag{Name: "label"}),
		action: func(c *cli.Context, e *env) (err error) {
			out.probeTarget, err = resolveProbeTarget(c, e)
			return err
		},
	}}
	e := &env{stderr: &stderr, root: root, getenv: func(name string) string {
		for i := 0; i < len(environment); i += 2 {
			if environment[i] == name {
				return environment[i+1]
			}
		}
		return ""
	}}
	err := run(context.Background(), e, append([]string{"probe"}, line...))
	out.stderr = stderr.String()
	return out, err
}

// mustResolve is resolveLine for a line that has to be right.
func mustResolve(t *testing.T, environment []string, line ...string) resolved {
	t.Helper()
	target, err := resolveLine(t, environment, line...)
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return target
}

// folder is a new working directory with files, in the order name, content.
func folder(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(dir, filepath.FromSlash(files[i]))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(files[i+1]), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("HOME", filepath.Join(dir, "home"))
	return dir
}

const serversFile = `{"mcpServers": {
  "local": {"command": "serve", "args": ["--key", "${KEY}"], "env": {"API_KEY": "${KEY}", "MODE": "fast"}},
  "remote": {"type": "sse", "url": "https://a.example/sse", "headers": {"Authorization": "Bearer ${KEY}"}},
  "ftp": {"url": "ftp://a.example"}
}}`

func TestResolveTarget(t *testing.T) {
	folder(t, ".mcp.json", serversFile)
	environment := []string{"KEY", "k-123456789"}
	for _, test := range []struct{ line, url, command, label, show, transport string }{
		{"example.com/mcp", "https://example.com/mcp", "", "example.com", "https://example.com/mcp", ""},
		{"https://Example.com:8443/mcp", "https://example.com:8443/mcp", "", "example.com:8443", "https://example.com:8443/mcp", ""},
		{"localhost:9", "http://localhost:9/", "", "localhost:9", "http://localhost:9/", ""},
		{"localhost --transport sse", "http://localhost/", "", "localhost", "http://localhost/", "sse"},
		{"https://example.com/?token=abcdef", "https://example.com/?token=abcdef", "", "example.com", "https://example.com/?token=[redacted]", ""},
		{"--label mine example.com", "https://example.com/", "", "mine", "https://example.com/", ""},
		{"-- ./bin/serve.exe --port 1", "", "./bin/serve.exe --port 1", "serve", "./bin/serve.exe --port 1", ""},
		{"-- npx --token abcdef -v", "", "npx --token abcdef -v", "npx", "npx --token [redacted] -v", ""},
		{".mcp.json#local", "", "serve --key k-123456789", "local", "serve --key ${KEY}", ""},
		{"--server local", "", "serve --key k-123456789", "local", "serve --key ${KEY}", ""},
		{"--server remote --label it", "https://a.example/sse", "", "it", "https://a.example/sse", "sse"},
		{"--server remote --transport http", "https://a.example/sse", "", "remote", "https://a.example/sse", "http"},
	} {
		have, err := resolveLine(t, environment, strings.Fields(test.line)...)
		if err != nil {
			t.Errorf("%s: %v", test.line, err)
			continue
		}
		var command string
		if have.Target.Command != nil {
			command = strings.Join(have.Target.Command.Args, " ")
		}
		if have.Target.URL != test.url || command != test.command || have.Target.Label != test.label || have.Show != test.show ||
			string(have.Target.Transport) != test.transport {
			t.Errorf("%s: url %q, command %q, label %q, show %q, transport %q", test.line, have.Target.URL, command, have.Target.Label, have.Show, have.Target.Transport)
		}
		if (have.Target.HTTP == nil) != (test.url == "") {
			t.Errorf("%s: the HTTP client is %v", test.line, have.Target.HTTP)
		}
	}
}

func TestResolveTargetMistakes(t *testing.T) {
	folder(t, ".mcp.json", serversFile, "serve.js", "", "here/x", "")
	for _, test := range []struct{ line, want string }{
		{"", "no server is named"},
		{"a.example b.example", "the server is named 2 times"},
		{"a.example -- serve", "the server is named 2 times"},
		{"--server local a.example", "the server is named 2 times"},
		{"--", `no command stands behind "--"`},
		{"demo", `"demo" may be a name or a host`},
		{"serve.js", `"serve.js" is a file, not the URL of a server`},
		{"./serve", `"./serve" is a file, not the URL of a server`},
		{"skill://a/SKILL.md", "an authority in a skill:// URI is never dialled"},
		{"https://a.example/#x", `"https://a.example/#x" has a fragment, which is never sent to a server`},
		{"absent.json#x", "absent.json: there is no such file"},
		{".mcp.json#", ".mcp.json: no server is named; write FILE#NAME"},
		{".mcp.json#locla", `no server is called "locla" in .mcp.json`},
		{".mcp.json#local", ".mcp.json:2:51: mcpServers.local.args[1]: the variable KEY is not set"},
		{".mcp.json#ftp", `.mcp.json:4:3: the scheme "ftp" is not known; use https or http`},
		{"--server .mcp.json#local", `--server takes a name, not ".mcp.json#local"`},
		{"a.example --label=", "--label must not be empty"},
		{"a.example --cwd .", "--cwd goes with a command, not with a URL"},
		{"a.example --env A=1", "--env goes with a command, not with a URL"},
		{"--bearer-env X -- serve", "--bearer-env goes with a URL, not with a command"},
		{"--transport http -- serve", "--transport goes with a URL, not with a command"},
		{"--insecure -- serve", "--insecure goes with a URL, not with a command"},
		{"--cwd absent -- serve", `the command's folder "absent" cannot be entered: there is no such file or folder`},
		{"--cwd serve.js -- serve", `the command's folder "serve.js" is a file`},
		{"--env =1 -- serve", `--env takes NAME=VALUE or NAME, not "=1"`},
		{"--env NO_SUCH -- serve", "--env: the variable NO_SUCH is not set"},
		{"--env-file absent -- serve", `--env-file "absent": there is no such file`},
		{"--env-file .mcp.json -- serve", `--env-file ".mcp.json": line 1: there is no "="; write NAME=value`},
		{"--input x .mcp.json#remote", `--input takes ID=VALUE, not "x"`},
		{"--input x=${NO} .mcp.json#remote", "--input x: the variable NO is not set"},
	} {
		_, err := resolveLine(t, nil, strings.Fields(test.line)...)
		var usage *usageError
		if !errors.As(err, &usage) && !strings.Contains(test.line, "ftp") || err == nil || err.Error() != test.want {
			t.Errorf("%s: %v\nwant %s", test.line, err, test.want)
		}
	}
}

// TestCommandShown: what a file starts is said before, without its values.
func TestCommandShown(t *testing.T) {
	folder(t, ".mcp.json", serversFile)
	have := mustResolve(t, []string{"KEY", "k-123456789"}, "--server", "local")
	if want := "starting local (.mcp.json:2:3): serve --key ${KEY}\n"; have.stderr != want {
		t.Errorf("have %q, want %q", have.stderr, want)
	}
	if text := have.Redact(`{"error": "bad key k-123456789"}`); text != `{"error": "bad key [redacted]"}` {
		t.Errorf("a server that echoes the key gives %s", text)
	}
}

func TestCommandEnvironment(t *testing.T) {
	dir := folder(t, ".mcp.json", serversFile, "vars", "MODE=slow\nDB_PASSWORD=hunter22\n", "sub/x", "")
	environment := []string{"KEY", "k-123456789", "HERE", "now"}
	t.Setenv("INHERITED", "yes")

	have := mustResolve(t, environment, "--", "serve")
	if have.Target.Command.Env != nil || have.Target.Command.Dir != "" {
		t.Errorf("without flags: %v", have.Target.Command)
	}
	have = mustResolve(t, environment, "--clear-env", "--", "serve")
	if env := have.Target.Command.Env; env == nil || len(env) != 0 {
		t.Errorf("--clear-env gives %q", env)
	}
	have = mustResolve(t, environment, "--clear-env", "--env", "A=1", "--env", "HERE", "--env-file", "vars", "--cwd", "sub", "--server", "local")
	want := []string{"API_KEY=k-123456789", "MODE=fast", "MODE=slow", "DB_PASSWORD=hunter22", "A=1", "HERE=now"}
	if env := have.Target.Command.Env; !slices.Equal(env, want) {
		t.Errorf("have %q\nwant %q", env, want)
	}
	if have.Target.Command.Dir != "sub" {
		t.Errorf("the folder is %q", have.Target.Command.Dir)
	}
	if text := have.Redact("hunter22 fast"); text != "[redacted] fast" {
		t.Errorf("redacted: %s", text)
	}
	have = mustResolve(t, environment, "--server", "local")
	env := have.Target.Command.Env
	if !slices.Contains(env, "INHERITED=yes") || !slices.Contains(env, "API_KEY=k-123456789") {
		t.Errorf("a named server gets %q", env)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	if at, err := filepath.EvalSymlinks(have.Target.Command.Dir); err != nil || at != real {
		t.Errorf("it starts in %q, want %q", at, real)
	}
}

// TestInputPassword: what a file calls a password does not stand on the line.
func TestInputPassword(t *testing.T) {
	folder(t, ".vscode/mcp.json", `{"inputs": [{"id": "key", "password": true}, {"id": "mode"}],
	  "servers": {"a": {"url": "https://a.example", "headers": {"X-Key": "${input:key}", "X-Mode": "${input:mode}"}}}}`)
	_, err := resolveLine(t, nil, "--server", "a", "--input", "key=literal", "--input", "mode=fast")
	if err == nil || err.Error() != `--input: "key" is a password, and the command line is no place for one` {
		t.Errorf("have %v", err)
	}
	have := mustResolve(t, []string{"K", "k-12345"}, "--server", "a", "--input", "key=${K}", "--input", "mode=fast")
	if text := have.Redact("k-12345 fast"); text != "[redacted] fast" {
		t.Errorf("redacted: %s", text)
	}
}

func TestHeaderFlags(t *testing.T) {
	folder(t, "headers", "# mine\n\nX-Api-Key: from-file\r\nX-Stage: ${STAGE}\n", "bad", "no colon\n", "empty", "")
	environment := []string{"TOK", "t0k3n", "STAGE", "two", "EMPTY", "", "BREAK", "a\nb"}
	have := mustResolve(t, environment, "a.example", "-H", "Authorization: Bearer ${TOK}", "-H", "X-Note: one, two", "-H", "x-note: three", "-H", "@headers")
	header := have.Target.HTTP.Transport.(*credentials).header
	for name, want := range map[string]string{
		"Authorization": "Bearer t0k3n", "X-Note": "one, two|three", "X-Api-Key": "from-file", "X-Stage": "two",
	} {
		if value := strings.Join(header[name], "|"); value != want {
			t.Errorf("%s is %q, want %q", name, value, want)
		}
	}
	if !have.Target.Authenticated {
		t.Error("credentials are sent, and the target does not say so")
	}
	if mustResolve(t, nil, "a.example", "-H", "X-Note: x").Target.Authenticated {
		t.Error("a note is taken for a credential")
	}
	for _, test := range []struct{ header, want string }{
		{"Authorization: Bearer abc", "--header: the value of Authorization is a secret, and the command line is no place for one"},
		{"Cookie: a=b", "--header: the value of Cookie is a secret, and the command line is no place for one"},
		{"X-Api-Key: abc", "--header: the value of X-Api-Key is a secret, and the command line is no place for one"},
		{"no colon", `--header takes 'NAME: VALUE' or @FILE; there is no ":"`},
		{": x", `--header takes 'NAME: VALUE' or @FILE; there is no ":"`},
		{"A B: x", `--header: "A B" is no name of a header`},
		{"X: ${NO}", "--header X: the variable NO is not set"},
		{"X: ${input:a}", "--header X: ${input:a} has no meaning here"},
		{"X:", "--header: the header X has no value"},
		{"X: ${BREAK}", "--header: the value of the header X has a control character or a line break"},
		{"host: b.example", "--header: the header Host is set by the protocol"},
		{"Connection: close", "--header: the header Connection is set by the protocol"},
		{"TE: trailers", "--header: the header Te is set by the protocol"},
		{"Content-Length: 3", "--header: the header Content-Length is set by the protocol"},
		{"mcp-method: x", "--header: the header Mcp-Method is set by the protocol"},
		{"Mcp-Session-Id: x", "--header: the header Mcp-Session-Id is set by the protocol"},
		{"@absent", `--header: "absent": there is no such file or folder`},
		{"@empty", `--header: "empty": it is empty`},
		{"@bad", `--header takes 'NAME: VALUE' or @FILE; there is no ":"`},
	} {
		_, err := resolveLine(t, environment, "a.example", "-H", test.header)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v\nwant %s", test.header, err, test.want)
		}
	}
}

func TestCredentialMistakes(t *testing.T) {
	folder(t, "token", "t0k3n\n", "blank", " \n", "two", "a b", "text", "no PEM")
	environment := []string{"TOK", "t0k3n"}
	for _, test := range []struct{ line, want string }{
		{"--bearer-env NO", "--bearer-env: the variable NO is not set"},
		{"--bearer-file absent", `--bearer-file "absent": there is no such file or folder`},
		{"--bearer-file blank", "--bearer-file: the token in blank is blank"},
		{"--bearer-file two", "--bearer-file: the token in two has a blank, or a character that is not ASCII"},
		{"--bearer-env TOK --bearer-file token", "--bearer-env and --bearer-file exclude each other"},
		{"--bearer-env TOK -H Authorization:${TOK}", "-H Authorization and --bearer-env exclude each other"},
		{"--oauth-client-id me", "--oauth-client-id wants --oauth-client-secret-env or --oauth-client-secret-file, one of them"},
		{"--oauth-client-id me --oauth-client-secret-env NO", "--oauth-client-secret-env: the variable NO is not set"},
		{"--oauth-client-id me --oauth-client-secret-env TOK --bearer-env TOK", "--bearer-env and --bearer-file exclude --oauth-client-id"},
		{"--oauth-client-id me --oauth-client-secret-env TOK --oauth-token-url http://b.example/token", `--oauth-token-url: "http://b.example/token" is not https`},
		{"--oauth-client-id me --oauth-client-secret-env TOK --oauth-token-url token", "--oauth-token-url is no URL such as https://auth.example.com/token"},
		{"--oauth-client-id me --oauth-client-secret-env TOK --oauth-token-url https://b.example --oauth-issuer https://b.example", "--oauth-token-url and --oauth-issuer exclude each other"},
		{"--oauth-token-url https://b.example/", "--oauth-token-url goes with --oauth-client-id"},
		{"--cacert absent", `--cacert "absent": there is no such file or folder`},
		{"--cacert text", `--cacert "text" holds no certificate in PEM`},
		{"--cacert text --insecure", "--insecure and --cacert exclude each other: one trusts everybody, the other a few"},
		{"--key text", "--key goes with --cert"},
		{"--cert absent", `--cert "absent": there is no such file or folder`},
		{"--cert text --key absent", `--key "absent": there is no such file or folder`},
		{"--cert text", `--cert "text" and its key "text": failed to find any PEM data in certificate input`},
		{"--proxy proxy.example:3128", "--proxy is no URL such as http://proxy.example.com:3128"},
		{"--proxy ftp://proxy.example", `--proxy: the scheme "ftp" is not known; use http, https or socks5`},
		{"--proxy http://me:hunter22@proxy.example", "--proxy: the command line is no place for a password"},
	} {
		_, err := resolveLine(t, environment, append([]string{"a.example"}, strings.Fields(test.line)...)...)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v\nwant %s", test.line, err, test.want)
		}
	}
}

// TestReadable: a token that others can read is worth a note.
func TestReadable(t *testing.T) {
	folder(t, "token", "t0k3n\n")
	if notes := mustResolve(t, nil, "a.example", "--bearer-file", "token").Notes; len(notes) != 0 {
		t.Errorf("a file of the owner's gives the notes %q", notes)
	}
	if err := os.Chmod("token", 0o644); err != nil {
		t.Fatal(err)
	}
	notes := mustResolve(t, nil, "a.example", "--bearer-file", "token").Notes
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing there")
	}
	if len(notes) != 1 || notes[0] != "others on this machine can read token: chmod 600 keeps it" {
		t.Errorf("have the notes %q", notes)
	}
}

// TestPlainHTTP: credentials without TLS are worth a note.
func TestPlainHTTP(t *testing.T) {
	folder(t)
	environment := []string{"TOK", "t0k3n"}
	for line, want := range map[string]int{"http://a.example": 1, "https://a.example": 0, "http://localhost": 0} {
		if notes := mustResolve(t, environment, line, "--bearer-env", "TOK").Notes; len(notes) != want {
			t.Errorf("%s gives the notes %q", line, notes)
		}
	}
}

// resolveAll is resolveLine for --all.
func resolveAll(t *testing.T, environment []string, line ...string) (targets []probeTarget, err error) {
	t.Helper()
	root := rootCommand()
	root.subcommands = []*command{{
		name: "probe", maxArgs: anyArgs, takesProgram: true,
		flags: append(probeTargetFlags(), &cli.StringFlag{Name: "label"}, &cli.BoolFlag{Name: "all"}),
		action: func(c *cli.Context, e *env) (err error) {
			targets, err = resolveProbeTargets(c, e)
			return err
		},
	}}
	e := &env{stderr: &bytes.Buffer{}, root: root, getenv: func(name string) string {
		if len(environment) == 2 && environment[0] == name {
			return environment[1]
		}
		return ""
	}}
	err = run(context.Background(), e, append([]string{"probe", "--all"}, line...))
	return targets, err
}

func TestResolveAll(t *testing.T) {
	folder(t, ".git/HEAD", "",
		".mcp.json", `{"mcpServers": {"a": {"command": "a"}, "off": {"command": "off", "disabled": true}, "b": {"url": "https://b.example"}}}`,
		".cursor/mcp.json", `{"mcpServers": {"a": {"command": "other"}, "c": {"command": "c", "args": ["${KEY}"]}}}`,
		"home/.cursor/mcp.json", `{"mcpServers": {"users": {"command": "users"}}}`)
	environment := []string{"KEY", "k-123456789"}
	for _, test := range []struct {
		line, want string
		notes      int
	}{
		{"", "a b c", 2},
		{".cursor/mcp.json", "a c", 0},
		{"home/.cursor/mcp.json", "users", 0},
	} {
		targets, err := resolveAll(t, environment, strings.Fields(test.line)...)
		if err != nil {
			t.Errorf("%q: %v", test.line, err)
			continue
		}
		var labels []string
		for _, target := range targets {
			labels = append(labels, target.Target.Label)
		}
		if have := strings.Join(labels, " "); have != test.want || len(targets[0].Notes) != test.notes {
			t.Errorf("%q: %s with the notes %q, want %s with %d", test.line, have, targets[0].Notes, test.want, test.notes)
		}
	}
	for _, test := range []struct{ line, want string }{
		{"https://a.example", `--all takes a configuration file, not the URL "https://a.example"`},
		{"absent.json", "absent.json: there is no such file"},
		{"a b", "--all takes the servers of configuration files"},
		{"-- serve", "--all takes the servers of configuration files"},
		{"--server a", "--server goes with one server, not with --all"},
		{"--label a", "--label goes with one server, not with --all"},
		{"--oauth-client-id me", "--oauth-client-id goes with one server, not with --all"},
		{"-H X:1", "--header goes with one server, not with --all"},
		{"--env A=1", "--env goes with one server, not with --all"},
		{"--cert x", "--cert goes with one server, not with --all"},
	} {
		if _, err := resolveAll(t, environment, strings.Fields(test.line)...); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v\nwant %s", test.line, err, test.want)
		}
	}
	if _, err := resolveAll(t, nil); err == nil || err.Error() != ".cursor/mcp.json:1:75: mcpServers.c.args[0]: the variable KEY is not set" {
		t.Errorf("without the variable: %v", err)
	}
	folder(t)
	if _, err := resolveAll(t, nil); err == nil || err.Error() != "no configuration file of the project names a server" {
		t.Errorf("without files: %v", err)
	}
}
