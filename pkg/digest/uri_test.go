package digest_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/pkg/digest"
)

func TestURIs(t *testing.T) {
	for _, c := range []struct{ prefix, path, want string }{
		{"", "pdf", "skill://pdf"},
		{"", "team/pdf", "skill://team/pdf"},
		{"skill://acme/billing", "refunds", "skill://acme/billing/refunds"},
		{"skill://acme/", "refunds", "skill://acme/refunds"},
		{"docs://", "a/b", "docs://a/b"},
		{"", "a b/é/x", "skill://a%20b/%C3%A9/x"},
		{"", "a:b@c/a:b@c", "skill://a%3Ab%40c/a:b@c"},
		{"skill://my%20team/%c3%a9%41", "x", "skill://my%20team/%C3%A9A/x"},
	} {
		p := digest.Prefix{}
		if c.prefix != "" {
			var err error
			if p, err = digest.ParsePrefix(c.prefix); err != nil {
				t.Errorf("%q: %v", c.prefix, err)
			}
		}
		if got := p.Dir(c.path); got != c.want {
			t.Errorf("%q, %q: %s, want %s", c.prefix, c.path, got, c.want)
		}
	}
}

func TestPrefixErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "has no scheme; write it as skill://acme/billing",
		"acme/billing":        "has no scheme",
		"Skill://acme":        `URI scheme "Skill" has "S"`,
		"1skill://acme":       `has "1"`,
		"://acme":             "the URI scheme is empty",
		"skill://acme//x":     "a segment is empty",
		"skill://acme/./x":    `a segment is "."`,
		"skill://acme/%2e%2e": `a segment is ".."`,
		"skill://acme/a%2fb":  "has a slash or a backslash",
		"skill://acme/a%5cb":  "has a slash or a backslash",
		"skill://acme/%ff":    "is no UTF-8",
		"skill://acme/%0a":    "has a control character",
		"skill://acme/%zz":    "has a % that starts no percent-encoding",
		"skill://acme?x":      `has "?"; a skill URI has no query and no fragment`,
		"skill://acme#x":      `has "#"`,
		"skill://me@acme":     `has "@"; it must be a plain name without user and port`,
		"skill://acme:80":     `has ":"; it must be a plain name`,
		"skill://my team":     `segment "my team" is not written as in a URI; write my%20team`,
		"skill://acme/é":      `is not written as in a URI; write %C3%A9`,
		"skill://acme/[x]":    `write %5Bx%5D`,
	} {
		if _, err := digest.ParsePrefix(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Every name has one URI, which leads back to it and to no other name.
func TestFileURIs(t *testing.T) {
	seen := map[string]string{}
	for _, name := range []string{
		"SKILL.md", "a b", "a%20b", "a+b", "a&b", "é", "e\u0301", "日本.md", "a?b#c", "a:b", "[x]", `"q"`, "a;b=c,d", "~", "a/b", "a%2Fb", "100%", "<a>", "😀",
	} {
		uri := digest.FileURI("skill://x/y", name)
		if before, ok := seen[uri]; ok {
			t.Errorf("%q and %q have the URI %s", name, before, uri)
		}
		seen[uri] = name
		if back, err := digest.FilePath("skill://x/y", uri); err != nil || back != name {
			t.Errorf("%q comes back as %q, %v", name, back, err)
		}
		if u, err := url.Parse(uri); err != nil || u.Path != "/y/"+name {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if got := digest.FileURI("skill://x", "dock plan/dock%20plan.md"); got != "skill://x/dock%20plan/dock%2520plan.md" {
		t.Error(got)
	}
}

func FuzzURI(f *testing.F) {
	f.Add("skill://acme/a%20b", "x/y z")
	f.Fuzz(func(t *testing.T, prefix, name string) {
		p, err := digest.ParsePrefix(prefix)
		if err != nil {
			return
		}
		dir := p.Dir("skill")
		again, err := digest.ParsePrefix(dir)
		if err != nil || again.Dir("x") != dir+"/x" {
			t.Errorf("%q gives %q, which gives %v, %v", prefix, dir, again, err)
		}
		if path, err := digest.FilePath(dir, digest.FileURI(dir, name)); err == nil && path != name {
			t.Errorf("%q comes back as %q", name, path)
		}
		if path, err := digest.FilePath(dir, dir+"/"+name); err == nil && strings.Contains("/"+path+"/", "/../") {
			t.Errorf("%q leads to %q", name, path)
		}
	})
}
