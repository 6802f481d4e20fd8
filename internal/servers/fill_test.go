package servers

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExpand(t *testing.T) {
	environment := map[string]string{"A": "1", "B_2": "two ${A}", "ProgramFiles(x86)": "pf"}
	lookup := func(name string) (string, bool) {
		value, ok := environment[name]
		return value, ok
	}
	for _, test := range []struct{ text, want, fault string }{
		{"plain", "plain", ""},
		{"${A}${A}", "11", ""},
		{"x${env:A}y", "x1y", ""},
		{"${B_2}", "two ${A}", ""},
		{"${C:-dflt}/${A:-no}", "dflt/1", ""},
		{"${C:-}", "", ""},
		{"${env:C:-x:y}", "x:y", ""},
		{"${ProgramFiles(x86)}", "pf", ""},
		{"$A $$ } {", "$A $$ } {", ""},
		{"${C}", "", "the variable C is not set"},
		{"${A", "", `"${" has no closing "}"`},
		{"${}", "", "${} does not name a variable"},
		{"${A B}", "", "${A B} does not name a variable"},
		{"${C:-${A}}", "", "${C: a default cannot have variables"},
		{"${command:x}", "", "${command:x} is not known; use ${VAR}, ${VAR:-default}, ${env:VAR} or ${input:ID}"},
		{"${input:}", "", "${input:} is not known; write ${input:ID}"},
		{"${input:x}", "", "${input:x} has no meaning here"},
	} {
		have, _, err := ExpandEnvironment(test.text, lookup)
		switch {
		case err != nil && err.Error() == test.fault:
		case err == nil && test.fault == "" && have == test.want:
		default:
			t.Errorf("%s: %q, %v\nwant %q, %s", test.text, have, err, test.want, test.fault)
		}
	}
}

// filled fills in the one server of a file below repo/app.
func filled(t *testing.T, file, text string, inputs map[string]string) (Ready, Place, error) {
	t.Helper()
	place := tree(t, "-- repo/app/"+file+" --\n"+text+"-- repo/app/vars.env --\nFROM_FILE=one\nexport SECRET_KEY='quoted # text'\n-- repo/app/sub/x --\n")
	all, err := place.In(file)
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %d servers", err, len(all))
	}
	environment := map[string]string{"TOKEN": "tok-12345678", "STAGE": "production"}
	ready, err := Filler{Place: place, Inputs: inputs, Lookup: func(name string) (string, bool) {
		value, ok := environment[name]
		return value, ok
	}}.Fill(all[0])
	return ready, place, err
}

