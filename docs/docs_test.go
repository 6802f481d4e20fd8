package docs_test

import (
	"fmt"
	"testing"

	"github.com/skilltool/skilltool/docs"
)

func ExampleSection() {
	page := "# name-charset\n\n## Why\n\nBecause.\n\n## Bad\n\n````\n## Why\n```\n````\n\n## Good\n"
	fmt.Println(docs.Section(page, "Why"))
	fmt.Println(docs.Section(page, "Bad"))
	// Output:
	// Because.
	// ````
	// ## Why
	// ```
	// ````
}

func TestNoSuchRule(t *testing.T) {
	if page, ok := docs.Rule("no-such-rule"); ok || page != "" {
		t.Errorf("Rule gives %q for a rule that does not exist", page)
	}
}
