package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/skilltool/skilltool/schemas"
)

// schemaFailure is one thing that the frontmatter's JSON Schema does not allow.
type schemaFailure struct {
	// pointer leads to the value, keyword names what it breaks.
	pointer, keyword string
}

// frontmatterSchema compiles the embedded schema, once and only when a skill
// is checked.
var frontmatterSchema = sync.OnceValue(func() *jsonschema.Schema {
	const url = "frontmatter.schema.json"
	text, err := schemas.Get("frontmatter")
	if err != nil {
		panic(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(url, bytes.NewReader(text)); err != nil {
		panic(err)
	}
	return compiler.MustCompile(url)
})

// fails reports whether the value at a JSON Pointer breaks a keyword of the
// frontmatter's schema. The schema is applied once for all rules, and rules ask
// only where a glance says that it may: most skills need no schema at all.
func (p *Pass) fails(pointer, keyword string) bool {
	s := p.Skill
	if s.schemaFailures == nil {
		s.schemaFailures = sync.OnceValue(func() []schemaFailure { return applySchema(s.Frontmatter.Root) })
	}
	for _, f := range s.schemaFailures() {
		if f.pointer == pointer && f.keyword == keyword {
			return true
		}
	}
	return false
}

func applySchema(root *Node) []schemaFailure {
	if root == nil || root.Kind != Mapping || root.tooManyAliases() {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(frontmatterSchema().Validate(root.value()), &invalid) {
		return nil
	}
	var failures []schemaFailure
	for _, e := range invalid.BasicOutput().Errors {
		keyword := e.KeywordLocation[strings.LastIndexByte(e.KeywordLocation, '/')+1:]
		failures = append(failures, schemaFailure{e.InstanceLocation, keyword})
	}
	return failures
}

// value gives the tree as encoding/json would give it, for the schema. What
// JSON has no word for is null.
func (n *Node) value() any {
	switch n = n.Resolve(); {
	case n == nil:
		return nil
	case n.Kind == Mapping:
		m := make(map[string]any, len(n.Pairs))
		for _, pair := range n.Pairs {
			m[pair.Key.Text] = pair.Value.value()
		}
		return m
	case n.Kind == Sequence:
		list := make([]any, len(n.Items))
		for i, item := range n.Items {
			list[i] = item.value()
		}
		return list
	case n.Kind == String:
		return n.Text
	case n.Kind == Bool:
		return strings.EqualFold(n.Text, "true")
	case n.Kind == Int || n.Kind == Float:
		if number, ok := jsonNumber(n.Text); ok && len(number) < 20 {
			return json.Number(number)
		}
		return math.MaxFloat64 // some number: the schema only asks for the type
	}
	return nil
}
