package clients

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/skilltool/skilltool/pkg/spec"
)

// refuses says why a reader does not take a content, or gives nil.
func (d dialect) refuses(y *YAML, p *parsed, text string) *fault {
	if f := d.refusesCharacter(p, text); f != nil {
		return f
	}
	for _, problem := range p.problems {
		if f := d.refusesProblem(p, problem); f != nil {
			return f
		}
	}
	if f := secondDocument(p, text); f != nil {
		return f
	}
	return d.refusesNode(y, p)
}

// refusesCharacter looks for characters that not every reader takes.
func (d dialect) refusesCharacter(p *parsed, text string) *fault {
	place := func(i, size int) spec.Span {
		return spec.Span{Start: p.content.Start + i, End: p.content.Start + i + size}
	}
	for i, r := range text {
		if r < utf8.RuneSelf && r >= ' ' && r != 0x7f {
			continue
		}
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd"):
			return &fault{id: "encoding", at: place(i, 1), message: fmt.Sprintf("the byte 0x%02X is no UTF-8; save the file as UTF-8", text[i])}
		case isControl(r) && !d.controls:
			return &fault{id: "yaml", at: place(i, utf8.RuneLen(r)), message: fmt.Sprintf("the control character U+%04X is not allowed in YAML", r), unsure: true}
		}
	}
	return nil
}

// refusesProblem judges what pkg/spec found wrong with the text.
func (d dialect) refusesProblem(p *parsed, problem spec.Diagnostic) *fault {
	at := spanOf(problem.Range)
	if d.tabs && problem.RuleID == "yaml-tab" {
		return nil
	}
	if problem.RuleID == "json-value" {
		return nil
	}
	if d.schema != "python" && at.End-at.Start == 2 && isBraces(firstLine(p.text[at.Start:p.content.End])) {
		return nil
	}
	if d.glued && at.End-at.Start == 1 && p.text[at.Start] == '#' && at.Start > 0 && strings.IndexByte("\"'", p.text[at.Start-1]) >= 0 {
		return nil
	}
	if at.End-at.Start == 1 && isControl(rune(p.text[at.Start])) {
		return nil // seen above, where the reader minds
	}
	return &fault{id: "yaml", at: at, message: problem.Message, fixes: problem.Fixes, unsure: problem.RuleID == "frontmatter-size"}
}

// secondDocument finds the end of the first document with more behind it.
func secondDocument(p *parsed, text string) *fault {
	if !strings.Contains(text, "\n...") && !strings.Contains(text, "\n---") && !strings.HasPrefix(text, "...") {
		return nil
	}
	ended := -1
	for at := 0; at < len(text); {
		end, next := lineEnd(text, at)
		line := trimRight(text[at:end])
		switch {
		case line == "" || line[0] == '#':
		case ended >= 0:
			return &fault{id: "yaml", at: spec.Span{Start: p.content.Start + ended, End: p.content.Start + ended + 3}, message: "a second YAML document starts behind this line; the frontmatter must be one"}
		case line == "..." || at > 0 && (line == fence || strings.HasPrefix(line, fence+" ")):
			ended = at
			if line != "..." && strings.TrimSpace(line[3:]) != "" {
				continue
			}
		}
		at = next
	}
	return nil
}

// refusesNode looks for values that not every reader takes.
func (d dialect) refusesNode(y *YAML, p *parsed) (found *fault) {
	if d.doubles && d.textTabs && d.tags && !d.breaks {
		return nil
	}
	walk(p.root, 0, func(n *spec.Node, depth int) bool {
		switch {
		case n.Kind == spec.Mapping && !d.doubles && (!d.shallow || depth == 0 || n == p.root.Get(spec.FieldMetadata).Resolve()):
			found = y.double(n, depth)
		case n.Style == spec.Plain && n.Kind != spec.Mapping && n.Kind != spec.Sequence && n.Kind != spec.Alias:
			found = d.refusesPlain(p, n)
		}
		if found == nil && n.Tag != "" && !d.tags && !knownTag(n.Tag) {
			found = &fault{id: "yaml", at: spanOf(n.Mark), message: fmt.Sprintf("nobody knows the tag %q; remove it", clip(n.Tag, 40)), unsure: true}
		}
		return found == nil
	})
	return found
}

func knownTag(tag string) bool { return strings.HasPrefix(tag, "!!") || tag == "!" }

// walk visits a tree from the top, keys included, aliases not followed, until
// visit says no.
func walk(n *spec.Node, depth int, visit func(n *spec.Node, depth int) bool) bool {
	if n == nil {
		return true
	}
	if !visit(n, depth) {
		return false
	}
	for _, pair := range n.Pairs {
		if !walk(pair.Key, depth+1, visit) || !walk(pair.Value, depth+1, visit) {
			return false
		}
	}
	for _, item := range n.Items {
		if !walk(item, depth+1, visit) {
			return false
		}
	}
	return true
}

// double finds a key that is written twice, and that the reader minds.
func (y *YAML) double(n *spec.Node, depth int) *fault {
	if len(n.Pairs) < 2 || len(y.Known) > 0 && depth > 0 {
		return nil
	}
	seen := make(map[string]bool, len(n.Pairs))
	for _, pair := range n.Pairs {
		key := pair.Key.Text
		if seen[key] && (len(y.Known) == 0 || contains(y.Known, key)) {
			return &fault{id: "duplicate-key", at: spanOf(pair.Key.Range), message: fmt.Sprintf("the key %q is written twice; one of them must go", clip(key, 40))}
		}
		seen[key] = true
	}
	return nil
}

// refusesPlain looks at an unquoted text.
func (d dialect) refusesPlain(p *parsed, n *spec.Node) *fault {
	if d.breaks && strings.ContainsAny(n.Text, "\u0085\u2028\u2029") {
		return &fault{id: "yaml", at: spanOf(n.Range), message: "a line separator stands in unquoted text; quote the text", unsure: true}
	}
	isKey := strings.HasPrefix(strings.TrimLeft(p.text[n.Range.End.Offset:p.content.End], " "), ":")
	if d.schema == "python" && !isKey && (n.Text == "=" || n.Text == "<<") {
		return &fault{id: "yaml", at: spanOf(n.Range), message: fmt.Sprintf("%q has a meaning of its own in YAML 1.1; quote it", n.Text), unsure: true}
	}
	if d.textTabs {
		return nil
	}
	return tabInText(p, n)
}

// tabInText finds a tab in or in front of an unquoted text, which PyYAML does
// not take for a blank.
func tabInText(p *parsed, n *spec.Node) *fault {
	at := spanOf(n.Range)
	for at.Start > p.content.Start && strings.IndexByte(" \t", p.text[at.Start-1]) >= 0 {
		at.Start--
	}
	for at.End < p.content.End && strings.IndexByte(" \t", p.text[at.End]) >= 0 {
		at.End++
	}
	i := strings.IndexByte(p.text[at.Start:at.End], '\t')
	if i < 0 {
		return nil
	}
	return &fault{id: "yaml", at: spec.Span{Start: at.Start + i, End: at.Start + i + 1}, message: "a tab stands in unquoted text; write a blank, or quote the text", unsure: true}
}
