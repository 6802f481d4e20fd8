package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/spec"
)

const (
	// manySkills is how many skills have all their reasons shown; of more, the
	// text format counts them, and full shows them.
	manySkills = 10
	// manyPaths is how many skills with the same row are named.
	manyPaths = 20
	// leastColumns is how many clients stand beside each other in the narrowest
	// window.
	leastColumns = 8
)

// clientsText writes the matrix for people, and the reasons below it; full shows
// them for any number of skills.
type clientsText struct {
	options Options
	full    bool
}

// ReportClients writes c.
func (t clientsText) ReportClients(w io.Writer, c *Clients) error {
	m := &matrixPrinter{
		printer: &printer{
			Writer: bufio.NewWriter(w),
			style:  newStyle(w, t.options),
			width:  max(minWidth, cmp.Or(t.options.Width, defaultWidth)),
			base:   c.WorkDir,
		},
		c: c, grid: newGrid(c), labels: c.Labels(),
	}
	switch {
	case len(c.Rows) == 0:
	case c.Side:
		m.sides()
	default:
		m.matrix()
		m.reasons(t.full)
	}
	return m.Flush()
}

// matrixPrinter writes parts of the matrix.
type matrixPrinter struct {
	*printer
	c      *Clients
	grid   grid
	labels []string
}

// rowGroup are skills with the same cells, columnGroup clients.
type (
	rowGroup    struct{ rows []int }
	columnGroup struct{ columns []int }
)

// matrix writes the grid, in parts where the window is too narrow, and a legend.
func (m *matrixPrinter) matrix() {
	if len(m.grid.rows) == 0 {
		m.printf("%s as written in %s\n", counted(len(m.c.Rows), "skill loads", "skills load"), counted(len(m.c.Profiles), "client", "clients"))
		return
	}
	columns, rows := m.columnGroups(), m.rowGroups()
	widest := 0
	for _, i := range m.grid.rows {
		widest = max(widest, ansi.StringWidth(m.shown(i)))
	}
	most := max(leastColumns, (m.width-widest-1)/2)
	for len(columns) > 0 {
		part := columns[:min(most, len(columns))]
		columns = columns[len(part):]
		m.heads(part)
		for _, row := range rows {
			m.row(row, part)
		}
		m.printf("\n")
	}
	m.legend()
}

// columnGroups brings clients together that do the same with every skill.
func (m *matrixPrinter) columnGroups() []columnGroup {
	var groups []columnGroup
	known := map[string]int{}
	for _, j := range m.grid.columns {
		var key strings.Builder
		for _, i := range m.grid.rows {
			key.WriteRune(cellOf(&m.c.Rows[i].Cells[j]))
		}
		at, ok := known[key.String()]
		if !ok {
			at = len(groups)
			known[key.String()] = at
			groups = append(groups, columnGroup{})
		}
		groups[at].columns = append(groups[at].columns, j)
	}
	return groups
}

// rowGroups brings skills together with which every client does the same.
func (m *matrixPrinter) rowGroups() []rowGroup {
	var groups []rowGroup
	for n, i := range m.grid.rows {
		if n > 0 && m.c.compareCells(m.grid.rows[n-1], i) == 0 {
			last := &groups[len(groups)-1]
			last.rows = append(last.rows, i)
			continue
		}
		groups = append(groups, rowGroup{rows: []int{i}})
	}
	return groups
}

// heads writes the clients above their columns, each with a line that leads down
// to it.
func (m *matrixPrinter) heads(columns []columnGroup) {
	for n, group := range columns {
		names := make([]string, len(group.columns))
		for k, j := range group.columns {
			names[k] = m.clientName(j)
			if k < len(names)-1 {
				names[k] += ","
			}
		}
		for k, line := range wrap(strings.Join(names, " "), max(minWidth/2, m.width-2*n-2)) {
			bars := n
			if k > 0 {
				bars++ // the group's own line has begun
			}
			m.printf("%s%s\n", m.style.dim.Render(strings.Repeat("│ ", bars)), line)
		}
	}
	m.printf("%s\n", m.style.dim.Render(strings.TrimRight(strings.Repeat("│ ", len(columns)), " ")))
}

// clientName marks clients that were not run.
func (m *matrixPrinter) clientName(j int) string {
	if m.c.Profiles[j].Certainty != clients.Run {
		return term.Escape(m.labels[j]) + "~"
	}
	return term.Escape(m.labels[j])
}

func (m *matrixPrinter) shown(i int) string {
	return showPath(relative(m.base, m.c.Rows[i].Path))
}

// row writes the cells of skills that have the same ones, and their paths.
func (m *matrixPrinter) row(group rowGroup, columns []columnGroup) {
	for _, column := range columns {
		letter := cellOf(&m.c.Rows[group.rows[0]].Cells[column.columns[0]])
		m.printf("%s ", m.cell(letter))
	}
	for n, i := range group.rows {
		if n == manyPaths && !m.c.All {
			m.printf("%s  and %d more; --all names them\n", strings.Repeat("  ", len(columns)), len(group.rows)-n)
			return
		}
		if n > 0 {
			m.printf("%s", strings.Repeat("  ", len(columns)))
		}
		path := m.style.path.Render(m.shown(i))
		m.printf(" %s\n", m.style.link(fileURL(join(m.c.Rows[i].Dir, m.c.Rows[i].File)), path))
	}
}

func (m *matrixPrinter) cell(letter rune) string {
	paint := m.style.severity[spec.Error]
	switch letter {
	case cellDegrade, cellHidden:
		paint = m.style.severity[spec.Warning]
	case cellLoad:
		paint = m.style.dim
	}
	return paint.Render(string(letter))
}

