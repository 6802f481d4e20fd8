package mcpprobe

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// decodeName gives the text that encodeName made a name of, and an error for
// what is no such name, or one that was shortened.
func decodeName(name string) (string, error) {
	if strings.Contains(name, nameMark) {
		return "", errors.New("the name was too long and is a digest; the origin file has the text")
	}
	var b []byte
	for i := 0; i < len(name); i++ {
		if name[i] != '%' {
			b = append(b, name[i])
			continue
		}
		if i+2 >= len(name) {
			return "", fmt.Errorf("%q is no encoded name", name)
		}
		c, err := hex.DecodeString(name[i+1 : i+3])
		if err != nil {
			return "", fmt.Errorf("%q is no encoded name", name)
		}
		b = append(b, c[0])
		i += 2
	}
	if text := string(b); text != "" && encodeName(text) == name {
		return text, nil
	}
	return "", fmt.Errorf("%q is no encoded name", name)
}

func TestEncodeName(t *testing.T) {
	long := strings.Repeat("ab/", 100)
	for _, test := range []struct{ text, want string }{
		{"demo", "demo"},
		{"skills.example.com:8080", "skills.example.com%3A8080"},
		{"skill://acme/pdf-tools", "skill%3A%2F%2Facme%2Fpdf-tools"},
		{"Demo", "%44emo"},
		{"a%20b", "a%2520b"},
		{".", "%2E"},
		{"..", "%2E%2E"},
		{"...", "%2E.%2E"},
		{".claude", "%2Eclaude"},
		{"demo.", "demo%2E"},
		{"demo ", "demo%20"},
		{"con", "%63on"},
		{"com1.txt", "%63om1.txt"},
		{"nul:stream", "%6Eul%3Astream"},
		{"console", "console"},
		{"a/b\\c\x00d\n", "a%2Fb%5Cc%00d%0A"},
		{"progra~1", "progra%7E1"},
		{"é", "%C3%A9"},
		{"e\u0301", "e%CC%81"},
		{"\xff", "%FF"},
		{"a=b", "a%3Db"},
	} {
		if got := encodeName(test.text); got != test.want {
			t.Errorf("encodeName(%q) = %q, want %q", test.text, got, test.want)
		}
		if back, err := decodeName(encodeName(test.text)); err != nil || back != test.text {
			t.Errorf("decodeName gives %q and %v for %q", back, err, test.text)
		}
	}
	name := encodeName(long)
	if len(name) != maxEncodedName && len(name) < maxEncodedName-2 || !strings.HasPrefix(name, "ab%2Fab") {
		t.Errorf("a long text is %q, %d bytes", name, len(name))
	}
	if _, err := decodeName(name); err == nil {
		t.Error("a shortened name is read back")
	}
	if other := encodeName(long + "x"); other == name {
		t.Errorf("two long texts have the name %q", name)
	}
}

func TestDecodeNameRefuses(t *testing.T) {
	for _, name := range []string{"", "Demo", "a%2", "a%", "%61", "%2f", "%zz", "a/b", ".a", "a.", "con", "a b", "é"} {
		if text, err := decodeName(name); err == nil {
			t.Errorf("decodeName(%q) gives %q", name, text)
		}
	}
}

// FuzzEncodeName: a name is one plain segment that no file system changes, and
// it can be read back.
func FuzzEncodeName(f *testing.F) {
	for _, text := range []string{"skill://a/b", "CON", "..", "\x00", "é", strings.Repeat("%", 300)} {
		f.Add(text, text+"x")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if a == "" || b == "" {
			t.Skip()
		}
		name := encodeName(a)
		if len(name) > maxEncodedName || strings.ContainsAny(name, "/\\:~ \x00") || isDevice(name) ||
			name[0] == '.' || name[len(name)-1] == '.' {
			t.Errorf("%q has the name %q", a, name)
		}
		if a != b && folded(name) == folded(encodeName(b)) {
			t.Errorf("%q and %q have one name %q", a, b, name)
		}
		if back, err := decodeName(name); back != a && !(err != nil && strings.Contains(name, nameMark)) {
			t.Errorf("%q comes back as %q, %v", a, back, err)
		}
	})
}

