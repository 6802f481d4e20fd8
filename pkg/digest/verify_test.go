package digest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/pkg/digest"
)

// expectation gives the entry of a skill, as a manifest that is read back.
func expectation(t testing.TB, dir string) digest.Expected {
	t.Helper()
	s := load(t, dir)
	frontmatter, err := s.Frontmatter.JSON()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(digest.NewSkill("skill://depot-map", frontmatter, build(t, s)))
	if err != nil {
		t.Fatal(err)
	}
	list, err := digest.ReadManifest(text)
	if err != nil || len(list) != 1 || len(list[0].Faults) > 0 {
		t.Fatalf("%v, %v", list, err)
	}
	return list[0]
}

// describe gives a line for the skill and for each file that is not ok.
func describe(r digest.Result) string {
	lines := []string{string(r.State)}
	for _, f := range r.Faults {
		lines = append(lines, f.Rule+": "+f.Message)
	}
	for _, f := range r.Files {
		if f.State != digest.FileOK {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s: %s | %s%s", f.State, f.Rule, f.Message, f.Explained, f.Unverifiable)))
		}
	}
	return strings.Join(lines, "\n")
}

func TestVerify(t *testing.T) {
	legend := "# Legend\n\nN is north.\n"
	installed := "metadata:\n  github-repo: https://example.com/a/b\n  github-tree-sha: \"1\"\n"
	for _, c := range []struct {
		name   string
		change map[string]string // what is there in place of what is expected
		drop   []string
		want   string
	}{
		{"same", nil, nil, "ok"},
		{"crlf", map[string]string{"references/legend.md": "# Legend\r\n\r\nN is north.\r\n"}, nil,
			`explained
modified size-mismatch: "references/legend.md" has 25 bytes; 22 are listed | it fits with LF line ends`},
		{"bom", map[string]string{"references/legend.md": "\ufeff" + legend}, nil,
			`explained
modified size-mismatch: "references/legend.md" has 25 bytes; 22 are listed | it fits without its byte order mark`},
		{"final newline", map[string]string{"references/legend.md": strings.TrimSuffix(legend, "\n")}, nil,
			`explained
modified size-mismatch: "references/legend.md" has 21 bytes; 22 are listed | it fits with a final line end`},
		{"crlf, bom and final newline", map[string]string{"references/legend.md": "\ufeff# Legend\r\n\r\nN is north."}, nil,
			`explained
modified size-mismatch: "references/legend.md" has 26 bytes; 22 are listed | it fits with LF line ends and without its byte order mark and with a final line end`},
		{"flipped byte", map[string]string{"references/legend.md": strings.Replace(legend, "north", "South", 1)}, nil,
			`tampered
modified digest-mismatch: "references/legend.md" has 22 bytes and another digest than is listed |`},
		{"crlf and flipped byte", map[string]string{"references/legend.md": "# Legend\r\n\r\nN is South.\r\n"}, nil,
			`tampered
modified size-mismatch: "references/legend.md" has 25 bytes; 22 are listed |`},
		{"dropped dotfile", nil, []string{".config"},
			`explained
missing missing-file: ".config" is listed and not there | some installers drop files and folders whose names start with a dot`},
		{"dropped file", nil, []string{"references/legend.md"},
			`tampered
missing missing-file: "references/legend.md" is listed and not there |`},
		{"extra", map[string]string{"new.md": "x", "__pycache__/m.pyc": ""}, nil,
			`tampered
extra unlisted-file: "__pycache__/m.pyc" is there and not listed | a cache, which manifests leave out
extra unlisted-file: "new.md" is there and not listed |`},
		{"litter", map[string]string{".DS_Store": "x"}, nil,
			`explained
extra unlisted-file: ".DS_Store" is there and not listed | a file of an operating system, which manifests leave out`},
		{"skill file with crlf", map[string]string{"SKILL.md": strings.ReplaceAll(skillText, "\n", "\r\n")}, nil,
			`explained
modified size-mismatch: "SKILL.md" has 136 bytes; 130 are listed | it fits with LF line ends`},
		{"description", map[string]string{"SKILL.md": strings.Replace(skillText, "Draws the", "Steals a ", 1)}, nil,
			`tampered
frontmatter-mismatch: "description" is "Draws the map of a depot. Use when a depot is laid out." in the entry and "Steals a  map of a depot. Use when a depot is laid out." in SKILL.md
modified digest-mismatch: "SKILL.md" has 130 bytes and another digest than is listed |`},
		{"installed", map[string]string{"SKILL.md": strings.Replace(skillText, "---\n\n", installed+"---\n\n", 1)}, nil,
			`explained
modified size-mismatch: "SKILL.md" has 202 bytes; 130 are listed | it fits without the metadata that an installer added`},
		{"installed anew", map[string]string{"SKILL.md": strings.Replace(strings.Replace(skillText, "---\n\n", installed+"---\n\n", 1), "name: depot", "name:  depot", 1)}, nil,
			`unverifiable
modified size-mismatch: "SKILL.md" has 203 bytes; 130 are listed | an installer wrote the frontmatter anew and added metadata; the other fields are the listed ones, the body cannot be checked`},
		{"installed and changed", map[string]string{"SKILL.md": strings.Replace(strings.Replace(skillText, "---\n\n", installed+"---\n\n", 1), "Draws", "Steals", 1)}, nil,
			`tampered
frontmatter-mismatch: "description" is "Draws the map of a depot. Use when a depot is laid out." in the entry and "Steals the map of a depot. Use when a depot is laid out." in SKILL.md
frontmatter-mismatch: "metadata" is in SKILL.md and not in the entry
modified size-mismatch: "SKILL.md" has 203 bytes; 130 are listed |`},
	} {
		files := map[string]string{"references/legend.md": legend, ".config": "x"}
		want := expectation(t, writeSkill(t, files))
		for name, content := range c.change {
			files[name] = content
		}
		for _, name := range c.drop {
			delete(files, name)
		}
		r, errs := digest.Verify(context.Background(), load(t, writeSkill(t, files)), want)
		if got := describe(r); got != c.want || len(errs) > 0 {
			t.Errorf("%s: got\n%s\nwant\n%s\n%v", c.name, got, c.want, errs)
		}
	}
}

