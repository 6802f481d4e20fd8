package cmd

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

func probeListCommand() *command {
	return &command{
		name:    "list",
		usage:   probeUsage,
		summary: "list the skills of a server",
		description: "Prints the name, the URI, the number and the size of the files, and the description of each skill " +
			"that the server lists, sorted by URI. No file is read, so nothing is verified.",
		arguments:    []argument{probeTargetArgument(), probeProgramArgument()},
		maxArgs:      1,
		takesProgram: true,
		flags:        askingFlags(),
		examples: []example{
			{"the skills of a server", "skilltool probe list https://example.com/mcp"},
			{"their URIs", "skilltool probe list https://example.com/mcp -f json | jq -r '.skills[].uri'"},
		},
		exits:  askingExits("the skills were listed", "the server refused the request"),
		action: runProbeList,
	}
}

func runProbeList(c *cli.Context, e *env) error {
	return ask(c, e, 0, func(ctx context.Context, a *asking) (probeAnswer, error) {
		listed := &listing{}
		for entry, err := range a.client.ListSkills(ctx) {
			if err != nil {
				return listed, err // what came before it is worth something
			}
			redactEntry(entry, a.target.Redact)
			listed.entries = append(listed.entries, entry)
		}
		slices.SortStableFunc(listed.entries, func(a, b *mcpprobe.Entry) int { return cmp.Compare(a.URI, b.URI) })
		listed.comment(a)
		return listed, nil
	})
}

// listing is the answer to list.
type listing struct{ entries []*mcpprobe.Entry }

func (l *listing) code() int { return exitOK }

// comment notes names that several skills have (C-7), and entries that do not
// keep the specification.
func (l *listing) comment(a *asking) {
	uris := map[string][]string{}
	broken := 0
	for _, entry := range l.entries {
		uris[entry.Name] = append(uris[entry.Name], entry.URI)
		if mustProblems(entry) > 0 {
			broken++
		}
	}
	for _, entry := range l.entries {
		if same := uris[entry.Name]; len(same) > 1 && same[0] == entry.URI && entry.Name != "" {
			a.note("%d skills are called %q; their URIs tell them apart: %s", len(same), entry.Name, strings.Join(same, ", "))
			delete(uris, entry.Name)
		}
	}
	if broken > 0 {
		a.note("entries that break the specification: %d of %d; probe get shows why", broken, len(l.entries))
	}
}

// mustProblems counts the problems for which an entry is not to be loaded.
func mustProblems(entry *mcpprobe.Entry) int {
	n := 0
	for _, p := range entry.Problems {
		if p.Check.Level == mcpprobe.Must {
			n++
		}
	}
	return n
}

// The widths of columns, and of the text of a description, in code points.
const (
	maxNameColumn  = 40
	maxURIColumn   = 60
	maxDescription = 200
)

func (l *listing) write(w io.Writer) error {
	rows := make([][3]string, len(l.entries))
	var widths [3]int
	for i, entry := range l.entries {
		rows[i] = [3]string{
			shorten(cmp.Or(entry.Name, "(no name)"), 100), shorten(cmp.Or(entry.URI, "(no uri)"), 300), filesAndBytes(entry),
		}
		for j, most := range [3]int{maxNameColumn, maxURIColumn, maxURIColumn} {
			widths[j] = max(widths[j], min(most, utf8.RuneCountInString(rows[i][j])))
		}
	}
	b := bufio.NewWriter(w)
	for i, row := range rows {
		line := fmt.Sprintf("%-*s  %-*s  %-*s  %s", widths[0], row[0], widths[1], row[1], widths[2], row[2],
			shorten(l.entries[i].Description, maxDescription))
		fmt.Fprintln(b, strings.TrimRight(line, " "))
	}
	return b.Flush()
}

// filesAndBytes says how much there is of a skill.
func filesAndBytes(entry *mcpprobe.Entry) string {
	if entry.Dynamic {
		return "dynamic"
	}
	noun := "files"
	if len(entry.Resources) == 1 {
		noun = "file"
	}
	return fmt.Sprintf("%d %s, %d bytes", len(entry.Resources), noun, entryBytes(entry))
}

// entryBytes sums up the sizes that are known.
func entryBytes(entry *mcpprobe.Entry) int64 {
	var n int64
	for _, r := range entry.Resources {
		n += max(0, r.Size)
	}
	return n
}

// listedSkill is a skill of a listing in JSON.
type listedSkill struct {
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Dynamic     bool   `json:"dynamic"`
	Files       int    `json:"files"`
	Bytes       int64  `json:"bytes"`
	// SameName says that another skill of the listing has the name too.
	SameName bool                  `json:"same_name"`
	Problems []report.ProbeProblem `json:"problems"`
}

func (l *listing) document(head report.ProbeHead) any {
	names := map[string]int{}
	for _, entry := range l.entries {
		names[entry.Name]++
	}
	skills := make([]listedSkill, len(l.entries))
	for i, entry := range l.entries {
		skills[i] = listedSkill{
			URI: entry.URI, Name: entry.Name, Description: entry.Description, Dynamic: entry.Dynamic,
			Files: len(entry.Resources), Bytes: entryBytes(entry),
			SameName: entry.Name != "" && names[entry.Name] > 1, Problems: report.NewProbeProblems(entry.Problems),
		}
	}
	return struct {
		report.ProbeHead
		Skills []listedSkill `json:"skills"`
	}{head, skills}
}
