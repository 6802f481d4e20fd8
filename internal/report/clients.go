package report

import (
	"cmp"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/spec"
)

// Clients is the outcome of one run of the command clients: what each of some
// clients does with each of some skills. Its Findings are the reasons.
type Clients struct {
	Report
	// Profiles are the clients that were asked.
	Profiles []*clients.Profile
	// Roots are the folders that the skills stand in, sorted by path.
	Roots []ClientRoot
	// Rows are the skills, sorted by path.
	Rows []ClientRow
	// Impacts say, for each of the Findings, which clients it matters to.
	Impacts [][]ClientImpact
	// All says that what loads as written everywhere is shown too.
	All bool
	// Side says that people see what was written beside what each model sees.
	Side bool
	// FailOn is the lightest outcome that fails the run, or "" for none.
	FailOn clients.Outcome
}

// ClientRoot is a folder that skills stand in.
type ClientRoot struct {
	// Path is absolute and slash-separated.
	Path string
	// Readers are the clients that look into such a folder of a project, where
	// it is one that any client looks into.
	Readers []string
}

// ClientRow is one skill, and what each client does with it.
type ClientRow struct {
	// Path names it: the skill's folder, or the file of a flat skill. Dir is the
	// folder that paths of its reasons are relative to, and File the file in it.
	// Both are absolute and slash-separated.
	Path, Dir, File string
	// Name and Description are those that are written.
	Name, Description string
	// Cells are in the order of Clients.Profiles.
	Cells []clients.Prediction
}

// ClientImpact says what a reason does in some clients.
type ClientImpact struct {
	Outcome clients.Outcome
	// Told says what the user learns of a skill that is not loaded.
	Told clients.Told
	// IDs are the clients, sorted, as Labels names them.
	IDs []string
}

// ClientsReporter writes what clients do in one format.
type ClientsReporter interface {
	// ReportClients writes c to w. Its errors are those of w.
	ReportClients(w io.Writer, c *Clients) error
}

// clientsFormats lists the formats in the order that help shows them.
var clientsFormats = []struct {
	name string
	make func(Options) ClientsReporter
}{
	{"text", func(o Options) ClientsReporter { return clientsText{options: o} }},
	{"full", func(o Options) ClientsReporter { return clientsText{options: o, full: true} }},
	{"concise", func(o Options) ClientsReporter { return clientsFindings{conciseReporter{options: o}} }},
	{"json", func(Options) ClientsReporter { return clientsJSON{} }},
	{"sarif", func(Options) ClientsReporter { return clientsFindings{sarifReporter{}} }},
	{"github", func(Options) ClientsReporter { return clientsFindings{githubReporter{}} }},
	{"markdown", func(Options) ClientsReporter { return clientsMarkdown{} }},
	{"html", func(Options) ClientsReporter { return clientsHTML{} }},
}

// ClientsNames gives the names of the formats, for help and completion.
func ClientsNames() []string {
	names := make([]string, len(clientsFormats))
	for i, f := range clientsFormats {
		names[i] = f.name
	}
	return names
}

// NewClients gives the reporter of a name that ClientsNames lists. The error for
// any other lists them, the nearest first.
func NewClients(name string, opts Options) (ClientsReporter, error) {
	for _, f := range clientsFormats {
		if f.name == name {
			return f.make(opts), nil
		}
	}
	return nil, unknownFormat(name, ClientsNames())
}

// clientsFindings writes the reasons as findings of the shared report.
type clientsFindings struct{ reporter Reporter }

// ReportClients writes each reason with the clients that it matters to.
func (f clientsFindings) ReportClients(w io.Writer, c *Clients) error {
	r := c.Report
	r.Findings = slices.Clone(c.Findings)
	for i := range r.Findings {
		r.Findings[i].Message += " (" + strings.Join(impactPhrases(c.Impacts[i]), "; ") + ")"
	}
	return f.reporter.Report(w, &r)
}

// impactPhrases names the clients of each outcome, whatever they tell.
func impactPhrases(impacts []ClientImpact) []string {
	var phrases []string
	for _, outcome := range clientOutcomes {
		var ids []string
		for _, impact := range impacts {
			if impact.Outcome == outcome {
				ids = append(ids, impact.IDs...)
			}
		}
		if len(ids) > 0 {
			slices.Sort(ids)
			phrases = append(phrases, outcomePhrase[outcome]+" "+strings.Join(ids, ", "))
		}
	}
	return phrases
}

// outcomePhrase starts a list of clients.
var outcomePhrase = map[clients.Outcome]string{
	clients.Loads:        "loads all the same in",
	clients.Degrades:     "degraded in",
	clients.Hidden:       "hidden in",
	clients.Dropped:      "dropped by",
	clients.BreaksOthers: "breaks",
}

// clientOutcomes are all outcomes, the worst first.
var clientOutcomes = []clients.Outcome{clients.BreaksOthers, clients.Dropped, clients.Hidden, clients.Degrades, clients.Loads}

// outcomeRank orders outcomes, the worst first.
func outcomeRank(o clients.Outcome) int { return slices.Index(clientOutcomes, o) }

