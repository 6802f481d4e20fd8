package cmd

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/gen"
)

// TestFlagNames holds that no command takes a name from a global flag, and
// that every flag is of a kind that the parser checks.
func TestFlagNames(t *testing.T) {
	root := rootCommand()
	var walk func(path []*command)
	walk = func(path []*command) {
		c := path[len(path)-1]
		seen := map[string]bool{}
		p := &parser{path: path}
		for _, flag := range p.flags() {
			for _, name := range flag.Names() {
				if seen[name] {
					t.Errorf("%s has the flag %q twice", strings.Join(names(path), " "), name)
				}
				seen[name] = true
			}
			switch flag.(type) {
			case *cli.BoolFlag, *cli.StringFlag, *cli.StringSliceFlag, *cli.IntFlag, *cli.Float64Flag, *cli.DurationFlag, *choiceFlag, *sizeFlag:
			default:
				t.Errorf("flag %s is of the unknown type %T", flag.Names()[0], flag)
			}
		}
		for _, sub := range c.subcommands {
			walk(append(slices.Clone(path), sub))
		}
	}
	walk([]*command{root})
}

// TestDefinitions holds that every command documents itself, and that its help
// fits into 80 columns.
func TestDefinitions(t *testing.T) {
	for _, page := range pages(rootCommand()) {
		if page.Summary == "" || len(page.Examples) == 0 {
			t.Errorf("%s lacks a summary or an example", page.Name)
		}
		if !slices.ContainsFunc(page.Sections, func(s gen.Section) bool { return s.Title == "Exit codes" }) {
			t.Errorf("%s lacks exit codes", page.Name)
		}
		for line := range strings.Lines(gen.Help(page)) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("the help of %s has a line of %d columns: %s", page.Name, n, line)
			}
		}
	}
}
