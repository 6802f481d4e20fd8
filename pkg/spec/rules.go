package spec

import (
	"fmt"
	"strings"
)

// since is the version that brought the rules of the first release.
const since = "0.1.0"

// walk visits every value of the frontmatter, and every key with the pointer of
// its value.
func (p *Pass) walk(visit func(pointer string, n *Node, isKey bool)) {
	for _, v := range p.Skill.Frontmatter.nodes {
		visit(v.pointer, v.node, v.isKey)
	}
}

// forward gives the Check of a rule whose findings the parser makes.
func forward(id string) func(*Pass) {
	return func(p *Pass) {
		for _, d := range p.Skill.Problems {
			if d.RuleID == id {
				p.Report(d)
			}
		}
	}
}

// fieldCheck gives the Check of a rule about a field's value. It runs only
// where the field is there and could be read.
func fieldCheck(field string, check func(p *Pass, value *Node)) func(*Pass) {
	return func(p *Pass) {
		if value := p.Skill.Frontmatter.Value(field); value != nil && value.Kind != Unknown {
			check(p, value)
		}
	}
}

// stringCheck is fieldCheck for a value that is a string.
func stringCheck(field string, check func(p *Pass, value *Node)) func(*Pass) {
	return fieldCheck(field, func(p *Pass, value *Node) {
		if value.Kind == String {
			check(p, value)
		}
	})
}

// reportField reports a finding about the value of a top-level field.
func (p *Pass) reportField(field string, value *Node, d Diagnostic) {
	d.Field = "/" + escapePointer(field)
	if d.Range.IsZero() {
		d.Range = p.place(field, value)
	}
	p.Report(d)
}

// place gives the range of a field's value, or of its key where the value has
// no extent.
func (p *Pass) place(field string, value *Node) Range {
	if value != nil && value.Range.Start != value.Range.End {
		return value.Range
	}
	key, _ := p.Skill.Frontmatter.Key(field)
	return key
}

// typeCheck reports a field that is no string. Null is left to other rules
// where null has a meaning of its own.
func typeCheck(field string) func(*Pass) {
	return fieldCheck(field, func(p *Pass, value *Node) {
		if value.Kind == Null || value.Kind == String || !p.fails("/"+field, "type") {
			return
		}
		d := Diagnostic{Message: fmt.Sprintf("%s is %s; it must be a string", field, value.described())}
		if value.isScalar() {
			d.Fixes = p.quoteNode(value)
		}
		p.reportField(field, value, d)
	})
}

// isScalar reports whether a value is written as a plain scalar that quotes
// would make a string.
func (n *Node) isScalar() bool {
	return n.Kind == Bool || n.Kind == Int || n.Kind == Float || n.Kind == Null || n.Kind == String
}

// described names the kind of a value, with the value where it is short.
func (n *Node) described() string {
	if n.Text != "" && (n.Kind == Int || n.Kind == Float || n.Kind == Bool) {
		return fmt.Sprintf("%s (%s)", n.Kind, clip(n.Text, 24))
	}
	return n.Kind.String()
}

// quoteNode offers to quote a plain scalar as it is written. A value that is
// not written becomes the empty string.
func (p *Pass) quoteNode(n *Node) []Fix {
	if n.Style != Plain || n.Tag != "" || n.Anchor != "" || n.Range.Start.Line != n.Range.End.Line {
		return nil
	}
	text := string(p.Skill.Source[n.Range.Start.Offset:n.Range.End.Offset])
	quoted := quote(text)
	if text == "" {
		if at := n.Range.Start.Offset; at == 0 || strings.IndexByte(":-", p.Skill.Source[at-1]) < 0 {
			return nil // a key alone, in braces
		}
		quoted = ` ""`
	}
	return []Fix{p.replace("quote the value", Safe, n.Range, quoted)}
}

// replace is a fix with one edit in the file that was read.
func (p *Pass) replace(title string, safety Safety, r Range, text string) Fix {
	return Fix{Title: title, Safety: safety, Edits: []Edit{{Path: p.Skill.File, Range: r, Text: text}}}
}

// rewrite offers another string for the value of a field, keeping its quotes.
func (p *Pass) rewrite(value *Node, title string, safety Safety, text string) []Fix {
	if value.Tag != "" || value.Anchor != "" || strings.ContainsAny(text, "\n\r") {
		return nil
	}
	return []Fix{p.replace(title, safety, value.Range, scalar(value.Style, text))}
}

// scalar writes text as a one-line string in a style close to the given one.
func scalar(style Style, text string) string {
	switch {
	case style == SingleQuoted:
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	case style == Plain && isPlainSafe(text):
		return text
	}
	return quote(text)
}

// isPlainSafe reports whether text can stand without quotes and is read as a
// string by every reader.
func isPlainSafe(text string) bool {
	if text == "" || strings.TrimSpace(text) != text || ResolveCore(text) != String || oldReading(text) != "" {
		return false
	}
	if strings.ContainsAny(text[:1], "-?:,[]{}#&*!|>'\"%@`") {
		return false
	}
	return !strings.Contains(text, ": ") && !strings.Contains(text, " #") && !strings.HasSuffix(text, ":")
}

// files calls report for every file of a kind.
func (p *Pass) files(kind FileKind, report func(File)) {
	for _, f := range p.Skill.Files {
		if f.Kind == kind {
			report(f)
		}
	}
}

// linkCheck gives the Check of a rule about symbolic links in one state.
func linkCheck(state LinkState, message func(File) string) func(*Pass) {
	return func(p *Pass) {
		p.files(Symlink, func(f File) {
			if f.Link.State == state {
				p.Report(Diagnostic{Path: f.Path, Message: message(f)})
			}
		})
	}
}
