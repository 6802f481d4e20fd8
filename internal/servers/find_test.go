package servers

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// tree writes files into a new folder and gives a Place in its folder
// "repo/app", with "repo" as the repository and "home" as the home directory.
func tree(t *testing.T, archive string) Place {
	t.Helper()
	root := t.TempDir()
	for _, file := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(root, filepath.FromSlash(file.Name))
		data := strings.ReplaceAll(string(file.Data), "$ROOT", filepath.ToSlash(root))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(data), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return Place{
		Dir: filepath.Join(root, "repo", "app"), Root: filepath.Join(root, "repo"), Home: filepath.Join(root, "home"),
		Getenv: func(string) string { return "" }, OS: "linux",
	}
}

const several = `
-- repo/app/.vscode/mcp.json --
{"servers": {"near": {"url": "https://vscode.example.com/mcp", "type": "http"}}}
-- repo/app/.mcp.json --
{"mcpServers": {"near": {"command": "near"}, "odd": 3}}
-- repo/.skilltool.yaml --
version: 1
probe:
  servers:
    near: {command: far}
    # Comments are fine.
    yaml:
      command: serve
      args: [--port, "8080"]
      env: {PORT: 8080}
-- repo/.cursor/mcp.json --
{"mcpServers": {"cursor": {"serverUrl": "https://cursor.example.com/mcp"}}}
-- above/.mcp.json --
{"mcpServers": {"above": {"command": "above"}}}
-- home/.claude.json --
{
  "numStartups": 3,
  "mcpServers": {"claude": {"command": "user"}, "near": {"command": "user"}},
  "projects": {
    "$ROOT/repo": {"mcpServers": {"claude": {"type": "sse", "url": "https://project.example.com/sse"}}},
    "$ROOT/other": {"mcpServers": {"other": {"command": "other"}}}
  }
}
-- home/.config/Claude/claude_desktop_config.json --
{"mcpServers": {"desktop": {"command": "desktop"}}}
-- home/.config/Code/User/mcp.json --
{"inputs": [], "servers": {"code": {"command": "code"}}}
-- home/.cursor/mcp.json --
{"mcpServers": {"cursor-user": {"command": "cursor"}}}
`

func TestFind(t *testing.T) {
	place := tree(t, several)
	for _, test := range []struct{ name, show, where string }{
		{"near", "near", ".mcp.json:1:17"},
		{"yaml", "serve --port 8080", "../.skilltool.yaml:6:5"},
		{"cursor", "https://cursor.example.com/mcp", "../.cursor/mcp.json:1:17"},
		{"claude", "https://project.example.com/sse", "~/.claude.json:5"},
		{"desktop", "desktop", "~/.config/Claude/claude_desktop_config.json:1:17"},
		{"code", "code", "~/.config/Code/User/mcp.json:1:28"},
		{"cursor-user", "cursor", "~/.cursor/mcp.json:1:17"},
	} {
		s, _, err := place.Find(test.name)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if s.Show() != test.show {
			t.Errorf("%s: %q, want %q", test.name, s.Show(), test.show)
		}
		// The column in .claude.json depends on the folder of the test.
		if where := s.Where(); where != test.where && !(test.name == "claude" && strings.HasPrefix(where, test.where+":")) {
			t.Errorf("%s: it stands in %s, want %s", test.name, where, test.where)
		}
	}
}

func TestFindNotes(t *testing.T) {
	_, notes, err := tree(t, several).Find("near")
	if err != nil {
		t.Fatal(err)
	}
	if len(notes) != 3 {
		t.Fatalf("%d notes, want 3: %q", len(notes), notes)
	}
	if want := `"near" stands in .vscode/mcp.json:1:14 too; the nearer one is used, in .mcp.json:1:17`; notes[0] != want {
		t.Errorf("have %s\nwant %s", notes[0], want)
	}
}

