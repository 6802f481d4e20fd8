package spec

import (
	"fmt"
	"strings"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "allowed-tools-type",
		Title:       "allowed-tools is one string",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-T1",
		Since:       since,
		Why: "The specification has one string with the tools separated by blanks. Clients take a list too, but " +
			"publishing tools refuse it, and typed readers drop the skill.",
		Mend: "Write the tools on one line with blanks between them. Blanks within parentheses may stay.",
	},
	Check: fieldCheck(FieldAllowedTools, func(p *Pass, value *Node) {
		if value.Kind == Null || value.Kind == String || !p.fails("/allowed-tools", "type") {
			return
		}
		d := Diagnostic{Message: fmt.Sprintf("allowed-tools is %s; it must be one string", value.described())}
		switch {
		case value.Kind == Sequence:
			d.Fixes = p.joinTools(value)
		case value.isScalar():
			d.Fixes = p.quoteNode(value)
		}
		p.reportField(FieldAllowedTools, value, d)
	}),
})

// joinTools offers the list as one string. A tool with a blank outside
// parentheses cannot be written that way.
func (p *Pass) joinTools(list *Node) []Fix {
	pair := p.Skill.Frontmatter.Root.pair(FieldAllowedTools)
	if len(list.Items) == 0 || pair.Value.Kind == Alias || list.Tag != "" || list.Anchor != "" {
		return nil
	}
	tools := make([]string, len(list.Items))
	for i, item := range list.Items {
		balanced := strings.Count(item.Text, "(") == strings.Count(item.Text, ")")
		if item.Kind != String || len(SplitTools(item.Text)) != 1 || hasToolComma(item.Text) || !balanced {
			return nil
		}
		tools[i] = strings.TrimSpace(item.Text)
	}
	if strings.Contains(string(p.Skill.Source[pair.Key.Range.End.Offset:list.Range.End.Offset]), "#") {
		return nil // a comment would be lost
	}
	text := strings.Join(tools, " ")
	r := Range{Start: pair.Value.Range.Start, End: list.Range.End}
	if list.Style != Flow {
		r.Start = p.Skill.Position(colonBehind(p.Skill.Source, pair.Key.Range.End.Offset))
		return []Fix{p.replace("write one string", Safe, r, " "+scalar(Plain, text))}
	}
	return []Fix{p.replace("write one string", Safe, r, scalar(Plain, text))}
}

// colonBehind gives the offset behind the colon that follows a key.
func colonBehind(source []byte, at int) int {
	for at < len(source) && source[at] != ':' {
		at++
	}
	return min(at+1, len(source))
}
