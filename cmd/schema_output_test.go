package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/skilltool/skilltool/schemas"
)

// What manifest, verify and diff write keeps the schemas that they name.
func TestOutputKeepsSchema(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one", "map"), filepath.Join(dir, "two", "map")
	for path, text := range map[string]string{
		one + "/SKILL.md": "---\nname: map\ndescription: Draws maps. Use when asked.\nlicense: MIT\n---\n",
		one + "/a":        "1\n", one + "/gone": "", one + "/.config": "",
		two + "/SKILL.md": "---\nname: map\ndescription: Draws. Use when asked.\nmetadata:\n  a: b\n---\n",
		two + "/a":        "1\r\n", two + "/new": "",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	native := filepath.Join(dir, "native.json")
	if err := os.WriteFile(native, runTool(t, "manifest", "-f", "native", one), 0o644); err != nil {
		t.Fatal(err)
	}
	for schema, args := range map[string][]string{
		"manifest": {"manifest", "-f", "native", filepath.Join(dir, "one")},
		"diff":     {"diff", "-f", "json", one, two},
		"report":   {"verify", "-f", "json", two, "--manifest", native},
	} {
		keepsSchema(t, schema, "", runTool(t, args...))
	}
	lines := runTool(t, "verify", "-f", "jsonl", two, "--manifest", native)
	for line := range bytes.Lines(lines) {
		keepsSchema(t, "report", "#/$defs/record", line)
	}
	if !bytes.Contains(lines, []byte(`{"type":"verdict"`)) {
		t.Errorf("no verdict in %s", lines)
	}
}

// The JSON that scripts want of probe keeps the schema that it names. A file of a
// script is one document, or one record a line; a made-up address of the schema
// would fail the script itself.
func TestProbeScriptsKeepSchema(t *testing.T) {
	scripts, err := filepath.Glob("../testdata/script/probe*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range txtar.Parse(text).Files {
			var head struct {
				Schema  string `json:"$schema"`
				Command string
			}
			line, _, _ := bytes.Cut(file.Data, []byte("\n"))
			switch {
			case json.Unmarshal(file.Data, &head) == nil && strings.HasSuffix(head.Schema, "/probe.schema.json"):
				_, one, _ := strings.Cut(head.Command, " ")
				fragment := map[bool]string{true: "", false: "#/$defs/" + one}[one == ""]
				keepsSchema(t, "probe", fragment, file.Data)
				seen[head.Command] = true
			case json.Unmarshal(line, &head) == nil && strings.HasSuffix(head.Schema, "/probe.schema.json"):
				for line := range bytes.Lines(file.Data) {
					keepsSchema(t, "probe", "#/$defs/record", line)
				}
				seen["jsonl"] = true
			}
		}
	}
	for _, command := range []string{"probe", "probe list", "probe get", "probe read", "probe ls", "probe pull", "jsonl"} {
		if !seen[command] {
			t.Errorf("no script wants JSON of %s", command)
		}
	}
}

func runTool(t *testing.T, args ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := Main(append([]string{"skilltool", "-q"}, args...), strings.NewReader(""), &stdout, &stderr); code == exitFailure {
		t.Fatalf("%v: %s", args, &stderr)
	}
	return stdout.Bytes()
}

func keepsSchema(t *testing.T, name, fragment string, document []byte) {
	t.Helper()
	text, err := schemas.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	const url = "schema.json"
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(url, bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(url + fragment)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(document, &value); err != nil {
		t.Fatalf("%v: %s", err, document)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: %#v\n%s", name, err, document)
	}
}