func folded(name string) string { return cases.Fold().String(norm.NFKC.String(name)) }

func TestClientFolder(t *testing.T) {
	for _, test := range []struct{ path, want string }{
		{"/home/ann/.agents/skills", ".agents/skills"},
		{"/home/ann/.claude/skills/demo", ".claude/skills"},
		{"/home/ann/project/.github/skills/a/b/c", ".github/skills"},
		{"/home/ann/.Claude/Skills", ".Claude/Skills"},
		{"/home/ann/.claude/plugins/a/b/skills", ".claude/plugins/a/b/skills"},
		{"/home/ann/.config/opencode/skill/x", ".config/opencode/skill"},
		{"/home/ann/.pi/agent/skills", ".pi/agent/skills"},
		{"/home/ann/.roo/skills-code", ".roo/skills-code"},
		{"/etc/codex/skills", "etc/codex/skills"},
		{".cursor/skills", ".cursor/skills"},
		{"/home/ann/skills", ""},
		{"/home/ann/.cache/a/b/skills", ""},
		{"/home/ann/.claude", ""},
		{"/home/ann/.agents/skillset", ""},
		{"../skills", ""},
		{"./skills", ""},
	} {
		if got, ok := clientFolder(test.path); got != test.want || ok != (test.want != "") {
			t.Errorf("clientFolder(%q) = %q, want %q", test.path, got, test.want)
		}
	}
}

func TestFilePaths(t *testing.T) {
	dir := "skill://pdf-tools"
	for _, test := range []struct {
		name    string
		uris    []string
		windows bool
		want    string // part of the error, "" for none
	}{
		{"plain", []string{"SKILL.md", "references/a.md", "references/b%20c.md"}, false, ""},
		{"case", []string{"SKILL.md", "a.md", "A.md"}, false, `"a.md" and "A.md" have one name`},
		{"case of folders", []string{"SKILL.md", "docs/a.md", "Docs/b.md"}, false, `"docs" and "Docs" have one name`},
		{"normal form", []string{"SKILL.md", "%C3%A9.md", "e%CC%81.md"}, false, "have one name"},
		{"folding", []string{"SKILL.md", "stra%C3%9Fe.md", "strasse.md"}, false, "have one name"},
		{"file and folder", []string{"SKILL.md", "a", "a/b"}, false, `"a" is a file, and "a" a folder`},
		{"file and folder in another case", []string{"a/b", "A", "SKILL.md"}, false, `"A" is a file, and "a" a folder`},
		{"climbs", []string{"SKILL.md", "../x"}, false, `a segment is ".."`},
		{"climbs encoded", []string{"SKILL.md", "%2e%2e/x"}, false, `a segment is ".."`},
		{"encoded slash", []string{"SKILL.md", "..%2fx"}, false, "slash"},
		{"backslash", []string{"SKILL.md", "..%5Cx"}, false, "backslash"},
		{"absolute", []string{"SKILL.md", "/etc/passwd"}, false, "a segment is empty"},
		{"nul", []string{"SKILL.md", "a%00b"}, false, "control"},
		{"git", []string{"SKILL.md", ".git/config"}, false, "Git"},
		{"git in another case", []string{"SKILL.md", "a/.GIT/config"}, false, "Git"},
		{"client folder", []string{"SKILL.md", ".claude/skills/x/SKILL.md"}, false, "clients search for skills"},
		{"device elsewhere", []string{"SKILL.md", "aux.md"}, false, ""},
		{"device", []string{"SKILL.md", "aux.md"}, true, "Windows"},
		{"stream", []string{"SKILL.md", "SKILL.md:x"}, true, "Windows"},
		{"full stop at the end", []string{"SKILL.md", "a.md."}, true, "Windows"},
	} {
		e := &Entry{Dir: dir, URI: dir + "/SKILL.md"}
		for _, uri := range test.uris {
			e.Resources = append(e.Resources, Resource{URI: dir + "/" + uri})
		}
		_, err := filePaths(e, pathRules{windows: test.windows})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}
