package mcpprobe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

const testDigest = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

// lockText is a lock file with one server and what stands in it.
func lockText(skills string) string {
	return `{"version": 1, "servers": {"demo": ` + skills + `}}`
}

func TestLockText(t *testing.T) {
	pdf, _ := testSkill("skill://pdf", "b.md", "b", "SKILL.md", "one")
	charts, _ := testSkill("skill://a/charts", "SKILL.md", "<two>")
	dynamic := &Entry{URI: "skill://live/SKILL.md", Dir: "skill://live", Dynamic: true}
	var lock Lock
	lock.Approve("demo <1>", []*Entry{pdf, dynamic, charts}, nil)
	lock.Approve("a", nil, nil)
	want := `{
  "$schema": "https://github.com/skilltool/skilltool/schemas/probe-lock.schema.json",
  "version": 1,
  "servers": {
    "a": {},
    "demo <1>": {
      "skill://a/charts/SKILL.md": {
        "name": "charts",
        "files": [
          {"uri": "skill://a/charts/SKILL.md", "digest": "sha256:2d00aba7f51e25b0ab27aebf0a8be26e0ef3fb91a8e6eae99a8eba7c4e3a4f61", "size": 5}
        ]
      },
      "skill://pdf/SKILL.md": {
        "name": "pdf",
        "files": [
          {"uri": "skill://pdf/SKILL.md", "digest": "sha256:7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed", "size": 3},
          {"uri": "skill://pdf/b.md", "digest": "sha256:3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d", "size": 1}
        ]
      }
    }
  }
}
`
	want = strings.Replace(want, "sha256:2d00aba7f51e25b0ab27aebf0a8be26e0ef3fb91a8e6eae99a8eba7c4e3a4f61", charts.Resources[0].Digest, 1)
	if got := string(lock.Text()); got != want {
		t.Errorf("the lock is\n%s\nwant\n%s", got, want)
	}
	again, err := ReadLock(lock.Text())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.Text(), lock.Text()) {
		t.Errorf("read and written, the lock is\n%s", again.Text())
	}
	schema, err := os.ReadFile("../../schemas/probe-lock.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	holdAgainst(t, string(schema), string(lock.Text()))
}

func holdAgainst(t *testing.T, schema, document string) {
	t.Helper()
	compiled, err := jsonschema.CompileString("lock.json", schema)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal([]byte(document), &value); err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(value); err != nil {
		t.Errorf("%#v", err)
	}
}

// The parts of other servers are kept byte for byte, however they are written.
func TestLockKeepsOthers(t *testing.T) {
	other := `{   "skill://x/SKILL.md" : {"files":[ {"size":1,"uri":"skill://x/SKILL.md","digest":"` + testDigest + `"} ]}
  }`
	lock, err := ReadLock([]byte(`{"servers": {"b\u0061r": ` + other + `, "demo": {}}, "version": 1}`))
	if err != nil {
		t.Fatal(err)
	}
	e, _ := testSkill("skill://pdf", "SKILL.md", "one")
	lock.Approve("demo", []*Entry{e}, nil)
	if got := string(lock.Text()); !strings.Contains(got, `    "bar": `+other+",\n    \"demo\": {\n") {
		t.Errorf("the lock is\n%s", got)
	}
	more, _ := testSkill("skill://more", "SKILL.md", "two")
	lock.Approve("demo", []*Entry{more}, func(uri string) bool { return uri == e.URI })
	if got := lock.Skills("demo"); len(got) != 2 || got[0].URI != more.URI || got[1].URI != e.URI {
		t.Errorf("approved: %+v", got)
	}
}

