package clients

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// maxProfileBytes bounds the text of a profile: it is far above what one needs.
const maxProfileBytes = 48 << 10

// parseNode reads YAML that stands for itself, without fences, and gives its
// tree. It fails on what spec would report as a fault of the text.
func parseNode(text []byte) (*spec.Node, error) {
	if len(text) > maxProfileBytes {
		return nil, fmt.Errorf("a profile of %d bytes is too large; the limit is %d", len(text), maxProfileBytes)
	}
	whole := spec.Span{Start: 0, End: len(text)}
	s := spec.Parser{Split: func([]byte) spec.Split {
		return spec.Split{Open: whole, Close: whole, Content: whole, Body: spec.Span{Start: len(text), End: len(text)}}
	}}.Parse(text)
	if len(s.Problems) > 0 {
		d := s.Problems[0]
		return nil, placed(d.Range, "%s", d.Message)
	}
	if s.Frontmatter.Root == nil || s.Frontmatter.Root.Kind != spec.Mapping {
		return nil, fmt.Errorf("a profile must be a mapping of keys and values")
	}
	return s.Frontmatter.Root, nil
}

// placed is an error with its place in the text.
func placed(at spec.Range, format string, args ...any) error {
	return fmt.Errorf("%d:%d: %s", at.Start.Line, at.Start.Column, fmt.Sprintf(format, args...))
}

// decodeNode sets the fields of a struct from a mapping. A key without a field
// is an error, as is a value of another type.
func decodeNode(n *spec.Node, into reflect.Value) error {
	n = n.Resolve()
	if n == nil || n.Kind == spec.Null {
		return nil
	}
	switch into.Kind() {
	case reflect.Struct:
		return decodeStruct(n, into)
	case reflect.Map:
		return decodeMap(n, into)
	case reflect.Slice:
		return decodeSlice(n, into)
	}
	if n.Kind == spec.Mapping || n.Kind == spec.Sequence {
		return placed(n.Range, "%s stands where one value is expected", n.Kind)
	}
	return decodeScalar(n, into)
}

func decodeScalar(n *spec.Node, into reflect.Value) error {
	switch into.Kind() {
	case reflect.String:
		into.SetString(n.Text)
	case reflect.Bool:
		if n.Kind != spec.Bool {
			return placed(n.Range, "%q is no boolean; use true or false", n.Text)
		}
		into.SetBool(strings.EqualFold(n.Text, "true"))
	case reflect.Int:
		i, err := strconv.Atoi(n.Text)
		if err != nil || i < 0 {
			return placed(n.Range, "%q is no number; use a whole number from 0", n.Text)
		}
		into.SetInt(int64(i))
	case reflect.Float64:
		f, err := strconv.ParseFloat(n.Text, 64)
		if err != nil || f < 0 {
			return placed(n.Range, "%q is no number; use a number from 0", n.Text)
		}
		into.SetFloat(f)
	}
	return nil
}

func decodeStruct(n *spec.Node, into reflect.Value) error {
	if n.Kind != spec.Mapping {
		return placed(n.Range, "%s stands where a mapping is expected", n.Kind)
	}
	for _, pair := range n.Pairs {
		field, ok := fieldOf(into, pair.Key.Text)
		if !ok {
			return placed(pair.Key.Range, "the key %q is not known; use %s", pair.Key.Text, strings.Join(keysOf(into.Type()), ", "))
		}
		if err := decodeNode(pair.Value, field); err != nil {
			return err
		}
	}
	return nil
}

func decodeMap(n *spec.Node, into reflect.Value) error {
	if n.Kind != spec.Mapping {
		return placed(n.Range, "%s stands where a mapping is expected", n.Kind)
	}
	into.Set(reflect.MakeMapWithSize(into.Type(), len(n.Pairs)))
	for _, pair := range n.Pairs {
		value := reflect.New(into.Type().Elem()).Elem()
		if err := decodeNode(pair.Value, value); err != nil {
			return err
		}
		into.SetMapIndex(reflect.ValueOf(pair.Key.Text), value)
	}
	return nil
}

func decodeSlice(n *spec.Node, into reflect.Value) error {
	if n.Kind != spec.Sequence {
		return placed(n.Range, "%s stands where a list is expected", n.Kind)
	}
	into.Set(reflect.MakeSlice(into.Type(), len(n.Items), len(n.Items)))
	for i, item := range n.Items {
		if err := decodeNode(item, into.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// fieldOf gives the field of a struct that a key stands for.
func fieldOf(into reflect.Value, key string) (reflect.Value, bool) {
	for i := range into.NumField() {
		if tag := into.Type().Field(i).Tag.Get("yaml"); tag == key && tag != "" {
			return into.Field(i), true
		}
	}
	return reflect.Value{}, false
}

// keysOf gives the keys of a struct, sorted.
func keysOf(t reflect.Type) []string {
	var keys []string
	for i := range t.NumField() {
		if tag := t.Field(i).Tag.Get("yaml"); tag != "" {
			keys = append(keys, tag)
		}
	}
	slices.Sort(keys)
	return keys
}

// merge lays one mapping over another: mappings are merged, everything else is
// replaced. Neither is changed.
func merge(base, over *spec.Node) *spec.Node {
	base, over = base.Resolve(), over.Resolve()
	if base == nil || over == nil || base.Kind != spec.Mapping || over.Kind != spec.Mapping {
		return over
	}
	merged := *over
	merged.Pairs = slices.Clone(base.Pairs)
	for _, pair := range over.Pairs {
		i := slices.IndexFunc(merged.Pairs, func(p spec.Pair) bool { return p.Key.Text == pair.Key.Text })
		if i < 0 {
			merged.Pairs = append(merged.Pairs, pair)
			continue
		}
		merged.Pairs[i] = spec.Pair{Key: pair.Key, Value: merge(merged.Pairs[i].Value, pair.Value)}
	}
	return &merged
}

// without gives a mapping without one of its keys.
func without(n *spec.Node, key string) *spec.Node {
	clone := *n
	clone.Pairs = slices.DeleteFunc(slices.Clone(n.Pairs), func(p spec.Pair) bool { return p.Key.Text == key })
	return &clone
}