// OutcomeSeverity gives the severity of a reason for an outcome.
func OutcomeSeverity(o clients.Outcome) spec.Severity {
	switch o {
	case clients.BreaksOthers, clients.Dropped:
		return spec.Error
	case clients.Hidden, clients.Degrades:
		return spec.Warning
	}
	return spec.Info
}

// Count gives the number of predictions of an outcome.
func (c *Clients) Count(o clients.Outcome) int {
	n := 0
	for i := range c.Rows {
		for j := range c.Rows[i].Cells {
			if c.Rows[i].Cells[j].Outcome == o {
				n++
			}
		}
	}
	return n
}

// differs reports whether a client does not load the skill as it is written.
func (r *ClientRow) differs() bool {
	return slices.ContainsFunc(r.Cells, func(p clients.Prediction) bool { return p.Outcome != clients.Loads })
}

// Labels name the clients: by id, and with the version where a client is asked
// twice.
func (c *Clients) Labels() []string {
	times := map[string]int{}
	for _, p := range c.Profiles {
		times[p.ID]++
	}
	labels := make([]string, len(c.Profiles))
	for i, p := range c.Profiles {
		if labels[i] = p.ID; times[p.ID] > 1 {
			labels[i] += "@" + p.Version
		}
	}
	return labels
}

// grid is the part of the matrix that is shown, the worst in front.
type grid struct {
	rows    []int
	columns []int
	// same and loading are the numbers of skills and clients that are left out,
	// since all of theirs load as written.
	same, loading int
}

// newGrid chooses rows and columns, and puts them in order.
func newGrid(c *Clients) grid {
	var g grid
	counts := make([][5]int, len(c.Profiles))
	rows := make([][5]int, len(c.Rows))
	for i := range c.Rows {
		for j := range c.Rows[i].Cells {
			rank := outcomeRank(c.Rows[i].Cells[j].Outcome)
			counts[j][rank]++
			rows[i][rank]++
		}
		if c.All || c.Rows[i].differs() {
			g.rows = append(g.rows, i)
		} else {
			g.same++
		}
	}
	for j := range c.Profiles {
		if c.All || counts[j][outcomeRank(clients.Loads)] < len(c.Rows) {
			g.columns = append(g.columns, j)
		} else {
			g.loading++
		}
	}
	slices.SortStableFunc(g.rows, func(a, b int) int { return cmp.Or(worseCounts(rows[a], rows[b]), c.compareCells(a, b)) })
	slices.SortStableFunc(g.columns, func(a, b int) int { return worseCounts(counts[a], counts[b]) })
	return g
}

// worseCounts puts more of the worst outcome in front.
func worseCounts(a, b [5]int) int {
	for i := range a {
		if a[i] != b[i] {
			return b[i] - a[i]
		}
	}
	return 0
}

// compareCells brings rows together that have the same cells.
func (c *Clients) compareCells(a, b int) int {
	for j := range c.Profiles {
		x, y := cellOf(&c.Rows[a].Cells[j]), cellOf(&c.Rows[b].Cells[j])
		if x != y {
			return cmp.Compare(x, y)
		}
	}
	return 0
}

// The cells of a matrix for people.
const (
	cellBreaks  = 'B'
	cellSilent  = 'X'
	cellTold    = 'x'
	cellHidden  = 'h'
	cellDegrade = 'd'
	cellLoad    = '.'
)

// cellOf gives the letter for a prediction.
func cellOf(p *clients.Prediction) rune {
	switch p.Outcome {
	case clients.BreaksOthers:
		return cellBreaks
	case clients.Dropped:
		if p.Told == clients.OnScreen {
			return cellTold
		}
		return cellSilent
	case clients.Hidden:
		return cellHidden
	case clients.Degrades:
		return cellDegrade
	}
	return cellLoad
}

// toldPhrase says what the user learns of a skill that is not loaded.
var toldPhrase = map[clients.Told]string{
	clients.OnScreen: "the user is told",
	clients.InLog:    "a log alone says so",
	clients.Silent:   "nothing says so",
}

// outcomeWords says what becomes of a skill, for people.
func outcomeWords(p *clients.Prediction) string {
	words := map[clients.Outcome]string{
		clients.Loads: "loads as written", clients.Degrades: "degraded", clients.Hidden: "hidden from the model",
		clients.Dropped: "dropped", clients.BreaksOthers: "breaks the load of all skills beside it",
	}[p.Outcome]
	switch {
	case p.Told != "":
		words += ", " + toldPhrase[p.Told]
	case p.Warned:
		words += ", with a warning"
	}
	return words
}

// certaintyPhrase says what a prediction rests on.
var certaintyPhrase = map[clients.Certainty]string{
	clients.Run:      "the client was run",
	clients.Read:     "its source was read",
	clients.Inferred: "inferred",
}

// titleVersion names a client with its version.
func titleVersion(p *clients.Profile) string {
	return strings.TrimSpace(p.ID + " " + p.Version)
}

// clientURL gives the address of a client's page, "" for one of a user's own.
func clientURL(id string) string {
	if !slices.Contains(clients.IDs(), id) {
		return ""
	}
	return "https://github.com/skilltool/skilltool/blob/main/docs/clients/" + url.PathEscape(id) + ".md"
}