func TestReadLockRefuses(t *testing.T) {
	file := `{"uri": "skill://a/SKILL.md", "digest": "` + testDigest + `", "size": 1}`
	skill := func(files string) string {
		return lockText(`{"skill://a/SKILL.md": {"name": "a", "files": ` + files + `}}`)
	}
	for _, test := range []struct{ text, want string }{
		{``, "line 1: unexpected end of JSON"},
		{`{}`, `no "version"`},
		{`[]`, "line 1: the lock file is no object"},
		{`null`, "line 1: the lock file is no object"},
		{`{"version": 1}`, `no "servers"`},
		{`{"version": 2, "servers": {}}`, "line 1: the lock file has version 2; version 1 is understood"},
		{`{"version": 1.0, "servers": {}}`, "version 1.0"},
		{`{"version": "1", "servers": {}}`, "version 1"},
		{`{"Version": 1, "servers": {}}`, `the key "Version" is not known here; there are $schema, version and servers`},
		{"{\n\"version\": 1,\n\"servers\": {},\n\"version\": 1}", `line 4: the key "version" stands twice`},
		{`{"version": 1, "servers": {}} {}`, "there is more after the value"},
		{`{"version": 1, "servers": {}`, "unexpected end"},
		{"{\"version\": 1, \"servers\": {\"\xff\": {}}}", "no UTF-8"},
		{`{"version": 1, "servers": {"\ud800": {}}}`, "half a surrogate pair"},
		{`{"version": 1, "servers": {"": {}}}`, "the label of a server is empty"},
		{`{"version": 1, "servers": {"demo": {}, "d\u0065mo": {}}}`, `the key "demo" stands twice`},
		{lockText(`[]`), `the server "demo" is no object`},
		{lockText(`{"": {}}`), "the URI of a skill is empty"},
		{lockText(`{"a": []}`), `the skill "a" is no object`},
		{lockText(`{"a": {"name": "a"}}`), `the skill "a" has no "files"`},
		{lockText(`{"a": {"name": 1, "files": []}}`), `"name" is no string`},
		{lockText(`{"a": {"files": [], "approved": true}}`), `the key "approved" is not known here; there are name and files`},
		{skill(`{}`), `"files" is no list`},
		{skill(`[1]`), "a file is no object"},
		{skill(`[{}]`), `lacks one of "uri", "digest" and "size"`},
		{skill(`[{"uri": "a", "digest": "` + testDigest + `"}]`), `lacks one of "uri", "digest" and "size"`},
		{skill(`[{"uri": "a", "digest": "sha256:ABC", "size": 1}]`), "it"},
		{skill(strings.Replace("["+file+"]", "9f86", "9F86", 1)), "upper-case digits"},
		{skill(strings.Replace("["+file+"]", "sha256:", "sha512:", 1)), `does not start with "sha256:"`},
		{skill(strings.Replace("["+file+"]", `"size": 1`, `"size": -1`, 1)), `"size" is -1; it must be a whole number of bytes`},
		{skill(strings.Replace("["+file+"]", `"size": 1`, `"size": "1"`, 1)), `"size" is 1`},
		{skill("[" + file + ",\n" + file + "]"), `line 2: the file "skill://a/SKILL.md" stands twice`},
		{skill(strings.Replace("["+file+"]", `"size"`, `"mode": 1, "size"`, 1)), `the key "mode" is not known here`},
		{strings.Repeat("[", 100_000), "nested deeper"},
	} {
		lock, err := ReadLock([]byte(test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.200s: %v, want %q", test.text, err, test.want)
		}
		if lock != nil {
			t.Errorf("%.200s: there is a lock beside the error", test.text)
		}
	}
	if _, err := ReadLock([]byte(skill("[" + file + "]"))); err != nil {
		t.Error(err)
	}
	if _, err := ReadLock(make([]byte, MaxLockBytes+1)); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("a large file: %v", err)
	}
}

