package report

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/clients"
)

// clientsHTML writes one page for people who would rather look than read. It
// needs neither scripts nor anything from elsewhere.
type clientsHTML struct{}

// maxTooltip bounds the text that a cell shows when it is pointed at.
const maxTooltip = 300

// ReportClients writes the matrix, and below it each skill with what every model
// sees of it.
func (clientsHTML) ReportClients(w io.Writer, c *Clients) error {
	b := bufio.NewWriter(w)
	h := htmlPage{b, c, newGrid(c), c.Labels()}
	b.WriteString(htmlHead)
	fmt.Fprintf(b, "<h1>What clients do with %s</h1>\n", count(len(c.Rows), "skill"))
	h.summary()
	if len(h.grid.rows) > 0 {
		h.table()
		h.legend()
		for _, i := range h.grid.rows {
			h.skill(i)
		}
	}
	h.clients()
	fmt.Fprintf(b, "<footer>%s</footer>\n</body>\n</html>\n", htmlText(strings.TrimSpace(c.Tool.Name+" "+c.Tool.Version)))
	return b.Flush()
}

// htmlText makes text of anybody fit for an element and for an attribute in
// double quotes. Characters that would steer the page or hide are made visible.
func htmlText(text string) string { return html.EscapeString(term.Escape(text)) }

// htmlTrimmed is htmlText without the blanks around a name or description.
func htmlTrimmed(text string) string { return htmlText(strings.TrimSpace(text)) }

type htmlPage struct {
	*bufio.Writer
	c      *Clients
	grid   grid
	labels []string
}

func (h htmlPage) printf(format string, args ...any) { fmt.Fprintf(h, format, args...) }

// summary says how many predictions there are of each outcome, and what could
// not be looked at.
func (h htmlPage) summary() {
	var parts []string
	for _, outcome := range clientOutcomes {
		if n := h.c.Count(outcome); n > 0 {
			parts = append(parts, fmt.Sprintf(`<b class="%s">%d %s</b>`, outcome, n, htmlWords[outcome]))
		}
	}
	h.printf("<p>%s asked: %s.</p>\n", counted(len(h.c.Profiles), "client was", "clients were"), strings.Join(parts, ", "))
	if h.grid.same > 0 {
		h.printf("<p>%s as written everywhere.</p>\n", counted(h.grid.same, "skill loads", "skills load"))
	}
	for _, e := range h.c.Errors {
		h.printf("<p><b class=\"drop\">error</b> <code>%s</code>: %s</p>\n", htmlText(relative(h.c.Base, e.Path)), htmlText(e.Message))
	}
	for _, note := range h.c.Notes {
		h.printf("<p>%s</p>\n", htmlText(note))
	}
}

// htmlWords are the outcomes as the page names them.
var htmlWords = map[clients.Outcome]string{
	clients.Loads: "load", clients.Degrades: "degrade", clients.Hidden: "hidden", clients.Dropped: "drop", clients.BreaksOthers: "breaks",
}

func (h htmlPage) table() {
	h.printf("<div class=\"scroll\"><table class=\"matrix\">\n<thead><tr><th>skill</th>")
	for _, j := range h.grid.columns {
		p := h.c.Profiles[j]
		h.printf("<th class=\"client\" title=\"%s\"><a href=\"#client-%s\"><span>%s</span></a></th>", htmlText(p.Title+" "+p.Version), htmlText(h.labels[j]), htmlText(h.labels[j]))
	}
	h.printf("</tr></thead>\n<tbody>\n")
	for _, i := range h.grid.rows {
		row := &h.c.Rows[i]
		h.printf("<tr><th><a href=\"#skill-%d\">%s</a></th>", i, htmlText(relative(h.c.Base, row.Path)))
		for _, j := range h.grid.columns {
			h.cell(h.labels[j], &row.Cells[j])
		}
		h.printf("</tr>\n")
	}
	h.printf("</tbody>\n</table></div>\n")
}

// cell writes one outcome in words, with its first reason for a pointer.
func (h htmlPage) cell(label string, p *clients.Prediction) {
	title := label + ": " + outcomeWords(p)
	if len(p.Reasons) > 0 {
		title += ": " + p.Reasons[0].Message
	}
	word := htmlWords[p.Outcome]
	if p.Outcome == clients.Loads {
		word = ""
	}
	if p.Outcome == clients.Dropped && p.Told != clients.OnScreen {
		word = "silent drop"
	}
	h.printf("<td class=\"%s\" title=\"%s\">%s</td>", p.Outcome, htmlText(clip(title, maxTooltip)), word)
}

func (h htmlPage) legend() {
	h.printf("<ul class=\"legend\">\n")
	for _, l := range []struct {
		class clients.Outcome
		word  string
		text  string
	}{
		{clients.BreaksOthers, "breaks", "stops the load of all skills beside it"},
		{clients.Dropped, "silent drop", "not loaded, and nothing but perhaps a log says so"},
		{clients.Dropped, "drop", "not loaded, and the user is told"},
		{clients.Hidden, "hidden", "the user can call it, and the model does not see it"},
		{clients.Degrades, "degrade", "the model sees another name or description than was written"},
		{clients.Loads, "(empty)", "loads as written"},
	} {
		h.printf("<li><b class=\"%s\">%s</b> %s</li>\n", l.class, l.word, l.text)
	}
	h.printf("</ul>\n")
}

