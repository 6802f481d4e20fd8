package digest_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/spec"
)

var shelf = fstest.MapFS{
	"pdf-tools/SKILL.md":          {Data: []byte("---\nname: pdf-tools\ndescription: Reads PDF files.\n---\n")},
	"pdf-tools/references/a b.md": {Data: []byte("# A\n")},
	"pdf-tools/.DS_Store":         {Data: []byte("x")},
}

// The entry of a skill as the MCP Skills extension has it.
func Example() {
	skill, err := spec.Load(shelf, "pdf-tools")
	if err != nil {
		fmt.Println(err)
		return
	}
	manifest, failed := digest.Build(context.Background(), skill)
	frontmatter, err := skill.Frontmatter.JSON()
	if err != nil || len(failed) > 0 {
		fmt.Println(err, failed)
		return
	}
	prefix := digest.Prefix{Segments: []string{"acme"}}
	entry := digest.NewSkill(prefix.Dir("pdf-tools"), frontmatter, manifest)
	fmt.Println(entry.URI, string(entry.Frontmatter))
	for _, r := range entry.Resources {
		fmt.Println(r.URI, r.Digest.Hex()[:8], r.Size)
	}
	fmt.Println(manifest.LeftOut)
	// Output:
	// skill://acme/pdf-tools/SKILL.md {"name":"pdf-tools","description":"Reads PDF files."}
	// skill://acme/pdf-tools/SKILL.md 89df1ae1 54
	// skill://acme/pdf-tools/references/a%20b.md aa1237b7 4
	// [{.DS_Store a file of an operating system}]
}

// A file that Windows wrote is told from one that somebody changed.
func ExampleVerify() {
	skill, err := spec.Load(shelf, "pdf-tools")
	if err != nil {
		fmt.Println(err)
		return
	}
	expected, err := digest.ReadSums([]byte(
		digest.Of(skill.Source).Hex() + "  SKILL.md\n" + digest.Of([]byte("# A\r\n")).Hex() + "  references/a b.md\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	result, _ := digest.Verify(context.Background(), skill, expected)
	fmt.Println(result.State)
	for _, f := range result.Files {
		fmt.Printf("%s %s %q\n", f.State, f.Path, f.Explained)
	}
	// Output:
	// explained
	// extra .DS_Store "a file of an operating system, which manifests leave out"
	// ok SKILL.md ""
	// modified references/a b.md "it fits with CRLF line ends"
}

func ExampleCompare() {
	old := digest.Side{Frontmatter: []byte(`{"name":"a","metadata":{"version":"1"}}`)}
	new := digest.Side{Frontmatter: []byte(`{"name":"a","metadata":{"version":"2"}}`)}
	for _, c := range digest.Compare(old, new).Fields {
		fmt.Println(c.Kind, c.Field(), string(c.Old), string(c.New))
	}
	// Output: changed metadata.version "1" "2"
}

func ExampleParse() {
	_, err := digest.Parse("sha256:E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855")
	fmt.Println(err)
	// Output: digest "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855" has upper-case digits; they must be lower-case
}
