package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "name-required",
		Title:       "there is a name",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-N1",
		Since:       since,
		Why: "The name is how clients list, call and address a skill. Without one some take the folder's name, and " +
			"most drop the skill.",
		Mend: "Add \"name:\" with the name of the folder.",
	},
	Check: func(p *Pass) { p.required(FieldName) },
})

// required reports a field that is missing, null or blank.
func (p *Pass) required(field string) {
	s := p.Skill
	f := &s.Frontmatter
	if f.Root == nil || f.Root.Kind != Mapping {
		return
	}
	pair := f.Root.pair(field)
	if pair == nil {
		if s.Split.Closed() && !s.yaml.hasIndented(field) && p.fails("", "required") {
			p.missing(field)
		}
		return
	}
	value := pair.Value.Resolve()
	if value == nil || value.Kind == Unknown {
		return
	}
	d := Diagnostic{Field: "/" + field, Range: p.place(field, pair.Value)}
	switch {
	case value.Kind == Null:
		d.Message = fmt.Sprintf("%s has no value; it is required", field)
	case value.Kind == String && isBlank(value.Text):
		d.Message = fmt.Sprintf("%s is blank; it is required", field)
		if value.Style == Literal || value.Style == Folded {
			d.Help = "the text of a block starts on the next line, indented"
		}
	default:
		return
	}
	p.Report(d)
}

func (p *Pass) missing(field string) {
	s := p.Skill
	open := s.Split.Open
	d := Diagnostic{
		Field:   "/" + field,
		Range:   s.Span(open.Start, open.Start+3),
		Message: fmt.Sprintf("%s is missing; it is required", field),
	}
	for _, pair := range s.Frontmatter.Root.Pairs {
		if nearestField(pair.Key.Text) == field {
			d.Help = fmt.Sprintf("%q on line %d may be meant to be it", clip(pair.Key.Text, 60), pair.Key.Range.Start.Line)
			d.Related = []Related{{Path: s.File, Range: pair.Key.Range, Message: fmt.Sprintf("did you mean %q?", field)}}
			break
		}
	}
	p.Report(d)
}
