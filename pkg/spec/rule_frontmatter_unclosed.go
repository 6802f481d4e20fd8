package spec

import (
	"bytes"
	"fmt"
	"strings"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "frontmatter-unclosed",
		Title:       "the frontmatter ends with a line of three hyphens",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-F3",
		Since:       since,
		Why: "Without the closing fence a client takes the whole file for YAML, or sees no frontmatter at all. " +
			"A line of four hyphens and a line of three dots close nothing.",
		Mend: "Put a line of exactly three hyphens behind the last field.",
	},
	Check: func(p *Pass) {
		s := p.Skill
		if !s.Split.Opened() || s.Split.Closed() {
			return
		}
		d := Diagnostic{
			Range:   s.Span(s.Split.Open.Start, s.Split.Open.Start+3),
			Message: `the frontmatter is never closed; a later line must be "---"`,
		}
		if near, ok := nearFence(s.Source, s.Split.Content, s.Frontmatter.Range.End.Offset); ok {
			r := s.Span(near.Start, near.End)
			d.Related = []Related{{
				Path:    s.File,
				Range:   r,
				Message: fmt.Sprintf("%q closes nothing; a fence is exactly three hyphens at the start of a line", clip(string(near.of(s.Source)), 40)),
			}}
			d.Fixes = []Fix{p.replace(`make the line "---"`, Unsafe, r, "---")}
		} else if end := s.Frontmatter.Range.End; end.Offset > s.Split.Content.Start {
			text := "---\n"
			if s.Source[end.Offset-1] != '\n' {
				text = "\n---\n"
			}
			d.Fixes = []Fix{p.replace("close the frontmatter behind the last field", Unsafe, Range{end, end}, text)}
		}
		p.Report(d)
	},
})

// nearFence gives the first line that looks like a closing fence and is none:
// one among the fields, which end at fieldsEnd, or the first one behind them.
func nearFence(source []byte, content Span, fieldsEnd int) (Span, bool) {
	for at := content.Start; at < content.End; {
		line := lineAt(source, at)
		text := strings.TrimSpace(string(line.of(source)))
		if text == "..." || len(text) >= 2 && strings.Trim(text, "-–—") == "" {
			near := bytes.TrimRight(line.of(source), " \t\r")
			if string(near) == "---" { // a CR and more behind it
				near = bytes.TrimSuffix(line.of(source), []byte("\r"))
			}
			return Span{line.Start, line.Start + len(near)}, true
		}
		if line.Start >= fieldsEnd && text != "" {
			break
		}
		at = afterLine(source, line.End)
	}
	return Span{}, false
}
