package clients_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/spec"
)

func ExamplePredict() {
	skill := spec.Parse([]byte("---\nname: phone-menu\ndescription: Writes menus. Note: keep them short.\n---\nBe brief.\n"))
	for _, id := range []string{"claude-code", "copilot-cli"} {
		profile, err := clients.Get(id)
		if err != nil {
			fmt.Println(err)
			return
		}
		p := clients.Predict(skill, clients.Place{Dir: "phone-menu"}, profile)
		fmt.Printf("%s: %s %q\n", profile.Title, p.Outcome, p.Description)
		for _, r := range p.Reasons {
			fmt.Printf("  %d:%d %s: %s\n", r.Range.Start.Line, r.Range.Start.Column, r.ID, r.Message)
		}
	}
	// Output:
	// Claude Code: load "Writes menus. Note: keep them short."
	//   3:32 client-repaired: the client mends this line before it reads it: description has an unquoted ": " behind "Note", which starts a nested field in YAML; quote the value
	// GitHub Copilot CLI: drop ""
	//   3:32 client-yaml: description has an unquoted ": " behind "Note", which starts a nested field in YAML; quote the value
}

func TestProjectRoots(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{".agents/skills/a", "app/.agents/skills/b", "app/.github/skills/c", ".claude/skills/d", "app/ui/.kimi-code/skills/e", ".kimi-code/skills/f"} {
		files[name+"/SKILL.md"] = &fstest.MapFile{}
	}
	for id, want := range map[string][]string{
		"copilot-cli": {"app/.github/skills", "app/.agents/skills", ".agents/skills", ".claude/skills"},
		"gemini-cli":  nil,
		"kimi-code":   {".kimi-code/skills", ".agents/skills"},
		"claude-code": {".claude/skills"},
	} {
		p, err := clients.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.ProjectRoots(files, "app/ui"); !slices.Equal(got, want) {
			t.Errorf("%s looks in %v, want %v", id, got, want)
		}
	}
}

func TestDiscover(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{"one/SKILL.md", "group/two/SKILL.md", "one/in/SKILL.md", "flat.md"} {
		files["skills/"+name] = &fstest.MapFile{Data: []byte("---\nname: x\ndescription: y\n---\nz\n")}
	}
	for id, want := range map[string]string{
		"claude-code": "flat.md:client-flat-file group/two:client-folder-depth one: one/in:client-folder-depth",
		"codex":       "flat.md:client-flat-file group/two: one: one/in:",
		"pi":          "flat.md: group/two: one: one/in:client-folder-nested",
	} {
		p, err := clients.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		finds, err := clients.Discover(t.Context(), files, "skills", p)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range finds {
			got += " " + f.Path() + ":"
			if f.Missed != nil {
				got += f.Missed.ID
			}
		}
		if got[1:] != want {
			t.Errorf("%s finds %s, want %s", id, got[1:], want)
		}
	}
	p, err := clients.Get("pi")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := clients.Discover(t.Context(), files, "nowhere", p); err == nil {
		t.Error("a root that is not there is searched")
	}
}