func TestFindMistakes(t *testing.T) {
	place := tree(t, several)
	for _, test := range []struct{ name, message, hint string }{
		{"nera", `no server is called "nera" in the configuration files`, `did you mean "near"?`},
		{"above", `no server is called "above" in the configuration files`, "there are: near, odd, near, near, yaml, cursor, desktop, claude, claude, near, and 2 more"},
	} {
		_, _, err := place.Find(test.name)
		var m *Mistake
		if !errors.As(err, &m) || m.Message != test.message {
			t.Errorf("%s: %v, want %s", test.name, err, test.message)
		} else if test.name == "nera" && m.Hint != test.hint {
			t.Errorf("%s: the hint is %q, want %q", test.name, m.Hint, test.hint)
		}
	}
	s, _, err := place.Find("odd")
	if err != nil || s.Problem == nil || s.Problem.Error() != `.mcp.json:1:53: mcpServers.odd is a number; a server is an object` {
		t.Errorf("odd: %v, %v", err, s.Problem)
	}
}

// TestFindBroken: a broken file that is nearer might be the one that is meant,
// a later one cannot change the answer.
func TestFindBroken(t *testing.T) {
	place := tree(t, `
-- repo/app/.mcp.json --
{"mcpServers": {"a": {"command": "a"}}}
-- repo/app/.vscode/mcp.json --
{"servers": {,}}
-- repo/.mcp.json --
{"mcpServers": {"b": {"command": "b"}}}
`)
	if _, _, err := place.Find("a"); err != nil {
		t.Errorf("a: %v", err)
	}
	_, _, err := place.Find("b")
	if want := `.vscode/mcp.json:1:14: ',' where a key in double quotes is wanted`; err == nil || err.Error() != want {
		t.Errorf("b: %v, want %s", err, want)
	}
	listing := place.List()
	if len(listing.Servers) != 2 || len(listing.Errors) != 1 {
		t.Errorf("the listing has %d servers and the errors %v", len(listing.Servers), listing.Errors)
	}
}

func TestFindIn(t *testing.T) {
	place := tree(t, several+`
-- repo/app/two.json --
{"mcpServers": {"a": {"command": "first"}}, "servers": {"a": {"command": "second"}, "b": {"command": "b"}}}
-- repo/app/list.json --
{"mcpServers": ["a"]}
-- repo/app/none.json --
{"name": "package"}
-- repo/app/text.json --
"text"
-- repo/app/bad.yaml --
probe:
  servers: {a: {command: x}, a: {command: y}}
-- repo/app/tab.yaml --
probe: [
-- repo/app/nothing.yaml --
# nothing
`)
	for _, test := range []struct{ file, name, show, mistake string }{
		{"two.json", "a", "first", ""},
		{"two.json", "b", "b", ""},
		{"two.json", "c", "", `no server is called "c" in two.json`},
		{"two.json", "", "", "two.json: no server is named; write FILE#NAME"},
		{"../.skilltool.yaml", "yaml", "serve --port 8080", ""},
		{"../../home/.claude.json", "claude", "https://project.example.com/sse", ""},
		{"../../home/.claude.json", "near", "user", ""},
		{"absent.json", "a", "", "absent.json: there is no such file"},
		{".", "a", "", ".: it is no regular file"},
		{"list.json", "a", "", "list.json:1:16: mcpServers is a list; servers stand in an object, by name"},
		{"none.json", "a", "", `no server is called "a" in none.json`},
		{"text.json", "a", "", "text.json:1:1: the file holds a string; it is an object"},
		{"bad.yaml", "a", "", `bad.yaml:2:30: the key "a" is there already, at 2:13`},
		{"nothing.yaml", "a", "", "nothing.yaml:1:1: the file is no YAML in UTF-8"},
	} {
		s, err := place.FindIn(test.file, test.name)
		switch {
		case err == nil && test.mistake == "" && s.Show() == test.show:
		case err != nil && err.Error() == test.mistake:
		default:
			t.Errorf("%s#%s: %q, %v\nwant %q, %s", test.file, test.name, s.Show(), err, test.show, test.mistake)
		}
	}
	if _, err := place.FindIn("tab.yaml", "a"); err == nil || !strings.HasPrefix(err.Error(), "tab.yaml:1:8: ") {
		t.Errorf("tab.yaml: %v", err)
	}
	if _, err := place.FindIn("absent.json", "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent.json: %v is not fs.ErrNotExist", err)
	}
}

