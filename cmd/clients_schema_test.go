package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// The JSON of the command keeps its schema, the predictions of all clients as
// well.
func TestClientsKeepSchema(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"skills/colon/SKILL.md":  "---\nname: colon\ndescription: One: two.\n---\nBody.\n",
		"skills/mark/SKILL.md":   "\ufeff---\nname: mark\ndescription: \"Marks.\"\n---\nBody.\n",
		"skills/hidden/SKILL.md": "---\nname: hidden\ndescription: \"Hides.\"\ndisable-model-invocation: true\n---\nBody.\n",
		"skills/bytes/SKILL.md":  "---\nname: bytes\ndescription: \"\xff\"\n---\n",
		"skills/none/SKILL.md":   "",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	keepsSchema(t, "clients", "", runTool(t, "clients", "-f", "json", dir))
	keepsSchema(t, "clients", "", runTool(t, "clients", "--catalogue", "-f", "json", dir))
	keepsSchema(t, "report", "", runTool(t, "clients", "--portable", "-f", "json", dir))
	keepsSchema(t, "clients", "#/$defs/about", runTool(t, "clients", "show", "codex", "-f", "json"))
	var all []json.RawMessage
	if err := json.Unmarshal(runTool(t, "clients", "list", "-f", "json"), &all); err != nil || len(all) == 0 {
		t.Fatalf("clients list gives %d clients: %v", len(all), err)
	}
	for _, one := range all {
		keepsSchema(t, "clients", "#/$defs/about", one)
	}
}

// Scripts want documents that keep the schema too.
func TestClientsScriptsKeepSchema(t *testing.T) {
	scripts, err := filepath.Glob("../testdata/script/clients*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range txtar.Parse(text).Files {
			var head struct {
				Schema string `json:"$schema"`
			}
			if json.Unmarshal(file.Data, &head) == nil && filepath.Base(head.Schema) == "clients.schema.json" {
				keepsSchema(t, "clients", "", file.Data)
				seen++
			}
		}
	}
	if seen == 0 {
		t.Error("no script wants JSON of clients")
	}
}
