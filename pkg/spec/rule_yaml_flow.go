package spec

import (
	"fmt"
	"strings"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "yaml-flow",
		Title:       "lists and mappings are written in block style",
		Category:    CategorySpec,
		Severity:    Warning,
		Requirement: "AS-Y1",
		Since:       since,
		Why: "Brackets and braces are YAML, but the reference validator refuses them, and readers that go by lines " +
			"take them for text or drop the skill.",
		Mend: "Write one entry per line.",
	},
	Check: func(p *Pass) {
		inside := -1
		p.walk(func(pointer string, n *Node, _ bool) {
			if n.Style != Flow || n.Kind != Sequence && n.Kind != Mapping || n.Range.Start.Offset < inside {
				return
			}
			inside = n.Range.End.Offset
			if onlyString(pointer) || pointer == "/"+FieldMetadata && n.Kind == Sequence {
				return // the finding about its type asks for another value
			}
			p.Report(Diagnostic{
				Field:   pointer,
				Range:   n.Range,
				Message: fmt.Sprintf("%s is written in flow style; several readers want one entry per line", n.Kind),
			})
		})
	},
})

// onlyString reports whether the specification allows only a string at pointer.
func onlyString(pointer string) bool {
	field, _, nested := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	switch field {
	case FieldName, FieldDescription, FieldLicense, FieldCompatibility, FieldAllowedTools:
		return true
	}
	return field == FieldMetadata && nested
}
