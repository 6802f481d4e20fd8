package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "metadata-value",
		Title:       "the values of metadata are strings",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-X1",
		Since:       since,
		Why: "The specification has a map from strings to strings. Some clients and MCP servers drop a skill with a " +
			"number, a boolean, a list or a mapping here.",
		Mend: "Quote a number or a boolean. Write a list as one text, and give nested entries keys of their own.",
	},
	Check: fieldCheck(FieldMetadata, func(p *Pass, value *Node) {
		if value.Kind != Mapping {
			return
		}
		for _, pair := range value.Pairs {
			if v := pair.Value.Resolve(); v != nil && v.Kind != String && v.Kind != Unknown {
				p.metadataValue(pair, v)
			}
		}
	}),
})

func (p *Pass) metadataValue(pair Pair, value *Node) {
	key := pair.Key.Text
	d := Diagnostic{
		Field:   "/metadata/" + escapePointer(key),
		Range:   pair.Value.Range,
		Message: fmt.Sprintf("metadata.%s is %s; it must be a string", named(clip(key, 60)), value.described()),
	}
	if d.Range.Start == d.Range.End {
		d.Range = pair.Key.Range
	}
	switch {
	case value.Kind == Sequence:
		d.Help = "write the list as one text, separated by commas"
	case value.Kind == Mapping:
		d.Help = "give the nested entries keys of their own in metadata"
	case pair.Value.Kind != Alias:
		d.Fixes = p.quoteNode(value)
	}
	p.Report(d)
}