func TestEntries(t *testing.T) {
	for _, test := range []struct{ entry, transport, problem string }{
		{`{"command": "a"}`, "stdio", ""},
		{`{"type": "stdio", "command": "a", "args": []}`, "stdio", ""},
		{`{"url": "https://a.example"}`, "", ""},
		{`{"httpUrl": "https://a.example"}`, "", ""},
		{`{"type": "http", "url": "https://a.example"}`, "http", ""},
		{`{"type": "streamable-http", "url": "https://a.example"}`, "http", ""},
		{`{"type": "streamableHttp", "serverUrl": "https://a.example"}`, "http", ""},
		{`{"type": "sse", "url": "https://a.example"}`, "sse", ""},
		{`{"command": "a", "timeout": 3, "autoApprove": ["x"], "gallery": true, "disabled": true}`, "stdio", ""},
		{`{"command": "a", "args": null, "env": null, "cwd": null}`, "stdio", ""},
		{`{}`, "", "1:21: mcpServers.a has neither a command nor a url"},
		{`{"command": ""}`, "", "1:21: mcpServers.a has neither a command nor a url"},
		{`{"command": "a", "url": "b"}`, "", "1:21: mcpServers.a has both a command and a url; one of them is meant"},
		{`{"type": "ws", "url": "b"}`, "", `1:30: mcpServers.a.type is "ws", which is not known; use stdio, http or sse`},
		{`{"type": "http", "command": "b"}`, "", "1:21: mcpServers.a is of type http and has a command, not a url"},
		{`{"type": "stdio", "url": "b"}`, "", "1:21: mcpServers.a is of type stdio and has a url, not a command"},
		{`{"command": ["a"]}`, "", "1:33: mcpServers.a.command is a list; it is a string"},
		{`{"command": "a", "args": "b"}`, "", "1:46: mcpServers.a.args is a string; it is a list of strings"},
		{`{"command": "a", "args": ["b", 3]}`, "", "1:52: mcpServers.a.args[1] is a number; it is a string"},
		{`{"command": "a", "env": ["A=b"]}`, "", "1:45: mcpServers.a.env is a list; it is an object of strings"},
		{`{"command": "a", "env": {"A": {}}}`, "", "1:51: mcpServers.a.env.A is an object; it is a string"},
	} {
		all, err := File{Show: "f"}.parse([]byte(`{"mcpServers":{"a":` + " " + test.entry + "}}"))
		if err != nil || len(all) != 1 {
			t.Errorf("%s: %v, %d servers", test.entry, err, len(all))
			continue
		}
		problem := ""
		if all[0].Problem != nil {
			problem = strings.TrimPrefix(all[0].Problem.Error(), "f:")
		}
		if problem != test.problem || problem == "" && all[0].Transport != test.transport {
			t.Errorf("%s: transport %q, problem %q\nwant %q, %q", test.entry, all[0].Transport, problem, test.transport, test.problem)
		}
	}
}

