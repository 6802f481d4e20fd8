package mcpprobe

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestAuditLies: answers that a server should not give, and what is found of
// each.
func TestAuditLies(t *testing.T) {
	result := func(members m) m {
		all := m{"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
		for key, value := range members {
			all[key] = value
		}
		return all
	}
	item := func(members m) m { return result(m{"contents": []any{members}}) }
	const skill = "skill://weather/SKILL.md"
	tests := map[string]struct {
		method, uri string
		answer      func(*fakeServer) any // an error counts as one
		want        []string
	}{
		"an internal error for all skills": {MethodList, "", func(*fakeServer) any { return &RPCError{Code: CodeInternalError, Message: "one is broken"} },
			[]string{`fail | list-implemented | the server failed with error -32603: "one is broken"`}},
		"the older draft": {MethodList, "", func(s *fakeServer) any {
			s.files["skill://index.json"] = "{}"
			return &RPCError{Code: CodeMethodNotFound, Message: "unknown"}
		}, []string{`fail | list-implemented | skills/list is not implemented (error -32601: "unknown"); the server has skill://index.json, as an earlier draft of the extension wanted it`}},
		"input for the listing": {MethodList, "", func(*fakeServer) any { return m{"resultType": "input_required"} },
			[]string{`fail | list-result-type | resultType is a string ("input_required"); it must be "complete"`, "warn | input-required | skills/list wants input before it answers"}},
		"a skill twice": {MethodList, "", func(s *fakeServer) any {
			return result(m{"skills": []any{s.entries[skill], s.entries[skill]}})
		}, []string{"fail | list-entries-once | " + skill + " | the skill is listed twice, with the same entry"}},
		"a cursor that is none": {MethodList, "", func(s *fakeServer) any {
			return result(m{"skills": []any{s.entries[skill]}, "nextCursor": nil})
		}, []string{"fail | list-pages-end | nextCursor is null; it must be a string, or absent at the end"}},
		"another entry": {MethodGet, skill, func(s *fakeServer) any {
			entry := s.entry("skill://weather")
			entry["resources"] = entry["resources"].([]any)[:1]
			return result(m{"skill": entry})
		}, []string{"fail | get-same-entry | " + skill + ` | skills/get gives another entry than skills/list: resources ("skill://weather/notes/day.md") differs`}},
		"no entry": {MethodGet, skill, func(*fakeServer) any { return result(m{"skill": nil}) },
			[]string{"fail | get-skill-object | " + skill + " | skill is null; it must be the entry, an object"}},
		"no answer for a listed skill": {MethodGet, skill, func(*fakeServer) any { return &RPCError{Code: CodeMethodNotFound, Message: "unknown"} },
			[]string{"fail | get-answers | " + skill + ` | skills/get is not implemented (error -32601: "unknown")`}},
		"a file that is gone": {MethodRead, notesURI, func(*fakeServer) any { return &RPCError{Code: CodeResourceNotFound, Message: "gone"} },
			[]string{"fail | read-answers | " + skill + " | " + notesURI + ` | the server knows no such resource (error -32002: "gone")`}},
		"no contents": {MethodRead, notesURI, func(*fakeServer) any { return result(m{}) },
			[]string{"fail | read-one-item | " + skill + " | " + notesURI + " | contents is missing; it must be an array with one item"}},
		"another file": {MethodRead, notesURI, func(*fakeServer) any { return item(m{"uri": "skill://weather/x", "text": "Rain, then wind.\n"}) },
			[]string{"fail | read-item-uri | " + skill + " | " + notesURI + ` | the item is labelled "skill://weather/x", and not as it was asked for`}},
		"another spelling": {MethodRead, notesURI, func(*fakeServer) any {
			return item(m{"uri": "skill://weather/notes/%64ay.md", "text": "Rain, then wind.\n"})
		}, []string{"info | read-item-uri | " + skill + " | " + notesURI + ` | the item is labelled "skill://weather/notes/%64ay.md", an equivalent spelling`}},
		"base64 for the web": {MethodRead, notesURI, func(*fakeServer) any { return item(m{"uri": notesURI, "blob": "UmFpbiwgdGhlbiB3aW5kLgo"}) },
			[]string{"warn | blob-base64-strict | " + skill + " | " + notesURI + " | blob has the wrong padding; some hosts read only standard base64 with padding, on one line"}},
		"metadata of nobody": {MethodRead, notesURI, func(*fakeServer) any {
			return item(m{"uri": notesURI, "text": "Rain, then wind.\n", "_meta": m{"a": 1, "io.modelcontextprotocol/b": 1, "io.modelcontextprotocol.skills/c": 1, "example.com/d": 1}})
		}, []string{
			"warn | meta-prefix | " + skill + " | " + notesURI + ` | _meta has the key "a"; its prefix should be io.modelcontextprotocol.skills/`,
			"info | meta-prefix | " + skill + " | " + notesURI + ` | _meta has the key "example.com/d", with a prefix of somebody's own`,
			"warn | meta-prefix | " + skill + " | " + notesURI + ` | _meta has the key "io.modelcontextprotocol/b"; its prefix should be io.modelcontextprotocol.skills/`,
		}},
		"a name in resources/list": {MethodResources, "", func(*fakeServer) any {
			return result(m{"resources": []any{m{"uri": skill, "name": "SKILL.md", "description": "Writes the weather report. Use each morning.\n", "mimeType": "text/markdown; charset=utf-8"}}})
		}, []string{"warn | resource-name | " + skill + ` | the name in resources/list is a string ("SKILL.md"), and not that of the frontmatter`}},
		"no resources/list": {MethodResources, "", func(*fakeServer) any { return &RPCError{Code: CodeMethodNotFound, Message: "unknown"} }, nil},
		"children of others": {MethodDirectory, "skill://weather/notes", func(*fakeServer) any {
			return result(m{"resources": []any{m{"uri": notesURI, "name": "day.md", "mimeType": directoryType}, m{"uri": "skill://weather/x", "name": "x"}, m{}}})
		}, []string{
			"fail | directory-children | " + skill + ` | skill://weather/notes | "skill://weather/x" is no direct child of the directory`,
			"fail | directory-children | " + skill + " | skill://weather/notes | an item of resources is an object ({}); it must be an object with the uri of a child",
			"fail | directory-mime-type | " + skill + ` | skill://weather/notes | the file "skill://weather/notes/day.md" has the mimeType inode/directory`,
		}},
		"a directory that is none": {MethodDirectory, "skill://weather/notes", func(*fakeServer) any { return refuse("no directory") },
			[]string{"fail | directory-answers | " + skill + ` | skill://weather/notes | the server refused the request with error -32602: "no directory"`}},
		"an empty directory": {MethodDirectory, "skill://weather/notes", func(*fakeServer) any { return result(m{"resources": []any{}}) },
			[]string{"fail | directory-nothing-missing | " + skill + " | " + notesURI + " | the manifest lists it, and the directory does not hold it"}},
		"an answer for what is not there": {MethodGet, "skill://" + unknownName + skillEnd, func(*fakeServer) any { return result(m{"skill": nil}) },
			[]string{"fail | get-unknown-skill | skill://" + unknownName + skillEnd + " | skills/get for a skill that is not there is answered with a result; it must be refused with error -32602"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := weather()
			answer := test.answer(s)
			negative := strings.Contains(test.uri, unknownName)
			s.lie = func(method, uri string) (any, error, bool) {
				failure, _ := answer.(error)
				return answer, failure, method == test.method && uri == test.uri
			}
			have := findingsOf(Audit(context.Background(), s.client(Options{}), AuditOptions{NoNegative: !negative, Leave: []string{"list-not-empty"}}))
			if !slices.Equal(have, test.want) {
				t.Errorf("have:\n%s\nwant:\n%s", strings.Join(have, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// TestAuditChangedBetween: an entry that changed between skills/list and
// skills/get is no contradiction.
func TestAuditChangedBetween(t *testing.T) {
	s := weather()
	s.lie = func(method, uri string) (any, error, bool) {
		if method == MethodGet {
			s.files[notesURI] = "Snow.\n"
			s.entries[weatherURI] = s.entry("skill://weather")
		}
		return nil, nil, false
	}
	r := auditFake(t, s, AuditOptions{NoNegative: true})
	want := []string{"info | entry-stable | skill://weather/SKILL.md | the entry changed between skills/list and skills/get: listing again gave the new one"}
	if have := findingsOf(r); !slices.Equal(have, want) || r.Skills[0].Outcome != OutcomeVerified || s.count(MethodList) != 2 {
		t.Errorf("have:\n%s\n%+v", strings.Join(have, "\n"), r.Skills)
	}
}

// TestAuditHidden: what a terminal or a reader would not show is named.
func TestAuditHidden(t *testing.T) {
	s := fakeSkills(map[string]map[string]string{"x": {"SKILL.md": skillText("x", "Does\u202e. Use it.") + "\x1b[2J and \u200b\U000e0041\n"}})
	c := s.client(Options{})
	c.server.Instructions, c.server.Authenticated = "\x07", true
	s.lie = func(method, uri string) (any, error, bool) {
		return m{"resultType": "complete", "ttlMs": 0, "cacheScope": "public", "skills": []any{s.entries["skill://x/SKILL.md"]}}, nil, method == MethodList
	}
	have := findingsOf(Audit(context.Background(), c, AuditOptions{Only: []string{"security"}}))
	want := []string{
		"warn | cache-scope-public | the answers to skills/list have the cacheScope public, and credentials were sent for them",
		"warn | control-characters | the server's instructions has U+0007",
		"warn | control-characters | skill://x/SKILL.md | skill://x/SKILL.md | the text has U+001B",
		"warn | hidden-characters | skill://x/SKILL.md | /frontmatter/description has U+202E",
		"warn | hidden-characters | skill://x/SKILL.md | skill://x/SKILL.md | the text has U+202E and 2 more such characters",
	}
	if !slices.EqualFunc(have, want, strings.HasPrefix) {
		t.Errorf("have:\n%s", strings.Join(have, "\n"))
	}
}

// TestAuditOlder: what only later revisions have is noted and not judged
// (S-CAP4).
func TestAuditOlder(t *testing.T) {
	s := weather()
	c := s.client(Options{})
	c.server.Protocol = "2025-11-25"
	s.lie = func(method, uri string) (any, error, bool) {
		switch {
		case method == MethodGet && uri == weatherURI:
			return m{"skill": s.entries[weatherURI]}, nil, true
		case method == MethodRead && strings.Contains(uri, unknownName):
			return nil, &RPCError{Code: CodeResourceNotFound, Message: "no file at " + uri}, true
		}
		return nil, nil, false
	}
	r := Audit(context.Background(), c, AuditOptions{})
	for _, result := range r.Results {
		switch result.Check {
		case checkRevision, checkListTTL, checkReadScope:
			if result.Status != Info {
				t.Errorf("%s: %s %q", result.Check.ID, result.Status, result.Message)
			}
		case checkGetTTL, checkGetResultType:
			if want := "the revision is 2025-11-25; judged from 2026-07-28 on"; result.Status != Skip || result.Message != want {
				t.Errorf("%s: %s %q", result.Check.ID, result.Status, result.Message)
			}
		}
	}
	if r.Verdict != VerdictPass {
		t.Errorf("verdict %s:\n%s", r.Verdict, strings.Join(findingsOf(r), "\n"))
	}
}

func TestJudgeCapability(t *testing.T) {
	for capabilities, want := range map[string]string{
		`{"resources":{},"extensions":{"io.modelcontextprotocol/skills":true}}`:                    "extension-settings: the declaration is a boolean (true); it must be an object",
		`{"resources":{},"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":"yes"}}}`: `directory-read-boolean: directoryRead is a string ("yes"); it must be a boolean, and counts as false`,
		`{"resources":{},"extensions":{"io.modelcontextprotocol/skills":{"directoryread":true}}}`:  `extension-other-settings: the declaration has also "directoryread", which the extension does not define`,
		`{"extensions":{"io.modelcontextprotocol/skills":{}}}`:                                     "resources-declared: the capabilities have no resources",
		`{"resources":true,"extensions":{"io.modelcontextprotocol/skills":{}}}`:                    "resources-declared: resources is a boolean (true); it must be an object",
		`{"resources":{},"io.modelcontextprotocol/skills":{}}`:                                     "extension-declared: the capabilities have no extensions with io.modelcontextprotocol/skills; it is declared beside the capabilities, and belongs under extensions",
		`{"resources":{},"skills":{}}`:                                                             `extension-declared: the capabilities have no extensions with io.modelcontextprotocol/skills; a capability "skills" is none of this extension`,
	} {
		a := &auditor{findings: newFindings([]string{"capability"}, nil), server: Server{Capabilities: json.RawMessage(capabilities), Declared: true}}
		a.judgeCapability()
		var have []string
		for _, r := range a.sorted(func(*CheckInfo) string { return "" }) {
			if r.Status != Pass && r.Status != Skip {
				have = append(have, r.Check.ID+": "+r.Message)
			}
		}
		if !slices.Equal(have, []string{want}) {
			t.Errorf("%s\nhave %q\nwant %q", capabilities, have, want)
		}
	}
}
