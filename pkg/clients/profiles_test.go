package clients_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/spec"
	"github.com/skilltool/skilltool/schemas"
)

// Every profile is what the schema says, has evidence, and names itself.
func TestProfiles(t *testing.T) {
	text, err := schemas.Get("client")
	if err != nil {
		t.Fatal(err)
	}
	schema := jsonschema.MustCompileString("client.schema.json", string(text))
	for _, p := range allProfiles(t) {
		if len(p.Evidence) == 0 || p.Version == "" {
			t.Errorf("%s has no evidence or no version", p.ID)
		}
		if run := slices.ContainsFunc(p.Evidence, func(e clients.Evidence) bool { return e.How == clients.Run }); run != (p.Certainty == clients.Run) {
			t.Errorf("%s is as certain as %s and has other evidence", p.ID, p.Certainty)
		}
		file := filepath.Join("profiles", p.ID+".yaml")
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%s calls itself otherwise: %v", p.ID, err)
			continue
		}
		s := spec.Parse([]byte("---\n" + string(raw) + "---\n"))
		value, err := s.Frontmatter.JSON()
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		var decoded any
		if err := json.Unmarshal(value, &decoded); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(decoded); err != nil {
			t.Errorf("%s: %#v", file, err)
		}
	}
}

// The ids of clients do not change.
func TestIDs(t *testing.T) {
	ids := clients.IDs()
	if !slices.IsSorted(ids) || len(ids) < 37 {
		t.Errorf("ids: %v", ids)
	}
	for _, id := range ids {
		p, err := clients.Get(id)
		if err != nil || p.ID != id {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := clients.Get("nobody"); !errors.Is(err, clients.ErrUnknown) {
		t.Errorf("an unknown client: %v", err)
	}
}

func TestVersions(t *testing.T) {
	long := "---\nname: long\ndescription: " + strings.Repeat("x", 1025) + "\n---\nBody.\n"
	for version, want := range map[string]clients.Outcome{"": clients.Loads, "0.171.0": clients.Loads, "0.150.0": clients.Loads, "0.149.9": clients.Dropped, "0.9": clients.Dropped} {
		name := "codex"
		if version != "" {
			name += "@" + version
		}
		p, err := clients.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := clients.Predict(spec.Parse([]byte(long)), clients.Place{Dir: "long"}, p); got.Outcome != want {
			t.Errorf("%s: %s, want %s", name, got.Outcome, want)
		}
	}
	versions, err := clients.Versions("codex")
	if err != nil || !slices.Equal(versions, []string{"0.171.0", "0.120.0"}) {
		t.Errorf("versions: %v, %v", versions, err)
	}
}

func TestLoad(t *testing.T) {
	p, err := clients.Load(strings.NewReader("# ours\nextends: pi\nid: ours\ntitle: Ours\nfields:\n  description: {max: 80, unit: bytes, over: drop}\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := spec.Parse([]byte("---\nname: ours\ndescription: " + strings.Repeat("x", 81) + "\n---\nBody.\n"))
	if got := clients.Predict(s, clients.Place{Dir: "ours"}, p); got.Outcome != clients.Dropped || got.Client != "ours" {
		t.Errorf("a profile that extends another: %+v", got)
	}
}

func TestLoadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "a profile must be a mapping of keys and values",
		"- a":                             "a profile must be a mapping of keys and values",
		"extends: nobody":                 `1:10: the client is not known: "nobody"; use `,
		"extends: pi\nwalk:\n  deep: 3":   `3:3: the key "deep" is not known; use depth, `,
		"extends: pi\nwalk:\n  depth: x":  `3:10: "x" is no number; use a whole number from 0`,
		"extends: pi\ntold: perhaps":      `2:7: told has no "perhaps"; use told, log, silent`,
		"extends: pi\nwalk: {root: 3}":    `2:14: "3" is no boolean; use true or false`,
		"extends: pi\nfields: [a]":        "2:9: a list stands where a mapping is expected",
		"extends: pi\nid: [a]":            "2:5: a list stands where one value is expected",
		"id: a\ntitle: A\ncertainty: run": "told is missing; use told, log, silent",
		"extends: pi\nfields: {name: {pattern: '('}}":  "2:26: pattern is no regular expression: ",
		"extends: pi\nfields: {name: {over: explode}}": `2:23: over has no "explode"; use ignore, `,
		"a: b: c": "1:5: ",
	} {
		_, err := clients.Load(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := clients.Load(strings.NewReader(strings.Repeat("#\n", 40_000))); err == nil {
		t.Error("a profile of 80 kB is read")
	}
}

// Predictions come from rules: nothing of what the clients were measured with
// is in the profiles or in the code.
func TestNoInputs(t *testing.T) {
	known := regexp.MustCompile(`\b[cC][0-9]{2}[-_][a-z0-9]|BODY` + `MARK|Desc ` + `text|quote` + `more|trail` + `blank|inputs\.py`)
	var files []string
	for _, pattern := range []string{"*.go", "profiles/*", "testdata/*.txtar"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found := known.Find(text); found != nil {
			t.Errorf("%s has %q", file, found)
		}
	}
}

// Every reason has a text, and the texts are sorted, as the look-up needs them.
func TestRules(t *testing.T) {
	rules := clients.Rules()
	if !slices.IsSortedFunc(rules, func(a, b spec.RuleInfo) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("the rules are not sorted")
	}
	known := map[string]bool{}
	for _, r := range rules {
		if r.Why == "" || r.Mend == "" || r.Title == "" || r.Category != spec.CategoryPortability || strings.HasSuffix(r.Title, ".") {
			t.Errorf("%s is not described", r.ID)
		}
		known[r.ID] = true
	}
	for _, r := range spec.Rules() {
		if known[r.ID] {
			t.Errorf("%s is a rule of the specification as well", r.ID)
		}
	}
	seen := regexp.MustCompile(`(?:"([a-z]+-[a-z-]+)", (?:"|spec|at|s\.|c\.|e\.|fmt)|id: +"([a-z-]+)")`)
	files, _ := filepath.Glob("*.go")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		if strings.HasSuffix(file, "_test.go") || file == "reason.go" || file == "check.go" || file == "profile.go" {
			continue
		}
		for _, m := range seen.FindAllStringSubmatch(string(text), -1) {
			if id := "client-" + m[1] + m[2]; !known[id] && !strings.Contains(m[0], "invocation") {
				t.Errorf("%s: %s is not described", file, id)
			}
		}
	}
}
