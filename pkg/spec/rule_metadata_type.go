package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "metadata-type",
		Title:       "metadata is a mapping",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-X1",
		Since:       since,
		Why:         "Metadata is a set of keys with values. Typed readers drop a skill with a text or a list here.",
		Mend:        "Write one key and value per line below metadata, indented.",
	},
	Check: fieldCheck(FieldMetadata, func(p *Pass, value *Node) {
		if value.Kind != Null && value.Kind != Mapping && p.fails("/metadata", "type") {
			p.reportField(FieldMetadata, value, Diagnostic{
				Message: fmt.Sprintf("metadata is %s; it must be a mapping of keys to strings", value.described()),
			})
		}
	}),
})