// A frontmatter that differs is not excused by a file that is.
func TestFrontmatterIsNotExcused(t *testing.T) {
	dir := writeSkill(t, map[string]string{"a": "1\r\n"})
	want := expectation(t, writeSkill(t, map[string]string{"a": "1\n"}))
	want.Frontmatter = json.RawMessage(`{"name":"depot-map","description":"Other."}`)
	r, _ := digest.Verify(context.Background(), load(t, dir), want)
	if r.State != digest.Tampered || r.Faults[0].Rule != digest.RuleFrontmatter {
		t.Errorf("%+v", r)
	}
}

func TestVerifyMode(t *testing.T) {
	m := build(t, load(t, writeSkill(t, map[string]string{"run*": "x", "data": "y"})))
	text, err := json.Marshal(digest.NewNativeSet(m.Native("depot-map")))
	if err != nil {
		t.Fatal(err)
	}
	list, err := digest.ReadManifest(text)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	r, _ := digest.Verify(context.Background(), load(t, writeSkill(t, map[string]string{"run": "x", "data*": "y"})), list[0])
	want := `explained
mode mode-mismatch: "data" is executable; it is listed as not executable | archives, some installers and some systems do not keep the executable bit
mode mode-mismatch: "run" is not executable; it is listed as executable | archives, some installers and some systems do not keep the executable bit`
	if got := describe(r); got != want {
		t.Errorf("%s", got)
	}
}

// Nothing is read through a link, and a link that leads out is no harmless
// addition.
func TestVerifyLinks(t *testing.T) {
	want := expectation(t, writeSkill(t, map[string]string{"a": "1"}))
	dir := writeSkill(t, map[string]string{"b": "1"})
	if err := os.Symlink("b", filepath.Join(dir, "a")); err != nil {
		t.Skip(err)
	}
	_ = os.Symlink("SKILL.md", filepath.Join(dir, "inside"))
	_ = os.Symlink("/etc/passwd", filepath.Join(dir, "outside"))
	r, _ := digest.Verify(context.Background(), load(t, dir), want)
	got := describe(r)
	for _, line := range []string{
		`modified digest-mismatch: "a" is listed as a file and is a symbolic link; only regular files are read |`,
		`extra unlisted-file: "inside" is there and not listed | a symbolic link, which manifests leave out`,
		`extra unlisted-file: "outside" is there and not listed; it is a symbolic link that leads to no file of the skill |`,
	} {
		if !strings.Contains(got, line) {
			t.Errorf("no %q in\n%s", line, got)
		}
	}
}

func TestVerifyErrors(t *testing.T) {
	s, f := fakeSkill(t, "a", "b")
	f.open["depot-map/a"] = deny
	want := digest.Expected{Files: []digest.ExpectedFile{{Path: "a", Size: 1}, {Path: "b", Size: 1, Digest: digest.Of([]byte("b"))}, {Path: "SKILL.md", Size: -1, Digest: digest.Of([]byte(skillText))}}}
	r, errs := digest.Verify(context.Background(), s, want)
	if r.State != digest.OK || len(errs) != 1 || errs[0].Error() != "a: permission denied" || len(r.Files) != 2 {
		t.Errorf("%+v, %v", r, errs)
	}
}

