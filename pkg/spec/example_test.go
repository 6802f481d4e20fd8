package spec_test

import (
	"context"
	"fmt"
	"log"
	"testing/fstest"

	"github.com/skilltool/skilltool/pkg/spec"
)

// A SKILL.md is read from its bytes; nothing else is needed.
func ExampleParse() {
	skill := spec.Parse([]byte("---\nname: pdf-tools\ndescription: Reads PDF files. Use when a PDF must be read.\n---\n# PDF tools\n"))
	fmt.Println(skill.Frontmatter.Name)
	fmt.Println("the body starts on line", skill.Body.Start.Line)
	// Output:
	// pdf-tools
	// the body starts on line 5
}

// A skill is a folder of any file system: on disk, embedded, or in memory.
func ExampleLoad() {
	files := fstest.MapFS{
		"skills/pdf-tools/SKILL.md":        {Data: []byte("---\nname: pdf-tools\ndescription: Reads PDF files.\n---\n")},
		"skills/pdf-tools/scripts/read.py": {Data: []byte("print()\n")},
	}
	skill, err := spec.Load(files, "skills/pdf-tools")
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range skill.Files {
		fmt.Println(file.Path, file.Size)
	}
	// Output:
	// SKILL.md 54
	// scripts/read.py 8
}

// Find looks for skills in a tree and stops at each that it finds.
func ExampleFind() {
	files := fstest.MapFS{
		"README.md":                         {},
		".claude/skills/pdf-tools/SKILL.md": {},
		"node_modules/p/SKILL.md":           {},
	}
	found, err := spec.Find(context.Background(), files, ".", spec.FindOptions{MaxDepth: spec.DefaultFindDepth})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Skills, found.Limits)
	// Output: [.claude/skills/pdf-tools] []
}

// Validate gives what is wrong with a skill, in the order of the file.
func ExampleValidate() {
	skill := spec.Parse([]byte("---\nname: PDF-Tools\ndescription: Reads PDF: all of it\n---\n"))
	for _, d := range spec.Validate(skill) {
		fmt.Printf("%d:%d %s %s: %s\n", d.Range.Start.Line, d.Range.Start.Column, d.Severity, d.RuleID, d.Message)
	}
	// Output:
	// 2:7 error name-charset: name "PDF-Tools" has upper-case letters; use a-z, 0-9 and "-"
	// 3:23 error yaml-colon: description has an unquoted ": " behind "PDF", which starts a nested field in YAML; quote the value
}

// A rule is a value. Validate runs the rules that it is given, and those of the
// specification where it is given none.
func ExampleRules() {
	var names []spec.Rule
	for _, rule := range spec.Rules() {
		if rule.Requirement == "AS-N3" {
			fmt.Printf("%s (%s): %s\n", rule.ID, rule.Severity, rule.Title)
			names = append(names, rule)
		}
	}
	skill := spec.Parse([]byte("---\nname: pdf\n---\n"))
	skill.DirName = "pdf-tools"
	fmt.Println(spec.Validate(skill, names...)[0].Message)
	// Output:
	// name-directory (error): name equals the name of the folder
	// name-directory-form (warning): name and folder are spelt with the same code points
	// name-repository-root (warning): a skill has a folder of its own below the repository's root
	// name is "pdf" and the directory is called "pdf-tools"; they must be equal
}

// ApplyFixes mends what is safe to mend and keeps every other byte.
func ExampleApplyFixes() {
	skill := spec.Parse([]byte("---\nname: pdf-tools\ndescription: Reads PDF: all of it\nmetadata:\n  version: 1.10 # keep\n---\n"))
	fixed, mended := spec.ApplyFixes(skill)
	for _, d := range mended {
		fmt.Println(d.RuleID)
	}
	fmt.Print(string(fixed.Source))
	// Output:
	// yaml-colon
	// metadata-value
	// ---
	// name: pdf-tools
	// description: "Reads PDF: all of it"
	// metadata:
	//   version: "1.10" # keep
	// ---
}

// As JSON the frontmatter is what was written: no digit is lost and no date is
// altered.
func ExampleFrontmatter_JSON() {
	skill := spec.Parse([]byte("---\nname: pdf-tools\nmetadata:\n  version: 1.10\n  since: 2026-01-31\n  id: 12345678901234567890\n---\n"))
	text, err := skill.Frontmatter.JSON()
	fmt.Println(string(text), err)
	// Output: {"name":"pdf-tools","metadata":{"version":1.10,"since":"2026-01-31","id":12345678901234567890}} <nil>
}

// Every value of the frontmatter knows its place in the file.
func ExampleFrontmatter_Value() {
	skill := spec.Parse([]byte("---\r\n# 日本\r\nmetadata: {author: \"é\"}\r\n---\r\n"))
	author := skill.Frontmatter.Value("metadata").Get("author")
	start := author.Range.Start
	fmt.Println(author.Kind, author.Text, start.Line, start.Column, start.Offset)
	// Output: a string é 3 20 34
}

// A conforming name is made of any text.
func ExampleProposeName() {
	fmt.Println(spec.CheckName("PDF Tools"))
	fmt.Println(spec.ProposeName("PDF Tools"))
	// Output:
	// [has blanks and upper-case letters; use a-z, 0-9 and "-"]
	// pdf-tools
}
