package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "frontmatter-mapping",
		Title:       "the frontmatter is one mapping",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-F3",
		Since:       since,
		Why:         "Fields are keys with values. A list or a text between the fences has no name and no description.",
		Mend:        "Write one field per line, such as \"name: pdf-tools\".",
	},
	Check: func(p *Pass) {
		s := p.Skill
		if !s.Split.Closed() || len(s.Problems) > 0 {
			return
		}
		switch root := s.Frontmatter.Root; {
		case root == nil || root.Kind == Null:
			open := s.Split.Open
			p.Report(Diagnostic{
				Range:   s.Span(open.Start, s.Split.Close.Start+3),
				Message: "the frontmatter is empty; name and description are required",
			})
		case root.Kind != Mapping && root.Kind != Unknown:
			p.Report(Diagnostic{
				Range:   root.Range,
				Message: fmt.Sprintf("the frontmatter is %s; it must be a mapping of fields to values", root.Kind),
			})
		}
	},
})