// skill writes what was written, and below it what each client makes of it.
// Clients that do the same for the same reasons stand together.
func (h htmlPage) skill(i int) {
	row, open := &h.c.Rows[i], ""
	if len(h.grid.rows) <= manySkills {
		open = " open"
	}
	h.printf("<details id=\"skill-%d\"%s><summary>%s</summary>\n", i, open, htmlText(relative(h.c.Base, join(row.Dir, row.File))))
	h.printf("<table class=\"seen\">\n<thead><tr><th>client</th><th>outcome</th><th>name</th><th>description</th><th>why</th></tr></thead>\n<tbody>\n")
	h.printf("<tr class=\"written\"><th>written</th><td></td><td>%s</td><td>%s</td><td></td></tr>\n", htmlTrimmed(row.Name), htmlTrimmed(row.Description))
	type group struct{ ids, rest string }
	var groups []*group
	for _, outcome := range clientOutcomes {
		for k := range row.Cells {
			p := &row.Cells[k]
			if p.Outcome != outcome || outcome == clients.Loads && !h.c.All {
				continue
			}
			rest, at := h.seen(p), 0
			for at < len(groups) && groups[at].rest != rest {
				at++
			}
			if at == len(groups) {
				groups = append(groups, &group{rest: rest})
			} else {
				groups[at].ids += ", "
			}
			groups[at].ids += htmlText(h.labels[k])
		}
	}
	for _, g := range groups {
		h.printf("<tr><th>%s</th>%s</tr>\n", g.ids, g.rest)
	}
	h.printf("</tbody>\n</table>\n</details>\n")
}

// seen gives the cells about one client.
func (h htmlPage) seen(p *clients.Prediction) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<td class=\"%s\">%s<br><small>%s</small></td>", p.Outcome, htmlText(outcomeWords(p)), certaintyPhrase[p.Certainty])
	switch p.Outcome {
	case clients.Dropped, clients.BreaksOthers:
		b.WriteString("<td class=\"none\">nothing</td><td class=\"none\">nothing</td>")
	default:
		fmt.Fprintf(&b, "<td>%s</td><td>%s</td>", htmlTrimmed(p.Name), htmlTrimmed(p.Description))
	}
	b.WriteString("<td>")
	for k := range p.Reasons {
		r := &p.Reasons[k]
		if k > 0 {
			b.WriteString("<br>")
		}
		place := strings.TrimPrefix(showPosition(r.Range), ":")
		if place != "" {
			place += " "
		}
		fmt.Fprintf(&b, "%s<a href=\"%s\">%s</a>: %s", place, htmlText(RuleURL(r.ID)), htmlText(r.ID), htmlText(r.Message))
		if len(r.Fixes) > 0 {
			fmt.Fprintf(&b, " <em>Fix: %s.</em>", htmlText(r.Fixes[0].Title))
		}
	}
	b.WriteString("</td>")
	return b.String()
}

// clients lists the clients with what is known of them.
func (h htmlPage) clients() {
	h.printf("<h2>Clients</h2>\n<table class=\"clients\">\n<thead><tr><th>client</th><th>title</th><th>version</th><th>predictions rest on</th></tr></thead>\n<tbody>\n")
	for j, p := range h.c.Profiles {
		name := htmlText(p.ID)
		if url := clientURL(p.ID); url != "" {
			name = fmt.Sprintf("<a href=\"%s\">%s</a>", htmlText(url), name)
		}
		h.printf("<tr id=\"client-%s\"><th>%s</th><td>%s</td><td>%s</td><td>%s</td></tr>\n",
			htmlText(h.labels[j]), name, htmlText(p.Title), htmlText(p.Version), certaintyPhrase[p.Certainty])
	}
	h.printf("</tbody>\n</table>\n")
}

// htmlHead starts the page. Its rules allow nothing but its own style.
const htmlHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>skilltool clients</title>
<style>
:root { color-scheme: light dark; --ink: #1c2128; --paper: #fff; --line: #c9d1d9; --dim: #57606a;
  --bad: #ffd2cc; --worst: #f5a8a0; --warn: #ffe8a6; --hide: #dcd3f5; --fine: #e3f5e6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #12161c; --line: #3a424c; --dim: #9aa4af;
  --bad: #6b2620; --worst: #8f2f26; --warn: #574410; --hide: #433566; --fine: #16361f; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 1.5rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
a { color: inherit; }
.scroll { overflow: auto; max-height: 80vh; border: 1px solid var(--line); }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .15rem .4rem; text-align: left; vertical-align: top; }
.matrix { font-size: 12px; }
.matrix th:first-child { position: sticky; left: 0; background: var(--paper); white-space: nowrap; font-weight: normal; }
.matrix thead th { position: sticky; top: 0; background: var(--paper); z-index: 1; vertical-align: bottom; }
.matrix thead th:first-child { z-index: 2; }
.client span { writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; font-weight: normal; }
.breaks { background: var(--worst); } .drop { background: var(--bad); } .degrade { background: var(--warn); }
.hidden { background: var(--hide); } .load { background: var(--fine); }
b.breaks, b.drop, b.degrade, b.hidden, b.load { padding: 0 .35rem; border-radius: .2rem; font-weight: normal; }
.legend { list-style: none; padding: 0; } .legend li { margin: .2rem 0; }
details { margin: .6rem 0; } summary { cursor: pointer; font-family: ui-monospace, monospace; }
.seen { margin: .4rem 0; font-size: 13px; } .seen td { overflow-wrap: anywhere; min-width: 6rem; }
.written td, .written th { font-weight: 600; } .none { color: var(--dim); }
small, footer { color: var(--dim); } footer { margin-top: 2rem; }
@media print { body { margin: 0; } .scroll { overflow: visible; max-height: none; border: 0; }
  .matrix th { position: static; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  details { break-inside: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; } }
</style>
</head>
<body>
`
