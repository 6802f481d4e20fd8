package mcpprobe

import (
	"slices"
	"testing"
)

func TestSplitURI(t *testing.T) {
	for text, want := range map[string]uriParts{
		"skill://a/b/c":        {scheme: "skill", hasAuthority: true, authority: "a", path: "/b/c"},
		"skill://a":            {scheme: "skill", hasAuthority: true, authority: "a"},
		"skill:a/b":            {scheme: "skill", path: "a/b"},
		"s+1-.://u@h:1/p?q#f?": {scheme: "s+1-.", hasAuthority: true, authority: "u@h:1", path: "/p", query: "?q", fragment: "#f?"},
		"1x://a/b":             {path: "1x://a/b"},
		"a/b:c":                {path: "a/b:c"},
		"":                     {},
	} {
		if have := splitURI(text); have != want {
			t.Errorf("%q: %+v, want %+v", text, have, want)
		}
	}
}

func TestSkillDir(t *testing.T) {
	for text, want := range map[string]struct{ dir, name string }{
		"skill://x/SKILL.md":       {"skill://x", "x"},
		"skill://a/b/x/SKILL.md":   {"skill://a/b/x", "x"},
		"skill:x/SKILL.md":         {"skill:x", "x"},
		"file:///srv/x/SKILL.md":   {"file:///srv/x", "x"},
		"skill://x%2Dy/SKILL.md":   {"skill://x%2Dy", "x-y"},
		"skill://a/x%/SKILL.md":    {"skill://a/x%", "x%"},
		"skill://x/SKILL.md?v":     {},
		"skill://x/SKILL.md#v":     {},
		"skill://x?/SKILL.md":      {},
		"skill://x/skill.md":       {},
		"skill://SKILL.md":         {},
		"skill:///SKILL.md":        {},
		"skill:SKILL.md":           {},
		"skill://a//SKILL.md":      {},
		"/x/SKILL.md":              {},
		"skill://x/nested/SKILLmd": {},
	} {
		dir, ok := skillDir(text)
		if !ok {
			dir = ""
		}
		if dir != want.dir || uriName(text) != want.name {
			t.Errorf("%q: directory %q, name %q, want %+v", text, dir, uriName(text), want)
		}
	}
}

func TestWithin(t *testing.T) {
	for text, want := range map[string]bool{
		"skill://x/a": true, "skill://x/a/b": true, "skill://x/a%20b": true, "skill://x/...": true,
		"skill://x": false, "skill://x/": false, "skill://xa": false, "skill://X/a": false,
		"skill://x/../y": false, "skill://x/a/..": false, "skill://x/%2e%2E/y": false, "skill://x/a%2Fb": false,
		"skill://x/a%5cb": false, `skill://x/a\b`: false, "skill://x/.": false,
	} {
		if have := within("skill://x", text); have != want {
			t.Errorf("%q: %v", text, have)
		}
	}
}

func TestURIProblems(t *testing.T) {
	for _, test := range []struct{ uri, canonical, encoding string }{
		{"skill://a/b", "", ""},
		{"skill://a:80/b", `the port ":80"`, ""},
		{"skill://a:/b", `the port ":"`, ""},
		{"skill://a:b/c", "", ""},
		{"skill://u@a/b", "user information in the authority", ""},
		{"skill://a/b?", `the query "?"`, ""},
		{"skill://a/b#c", `the fragment "#c"`, ""},
		{"skill://a/b/", "a slash at its end", ""},
		{"skill:///b", "an empty segment", ""},
		{"skill://a//b", "an empty segment", ""},
		{"skill://a/%2E/b", `the segment "%2E"`, `"%2E", which needs no encoding; write .`},
		{"skill://a/b%2Fc", `an encoded slash in "b%2Fc"`, ""},
		{`skill://a/b\c`, `a backslash in "b\\c"`, ""},
		{"skill://a/%c3%bc", "", `"%c3" with lower-case digits; write %C3`},
		{"skill://a/100%", "", `a % that starts no percent-encoding: "%"`},
		{"skill://a/%zz", "", `a % that starts no percent-encoding: "%zz"`},
		{"skill://a/%25", "", ""},
	} {
		if have := uriProblem(test.uri); have != test.canonical {
			t.Errorf("%q: %q, want %q", test.uri, have, test.canonical)
		}
		if have := encodingProblem(test.uri); have != test.encoding {
			t.Errorf("%q: %q, want %q", test.uri, have, test.encoding)
		}
	}
	for segment, want := range map[string]string{"a-._~!$&'()*+,;=:@%20": "", "a b": `" "`, "ü": `"ü"`, "\xff": `"\xff"`, "[": `"["`, "\u202e": `"\u202e"`} {
		if have := segmentProblem(segment); have != want {
			t.Errorf("%q: %s, want %s", segment, have, want)
		}
	}
	if have := authorityProblem(splitURI("skill://a:b/c")); have != `":"` {
		t.Errorf("a colon in an authority: %s", have)
	}
}

func TestNormalURI(t *testing.T) {
	for text, want := range map[string]string{
		"skill://a/b": "skill://a/b", "SKILL://A/b": "skill://A/b", "skill://a/%7e%c3%2f": "skill://a/~%C3%2F",
		"skill://a/%": "skill://a/%", "skill://a/%g0": "skill://a/%g0", "no%7euri": "no%7euri",
	} {
		if have := normalURI(text); have != want {
			t.Errorf("%q: %q, want %q", text, have, want)
		}
	}
}

func TestParentDirs(t *testing.T) {
	var have []string
	parentDirs("skill://a/b", "skill://a/b/c/d/e.md", func(parent string) { have = append(have, parent) })
	if want := []string{"skill://a/b/c/d", "skill://a/b/c", "skill://a/b"}; !slices.Equal(have, want) {
		t.Errorf("%q", have)
	}
}
