package clients_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/spec"
)

// TestPortable says what leaves the portable core, and what mends it.
func TestPortable(t *testing.T) {
	profiles := allProfiles(t)
	const head, tail = "---\nname: menu\n", "---\nBody.\n"
	good := `description: "Writes menus."` + "\n"
	for text, want := range map[string]string{
		head + good + tail:                                       "",
		"\ufeff" + head + good + tail:                            "1:1 client-frontmatter-start fix",
		"\n" + head + good + tail:                                "1:1 client-frontmatter-start fix",
		"---  \nname: menu\n" + good + "--- \nBody.\n":           "1:4 client-frontmatter-start fix, 4:4 client-frontmatter-end fix",
		head + good + "---":                                      "4:1 client-body-empty, 4:4 client-frontmatter-end fix",
		head + "description: Writes menus.\n" + tail:             "3:14 client-yaml fix",
		head + "description: Writes menus: short ones.\n" + tail: "3:26 client-yaml fix",
		head + "description: >-\n  Writes\n  menus.\n" + tail:    "3:14 client-yaml fix",
		head + "description: |\n  Writes\n  menus.\n" + tail:     "3:14 client-description-changed, 3:14 client-yaml",
		head + "description: \"Writes <b> menus.\"\n" + tail:     "3:14 client-description-changed",
		head + "description: 'Writes \"short\" menus.'\n" + tail: "3:14 client-description-changed, 3:14 client-yaml",
		head + "description: \"Writes a --- b.\"\n" + tail:       "3:14 client-description-changed",
		head + "description: \"9 menus.\"\n" + tail:              "3:14 client-description-changed",
		head + "description: 42\n" + tail:                        "3:14 client-description-changed, 3:14 client-yaml fix",
		head + "description: \"Menus.\" # short\n" + tail:        "3:23 client-yaml",
		head + tail:                                          "1:1 client-description-missing",
		"---\nname: 2021\n" + good + tail:                    "2:7 client-name-folder, 2:7 client-name-type",
		"---\nname: Menu\n" + good + tail:                    "2:7 client-name-characters, 2:7 client-name-folder",
		head + good + "license: MIT\n" + tail:                "4:10 client-field-type fix",
		head + good + "metadata:\n  version: 1.0\n" + tail:   "5:12 client-field-type fix",
		head + good + "metadata:\n" + tail:                   "4:10 client-field-type",
		head + good + "allowed-tools: [Read, Grep]\n" + tail: "4:16 client-field-type",
		head + good + "x: &a 1\n" + tail:                     "4:4 client-yaml",
		head + good + "name: menu\n" + tail:                  "4:1 client-duplicate-key",
		"Just text.\n":                                       "- client-frontmatter-start",
	} {
		var found []string
		for _, d := range clients.Portable(spec.Parse([]byte(text)), clients.Place{Dir: "menu"}, profiles) {
			place := "-"
			if !d.Range.IsZero() {
				place = fmt.Sprintf("%d:%d", d.Range.Start.Line, d.Range.Start.Column)
			}
			line := place + " " + d.RuleID
			if len(d.Fixes) > 0 {
				line += " fix"
			}
			found = append(found, line)
		}
		if got := strings.Join(found, ", "); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}