// legendTexts explain the letters, the worst first.
var legendTexts = []struct {
	letter rune
	text   string
}{
	{cellBreaks, "breaks the load of all skills beside it"},
	{cellSilent, "dropped, and nothing but perhaps a log says so"},
	{cellTold, "dropped, and the user is told"},
	{cellHidden, "hidden from the model"},
	{cellDegrade, "degraded: the model sees another name or description"},
	{cellLoad, "loads as written"},
}

// legend explains the letters that occur, and says what is left out.
func (m *matrixPrinter) legend() {
	seen := map[rune]bool{}
	unsure := false
	for _, j := range m.grid.columns {
		unsure = unsure || m.c.Profiles[j].Certainty != clients.Run
		for _, i := range m.grid.rows {
			seen[cellOf(&m.c.Rows[i].Cells[j])] = true
		}
	}
	for _, l := range legendTexts {
		if seen[l.letter] {
			m.printf("%s  %s\n", m.cell(l.letter), l.text)
		}
	}
	if unsure {
		m.printf("~  the client was not run: its source was read\n")
	}
	if m.grid.loading > 0 {
		m.printf("left out: %s everything as written; --all shows that too\n", counted(m.grid.loading, "client that loads", "clients that load"))
	}
	if m.grid.same > 0 {
		m.printf("left out: %s as written everywhere; --all shows that too\n", counted(m.grid.same, "skill that loads", "skills that load"))
	}
}

// reasons writes why, or for many skills how often.
func (m *matrixPrinter) reasons(full bool) {
	if len(m.c.Findings) == 0 {
		return
	}
	m.printf("\n")
	if len(m.grid.rows) > manySkills && !full {
		m.reasonTable()
		return
	}
	for i := range m.c.Findings {
		if i > 0 {
			m.printf("\n")
		}
		m.reason(i)
	}
}

// reason writes one reason with its place and the clients that it matters to.
func (m *matrixPrinter) reason(i int) {
	f := &m.c.Findings[i]
	m.headline(f)
	m.printf("\n")
	if !f.Range.IsZero() {
		m.snippet(f)
	}
	for _, impact := range m.c.Impacts[i] {
		label := outcomePhrase[impact.Outcome] + " " + strings.Join(impact.IDs, ", ")
		if impact.Told != "" {
			label += " (" + toldPhrase[impact.Told] + ")"
		}
		m.hang("  ", "    ", term.Escape(label))
	}
	if fix := f.bestFix(); fix != nil {
		m.hang("  "+m.style.fix.Render("fix:")+" ", "       ", term.Escape(fix.Title))
	} else if f.Help != "" {
		m.hang("  "+m.style.help.Render("help:")+" ", "        ", term.Escape(f.Help))
	}
}

// hang writes prose, wrapped, with a lead before the first line and an indent
// before all others.
func (m *matrixPrinter) hang(lead, indent, prose string) {
	line, width := lead, ansi.StringWidth(lead)
	for i, word := range strings.Fields(prose) {
		length := ansi.StringWidth(word)
		switch {
		case i == 0:
		case width+1+length > m.width:
			m.printf("%s\n", line)
			line, width = indent, len(indent)
		default:
			line, width = line+" ", width+1
		}
		line, width = line+word, width+length
	}
	m.printf("%s\n", line)
}

// reasonTable counts the skills and clients of each reason.
func (m *matrixPrinter) reasonTable() {
	type line struct {
		id      string
		skills  map[string]bool
		clients map[clients.Outcome]map[string]bool
	}
	var lines []*line
	known := map[string]*line{}
	for i := range m.c.Findings {
		f := &m.c.Findings[i]
		l := known[f.RuleID]
		if l == nil {
			l = &line{f.RuleID, map[string]bool{}, map[clients.Outcome]map[string]bool{}}
			known[f.RuleID] = l
			lines = append(lines, l)
		}
		l.skills[join(f.Skill, f.Path)] = true
		for _, impact := range m.c.Impacts[i] {
			if l.clients[impact.Outcome] == nil {
				l.clients[impact.Outcome] = map[string]bool{}
			}
			for _, id := range impact.IDs {
				l.clients[impact.Outcome][id] = true
			}
		}
	}
	slices.SortFunc(lines, func(a, b *line) int {
		return cmp.Or(len(b.skills)-len(a.skills), cmp.Compare(a.id, b.id))
	})
	widest, digits := 0, len(fmt.Sprint(len(lines[0].skills)))
	for _, l := range lines {
		widest = max(widest, len(l.id))
	}
	for _, l := range lines {
		var parts []string
		for _, outcome := range clientOutcomes {
			if n := len(l.clients[outcome]); n > 0 && outcome != clients.Loads {
				parts = append(parts, outcomePhrase[outcome]+" "+counted(n, "client", "clients"))
			}
		}
		if len(parts) == 0 {
			parts = append(parts, "a warning alone")
		}
		name := m.style.link(RuleURL(l.id), m.style.rule.Render(l.id))
		m.printf("%s%s  %*d %s  %s\n", name, strings.Repeat(" ", widest-len(l.id)), digits, len(l.skills),
			map[bool]string{true: "skill ", false: "skills"}[len(l.skills) == 1], strings.Join(parts, ", "))
	}
	m.printf("--output-format full shows the places, --client NAME what a model sees\n")
}

// counted gives "1 skill loads" or "2 skills load".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