func TestUserFiles(t *testing.T) {
	for _, test := range []struct {
		system string
		env    map[string]string
		want   string
	}{
		{"linux", nil, "/home/me/.config/Claude/claude_desktop_config.json /home/me/.claude.json /home/me/.config/Code/User/mcp.json /home/me/.cursor/mcp.json"},
		{"linux", map[string]string{"XDG_CONFIG_HOME": "/etc/me", "CLAUDE_CONFIG_DIR": "/cc"},
			"/etc/me/Claude/claude_desktop_config.json /cc/.claude.json /etc/me/Code/User/mcp.json /home/me/.cursor/mcp.json"},
		{"darwin", nil, "/home/me/Library/Application Support/Claude/claude_desktop_config.json /home/me/.claude.json " +
			"/home/me/Library/Application Support/Code/User/mcp.json /home/me/.cursor/mcp.json"},
		{"windows", map[string]string{"APPDATA": "/roaming"},
			"/roaming/Claude/claude_desktop_config.json /home/me/.claude.json /roaming/Code/User/mcp.json /home/me/.cursor/mcp.json"},
		{"windows", nil, "/home/me/AppData/Roaming/Claude/claude_desktop_config.json /home/me/.claude.json " +
			"/home/me/AppData/Roaming/Code/User/mcp.json /home/me/.cursor/mcp.json"},
	} {
		place := Place{Dir: "/w", Root: "/w", Home: "/home/me", Getenv: func(name string) string { return test.env[name] }, OS: test.system}
		var paths []string
		for _, f := range place.Files() {
			if path := filepath.ToSlash(f.Path); !f.Project && (len(paths) == 0 || paths[len(paths)-1] != path) {
				paths = append(paths, path)
			}
		}
		if have := strings.Join(paths, " "); have != test.want {
			t.Errorf("%s: %s\nwant %s", test.system, have, test.want)
		}
	}
	if files := (Place{Dir: "/w", Root: "/w", Getenv: func(string) string { return "" }}).Files(); len(files) != len(projectFiles) {
		t.Errorf("without a home there are %d files, want %d", len(files), len(projectFiles))
	}
}

// TestBigFile: a file beyond the bound is not read.
func TestBigFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "big.json")
	if err := errors.Join(os.WriteFile(name, []byte("{"), 0o666), os.Truncate(name, maxFileBytes+1)); err != nil {
		t.Fatal(err)
	}
	_, err := File{Path: name, Show: "big.json"}.Read()
	if want := "big.json: it is larger than 33554432 bytes"; err == nil || err.Error() != want {
		t.Errorf("have %v, want %s", err, want)
	}
}

func TestYAMLBounds(t *testing.T) {
	for name, text := range map[string]string{
		"depth":   "probe: " + strings.Repeat("[", 1000) + strings.Repeat("]", 1000),
		"size":    "a: " + strings.Repeat("x", 100_000),
		"lines":   strings.Repeat("\n", 10_000) + "a: 1",
		"aliases": "a: &a [1,2,3,4,5,6,7,8,9,0]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d]\n",
		"nothing": "a: *b\n",
	} {
		if _, err := parseYAML([]byte(text)); err == nil {
			t.Errorf("%s: there is no error", name)
		} else if strings.Contains(err.Error(), "frontmatter") {
			t.Errorf("%s: %v speaks of frontmatter", name, err)
		}
	}
}

func FuzzFile(f *testing.F) {
	f.Add([]byte(`{"mcpServers": {"a": {"command": "x", "args": ["${A:-b}"], "env": {"A": null}}}, "inputs": [{"id": "x"}]}`), false)
	f.Add([]byte("probe:\n  servers:\n    a: {url: \"https://a.example\"}\n"), true)
	f.Add([]byte("a: &a [*a]"), true)
	f.Fuzz(func(t *testing.T, text []byte, yaml bool) {
		file := File{Show: "f"}
		if yaml {
			file.shape = shapeSkilltool
		}
		all, err := file.parse(text)
		if err != nil {
			return
		}
		for _, s := range all {
			_ = s.Show()
			filler := Filler{Place: Place{Dir: "/w", Root: "/w"}, Lookup: func(string) (string, bool) { return "value", true }}
			_, _ = filler.Fill(s)
		}
	})
}
