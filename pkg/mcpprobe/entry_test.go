package mcpprobe

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sum is a digest.
const sum = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

func TestParseEntry(t *testing.T) {
	file := func(uri string) string { return fmt.Sprintf(`{"uri":%q,"digest":%q,"size":4}`, uri, sum) }
	entry := func(uri, frontmatter, resources string) string {
		return fmt.Sprintf(`{"uri":%q,"frontmatter":%s,"resources":%s}`, uri, frontmatter, resources)
	}
	named := func(name string) string { return fmt.Sprintf(`{"name":%q,"description":"Does. Use it."}`, name) }
	const x = "skill://x/SKILL.md"
	with := func(resource string) string { return entry(x, named("x"), "["+file(x)+","+resource+"]") }
	tests := []struct{ raw, want string }{
		{entry(x, named("x"), "["+file(x)+"]"), ""},
		{entry("skill://acme/b/x/SKILL.md", named("x"), `"dynamic"`), ""},
		{entry("skill://caf%C3%A9/SKILL.md", named("café"), "["+file("skill://caf%C3%A9/SKILL.md")+"]"), ""},
		{with(file("skill://x/a%20b/%25.md")), ""},
		{`null`, "entry-object: an item of skills is null; it must be an object with uri, frontmatter and resources"},
		{`{}`, `entry-frontmatter-object: frontmatter is missing; it must be an object
entry-resources: resources is missing; it must be an array of files, or the string "dynamic"
uri-of-skill-md: uri is missing; it must be the URI of the skill's SKILL.md`},
		{`{"uri":"x/SKILL.md","frontmatter":{},"resources":"static"}`, `entry-description: description is missing; it must be a string
entry-name: name is missing; it must be a string that is not empty
entry-resources: resources is a string ("static"); it must be an array of files, or the string "dynamic"
uri-of-skill-md: the URI has no scheme; write it as skill://NAME/SKILL.md`},
		{entry("skill://x/SKILL.md/", named("x"), `"dynamic"`), "uri-of-skill-md: the URI does not end in /SKILL.md"},
		{entry("skill://SKILL.md", named("x"), `"dynamic"`), "uri-of-skill-md: nothing stands before /SKILL.md; the segment there is the skill's name"},
		{entry("skill:///SKILL.md", named("x"), `"dynamic"`), "uri-of-skill-md: nothing stands before /SKILL.md; the segment there is the skill's name"},
		{entry("docs://x/SKILL.md", named("x"), `"dynamic"`), `uri-scheme: the scheme is "docs", one of the server's own; that is allowed`},
		{entry("Skill://x/SKILL.md", named("x"), `"dynamic"`), `uri-scheme: the scheme is written "Skill"; in lower case it is the one that hosts look for`},
		{entry("skill://y/SKILL.md", named("x"), `"dynamic"`), `uri-matches-name: the segment before /SKILL.md is "y", and the name is "x"`},
		{entry("skill://X_/SKILL.md", named("X_"), `"dynamic"`), `name-rules: the name "X_" has "_" and upper-case letters; use a-z, 0-9 and "-"`},
		{entry(x, `{"name":"x","description":" "}`, `"dynamic"`), "entry-description: description is blank; it must say what the skill does and when to use it"},
		{entry(x, fmt.Sprintf(`{"name":"x","description":"%s\n"}`, strings.Repeat("ä", 1024)), `"dynamic"`), ""},
		{entry(x, fmt.Sprintf(`{"name":"x","description":%q}`, strings.Repeat("ä", 1025)), `"dynamic"`), "entry-description: description has 1,025 characters; at most 1,024 are allowed"},
		{entry(x, `{"name":"x","description":"D.","metadata":{"io.modelcontextprotocol/a":"b"}}`, `"dynamic"`),
			`entry-metadata-reserved: metadata has the key "io.modelcontextprotocol/a"; keys below io.modelcontextprotocol/ are reserved, and none is defined`},
		{entry(x, named("x"), `[]`), "resources-self: resources lists 0 files, and SKILL.md itself is not among them"},
		{with(`"skill://x/a"`), `resource-object: an item of resources is a string ("skill://x/a"); it must be an object with uri, digest and size`},
		{with(`{"digest":"` + sum + `","size":4}`), "resource-object: a resource whose uri is missing; it must be the URI of a file"},
		{with(file(x)), "resources-once: the file is listed twice"},
		{with(file("skill://x/~a") + "," + file("skill://x/%7Ea")), `resources-once: the file is listed as "skill://x/~a" too: the two URIs are equivalent
uri-encoding: the URI has "%7E", which needs no encoding; write ~`},
		{with(file("skill://xy/a")), `resources-inside: the file is not below the skill's directory "skill://x"`},
		{with(file("skill://X/a")), `resources-inside: the file is not below the skill's directory "skill://x"`},
		{with(file("skill://x/../y")), `resources-inside: the URI has the segment "..", which may lead out of the skill's directory
uri-canonical: the URI has the segment ".."`},
		{with(file("skill://x/a//b")), "uri-canonical: the URI has an empty segment"},
		{with(file("skill://x/a?b")), `uri-canonical: the URI has the query "?b"`},
		{with(file("skill://x/a b")), `uri-segments: the segment "a b" has " ", which has to be percent-encoded`},
		{with(`{"uri":"skill://x/a","size":0}`), `entry-digest-format: digest is missing; it must be "sha256:" and 64 lower-case hexadecimal digits`},
		{with(`{"uri":"skill://x/a","digest":"` + sum + `","size":"4"}`), `size-integer: size is a string ("4"); it must be the length of the file in bytes`},
		{with(`{"uri":"skill://x/a","digest":"` + sum + `","size":-1}`), `size-integer: size is the number -1, which is negative; it must be the length of the file in bytes`},
		{with(`{"uri":"skill://x/a","digest":"` + sum + `","size":1e3}`), `size-form: size is written 1e3; some readers take only 1000 for an integer`},
		{with(`{"uri":"skill://x/a","digest":"` + sum + `","size":16777212}`), ""},
		{with(`{"uri":"skill://x/a","digest":"` + sum + `","size":16777213}`),
			"limit-bytes: the files have 16,777,217 bytes together; hosts must accept 16,777,216, and may refuse more"},
		{with(`{"uri":"skill://x/a","digest":"` + sum + `","size":9007199254740992}`),
			"size-integer: size is the number 9007199254740992, which is over 9,007,199,254,740,991, the largest integer that every reader of JSON keeps; it must be the length of the file in bytes"},
		{`{"uri":"skill://x/SKILL.md","name":"x","_meta":{},"frontmatter":` + named("x") + `,"resources":"dynamic"}`,
			`entry-members: the entry has also "name", which the extension does not define`},
	}
	for _, test := range tests {
		var have []string
		for _, p := range ParseEntry(json.RawMessage(test.raw)).Problems {
			have = append(have, p.Check.ID+": "+p.Message)
		}
		slices.Sort(have)
		if text := strings.Join(have, "\n"); text != test.want {
			t.Errorf("%.200s\nhave %s\nwant %s", test.raw, text, test.want)
		}
	}
}

