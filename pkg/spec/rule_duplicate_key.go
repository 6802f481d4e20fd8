package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "duplicate-key",
		Title:       "each key stands once",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-Y1",
		Since:       since,
		Why: "YAML asks for unique keys. Of a key written twice some clients take the last value, and others refuse " +
			"the file.",
		Mend: "Keep one of the entries.",
	},
	Check: func(p *Pass) {
		p.walk(func(pointer string, n *Node, _ bool) {
			if n.Kind == Mapping {
				p.duplicates(pointer, n)
			}
		})
	},
})

func (p *Pass) duplicates(pointer string, n *Node) {
	first := make(map[string]*Node, len(n.Pairs))
	for _, pair := range n.Pairs {
		key := pair.Key
		if key.Kind == Mapping || key.Kind == Sequence || key.Kind == Alias {
			continue
		}
		before, twice := first[key.Text]
		if !twice {
			first[key.Text] = key
			continue
		}
		p.Report(Diagnostic{
			Field:   pointer + "/" + escapePointer(key.Text),
			Range:   key.Range,
			Message: fmt.Sprintf("%q stands here and on line %d; each key may stand once", clip(key.Text, 60), before.Range.Start.Line),
			Related: []Related{{Path: p.Skill.File, Range: before.Range, Message: "it stands here first"}},
		})
	}
}
