package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/spec"
)

// hostile text tries to leave elements, attributes and lines.
const hostile = "</td><script>alert(1)</script>\"' onmouseover=x & \x1b[31m\u202e\nTOTAL"

// hostileClients is a run in which everything that comes from elsewhere is
// hostile.
func hostileClients() *Clients {
	at := spec.Range{Start: spec.Position{Line: 1, Column: 1}, End: spec.Position{Line: 1, Column: 2, Offset: 1}}
	reason := clients.Reason{
		ID: "client-yaml", Effect: clients.Drops, Message: hostile, Path: "SKILL.md", Range: at,
		Fixes: []spec.Fix{{Title: hostile, Safety: spec.Safe}},
	}
	dir := "/base/" + hostile
	c := &Clients{
		Report: Report{
			Tool: Tool{Name: "skilltool"}, Base: "/base", WorkDir: "/base", Notes: []string{hostile},
			Errors:   []Error{{Path: "/base/" + hostile, Message: hostile}},
			Findings: []Finding{{Diagnostic: reason.Diagnostic(), Skill: dir, Line: hostile}},
		},
		Profiles: []*clients.Profile{
			{ID: "one", Title: hostile, Version: hostile, Kind: hostile, Certainty: clients.Run},
			{ID: hostile, Title: "Two", Certainty: clients.Read},
		},
		Rows: []ClientRow{{
			Path: dir, Dir: dir, File: "SKILL.md", Name: hostile, Description: hostile,
			Cells: []clients.Prediction{
				{Client: "one", Outcome: clients.Dropped, Told: clients.Silent, Reasons: []clients.Reason{reason}, Certainty: clients.Run},
				{Client: hostile, Outcome: clients.Degrades, Name: hostile, Description: hostile, Reasons: []clients.Reason{reason}, Certainty: clients.Read},
			},
		}},
		Impacts: [][]ClientImpact{{{Outcome: clients.Dropped, Told: clients.Silent, IDs: []string{"one"}}, {Outcome: clients.Degrades, IDs: []string{hostile}}}},
	}
	c.Findings[0].Severity = spec.Error
	return c
}

func render(t *testing.T, format string, opts Options, c *Clients) string {
	t.Helper()
	reporter, err := NewClients(format, opts)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := reporter.ReportClients(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestClientsHTMLEscapes holds that text of skills and profiles stays text.
func TestClientsHTMLEscapes(t *testing.T) {
	page := render(t, "html", Options{}, hostileClients())
	for _, bad := range []string{"<script", "\x1b", "\u202e", "\nTOTAL"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	// No attribute ends early: each tag is one of the page's own forms.
	tag := regexp.MustCompile(`^<(/?[a-z0-9]+( [a-z-]+(="[^"<>]*")?)*|!DOCTYPE html)>$`)
	for _, found := range regexp.MustCompile(`<[^>]*>`).FindAllString(page, -1) {
		if !tag.MatchString(found) {
			t.Errorf("a tag is %s", found)
		}
		if strings.Contains(found, " onmouseover=") && !strings.Contains(found, "&#39; onmouseover=") {
			t.Errorf("text became an attribute: %s", found)
		}
	}
	for _, needless := range []string{"src=", "@import", "url(", "<link"} {
		if strings.Contains(page, needless) {
			t.Errorf("the page needs something from elsewhere: %s", needless)
		}
	}
}

// TestClientsOneLine holds that hostile text makes no line of its own, and
// steers no terminal.
func TestClientsOneLine(t *testing.T) {
	for _, format := range ClientsNames() {
		for _, side := range []bool{false, true} {
			c := hostileClients()
			c.Side = side
			out := render(t, format, Options{}, c)
			for line := range strings.Lines(out) {
				if strings.HasPrefix(line, "TOTAL") || strings.ContainsAny(line, "\x1b\u202e") {
					t.Errorf("%s: %q", format, line)
				}
			}
		}
	}
}

// TestClientsWidth holds that no line but one with a path is wider than the
// window, and that paths are never broken.
func TestClientsWidth(t *testing.T) {
	c := &Clients{Report: Report{Base: "/b", WorkDir: "/b"}}
	ids := []string{"aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd", "eeeeeeee", "ffffffff", "gggggggg", "hhhhhhhh", "iiiiiiii", "jjjjjjjj", "kkkkkkkk"}
	for _, id := range ids {
		c.Profiles = append(c.Profiles, &clients.Profile{ID: id, Certainty: clients.Run})
	}
	for i := range ids {
		path := "/b/skills/" + strings.Repeat("long-name-", 6) + ids[i]
		row := ClientRow{Path: path, Dir: path, File: "SKILL.md"}
		for j := range ids {
			outcome := clients.Degrades
			if j <= i {
				outcome = clients.Dropped
			}
			row.Cells = append(row.Cells, clients.Prediction{Client: ids[j], Outcome: outcome, Told: clients.Silent})
		}
		c.Rows = append(c.Rows, row)
	}
	const width = 60
	out := render(t, "text", Options{Width: width}, c)
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if ansi.StringWidth(line) > width && !strings.Contains(line, "long-name-") {
			t.Errorf("%d columns: %s", ansi.StringWidth(line), line)
		}
	}
	for _, row := range c.Rows {
		if !strings.Contains(out, strings.TrimPrefix(row.Path, "/b/")+"\n") {
			t.Errorf("%s is broken or missing", row.Path)
		}
	}
	for _, id := range ids {
		if strings.Count(out, id) < 2 { // as a client and at the end of a path
			t.Errorf("%s is missing", id)
		}
	}
}

// TestClientsUnknownFormat names the formats.
func TestClientsUnknownFormat(t *testing.T) {
	if _, err := NewClients("htlm", Options{}); err == nil || !strings.Contains(err.Error(), `did you mean "html"`) {
		t.Errorf("the error is %v", err)
	}
}
