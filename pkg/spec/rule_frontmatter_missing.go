package spec

import (
	"bytes"
	"fmt"
	"strings"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "frontmatter-missing",
		Title:       "SKILL.md starts with YAML frontmatter",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-F3",
		Since:       since,
		Why: "Name and description stand in the frontmatter. Without it most clients drop the skill; others make " +
			"a description up from the first line of the text.",
		Mend: "Start the file with a line \"---\", the fields name and description, and a second line \"---\".",
	},
	Check: func(p *Pass) {
		s := p.Skill
		if s.Encoding.Name == "" || s.Encoding.wide() || s.Split.Opened() {
			return // nothing was read, or nothing could be
		}
		if len(bytes.TrimSpace(s.Source)) == 0 {
			p.Report(Diagnostic{Message: "SKILL.md is empty; it must start with YAML frontmatter"})
			return
		}
		line := lineAt(s.Source, s.Split.Body.Start)
		p.Report(Diagnostic{
			Range:   s.Span(line.Start, line.End),
			Message: `there is no frontmatter; the first line must be "---"`,
			Help:    missingHelp(s.Source, strings.TrimSpace(string(line.of(s.Source)))),
		})
	},
})

// missingHelp says what the first line was probably meant to be.
func missingHelp(source []byte, first string) string {
	switch {
	case bytes.HasPrefix(source, []byte("---\r")):
		return "the lines end in a lone carriage return; save the file with LF or CR LF"
	case strings.HasPrefix(first, "+++"):
		return "this is TOML frontmatter; skills have YAML between lines of three hyphens"
	case strings.HasPrefix(first, "```"):
		return "the frontmatter must not stand in a code block"
	case strings.HasPrefix(first, "---") && !strings.HasPrefix(string(bytes.TrimPrefix(source, bom)), "---"):
		return "blanks stand before the hyphens; a fence starts in column 1"
	case strings.HasPrefix(first, "---"):
		return fmt.Sprintf("the line is %q; a fence is exactly three hyphens", clip(first, 40))
	case strings.Trim(first, "-–—") == "" && first != "":
		return "the first line has dashes that are no hyphens (U+002D)"
	}
	return ""
}
