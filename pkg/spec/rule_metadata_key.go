package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "metadata-key",
		Title:       "the keys of metadata are strings",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-X1",
		Since:       since,
		Why:         "The specification has a map from strings to strings. Unquoted digits and true are no strings in YAML.",
		Mend:        "Quote the key.",
	},
	Check: fieldCheck(FieldMetadata, func(p *Pass, value *Node) {
		count := make(map[string]int, len(value.Pairs))
		for _, pair := range value.Pairs {
			count[pair.Key.Text]++
		}
		for _, pair := range value.Pairs {
			key := pair.Key
			if key.Kind == String || key.Kind == Alias || key.Kind == Unknown || !key.isScalar() {
				continue
			}
			var fixes []Fix
			if count[key.Text] == 1 {
				fixes = p.quoteNode(key) // else the key would stand twice
			}
			p.Report(Diagnostic{
				Field:   "/metadata/" + escapePointer(key.Text),
				Range:   key.Range,
				Message: fmt.Sprintf("the key %q of metadata is %s; it must be a string", clip(key.Text, 60), key.Kind),
				Fixes:   fixes,
			})
		}
	}),
})
