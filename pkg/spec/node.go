package spec

import (
	"strings"
)

// Kind is the type of a YAML value as the YAML 1.2 core schema resolves it.
type Kind int

// The kinds of values.
const (
	// Unknown values stand where the text could not be read as YAML.
	Unknown Kind = iota
	Null
	Bool
	Int
	Float
	String
	Sequence
	Mapping
	// Alias values stand for another one; see Node.Resolve.
	Alias
)

var kindNames = [...]string{"unreadable", "null", "a boolean", "an integer", "a number", "a string", "a list", "a mapping", "an alias"}

// String names the kind as it is used in messages, such as "a list".
func (k Kind) String() string { return kindNames[k] }

// Style is how a value is written.
type Style int

// The styles of values.
const (
	// Plain scalars have no quotes; block collections are Plain too.
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal
	Folded
	// Flow collections are written with brackets or braces.
	Flow
)

// Node is one value of the frontmatter with its place in the file.
type Node struct {
	Kind  Kind
	Style Style
	// Range is what the value covers in the file, quotes and brackets
	// included, tag and anchor not. A value that is not written (a key
	// followed by nothing) is an empty range behind its colon.
	Range Range
	// Text is the content of a scalar: quotes and escapes resolved and lines
	// folded. For a plain scalar it is the source text, so that no digit and
	// no date is altered. For an Alias it is the name of the anchor.
	Text string
	// Tag is the tag as written, such as !!str, or "".
	Tag string
	// Anchor is the name that &name gives the value, or "".
	Anchor string
	// Mark is the range of the tag, anchor or both, where there are any.
	Mark Range
	// Target is what an Alias stands for; nil where no such anchor exists.
	Target *Node
	// Pairs are the entries of a Mapping and Items those of a Sequence, in the
	// order in which they are written.
	Pairs []Pair
	Items []*Node
}

// Pair is one entry of a mapping.
type Pair struct{ Key, Value *Node }

// Resolve gives what an alias stands for, and any other node itself. It is nil
// for an alias without an anchor.
func (n *Node) Resolve() *Node {
	if n != nil && n.Kind == Alias {
		return n.Target
	}
	return n
}

// Get gives the value of a key, the last one where it is written twice, and
// nil where there is none.
func (n *Node) Get(key string) *Node {
	if pair := n.pair(key); pair != nil {
		return pair.Value
	}
	return nil
}

// pair gives the entry of a key, the last one where it is written twice.
func (n *Node) pair(key string) *Pair {
	if n == nil {
		return nil
	}
	for i := len(n.Pairs) - 1; i >= 0; i-- {
		if n.Pairs[i].Key.Text == key {
			return &n.Pairs[i]
		}
	}
	return nil
}

// visited is one value or key of a tree, with its JSON Pointer.
type visited struct {
	pointer string
	node    *Node
	isKey   bool
}

// flatten gives what walk visits, so that many can look at it.
func (n *Node) flatten() []visited {
	var all []visited
	n.walk("", func(pointer string, n *Node, isKey bool) { all = append(all, visited{pointer, n, isKey}) })
	return all
}

// walk visits the node and everything below it, aliases not followed, with the
// JSON Pointer of each; keys are visited with the pointer of their value.
func (n *Node) walk(pointer string, visit func(pointer string, n *Node, isKey bool)) {
	if n == nil {
		return
	}
	visit(pointer, n, false)
	for _, pair := range n.Pairs {
		at := pointer + "/" + escapePointer(pair.Key.Text)
		visit(at, pair.Key, true)
		pair.Value.walk(at, visit)
	}
	for i, item := range n.Items {
		item.walk(pointer+"/"+itoa(i), visit)
	}
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// escapePointer writes a key as a reference token of RFC 6901.
func escapePointer(key string) string { return pointerEscaper.Replace(key) }