// Each fault of a manifest has a rule and a message of its own, and no verdict
// but unverifiable where the files are as they should be.
func TestManifestFaults(t *testing.T) {
	dir := writeSkill(t, map[string]string{"a": "1"})
	good := func() map[string]any {
		return map[string]any{
			"uri": "skill://x/depot-map/SKILL.md",
			"frontmatter": map[string]any{
				"name": "depot-map", "description": "Draws the map of a depot. Use when a depot is laid out.",
			},
			"resources": []any{
				map[string]any{"uri": "skill://x/depot-map/SKILL.md", "digest": digest.Of([]byte(skillText)).String(), "size": len(skillText)},
				map[string]any{"uri": "skill://x/depot-map/a", "digest": digest.Of([]byte("1")).String(), "size": 1},
			},
		}
	}
	resource := func(e map[string]any, i int) map[string]any { return e["resources"].([]any)[i].(map[string]any) }
	for _, c := range []struct {
		name  string
		spoil func(map[string]any)
		want  string
	}{
		{"nothing", func(e map[string]any) {}, "ok"},
		{"no uri", func(e map[string]any) { e["uri"] = 3 }, `unverifiable|entry-uri: the entry has no "uri"; it must be the URI of SKILL.md`},
		{"uri of a folder", func(e map[string]any) { e["uri"] = "skill://x/depot-map/" }, `entry-uri: "uri" is "skill://x/depot-map/"; it must be an absolute URI that ends in "/SKILL.md" behind the skill's name`},
		{"other name", func(e map[string]any) { e["frontmatter"].(map[string]any)["name"] = "map" }, `entry-uri: "uri" has "depot-map" before "/SKILL.md" and the frontmatter's name is "map"; they must be equal`},
		{"no frontmatter", func(e map[string]any) { delete(e, "frontmatter") }, `unverifiable|entry-frontmatter: "frontmatter" is absent; it must be an object with the fields of SKILL.md`},
		{"frontmatter is text", func(e map[string]any) { e["frontmatter"] = "x" }, `unverifiable|entry-frontmatter: "frontmatter" is "x"; it must be an object with the fields of SKILL.md`},
		{"no resources", func(e map[string]any) { delete(e, "resources") }, `unverifiable|resources-missing: the entry has no "resources"; it must be a list of files or the string "dynamic"`},
		{"resources are null", func(e map[string]any) { e["resources"] = nil }, `resources-missing`},
		{"resources are text", func(e map[string]any) { e["resources"] = "static" }, `unverifiable|resources-missing: "resources" is "static"; it must be a list of files or the string "dynamic"`},
		{"dynamic", func(e map[string]any) { e["resources"] = "dynamic" }, `unverifiable|dynamic-resources: the content is generated and no digests are published; its integrity cannot be checked`},
		{"empty", func(e map[string]any) { e["resources"] = []any{} }, `resources-incomplete`},
		{"twice", func(e map[string]any) { e["resources"] = append(e["resources"].([]any), resource(e, 1)) }, `unverifiable|duplicate-resource: "a" is listed more than once; each file stands once`},
		{"without SKILL.md", func(e map[string]any) { e["resources"] = e["resources"].([]any)[1:] }, `unverifiable|resources-incomplete: SKILL.md is not among the resources; every file must be`},
		{"outside", func(e map[string]any) { resource(e, 1)["uri"] = "skill://x/other/a" }, `resource-outside: resources[1]: "skill://x/other/a" is not below "skill://x/depot-map"`},
		{"dots", func(e map[string]any) { resource(e, 1)["uri"] = "skill://x/depot-map/%2e%2e/a" }, `resource-outside: resources[1]: "skill://x/depot-map/%2e%2e/a": a segment is ".."`},
		{"slash", func(e map[string]any) { resource(e, 1)["uri"] = "skill://x/depot-map/..%2fa" }, `resource-outside`},
		{"no resource uri", func(e map[string]any) { delete(resource(e, 1), "uri") }, `resource-shape: resources[1] has no "uri"`},
		{"no object", func(e map[string]any) { e["resources"] = []any{"a"} }, `resource-shape: resources[0] has no "uri"`},
		{"no size", func(e map[string]any) { delete(resource(e, 1), "size") }, `unverifiable|resource-shape: "a": "size" is absent; it must be a whole number of bytes`},
		{"negative size", func(e map[string]any) { resource(e, 1)["size"] = -1 }, `unverifiable|resource-shape: "a": "size" is -1; it must be a whole number of bytes`},
		{"size is a fraction", func(e map[string]any) { resource(e, 1)["size"] = 1.5 }, `"size" is 1.5`},
		{"size is text", func(e map[string]any) { resource(e, 1)["size"] = "1" }, `"size" is "1"`},
		{"no digest", func(e map[string]any) { delete(resource(e, 1), "digest") }, `unverifiable|digest-format: "a": "digest" is absent; it must be "sha256:" and 64 lower-case hexadecimal digits`},
		{"upper-case digest", func(e map[string]any) {
			resource(e, 1)["digest"] = "sha256:" + strings.ToUpper(digest.Of([]byte("1")).Hex())
		}, `has upper-case digits; they must be lower-case`},
		{"other algorithm", func(e map[string]any) { resource(e, 1)["digest"] = "md5:x" }, `unverifiable|digest-format: "a": digest "md5:x" does not start with "sha256:"`},
	} {
		entry := good()
		c.spoil(entry)
		text, err := json.Marshal(entry)
		if err != nil {
			t.Fatal(err)
		}
		list, err := digest.ReadManifest(text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		r, _ := digest.Verify(context.Background(), load(t, dir), list[0])
		if got := strings.ReplaceAll(describe(r), "\n", "|"); got != c.want && !(c.want != "ok" && strings.Contains(got, c.want)) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestNativeFaults(t *testing.T) {
	file := func(path, digest string) string {
		return fmt.Sprintf(`{"path":%q,"size":0,"sha256":%q,"executable":false}`, path, digest)
	}
	e := "sha256:" + emptySum
	ok := `"name":"x","files":[` + file("SKILL.md", e) + `]`
	for text, want := range map[string]string{
		`{` + ok + `}`: "",
		`{` + ok + `,"digest":"sha256:9af2f8218b150c351ad802c6f3d66abe9f2ba9e2cd0ff9e9d2a8a0a9a1a0a4c1"}`: digest.RuleSkillDigest,
		`{` + ok + `,"digest":"x"}`: digest.RuleDigestFormat,
		`{"files":3}`:               digest.RuleResourcesMissing,
		`{"files":[]}`:              digest.RuleIncomplete,
		`{"files":[3,` + file("SKILL.md", e) + `]}`:                                         digest.RuleResource,
		`{"files":[` + file("SKILL.md", "x") + `]}`:                                         digest.RuleDigestFormat,
		`{"files":[{"path":"SKILL.md","sha256":"` + e + `"}]}`:                              digest.RuleResource,
		`{"files":[` + file("SKILL.md", e) + `,` + file("../x", e) + `]}`:                   digest.RuleOutside,
		`{"files":[` + file("SKILL.md", e) + `,` + file("/x", e) + `]}`:                     digest.RuleOutside,
		`{"files":[` + file("SKILL.md", e) + `,` + file("a", e) + `,` + file("a", e) + `]}`: digest.RuleDuplicate,
	} {
		list, err := digest.ReadManifest([]byte(text))
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var rules []string
		for _, f := range list[0].Faults {
			rules = append(rules, f.Rule)
		}
		if got := strings.Join(rules, " "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestReadManifestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "the JSON text ends too early",
		"[]":                      "the JSON text is a array; it must be an object",
		"{":                       "the JSON text ends too early",
		"{\n\n x}":                "line 3: invalid character 'x'",
		"{}\n{}":                  "line 2: there is more behind the end",
		"{}":                      "this is no manifest",
		`{"skills":{}}`:           `"skills" is {}; it must be a list of entries`,
		`{"skills":null}`:         `"skills" is null; it must be a list of entries`,
		`{"skills":["x"]}`:        `skills[0] is "x"; it must be an entry`,
		`{"skills":[null]}`:       `skills[0] is null; it must be an entry`,
		strings.Repeat("[", 1000): "the JSON text ends too early",
	} {
		if _, err := digest.ReadManifest([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
	list, err := digest.ReadManifest([]byte(`{"skills":[{"uri":"skill://a/SKILL.md"},{"uri":"skill://a/SKILL.md"}]}`))
	if err != nil || len(list) != 1 || !slices.ContainsFunc(list[0].Faults, func(f digest.Fault) bool { return f.Rule == digest.RuleDuplicateURI }) {
		t.Errorf("two entries of one URI: %+v, %v", list, err)
	}
}

func TestReadSums(t *testing.T) {
	e, err := digest.ReadSums([]byte(emptySum + "  ./SKILL.md\r\n\n" + emptySum + " *a  b\n\\" + emptySum + "  x\\ny\\\\n\n"))
	if err != nil || len(e.Files) != 3 || e.Files[0].Path != "SKILL.md" || e.Files[1].Path != "a  b" || e.Files[2].Path != "x\ny\\n" || e.Files[0].Size != -1 {
		t.Errorf("%+v, %v", e, err)
	}
	for text, want := range map[string]string{
		"":                                      "the sums file lists no file",
		"hello\n":                               "line 1: a line must be a digest, two blanks and a path",
		emptySum + "\n":                         "line 1: a line must be",
		emptySum + "  \n":                       "line 1: a line must be",
		emptySum + " -x\n":                      "line 1: a line must be",
		emptySum[:9] + "  x\n":                  "digest-format",
		emptySum + "  ../x\n":                   "resource-outside",
		emptySum + "  /x\n":                     "resource-outside",
		emptySum + "  a//x\n":                   "resource-outside",
		emptySum + "  x\n" + emptySum + "  x\n": "duplicate-resource",
	} {
		e, err := digest.ReadSums([]byte(text))
		got := fmt.Sprint(err, e.Faults)
		if !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestReadLock(t *testing.T) {
	lock, err := digest.ReadLock([]byte(`{"version":1,"skills":{"a":{"source":"o/r","sourceType":"github","computedHash":"x","ref":"main"}}}`))
	if err != nil || lock.Skills["a"].ComputedHash != "x" {
		t.Errorf("%+v, %v", lock, err)
	}
	for text, want := range map[string]string{
		`{}`:                        `"version" is absent; version 1 is understood`,
		`{"version":3,"skills":{}}`: `"version" is 3; version 1 is understood`,
		`{"version":1}`:             `the lock file has no "skills"`,
		`{"version":1,"skills":[]}`: `line 1: "skills" must not be a JSON array`,
		`[`:                         "the JSON text ends too early",
	} {
		if _, err := digest.ReadLock([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// fuzzVerify holds a manifest of any content against a skill: it must neither
// panic nor call a skill ok with which something is wrong.
func fuzzVerify(t *testing.T, e digest.Expected) {
	r, _ := digest.Verify(context.Background(), load(t, fuzzSkill), e)
	if r.State == digest.OK && (len(r.Faults) > 0 || len(e.Files) < 2) {
		t.Errorf("ok in spite of %+v", r)
	}
}

var fuzzSkill string

func prepareFuzz(f *testing.F) digest.Expected {
	fuzzSkill = writeSkill(f, map[string]string{"a": "1"})
	return expectation(f, fuzzSkill)
}

func FuzzReadManifest(f *testing.F) {
	e := prepareFuzz(f)
	f.Add(`{"skills":[{"uri":"skill://depot-map/SKILL.md","frontmatter":` + string(e.Frontmatter) + `,"resources":[{"uri":"skill://depot-map/SKILL.md","digest":"` + e.Files[0].Digest.String() + `","size":130}]}]}`)
	f.Add(`{"uri":"skill://depot-map/SKILL.md","resources":"dynamic"}`)
	f.Add(`{"files":[{"path":"SKILL.md","size":1,"sha256":"sha256:` + emptySum + `"}],"digest":"x"}`)
	f.Fuzz(func(t *testing.T, text string) {
		list, err := digest.ReadManifest([]byte(text))
		if err != nil {
			return
		}
		for _, e := range list {
			fuzzVerify(t, e)
			digest.Compare(e.Side(), digest.Side{Frontmatter: json.RawMessage(`{"name":"x"}`)})
		}
	})
}

func FuzzReadSums(f *testing.F) {
	prepareFuzz(f)
	f.Add(emptySum + "  SKILL.md\n")
	f.Add("\\" + emptySum + " *a\\nb\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		if e, err := digest.ReadSums([]byte(text)); err == nil {
			fuzzVerify(t, e)
		}
	})
}

func FuzzReadLock(f *testing.F) {
	prepareFuzz(f)
	f.Add(`{"version":1,"skills":{"a":{"computedHash":"` + emptySum + `"}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		lock, err := digest.ReadLock([]byte(text))
		if err != nil {
			return
		}
		for _, s := range lock.Skills {
			r, err := digest.VerifySum(context.Background(), load(t, fuzzSkill), digest.SkillsLock, s.ComputedHash)
			if err != nil || r.State == digest.OK {
				t.Errorf("%+v, %v", r, err)
			}
		}
	})
}
