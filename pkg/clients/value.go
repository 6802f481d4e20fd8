package clients

import (
	"strings"
	"unicode"

	"github.com/skilltool/skilltool/pkg/spec"
)

// kind is the type that a client's reader gives a value.
type kind int

const (
	absent kind = iota
	null
	boolean
	integer
	float
	date
	str
	list
	mapping
)

// typeNames are the words for types in profiles.
var typeNames = map[kind]string{
	null: "null", boolean: "boolean", integer: "number", float: "number", date: "date", str: "text", list: "list", mapping: "map",
}

// value is one field as a client's reader has it.
type value struct {
	kind kind
	// text is the content of a scalar, as it is written.
	text string
	node *spec.Node
	// at is where it stands in the text of the client.
	at spec.Span
	// schema is that of the reader.
	schema schema
}

// valueOf gives the value that a node is under a schema.
func valueOf(n *spec.Node, s schema) value {
	n = n.Resolve()
	if n == nil {
		return value{}
	}
	v := value{node: n, text: n.Text, at: spanOf(n.Range), schema: s}
	switch {
	case n.Kind == spec.Mapping:
		v.kind = mapping
	case n.Kind == spec.Sequence:
		v.kind = list
	case n.Style != spec.Plain || n.Kind == spec.Unknown:
		v.kind = str
	case n.Tag != "":
		v.kind = coreKinds[n.Kind]
	default:
		v.kind = s.of(n.Text)
	}
	return v
}

var coreKinds = map[spec.Kind]kind{spec.Null: null, spec.Bool: boolean, spec.Int: integer, spec.Float: float, spec.String: str}

func spanOf(r spec.Range) spec.Span { return spec.Span{Start: r.Start.Offset, End: r.End.Offset} }

// isControl reports a character that YAML does not allow in a text.
func isControl(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r <= 0x9f && r != 0x85 || r == 0xfffe || r == 0xffff
}

// foldedKey gives a key without regard to case.
func foldedKey(key string) string { return strings.Map(unicode.ToLower, key) }
