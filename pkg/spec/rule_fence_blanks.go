package spec

import (
	"bytes"
	"fmt"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "fence-blanks",
		Title:       "nothing follows the hyphens of a fence",
		Category:    CategorySpec,
		Severity:    Warning,
		Requirement: "AS-F4",
		Since:       since,
		Why: "Blanks behind a fence are allowed, but several clients compare the whole line with three hyphens: " +
			"they see no frontmatter and drop the skill.",
		Mend: "Remove the blanks at the end of the line.",
	},
	Check: func(p *Pass) {
		for _, fence := range []Span{p.Skill.Split.Open, p.Skill.Split.Close} {
			if fence.Empty() {
				continue
			}
			line := bytes.TrimSuffix(fence.of(p.Skill.Source), []byte("\r"))
			if n := len(line) - 3; n > 0 {
				r := p.Skill.Span(fence.Start+3, fence.Start+3+n)
				p.Report(Diagnostic{
					Range:   r,
					Message: fmt.Sprintf("%s the fence; some clients want exactly three hyphens", countBlanks(n)),
					Fixes:   []Fix{p.replace("remove the blanks", Safe, r, "")},
				})
			}
		}
	},
})

func countBlanks(n int) string {
	if n == 1 {
		return "a blank follows"
	}
	return fmt.Sprintf("%d blanks follow", n)
}
