package report

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/clients"
)

// sideLabel is the width of the names of fields.
const sideLabel = len("    description  ")

// sides writes, for each skill and client, what was written beside what the
// model sees, and why they differ.
func (m *matrixPrinter) sides() {
	first := true
	for i := range m.c.Rows {
		row := &m.c.Rows[i]
		if !m.c.All && !row.differs() {
			continue
		}
		if !first {
			m.printf("\n")
		}
		first = false
		path := m.style.path.Render(showPath(relative(m.base, join(row.Dir, row.File))))
		m.printf("%s\n", m.style.link(fileURL(join(row.Dir, row.File)), path))
		for j := range row.Cells {
			m.side(row, &row.Cells[j], m.c.Profiles[j])
		}
	}
	if m.grid.same > 0 {
		if !first {
			m.printf("\n")
		}
		m.printf("%s as written in %s\n", counted(m.grid.same, "skill loads", "skills load"), m.askedFor())
	}
}

// askedFor names the clients of the run.
func (m *matrixPrinter) askedFor() string {
	return term.Escape(strings.Join(m.labels, ", "))
}

// side writes what one client does with one skill.
func (m *matrixPrinter) side(row *ClientRow, p *clients.Prediction, profile *clients.Profile) {
	paint := m.style.severity[OutcomeSeverity(p.Outcome)]
	if p.Outcome == clients.Loads {
		paint = m.style.fix
	}
	m.printf("  %s: %s (%s)\n", m.style.link(clientURL(p.Client), term.Escape(titleVersion(profile))),
		paint.Render(outcomeWords(p)), certaintyPhrase[p.Certainty])
	name, description := seen(p)
	if p.Outcome == clients.Loads {
		m.pair("name", row.Name, name)
		m.pair("description", row.Description, description)
	} else {
		m.columns("", "written", "the model sees", m.style.dim)
		m.columns("name", written(row.Name), name, paint)
		m.columns("description", written(row.Description), description, paint)
	}
	for k := range p.Reasons {
		m.sideReason(row, p, &p.Reasons[k])
	}
}

// written shows a text of the author.
func written(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return "(nothing)"
	}
	return term.Escape(text)
}

// seen shows what the model sees of a skill.
func seen(p *clients.Prediction) (name, description string) {
	switch p.Outcome {
	case clients.Dropped, clients.BreaksOthers:
		return "(nothing)", "(nothing)"
	case clients.Hidden:
		return "(nothing; the user sees " + term.Escape(p.Name) + ")", "(nothing)"
	}
	return written(p.Name), written(p.Description)
}

// pair writes a text that is the same on both sides once.
func (m *matrixPrinter) pair(label, text, shown string) {
	if text = written(text); strings.TrimSpace(text) != strings.TrimSpace(shown) {
		m.columns(label, text, shown, m.style.dim)
		return
	}
	width := m.width - sideLabel
	for n, line := range fill(text, width) {
		if n > 0 {
			label = ""
		}
		m.printf("%s%s\n", m.label(label), line)
	}
}

func (m *matrixPrinter) label(label string) string {
	return m.style.dim.Render("    " + label + strings.Repeat(" ", sideLabel-len("    ")-len(label)))
}

// columns writes two texts beside each other.
func (m *matrixPrinter) columns(label, left, right string, paint paint) {
	const between = " │ "
	width := max(minWidth/2, (m.width-sideLabel-ansi.StringWidth(between))/2)
	a, b := fill(left, width), fill(right, width)
	for n := range max(len(a), len(b)) {
		var x, y string
		if n < len(a) {
			x = a[n]
		}
		if n < len(b) {
			y = b[n]
		}
		padding := strings.Repeat(" ", width-ansi.StringWidth(x))
		line := m.label(label) + x + padding + m.style.dim.Render(between)
		if y != "" {
			line += paint.Render(y)
		}
		m.printf("%s\n", strings.TrimRight(line, " "))
		label = ""
	}
}

// fill wraps a text at blanks, and words that are too long anywhere.
func fill(text string, width int) []string {
	var lines []string
	for _, line := range wrap(text, width) {
		for ansi.StringWidth(line) > width {
			head := ansi.Truncate(line, width, "")
			if head == "" {
				break // a character wider than the column
			}
			lines = append(lines, head)
			line = line[len(head):]
		}
		lines = append(lines, line)
	}
	if lines == nil {
		lines = []string{""}
	}
	return lines
}

// sideReason writes why, where, and what mends it.
func (m *matrixPrinter) sideReason(row *ClientRow, p *clients.Prediction, reason *clients.Reason) {
	place := showPosition(reason.Range)
	if place = strings.TrimPrefix(place, ":"); place != "" {
		place += ": "
	}
	m.hang("    "+place+m.style.link(RuleURL(reason.ID), m.style.rule.Render(reason.ID))+": ", "      ", term.Escape(reason.Message))
	switch {
	case p.Outcome == clients.Loads && reason.Effect == clients.Noted:
	case len(reason.Fixes) > 0:
		m.hang("      "+m.style.fix.Render("fix:")+" ", "        ", term.Escape(reason.Fixes[0].Title))
	default:
		if help := reason.Diagnostic().Help; help != "" {
			m.hang("      "+m.style.help.Render("help:")+" ", "        ", term.Escape(help))
		}
	}
}
