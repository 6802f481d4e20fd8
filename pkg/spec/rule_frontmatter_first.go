package spec

import (
	"bytes"
	"fmt"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "frontmatter-first",
		Title:       "nothing stands before the frontmatter",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-F5",
		Since:       since,
		Why: "Most clients look for the opening fence on the first line only. A blank line, a comment or a heading " +
			"above it hides the whole frontmatter from them.",
		Mend: "Remove blank lines above the fence. Move a comment below the closing fence, or into the frontmatter as a YAML comment.",
	},
	Check: func(p *Pass) {
		split := p.Skill.Split
		if split.Preamble.Empty() {
			return
		}
		r := p.Skill.Span(split.Preamble.Start, split.Preamble.End)
		text := bytes.TrimSpace(split.Preamble.of(p.Skill.Source))
		if len(text) == 0 {
			p.Report(Diagnostic{
				Range:   r,
				Message: `a blank line stands before the frontmatter; the first line must be "---"`,
				Fixes:   []Fix{p.replace("remove what is blank", Safe, r, "")},
			})
			return
		}
		first, _, _ := bytes.Cut(text, []byte("\n"))
		p.Report(Diagnostic{
			Range:   r,
			Message: fmt.Sprintf(`%q stands before the frontmatter; the first line must be "---"`, clip(string(bytes.TrimSpace(first)), 60)),
			Help:    "move it below the closing fence",
		})
	},
})
