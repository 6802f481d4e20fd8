package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "null-field",
		Title:       "an optional field has a value or is left out",
		Category:    CategorySpec,
		Severity:    Warning,
		Requirement: "AS-L1",
		Since:       since,
		Why: "A key with nothing behind it is null. It counts as absent, but typed readers drop the skill, and some " +
			"take it for empty text.",
		Mend: "Remove the line, or fill it in.",
	},
	Check: func(p *Pass) {
		for _, field := range []string{FieldLicense, FieldMetadata, FieldAllowedTools} {
			fieldCheck(field, func(p *Pass, value *Node) {
				if value.Kind == Null {
					p.reportField(field, value, Diagnostic{
						Message: fmt.Sprintf("%s has no value; leave it out", field),
						Fixes:   p.removeLine(field),
					})
				}
			})(p)
		}
	},
})

// removeLine offers to delete a field that stands on one line.
func (p *Pass) removeLine(field string) []Fix {
	pair := p.Skill.Frontmatter.Root.pair(field)
	key, value := pair.Key.Range, pair.Value.Range
	if key.Start.Column != 1 || key.Start.Line != value.End.Line || pair.Value.Kind == Alias {
		return nil
	}
	line := lineAt(p.Skill.Source, key.Start.Offset)
	end := afterLine(p.Skill.Source, line.End)
	return []Fix{p.replace("remove the line", Unsafe, p.Skill.Span(line.Start, end), "")}
}
