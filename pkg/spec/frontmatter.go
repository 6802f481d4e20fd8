package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// The fields that the specification defines (AS-M1), in the order in which it
// lists them.
const (
	FieldName          = "name"
	FieldDescription   = "description"
	FieldLicense       = "license"
	FieldCompatibility = "compatibility"
	FieldMetadata      = "metadata"
	FieldAllowedTools  = "allowed-tools"
)

// Fields gives the names of the fields that the specification defines.
func Fields() []string {
	return []string{FieldName, FieldDescription, FieldLicense, FieldCompatibility, FieldMetadata, FieldAllowedTools}
}

// Frontmatter is the YAML at the head of a SKILL.md. The typed fields hold what
// has the right type, and are zero otherwise.
type Frontmatter struct {
	Name          string
	Description   string
	License       string
	Compatibility string
	// Metadata holds the entries whose key and value are strings.
	Metadata map[string]string
	// AllowedTools is the value split at blanks outside parentheses, so that
	// "Bash(git log:*) Read" is two tools (AS-T1).
	AllowedTools []string

	// Root is the whole tree, or nil where nothing could be read.
	Root *Node
	// Partial reports that a syntax error stands somewhere, and that Root
	// holds the fields that could be read all the same.
	Partial bool
	// Range is the text between the fences.
	Range Range

	nodes []visited // of Root
}

func (f *Frontmatter) setRoot(root *Node, nodes []visited) {
	f.Root, f.nodes = root, nodes
	f.Name = f.text(FieldName)
	f.Description = f.text(FieldDescription)
	f.License = f.text(FieldLicense)
	f.Compatibility = f.text(FieldCompatibility)
	f.AllowedTools = SplitTools(f.text(FieldAllowedTools))
	if m := f.Value(FieldMetadata); m != nil && m.Kind == Mapping {
		f.Metadata = make(map[string]string, len(m.Pairs))
		for _, pair := range m.Pairs {
			if value := pair.Value.Resolve(); pair.Key.Kind == String && value != nil && value.Kind == String {
				f.Metadata[pair.Key.Text] = value.Text
			}
		}
	}
}

// text gives the value of a field that is a string.
func (f *Frontmatter) text(field string) string {
	if n := f.Value(field); n != nil && n.Kind == String {
		return n.Text
	}
	return ""
}

// Value gives the value of a top-level field with aliases resolved, or nil
// where there is none.
func (f *Frontmatter) Value(field string) *Node { return f.Root.Get(field).Resolve() }

// Key gives the range of a field's key, and false where there is no such field.
func (f *Frontmatter) Key(field string) (Range, bool) {
	if pair := f.Root.pair(field); pair != nil {
		return pair.Key.Range, true
	}
	return Range{}, false
}

// SplitTools splits the value of allowed-tools at blanks outside parentheses.
func SplitTools(value string) []string {
	depth := 0
	return strings.FieldsFunc(value, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		}
		return depth == 0 && strings.ContainsRune(" \t\n\r", r)
	})
}

// Errors of Frontmatter.JSON.
var (
	// ErrNoFrontmatter: there is no mapping, or not all of it could be read.
	ErrNoFrontmatter = errors.New("the frontmatter could not be read")
	// ErrNotJSON: a value has no place in JSON.
	ErrNotJSON = errors.New("the frontmatter holds what JSON cannot hold")
	// ErrTooManyAliases: written out, the aliases exceed MaxAliasNodes.
	ErrTooManyAliases = fmt.Errorf("the aliases of the frontmatter stand for more than %d values", MaxAliasNodes)
)

// JSON gives the frontmatter as one JSON object, faithful to what was written:
// every field in the written order, strings with their final line ends, dates
// as the text they are, and numbers with all their digits. Of a key that is
// written twice the last value counts. Aliases are written out; merge keys are
// not (YAML 1.2).
func (f *Frontmatter) JSON() (json.RawMessage, error) {
	if f.Root == nil || f.Root.Kind != Mapping || f.Partial {
		return nil, ErrNoFrontmatter
	}
	if f.Root.tooManyAliases() {
		return nil, ErrTooManyAliases
	}
	var b bytes.Buffer
	if err := f.Root.writeJSON(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// tooManyAliases reports whether the aliases of a tree, written out, stand for
// more than MaxAliasNodes values besides those that are written.
func (n *Node) tooManyAliases() bool {
	most := n.written() + MaxAliasNodes
	return n.sizes(map[*Node]int{}, most) > most
}

// weight is what a node counts for: a long text counts for several values, so
// that aliases of it are bounded in bytes too.
func (n *Node) weight() int { return 1 + len(n.Text)/64 }

// written counts a tree without following its aliases.
func (n *Node) written() int {
	if n == nil {
		return 0
	}
	size := n.weight()
	for _, pair := range n.Pairs {
		size += pair.Key.written() + pair.Value.written()
	}
	for _, item := range n.Items {
		size += item.written()
	}
	return size
}

// sizes counts a tree with its aliases written out, up to a little more than
// most. What aliases point at is counted once, so that the count takes no longer
// than the tree is large.
func (n *Node) sizes(known map[*Node]int, most int) int {
	if n == nil {
		return 0
	}
	if size, ok := known[n]; ok {
		return size
	}
	size := n.weight()
	if n.Kind == Alias {
		size += n.Target.sizes(known, most)
	}
	for _, pair := range n.Pairs {
		size = min(size+pair.Key.sizes(known, most)+pair.Value.sizes(known, most), most+1)
	}
	for _, item := range n.Items {
		size = min(size+item.sizes(known, most), most+1)
	}
	known[n] = size
	return size
}

func (n *Node) writeJSON(b *bytes.Buffer) error {
	switch n = n.Resolve(); {
	case n == nil:
		return fmt.Errorf("%w: an alias without an anchor", ErrNotJSON)
	case n.Kind == Mapping:
		return n.writeObject(b)
	case n.Kind == Sequence:
		return n.writeArray(b)
	}
	switch n.Kind {
	case Null:
		b.WriteString("null")
	case Bool:
		b.WriteString(strings.ToLower(n.Text))
	case Int, Float:
		number, ok := jsonNumber(n.Text)
		if !ok {
			return fmt.Errorf("%w: %s", ErrNotJSON, clip(n.Text, 40))
		}
		b.WriteString(number)
	case String:
		writeString(b, n.Text)
	default:
		return ErrNoFrontmatter
	}
	return nil
}

func (n *Node) writeObject(b *bytes.Buffer) error {
	last := make(map[string]int, len(n.Pairs))
	for i, pair := range n.Pairs {
		if key := pair.Key.Resolve(); key != nil {
			last[key.Text] = i
		}
	}
	b.WriteByte('{')
	separator := ""
	for i, pair := range n.Pairs {
		key := pair.Key.Resolve()
		if key == nil || key.Kind == Mapping || key.Kind == Sequence {
			return fmt.Errorf("%w: a key that is no scalar", ErrNotJSON)
		}
		if last[key.Text] != i {
			continue
		}
		b.WriteString(separator)
		writeString(b, key.Text)
		b.WriteByte(':')
		if err := pair.Value.writeJSON(b); err != nil {
			return err
		}
		separator = ","
	}
	b.WriteByte('}')
	return nil
}

func (n *Node) writeArray(b *bytes.Buffer) error {
	b.WriteByte('[')
	for i, item := range n.Items {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := item.writeJSON(b); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}

// writeString writes a JSON string without the escapes that are only for HTML.
func writeString(b *bytes.Buffer, text string) {
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false)
	// Encoding a string cannot fail.
	_ = encoder.Encode(text)
	b.Truncate(b.Len() - 1)
}
