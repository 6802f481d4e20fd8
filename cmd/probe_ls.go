package cmd

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

func probeLsCommand() *command {
	return &command{
		name:    "ls",
		usage:   probeURIUsage,
		summary: "list a directory of a server",
		description: "Prints the direct children of a directory of a skill, sorted by URI; directories end in \"/\". Only " +
			"servers that declare directoryRead answer.",
		arguments:    []argument{probeTargetArgument(), {"URI", "the URI of the directory, without a slash at its end"}, probeProgramArgument()},
		minArgs:      1,
		maxArgs:      2,
		takesProgram: true,
		flags:        askingFlags(),
		examples: []example{
			{"what is in a skill", "skilltool probe ls https://example.com/mcp skill://pdf-tools"},
		},
		exits:  askingExits("the directory was listed", "the server refused the request"),
		action: runProbeLs,
	}
}

func runProbeLs(c *cli.Context, e *env) error {
	return ask(c, e, 1, func(ctx context.Context, a *asking) (probeAnswer, error) {
		children := &directory{}
		for child, err := range a.client.ReadDirectory(ctx, a.args[0]) {
			if err != nil {
				return children, err
			}
			hider(a.target.Redact)(&child.URI, &child.Name, &child.MIMEType)
			children.list = append(children.list, child)
		}
		slices.SortStableFunc(children.list, func(a, b mcpprobe.Child) int { return cmp.Compare(a.URI, b.URI) })
		return children, nil
	})
}

// directory is the answer to ls.
type directory struct{ list []mcpprobe.Child }

func (d *directory) code() int { return exitOK }

func (d *directory) write(w io.Writer) error {
	sizes, width := make([]string, len(d.list)), 0
	for i, child := range d.list {
		if sizes[i] = "-"; child.Size >= 0 {
			sizes[i] = fmt.Sprint(child.Size)
		}
		width = max(width, len(sizes[i]))
	}
	b := bufio.NewWriter(w)
	for i, child := range d.list {
		name := child.URI
		if child.Dir {
			name += "/"
		}
		line := fmt.Sprintf("%*s  %s", width, sizes[i], shorten(name, 300))
		if !child.Dir {
			line += "  " + shorten(child.MIMEType, 100)
		}
		fmt.Fprintln(b, strings.TrimRight(line, " "))
	}
	return b.Flush()
}

// listedChild is a child of a directory in JSON.
type listedChild struct {
	URI       string `json:"uri"`
	Name      string `json:"name"`
	Directory bool   `json:"directory"`
	MIMEType  string `json:"mime_type"`
	Size      *int64 `json:"size"`
}

func (d *directory) document(head report.ProbeHead) any {
	children := make([]listedChild, len(d.list))
	for i, child := range d.list {
		children[i] = listedChild{URI: child.URI, Name: child.Name, Directory: child.Dir, MIMEType: child.MIMEType}
		if child.Size >= 0 {
			children[i].Size = &child.Size
		}
	}
	return struct {
		report.ProbeHead
		Children []listedChild `json:"children"`
	}{head, children}
}
