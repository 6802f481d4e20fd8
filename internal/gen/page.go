// Package gen builds the documentation that has a source elsewhere: help
// texts, the man page and docs/cli.md from the definitions of the commands,
// and docs/rules/ from the rules and their golden cases.
package gen

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Page describes one command, ready to be written in any form.
type Page struct {
	// Name is the command with those that it stands under: "skilltool rule list".
	Name string
	// Summary is one line, lower case and without a full stop.
	Summary string
	// Synopsis is the command line, with placeholders.
	Synopsis string
	// Description is in paragraphs separated by blank lines; a line that
	// starts with a blank is kept as it is.
	Description string
	// Examples have the command line as Term.
	Examples []Row
	Sections []Section
}

// Section is a titled list of terms with their explanation.
type Section struct {
	Title string
	Rows  []Row
}

// Row is a term and what it means.
type Row struct{ Term, Text string }

// Add appends a section, unless it is empty.
func (p *Page) Add(title string, rows []Row) {
	if len(rows) > 0 {
		p.Sections = append(p.Sections, Section{title, rows})
	}
}

// helpWidth is the width that help is wrapped at: the narrowest terminal that
// is common.
const helpWidth = 80

// Help gives the page as --help prints it, at most 80 columns wide.
func Help(p Page) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n", hang(p.Name+" - ", p.Summary, 4))
	fmt.Fprintf(&b, "%s\n", hang("  ", p.Synopsis, 6))
	for _, paragraph := range paragraphs(p.Description) {
		fmt.Fprintf(&b, "\n%s\n", paragraph.wrap())
	}
	for _, section := range p.Sections {
		fmt.Fprintf(&b, "\n%s:\n", section.Title)
		writeRows(&b, section.Rows)
	}
	if len(p.Examples) > 0 {
		b.WriteString("\nExamples:\n")
	}
	for _, row := range p.Examples {
		fmt.Fprintf(&b, "  # %s\n  %s\n", row.Text, row.Term)
	}
	return b.String()
}

// writeRows puts explanations into one column. A term too wide for the first
// column stands on a line of its own.
func writeRows(b *strings.Builder, rows []Row) {
	const widest = 26
	column := 0
	for _, row := range rows {
		if width := utf8.RuneCountInString(row.Term); width <= widest {
			column = max(column, width)
		}
	}
	indent := column + 4
	for _, row := range rows {
		lead := fmt.Sprintf("  %-*s  ", column, row.Term)
		if utf8.RuneCountInString(row.Term) > column {
			fmt.Fprintf(b, "  %s\n", row.Term)
			lead = strings.Repeat(" ", indent)
		}
		fmt.Fprintf(b, "%s\n", strings.TrimRight(hang(lead, row.Text, indent), " "))
	}
}

// paragraph is a block of a description.
type paragraph struct {
	text string
	// verbatim blocks keep their lines.
	verbatim bool
}

// paragraphs splits at blank lines.
func paragraphs(description string) []paragraph {
	var list []paragraph
	for block := range strings.SplitSeq(description, "\n\n") {
		if block = strings.Trim(block, "\n"); block != "" {
			list = append(list, paragraph{block, strings.HasPrefix(block, " ")})
		}
	}
	return list
}

func (p paragraph) wrap() string {
	if p.verbatim {
		return p.text
	}
	return Wrap(p.text)
}

// Wrap fills lines of at most helpWidth code points and breaks at blanks only.
func Wrap(text string) string { return hang("", text, 0) }

// hang is Wrap with a lead before the first line and an indent before all
// others.
func hang(lead, text string, indent int) string {
	var b strings.Builder
	b.WriteString(lead)
	column := utf8.RuneCountInString(lead)
	for i, word := range strings.Fields(text) {
		length := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+length > helpWidth:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += length
	}
	return b.String()
}
