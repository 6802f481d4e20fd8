package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/spec"
)

const (
	// defaultWidth is used where there is no terminal to ask.
	defaultWidth = 100
	// minWidth leaves room for an excerpt in the narrowest window.
	minWidth = 40
	// gutterWidth is that of a line number and what sets it off.
	gutterWidth = len("12345 | ")
)

// textReporter writes findings for people, each with the source it is about;
// full adds what the rule is good for.
type textReporter struct {
	options Options
	full    bool
}

// Report writes the findings of r, one blank line between them.
func (t textReporter) Report(w io.Writer, r *Report) error {
	p := &printer{
		Writer: bufio.NewWriter(w),
		style:  newStyle(w, t.options),
		width:  max(minWidth, cmp.Or(t.options.Width, defaultWidth)),
		base:   r.WorkDir,
	}
	rules := r.rulesByID()
	for i := range r.Findings {
		f := &r.Findings[i]
		if i > 0 {
			p.printf("\n")
		}
		p.finding(f)
		if rule := rules[f.RuleID]; t.full && rule != nil {
			p.rule(rule)
		}
	}
	return p.Flush()
}

// printer writes text; the first error of its stream comes out of Flush.
type printer struct {
	*bufio.Writer
	style style
	width int
	base  string
}

func (p *printer) printf(format string, args ...any) {
	fmt.Fprintf(p, format, args...)
}

func (p *printer) finding(f *Finding) {
	p.headline(f)
	p.printf("\n")
	if !f.Range.IsZero() {
		p.snippet(f)
	}
	if f.Help != "" {
		p.printf("  %s %s\n", p.style.help.Render("help:"), term.Escape(f.Help))
	}
	if fix := f.bestFix(); fix != nil {
		how := "unsafe"
		if fix.Safety == spec.Safe {
			how = "safe, apply with --fix"
		}
		p.printf("  %s  %s (%s)\n", p.style.fix.Render("fix:"), term.Escape(fix.Title), how)
	}
	for _, related := range f.Related {
		place := p.place(join(f.Skill, related.Path), related.Range)
		p.printf("  %s  %s: %s\n", p.style.help.Render("see:"), place, term.Escape(related.Message))
	}
}

// headline writes "PATH:LINE:COLUMN: SEVERITY RULE: MESSAGE" and no line end.
func (p *printer) headline(f *Finding) {
	p.printf("%s: %s %s: %s",
		p.place(join(f.Skill, f.Path), f.Range),
		p.style.severity[f.Severity].Render(f.Severity.String()),
		p.style.link(RuleURL(f.RuleID), p.style.rule.Render(term.Escape(f.RuleID))),
		term.Escape(f.Message))
}

// place gives "PATH:LINE:COLUMN", and "PATH" for a whole file.
func (p *printer) place(path string, r spec.Range) string {
	shown := p.style.path.Render(showPath(relative(p.base, path)))
	return p.style.link(fileURL(path), shown) + showPosition(r)
}

// snippet writes the source line and carets under the span. Of a span over
// several lines it marks the first.
func (p *printer) snippet(f *Finding) {
	line, start := f.sourceLine(), f.Range.Start.Column-1
	end := f.Range.End.Column - 1
	if f.Range.End.Line > f.Range.Start.Line {
		end = utf8.RuneCountInString(line)
	}
	e := newExcerpt(line, start, end, p.width-gutterWidth)
	number := fmt.Sprintf("%5d", f.Range.Start.Line)
	p.printf("%s", p.style.dim.Render(number+" |"))
	if e.text != "" {
		p.printf(" %s", e.text)
	}
	carets := p.style.severity[f.Severity].Render(strings.Repeat("^", e.carets))
	gutter := p.style.dim.Render(strings.Repeat(" ", len(number)) + " |")
	p.printf("\n%s %s%s\n", gutter, strings.Repeat(" ", e.indent), carets)
}

// rule writes what a rule demands and why.
func (p *printer) rule(rule *spec.RuleInfo) {
	title := rule.Title
	if rule.Requirement != "" {
		title += " (" + rule.Requirement + ")"
	}
	p.paragraph("rule:", title)
	p.paragraph("why:", rule.Why)
	p.paragraph("mend:", rule.Mend)
	p.printf("  %s  %s\n", p.style.dim.Render("url:"), RuleURL(rule.ID))
}

// paragraph writes prose behind a label, wrapped; without prose nothing.
func (p *printer) paragraph(label, prose string) {
	const indent = "        "
	for i, line := range wrap(term.Escape(prose), p.width-len(indent)) {
		if i == 0 {
			padding := strings.Repeat(" ", len(indent)-len("  ")-len(label))
			p.printf("  %s%s%s\n", p.style.dim.Render(label), padding, line)
			continue
		}
		p.printf("%s%s\n", indent, line)
	}
}

// wrap breaks prose at spaces only: a hyphen may belong to a name or a flag.
func wrap(prose string, width int) []string {
	var lines []string
	for _, word := range strings.Fields(prose) {
		last := len(lines) - 1
		if last >= 0 && ansi.StringWidth(lines[last]+" "+word) <= width {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}