func TestFillCommand(t *testing.T) {
	ready, place, err := filled(t, ".vscode/mcp.json", `{
  "inputs": [{"id": "key", "type": "promptString", "password": true}, {"id": "mode", "default": "fast"}],
  "servers": {"a": {
    "command": "${workspaceFolder}/serve",
    "args": ["--token", "${env:TOKEN}", "--mode=${input:mode}", "${workspaceFolderBasename}", "${userHome}", "--stage", "${STAGE}"],
    "env": {"API_KEY": "${input:key}", "PORT": 8080, "GONE": null, "FLAG": true},
    "envFile": "vars.env",
    "cwd": "sub"
  }}
}
`, map[string]string{"key": "given-secret"})
	if err != nil {
		t.Fatal(err)
	}
	want := Ready{
		Command: []string{place.Dir + "/serve", "--token", "tok-12345678", "--mode=fast", "app", place.Home, "--stage", "production"},
		Set:     []string{"FROM_FILE=one", "SECRET_KEY=quoted # text", "API_KEY=given-secret", "PORT=8080", "FLAG=true"},
		Unset:   []string{"GONE"},
		Dir:     filepath.Join(place.Dir, "sub"),
	}
	secrets := slices.Compact(slices.Sorted(slices.Values(ready.Secrets)))
	ready.Secrets = nil
	if diff := cmp.Diff(want, ready); diff != "" {
		t.Errorf("(-want +have)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"given-secret", "quoted # text", "tok-12345678"}, secrets); diff != "" {
		t.Errorf("secrets (-want +have)\n%s", diff)
	}
}

func TestFillURL(t *testing.T) {
	ready, _, err := filled(t, ".mcp.json", `{"mcpServers": {"a": {"type": "http", "url": "https://${HOST:-a.example}/mcp?api_key=${TOKEN}&x=1",
  "headers": {"Authorization": "Bearer ${TOKEN}", "X-Stage": "${STAGE}", "X-Token": "literal", "X-None": null}}}}
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "https://a.example/mcp?api_key=tok-12345678&x=1"; ready.URL != want {
		t.Errorf("URL %s, want %s", ready.URL, want)
	}
	want := []Header{{"Authorization", "Bearer tok-12345678"}, {"X-Stage", "production"}, {"X-Token", "literal"}}
	if diff := cmp.Diff(want, ready.Headers); diff != "" {
		t.Errorf("headers (-want +have)\n%s", diff)
	}
	for _, secret := range []string{"tok-12345678", "Bearer tok-12345678", "literal"} {
		if !slices.Contains(ready.Secrets, secret) {
			t.Errorf("%q is not among the secrets %q", secret, ready.Secrets)
		}
	}
	if slices.Contains(ready.Secrets, "production") {
		t.Error("a plain word is taken for a secret")
	}
}

// TestFillDir: a server of a project starts in the project's folder, one of the
// user's where the user is.
func TestFillDir(t *testing.T) {
	place := tree(t, several)
	for name, want := range map[string]string{"near": place.Dir, "yaml": place.Root, "desktop": ""} {
		s, _, err := place.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		ready, err := Filler{Place: place}.Fill(s)
		if err != nil || ready.Dir != want {
			t.Errorf("%s starts in %q, %v; want %q", name, ready.Dir, err, want)
		}
	}
}

func TestFillMistakes(t *testing.T) {
	for _, test := range []struct {
		entry, want string
		inputs      map[string]string
	}{
		{`{"command": "a", "args": ["x", "${NO_SUCH}"]}`, ".mcp.json:2:55: mcpServers.a.args[1]: the variable NO_SUCH is not set", nil},
		{`{"command": "a", "env": {"K": "${NO_SUCH}"}}`, ".mcp.json:2:54: mcpServers.a.env.K: the variable NO_SUCH is not set", nil},
		{`{"url": "https://a.example", "headers": {"X": "${input:id}"}}`, ".mcp.json:2:70: mcpServers.a.headers.X: it asks for ${input:id}; give --input id=VALUE", nil},
		{`{"url": "${input:id}"}`, `--input: "di" is not asked for by the server "a" of .mcp.json`, map[string]string{"id": "x", "di": "y"}},
		{`{"command": "a", "envFile": "absent.env"}`, ".mcp.json:2:52: mcpServers.a.envFile: absent.env: there is no such file", nil},
		{`{"command": 1}`, ".mcp.json:2:36: mcpServers.a.command is a number; it is a string", nil},
	} {
		_, _, err := filled(t, ".mcp.json", "{\"mcpServers\":\n {\"a\":                 "+test.entry+"}}\n", test.inputs)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v\nwant %s", test.entry, err, test.want)
		}
		var m *Mistake
		if test.inputs != nil && (!errors.As(err, &m) || m.Hint != `did you mean "id"?`) {
			t.Errorf("%s: %#v has no hint", test.entry, err)
		}
	}
}

// TestShow: what is shown of a server has none of its values.
func TestShow(t *testing.T) {
	for _, test := range []struct{ entry, want string }{
		{`{"command": "npx", "args": ["-y", "a b", "", "it's", "--token", "hunter22", "${K}", "${K:-hunter33}"]}`,
			`npx -y 'a b' '' 'it'\''s' --token [redacted] ${K} ${K:-…}`},
		{`{"command": "a", "args": ["--token", "${K}", "--key=${K}"]}`, "a --token ${K} --key=${K}"},
		{`{"command": "a", "args": ["--password=hunter22"]}`, "a --password=[redacted]"},
		{`{"url": "https://me:hunter22@a.example/mcp?token=hunter33&x=1"}`, "https://me:[redacted]@a.example/mcp?token=[redacted]&x=1"},
		{`{"url": "https://a.example/${env:K:-hunter44}"}`, "https://a.example/${env:K:-…}"},
	} {
		all, err := File{Show: "f"}.parse([]byte(`{"mcpServers":{"a":` + test.entry + "}}"))
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %v", test.entry, err)
		}
		if have := all[0].Show(); have != test.want || strings.Contains(have, "hunter") {
			t.Errorf("%s: %s\nwant %s", test.entry, have, test.want)
		}
	}
}

func TestEnvFile(t *testing.T) {
	have, err := parseEnvFile("\ufeff# c\n\nA=1\r\nexport B = two words # comment\nC='a # $B \\n'\nD=\"x\\ny\" # c\nE=\nF=a#b\n G=last")
	if err != nil {
		t.Fatal(err)
	}
	want := []Variable{{"A", "1"}, {"B", "two words"}, {"C", `a # $B \n`}, {"D", "x\ny"}, {"E", ""}, {"F", "a#b"}, {"G", "last"}}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("(-want +have)\n%s", diff)
	}
	for _, test := range []struct{ text, want string }{
		{"A=1\nB", `line 2: there is no "="; write NAME=value`},
		{"1A=1", `line 1: "1A" is no name of a variable`},
		{"=x", `line 1: "" is no name of a variable`},
		{"A='x", `line 1: the value of A has no closing '\'' on its line`},
		{`A="x\"`, `line 1: the value of A has no closing '"' on its line`},
		{`A="x"y`, "line 1: the value of A goes on behind its closing quote"},
		{`A="\q"`, `line 1: the value of A cannot be read: "\\q" is no escape of JSON; a backslash is written twice`},
		{"A=\xff", "line 1: the value of A is no text"},
	} {
		if _, err := parseEnvFile(test.text); err == nil || err.Error() != test.want {
			t.Errorf("%q: %v\nwant %s", test.text, err, test.want)
		}
	}
}
