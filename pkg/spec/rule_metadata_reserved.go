package spec

import (
	"fmt"
	"strings"
)

// reservedPrefix is kept for extensions of MCP (AS-X1, S-ENT10).
const reservedPrefix = "io.modelcontextprotocol/"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "metadata-reserved",
		Title:       "metadata has no key below io.modelcontextprotocol/",
		Category:    CategorySpec,
		Severity:    Warning,
		Requirement: "AS-X1",
		Since:       since,
		Why:         "Keys below io.modelcontextprotocol/ are reserved for extensions of the Model Context Protocol, and none is defined.",
		Mend:        "Use a prefix of your own, such as your domain.",
	},
	Check: fieldCheck(FieldMetadata, func(p *Pass, value *Node) {
		for _, pair := range value.Pairs {
			if strings.HasPrefix(pair.Key.Text, reservedPrefix) {
				p.Report(Diagnostic{
					Field:   "/metadata/" + escapePointer(pair.Key.Text),
					Range:   pair.Key.Range,
					Message: fmt.Sprintf("the key %q is reserved for extensions of MCP", clip(pair.Key.Text, 80)),
				})
			}
		}
	}),
})