func TestParseEntryLimits(t *testing.T) {
	many := func(n int) json.RawMessage {
		var files []string
		for i := range n {
			files = append(files, fmt.Sprintf(`{"uri":"skill://x/%d"}`, i))
		}
		return json.RawMessage(`{"uri":"skill://x/SKILL.md","resources":[` + strings.Join(files, ",") + `]}`)
	}
	count := func(e *Entry, check *CheckInfo) (n int, last string) {
		for _, p := range e.Problems {
			if p.Check == check {
				n, last = n+1, p.Message
			}
		}
		return n, last
	}
	if n, _ := count(ParseEntry(many(512)), checkLimitResources); n != 0 {
		t.Error("512 files are too many")
	}
	e := ParseEntry(many(513))
	if n, _ := count(e, checkLimitResources); n != 1 || len(e.Resources) != 513 || e.Resources[0].Size != -1 {
		t.Errorf("513 files: %d problems, %d resources", n, len(e.Resources))
	}
	if n, last := count(e, checkSizeInteger); n != maxProblems+1 || last != "the same holds for 493 resources more" {
		t.Errorf("%d problems, the last %q", n, last)
	}
}

func TestEntryValues(t *testing.T) {
	e := ParseEntry(json.RawMessage(`{"uri":"skill://a/b/SKILL.md","frontmatter":{"name":"b","description":"D."},"resources":[{"uri":"skill://a/b/x","digest":"d","size":12.0}]}`))
	if e.Dir != "skill://a/b" || e.Name != "b" || e.Description != "D." || e.Dynamic || string(e.Frontmatter) != `{"name":"b","description":"D."}` {
		t.Errorf("%+v", e)
	}
	if want := (Resource{"skill://a/b/x", "d", 12}); len(e.Resources) != 1 || e.Resources[0] != want {
		t.Errorf("%+v", e.Resources)
	}
	if p := e.invalid(); p == nil || p.Check.Level != Must {
		t.Errorf("invalid gives %v", p)
	}
}

func FuzzParseEntry(f *testing.F) {
	f.Add([]byte(`{"uri":"skill://x/SKILL.md","frontmatter":{"name":"x","description":"D."},"resources":[{"uri":"skill://x/SKILL.md","digest":"` + sum + `","size":4}]}`))
	f.Add([]byte(`{"uri":"skill://x%2/SKILL.md","frontmatter":{"name":1},"resources":"dynamic"}`))
	f.Add([]byte(`{"uri":"a:/b/SKILL.md","resources":[{"uri":"a:/b/%2e%2E/c?#","size":1e-3}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e := ParseEntry(raw)
		if e.Dir != "" && e.Dir+skillEnd != e.URI {
			t.Errorf("directory %q of %q", e.Dir, e.URI)
		}
		for _, p := range e.Problems {
			if p.Check == nil || p.Message == "" {
				t.Errorf("problem %+v", p)
			}
		}
		if e.URI != "" && e.Dir == "" && e.invalid() == nil {
			t.Errorf("%q is the URI of a skill", e.URI)
		}
		for _, r := range e.Resources {
			if within(e.Dir, r.URI) && strings.Contains(r.URI[len(e.Dir):], "/../") {
				t.Errorf("%q is within %q", r.URI, e.Dir)
			}
		}
	})
}
