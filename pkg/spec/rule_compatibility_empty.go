package spec

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "compatibility-empty",
		Title:       "compatibility has a text or is left out",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-C1",
		Since:       since,
		Why:         "The specification asks for 1 to 500 characters where the field is given.",
		Mend:        "Remove the line, or fill it in.",
	},
	Check: fieldCheck(FieldCompatibility, func(p *Pass, value *Node) {
		d := Diagnostic{Message: "compatibility is blank; it must have 1 to 500 characters or be left out"}
		switch {
		case value.Kind == Null:
			d.Message = "compatibility has no value; it must have 1 to 500 characters or be left out"
			d.Fixes = p.removeLine(FieldCompatibility)
		case value.Kind != String || !isBlank(value.Text):
			return
		}
		p.reportField(FieldCompatibility, value, d)
	}),
})
