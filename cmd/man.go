package cmd

import (
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/gen"
)

func manCommand() *command {
	return &command{
		name:    "man",
		summary: "print the manual page",
		description: "The page is written in roff, for man(1), and holds every command. " +
			"It is made from the same definitions as --help.",
		examples: []example{
			{"read it", "skilltool man | man -l -"},
			{"install it", "skilltool man > /usr/local/share/man/man1/skilltool.1"},
		},
		exits:  []exitCode{{exitOK, "the page was printed"}},
		action: runMan,
	}
}

func runMan(_ *cli.Context, e *env) error {
	_, err := io.WriteString(e.stdout, gen.Man(build().Version, pages(e.root)))
	return err
}

// pages describes the root and every visible command below it, groups before
// their members. Global flags are on the page of the root only.
func pages(root *command) []gen.Page {
	return appendPages(nil, []*command{root})
}

func appendPages(list []gen.Page, path []*command) []gen.Page {
	p := page(path)
	if len(path) > 1 {
		p.Sections = slices.DeleteFunc(p.Sections, func(s gen.Section) bool { return s.Title == globalFlags })
	}
	list = append(list, p)
	for _, sub := range path[len(path)-1].visible() {
		list = appendPages(list, append(slices.Clone(path), sub))
	}
	return list
}
