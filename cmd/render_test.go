package cmd

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/digest"
)

// The fast way to write entries gives the bytes of the plain one.
func TestRenderJSON(t *testing.T) {
	resource := func(name string, size int64) digest.Resource {
		return digest.Resource{URI: digest.FileURI("skill://a/b", name), Digest: digest.Of([]byte(name)), Size: size}
	}
	sets := [][]digest.Skill{
		{},
		{{URI: "skill://a/b/SKILL.md", Frontmatter: json.RawMessage(`{"name":"b","x":{},"y":[],"z":[1.0,null]}`), Resources: []digest.Resource{resource("SKILL.md", 0)}}},
		{
			{URI: "skill://a/b/SKILL.md", Frontmatter: json.RawMessage(`{"name":"<b>","text":"\u202e\u0085 é \\ \" & 日本 😀"}`), Resources: []digest.Resource{resource(`a&"<%\é`, 1), resource("b", 1<<40)}},
			{URI: "x://c/SKILL.md", Frontmatter: json.RawMessage(`{"name":"c","hidden":"` + "\u202e\u007f" + `"}`), Dynamic: true},
		},
	}
	for _, set := range sets {
		want, err := report.MarshalJSON(digest.Skills{Skills: set})
		if err != nil {
			t.Fatal(err)
		}
		got, err := renderJSON(set)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("(-plain +fast):\n%s", diff)
		}
	}
}
