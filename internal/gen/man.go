package gen

import (
	"fmt"
	"strings"
)

// Man gives one roff man page (section 1) for a program: its own page first,
// then a section for each command. Version goes into the footer.
func Man(version string, pages []Page) string {
	root := pages[0]
	var b strings.Builder
	fmt.Fprintf(&b, ".\\\" Generated from the definitions of the commands; do not edit.\n")
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"%s %s\" \"User Commands\"\n", strings.ToUpper(root.Name), root.Name, roff(version))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(root.Name), roff(root.Summary))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(root.Synopsis))
	b.WriteString(".SH DESCRIPTION\n")
	writeManBody(&b, root, ".SH")
	b.WriteString(".SH COMMANDS IN DETAIL\n")
	for _, page := range pages[1:] {
		fmt.Fprintf(&b, ".SS %s\n%s.\n.PP\n.B %s\n", roff(page.Name), roff(upperFirst(page.Summary)), roff(page.Synopsis))
		writeManBody(&b, page, ".PP\n.I")
	}
	return b.String()
}

// writeManBody writes what comes behind the synopsis; heading is the request
// that titles are written with.
func writeManBody(b *strings.Builder, p Page, heading string) {
	for _, paragraph := range paragraphs(p.Description) {
		if paragraph.verbatim {
			fmt.Fprintf(b, ".PP\n.nf\n%s\n.fi\n", roff(paragraph.text))
			continue
		}
		fmt.Fprintf(b, ".PP\n%s\n", roff(Wrap(paragraph.text)))
	}
	for _, section := range p.Sections {
		fmt.Fprintf(b, "%s %s\n", heading, manTitle(heading, section.Title))
		for _, row := range section.Rows {
			fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(row.Term), roff(Wrap(row.Text)))
		}
	}
	if len(p.Examples) > 0 {
		fmt.Fprintf(b, "%s %s\n", heading, manTitle(heading, "Examples"))
	}
	for _, row := range p.Examples {
		fmt.Fprintf(b, ".PP\n%s:\n.PP\n.nf\n.RS\n%s\n.RE\n.fi\n", roff(upperFirst(row.Text)), roff(row.Term))
	}
}

// manTitle writes a title as its place wants it: sections are in capitals.
func manTitle(heading, title string) string {
	if heading == ".SH" {
		return roff(strings.ToUpper(title))
	}
	return roff(title)
}

// roff escapes text: backslashes, hyphens (which roff would take for dashes)
// and a control character at the start of a line.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\"", `\(dq`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