func TestLockCheck(t *testing.T) {
	pdf, _ := testSkill("skill://pdf", "SKILL.md", "one", "a.md", "a", "b.md", "b")
	nested, _ := testSkill("skill://pdf/inner", "SKILL.md", "in")
	gone, _ := testSkill("skill://gone", "SKILL.md", "gone")
	turned := slices.Clone(pdf.Resources)
	slices.Reverse(turned)
	with := func(e *Entry, change func(*Entry)) *Entry {
		copied := *e
		copied.Resources = slices.Clone(e.Resources)
		change(&copied)
		return &copied
	}
	for _, test := range []struct {
		name     string
		served   []*Entry
		complete bool
		want     []string
	}{
		{"all", []*Entry{pdf, gone}, true, []string{"pass 2"}},
		{"another order", []*Entry{with(pdf, func(e *Entry) { e.Resources = turned }), gone}, true, []string{"pass 2"}},
		{"another size", []*Entry{with(pdf, func(e *Entry) { e.Resources[0].Size = 7 }), gone}, true, []string{"pass 2"}},
		{"a pair twice", []*Entry{with(pdf, func(e *Entry) { e.Resources = append(e.Resources, e.Resources[0]) }), gone}, true, []string{"pass 2"}},
		{"vanished", []*Entry{pdf}, true, []string{"fail skill://gone/SKILL.md: the approved skill is not served any more", "pass 1"}},
		{"not all looked at", []*Entry{pdf}, false, []string{"skip : 1 approved skills were not looked at: the audit did not take in all skills", "pass 1"}},
		{"new and nested", []*Entry{pdf, gone, nested}, true, []string{
			`fail skill://pdf/inner/SKILL.md: the skill is not approved; the approval of "skill://pdf/SKILL.md", in which it is nested, does not cover it`, "pass 2"}},
		{"changed, added, removed", []*Entry{gone, with(pdf, func(e *Entry) {
			e.Resources[1].Digest = testDigest
			e.Resources[2].URI = "skill://pdf/c.md"
		})}, true, []string{
			"fail skill://pdf/SKILL.md: the skill is not the approved one: 1 file changed, 1 file added, 1 file removed" +
				" [changed a.md (sha256:9f86d081884c…, approved sha256:ca978112ca1b…)]" +
				" [removed b.md (sha256:3e23e8160039…)] [added c.md (sha256:3e23e8160039…)]", "pass 1"}},
		{"a second digest", []*Entry{gone, with(pdf, func(e *Entry) {
			e.Resources = append(e.Resources, Resource{URI: "skill://pdf/a.md", Digest: testDigest})
		})}, true, []string{
			"fail skill://pdf/SKILL.md: the skill is not the approved one: 1 file changed" +
				" [changed a.md (sha256:9f86d081884c…, approved sha256:ca978112ca1b…)]", "pass 1"}},
		{"dynamic", []*Entry{gone, {URI: pdf.URI, Dir: pdf.Dir, Dynamic: true}}, true, []string{
			"fail skill://pdf/SKILL.md: the skill is dynamic now, without digests; 3 files were approved", "pass 1"}},
		{"dynamic and new", []*Entry{pdf, gone, {URI: "skill://x/SKILL.md", Dir: "skill://x", Dynamic: true}}, true, []string{
			"fail skill://x/SKILL.md: the skill is dynamic, so that it cannot be approved: it carries no digests", "pass 2"}},
		{"two entries with one URI", []*Entry{pdf, gone, with(pdf, func(e *Entry) { e.Resources = e.Resources[:1] })}, true, []string{
			"fail skill://pdf/SKILL.md: the skill is not the approved one: 2 files removed" +
				" [removed a.md (sha256:ca978112ca1b…)] [removed b.md (sha256:3e23e8160039…)]", "pass 2"}},
		{"no URI", []*Entry{pdf, gone, {}}, true, []string{"fail : the skill is not approved", "pass 2"}},
	} {
		var lock Lock
		lock.Approve("demo", []*Entry{pdf, gone}, nil)
		lock.Approve("other", []*Entry{nested}, nil)
		var got []string
		for _, r := range lock.Check("demo", test.served, test.complete) {
			got = append(got, describeResult(r))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

// describeResult writes a result on one line.
func describeResult(r Result) string {
	if r.Status == Pass {
		return fmt.Sprintf("pass %d", r.Count)
	}
	text := fmt.Sprintf("%s %s: %s", r.Status, r.Skill, r.Message)
	for _, e := range r.Evidence {
		text += fmt.Sprintf(" [%s %s]", e.Label, e.Text)
	}
	return text
}

func TestLockApproves(t *testing.T) {
	pdf, _ := testSkill("skill://pdf", "SKILL.md", "one")
	var lock Lock
	lock.Approve("demo", []*Entry{pdf}, nil)
	if err := lock.Approves("demo", pdf); err != nil {
		t.Error(err)
	}
	if err := lock.Approves("other", pdf); err == nil {
		t.Error("another server's skill is approved")
	}
}

// FuzzReadLock: what is read is written and read again as the same, and never
// twice in two ways.
func FuzzReadLock(f *testing.F) {
	var lock Lock
	pdf, _ := testSkill("skill://pdf", "SKILL.md", "one")
	lock.Approve("demo", []*Entry{pdf}, nil)
	f.Add(lock.Text())
	f.Add([]byte(`{"version":1,"servers":{"a":{},"b":{"u":{"files":[]}}}}`))
	f.Add([]byte("{\"version\": 1, \"servers\": {\"\\ud83d\\ude00\": {\n}}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		lock, err := ReadLock(text)
		if err != nil {
			return
		}
		again, err := ReadLock(lock.Text())
		if err != nil {
			t.Fatalf("%s\nis written as\n%s\n%v", text, lock.Text(), err)
		}
		if !bytes.Equal(lock.Text(), again.Text()) {
			t.Errorf("%s\nbecomes\n%s", lock.Text(), again.Text())
		}
	})
}
