package clients

import (
	"fmt"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// dialect is one reader of YAML: what it takes that others do not, and which
// types it gives.
type dialect struct {
	schema string
	// tabs: a tab that indents a line is taken for a blank of no width.
	tabs bool
	// doubles: a key may be written twice, and the last one counts.
	doubles bool
	// controls: control characters are taken.
	controls bool
	// textTabs: a tab within or in front of an unquoted text is taken.
	textTabs bool
	// tags: tags that nobody knows are taken.
	tags bool
	// merges: the key << lays the fields of another mapping under these.
	merges bool
	// breaks: U+0085, U+2028 and U+2029 end a line, as in YAML 1.1.
	breaks bool
	// glued: a comment may start right behind a closing quote.
	glued bool
	// shallow: only the keys of the frontmatter and of metadata are compared.
	shallow bool
	// endless: a block at the very end keeps a final line end that is not
	// there.
	endless bool
}

// readers are the readers of YAML by the names that profiles give them. The
// line scanners are beside them, in scanners.
var readers = map[string]dialect{
	// yaml is the package of that name for JavaScript: YAML 1.2, its core
	// schema, and no merge keys.
	"yaml": {schema: "core", controls: true, textTabs: true, tags: true, endless: true},
	// core is js-yaml without its dates.
	"core": {schema: "js-core", textTabs: true, endless: true, glued: true},
	// js-yaml is version 4 of it, js-yaml-3 the one within gray-matter.
	"js-yaml":   {schema: "js-yaml", textTabs: true, endless: true, merges: true, glued: true},
	"js-yaml-3": {schema: "js-yaml-3", tabs: true, textTabs: true, endless: true, merges: true, glued: true},
	// tolerant takes what others refuse: keys twice, tabs.
	"tolerant": {schema: "core", tabs: true, doubles: true, controls: true, textTabs: true, tags: true, endless: true},
	// serde is the one of Rust that reads into typed fields.
	"serde": {schema: "typed", textTabs: true, tags: true, endless: true, breaks: true, glued: true},
	// go is yaml.v3, which reads into typed fields as well.
	"go": {schema: "typed", textTabs: true, tags: true, merges: true, breaks: true, glued: true, shallow: true},
	// pyyaml is PyYAML's safe loader: YAML 1.1.
	"pyyaml": {schema: "python", doubles: true, merges: true, breaks: true, glued: true},
}

// parsed is a content as pkg/spec reads it.
type parsed struct {
	root     *spec.Node
	problems []spec.Diagnostic
	text     string // of the whole file, as the nodes' offsets count it
	content  spec.Span
}

// parse reads a span of a text as YAML 1.2, tolerantly.
func parse(source []byte, content spec.Span) *parsed {
	p := &parsed{text: string(source), content: content}
	if content.Empty() {
		return p
	}
	mark := spec.Span{Start: content.Start, End: content.End}
	s := spec.Parser{Split: func([]byte) spec.Split {
		return spec.Split{Open: mark, Close: mark, Content: content, Body: spec.Span{Start: len(source), End: len(source)}}
	}}.Parse(source)
	p.root, p.problems = s.Frontmatter.Root, s.Problems
	return p
}

// reading is what a client's reader makes of the text between the fences.
type reading struct {
	// fields gives a field by its key; nil where nothing could be read.
	fields func(key string) value
	// root is the tree, where there is one.
	root *spec.Node
	// invalid says why it could not be read, other that it is no mapping, and
	// blank that it holds nothing.
	invalid, other *fault
	blank          bool
	// repaired says what was mended for it to be read.
	repaired *fault
	unsure   bool
}

// read reads a content in a dialect.
func (y *YAML) read(p *parsed) reading {
	d := readers[y.Reader]
	text := p.text[p.content.Start:p.content.End]
	if y.Braces == "json" && strings.HasPrefix(text, "{") {
		return reading{invalid: &fault{id: "yaml", at: spec.Span{Start: p.content.Start, End: p.content.Start + 1}, message: "the frontmatter starts with a brace and is read as JSON; write one field on each line"}}
	}
	if f := d.refuses(y, p, text); f != nil {
		return reading{invalid: f, unsure: f.unsure}
	}
	if p.root == nil || p.root.Kind == spec.Null {
		return reading{blank: true, fields: func(string) value { return value{} }}
	}
	if p.root.Kind != spec.Mapping {
		return reading{other: &fault{id: "yaml", at: p.content, message: fmt.Sprintf("the frontmatter is %s; it must be fields, each a key, a colon and a value", p.root.Kind)}}
	}
	s := schemas[d.schema]
	r := reading{root: p.root}
	r.fields = func(key string) value {
		n := lookUp(p.root, key, y.FoldCase)
		if n == nil && d.merges {
			n = merged(p.root, key)
		}
		v := valueOf(n, s)
		if v.node != nil && v.node.Kind == spec.Unknown {
			if v.text = firstLine(p.text[v.at.Start:v.at.End]); isBraces(v.text) {
				v.kind = mapping
			}
		}
		v.text = y.atEnd(d, p, v)
		return v
	}
	return r
}

// atEnd gives the text of a value as it is where it ends the content.
func (y *YAML) atEnd(d dialect, p *parsed, v value) string {
	if v.node == nil || strings.TrimSpace(p.text[min(v.at.End, p.content.End):p.content.End]) != "" {
		return v.text
	}
	block := v.node.Style == spec.Literal || v.node.Style == spec.Folded
	if block && y.LastLine == "drop" && !d.endless {
		return strings.TrimSuffix(v.text, "\n")
	}
	if !block && y.LastCR && v.node.Style == spec.Plain && strings.HasSuffix(p.text[:p.content.End], "\r\n") {
		return v.text + "\r"
	}
	return v.text
}

// isBraces reports a placeholder such as {{text}}, which is a map within a map in
// YAML.
func isBraces(text string) bool {
	return strings.HasPrefix(text, "{{") && strings.HasSuffix(text, "}}") && strings.Count(text, "{") == 2
}

// firstLine gives what stands on the line of a key whose value could not be read
// as a whole.
func firstLine(text string) string {
	end, _ := lineEnd(text, 0)
	line, _, _ := strings.Cut(text[:end], " #")
	return strings.Trim(line, " \t\r")
}

// merged gives the value of a key that a merge key brings.
func merged(root *spec.Node, key string) *spec.Node {
	from := root.Get("<<").Resolve()
	if from == nil {
		return nil
	}
	if from.Kind == spec.Sequence {
		for _, item := range from.Items {
			if item = item.Resolve(); item != nil && item.Get(key) != nil {
				return item.Get(key)
			}
		}
		return nil
	}
	return from.Get(key)
}

// lookUp gives the value of a key, the last one where it is written twice.
func lookUp(root *spec.Node, key string, fold bool) *spec.Node {
	if !fold {
		return root.Get(key)
	}
	for i := len(root.Pairs) - 1; i >= 0; i-- {
		if foldedKey(root.Pairs[i].Key.Text) == key {
			return root.Pairs[i].Value
		}
	}
	return nil
}

func contains(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}
