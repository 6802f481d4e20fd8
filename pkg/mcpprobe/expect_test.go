package mcpprobe

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/pkg/digest"
)

func expectedSkill(frontmatter string, files ...string) ExpectedSkill {
	e, contents := testSkill("skill://pdf", files...)
	w := ExpectedSkill{Name: "pdf", Side: digest.Side{Frontmatter: json.RawMessage(frontmatter)}}
	for _, r := range e.Resources {
		name, _ := digest.FilePath(e.Dir, r.URI)
		w.Files = append(w.Files, digest.ExpectedFile{Path: name, Digest: digest.Of(contents[r.URI]), Size: r.Size})
	}
	return w
}

func TestExpect(t *testing.T) {
	const fields = `{"name": "pdf", "description": "Reads PDF files."}`
	want := expectedSkill(fields, "SKILL.md", "---\nname: pdf\n---\n", "a.md", "line\n", "b%20c.md", "x")
	for _, test := range []struct {
		name   string
		fields string
		files  []string
		want   []string
	}{
		{"the same", fields, []string{"b%20c.md", "x", "SKILL.md", "---\nname: pdf\n---\n", "a.md", "line\n"}, []string{"pass 1"}},
		{"files", fields, []string{"SKILL.md", "---\r\nname: pdf\r\n---\r\n", "a.md", "line", "d.md", "y"}, []string{
			`fail skill://pdf/SKILL.md skill://pdf/SKILL.md: "SKILL.md" has other bytes than expected: 21 bytes are served, 18 are expected; the served file fits with LF line ends`,
			`fail skill://pdf/SKILL.md skill://pdf/a.md: "a.md" has other bytes than expected: 4 bytes are served, 5 are expected; the served file fits with a final line end`,
			`fail skill://pdf/SKILL.md skill://pdf/b%20c.md: "b c.md" is expected and not served`,
			`fail skill://pdf/SKILL.md skill://pdf/d.md: "d.md" is served and not expected`,
		}},
		{"no explanation", fields, []string{"SKILL.md", "---\nname: pdf\n---\n", "a.md", "LINE\n", "b%20c.md", "x"}, []string{
			`fail skill://pdf/SKILL.md skill://pdf/a.md: "a.md" has other bytes than expected: 5 bytes are served, as many as expected`,
		}},
		{"fields", `{"name": "pdf", "description": "Reads."}`, []string{"SKILL.md", "---\nname: pdf\n---\n", "a.md", "line\n", "b%20c.md", "x"}, []string{
			`fail skill://pdf/SKILL.md : the field "description" of the frontmatter is not as expected [expected "Reads PDF files."] [served "Reads."]`,
		}},
		{"dynamic", fields, nil, []string{"fail skill://pdf/SKILL.md : the skill is served as dynamic, without digests; files are expected"}},
	} {
		e, contents := testSkill("skill://pdf", test.files...)
		e.Dynamic, e.Frontmatter = test.files == nil, json.RawMessage(test.fields)
		explained := map[string]string{}
		for uri, content := range contents {
			explained[uri] = want.Explain(context.Background(), e, uri, content)
		}
		var got []string
		for _, r := range want.Compare(e, explained) {
			got = append(got, strings.Replace(describeResult(r), r.Skill+": ", r.Skill+" "+r.URI+": ", 1))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

// A file that an entry lists in its own way is named so.
func TestExpectNamesURIAsListed(t *testing.T) {
	want := expectedSkill(`{}`, "SKILL.md", "text", "a-b.md", "x")
	e, _ := testSkill("skill://pdf", "SKILL.md", "text", "a%2Db.md", "y")
	e.Frontmatter = json.RawMessage(`{}`)
	results := want.Compare(e, nil)
	if len(results) != 1 || results[0].URI != "skill://pdf/a%2Db.md" {
		t.Errorf("%+v", results)
	}
}
