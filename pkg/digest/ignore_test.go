package digest

import (
	"strings"
	"testing"
	"time"
)

func TestIgnore(t *testing.T) {
	for _, c := range []struct{ patterns, ignored, kept string }{
		{"drafts/", "drafts/a drafts/b/c x/drafts/d", "drafts y/drafts"},
		{"/drafts", "drafts drafts/a", "x/drafts"},
		{"*.tmp", "a.tmp b/c.tmp .tmp", "a.tmpx"},
		{"*.md\n!SKILL.md\n!README.md", "a.md b/x.md", "README.md b/README.md"},
		{"a/*/c", "a/b/c a/b/c/d", "a/c a/b/b/c"},
		{"a/**/c", "a/c a/b/c a/b/b/c", "a/b"},
		{"**/c", "c b/c", "cc"},
		{"a/**", "a/b a/b/c", "a"},
		{"drafts/\n!drafts/keep", "drafts/keep", ""},
		{"# comment\n\n  \nx", "x", "# comment"},
		{"\\#x\n\\!y", "#x !y", "x y"},
		{"a\\ \nb ", "b", "a"},
		{"[a-c].txt\n[!x].md", "a.txt y.md", "d.txt x.md"},
		{"{a,b}", "{a,b}", "a b"},
		{"é*", "éa", "e"},
		{"[\nx", "x", "["},
		{"/\n//", "", "a"},
		{"a\r\nb\r\n", "a b", "c"},
	} {
		list := parseIgnore(c.patterns)
		for _, name := range strings.Fields(c.ignored) {
			if !list.match(name) {
				t.Errorf("%q does not ignore %q", c.patterns, name)
			}
		}
		for _, name := range strings.Fields(c.kept) {
			if list.match(name) {
				t.Errorf("%q ignores %q", c.patterns, name)
			}
		}
	}
	if !parseIgnore("a\\ ").match("a ") {
		t.Error("a blank that is kept")
	}
}

// Stars do not make the time explode.
func TestIgnoreTime(t *testing.T) {
	start := time.Now()
	list := parseIgnore(strings.Repeat("**/a/", 2000) + "b")
	list.match(strings.Repeat("a/", 64) + "c")
	parseIgnore(strings.Repeat("*a", 2000) + "b").match(strings.Repeat("a", 250))
	if d := time.Since(start); d > time.Second {
		t.Errorf("it took %v", d)
	}
}

func FuzzIgnore(f *testing.F) {
	f.Add("a/**/b\n!c\n[x", "a/b/c")
	f.Fuzz(func(t *testing.T, patterns, name string) { parseIgnore(patterns).match(name) })
}

func TestLitter(t *testing.T) {
	for _, name := range strings.Fields(".git/x .gitignore a/.DS_Store Thumbs.db node_modules/a a/__pycache__/b x.pyc .env a/.env.local .envrc x~ .a.swp .#x #x# ._x .venv/x .idea/x __MACOSX/x .skillignore") {
		if litter(name) == "" {
			t.Errorf("%q is kept", name)
		}
	}
	for _, name := range strings.Fields("a .env.example .env.sample b/.env.template git node_modules.md ~ .config/x venv .class scripts/a.py # .github/x") {
		if why := litter(name); why != "" {
			t.Errorf("%q is %s", name, why)
		}
	}
}
