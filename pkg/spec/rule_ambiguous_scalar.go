package spec

import (
	"fmt"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "ambiguous-scalar",
		Title:       "YAML 1.1 and YAML 1.2 read each value alike",
		Category:    CategorySpec,
		Severity:    Warning,
		Requirement: "AS-Y2",
		Since:       since,
		Why: "Loaders of both versions are in use. An unquoted yes, 012, 12:30 or 2026-01-31 is text or a number for " +
			"the one and a boolean, another number or a date for the other. Two conforming parties then see different " +
			"frontmatter, and a host that compares it with the file refuses the skill.",
		Mend: "Quote the value.",
	},
	Check: func(p *Pass) {
		p.walk(func(pointer string, n *Node, isKey bool) {
			if n.Style != Plain || !n.isScalar() || n.Tag != "" || n.Range.Start == n.Range.End {
				return
			}
			if n.Kind != String && !isKey && onlyString(pointer) {
				return // the finding about its type offers the same quotes
			}
			old := oldReading(n.Text)
			if old == "" {
				return
			}
			d := Diagnostic{
				Field:   pointer,
				Range:   n.Range,
				Message: fmt.Sprintf("%q is %s in YAML 1.2 and %s in YAML 1.1; quote it", clip(n.Text, 40), n.Kind, old),
				Fixes:   p.quoteNode(n),
			}
			if n.Kind != String && len(d.Fixes) > 0 {
				d.Fixes[0].Safety = Unsafe // quotes make a string of what YAML 1.2 reads as a number
			}
			p.Report(d)
		})
	},
})
