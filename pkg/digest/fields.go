package digest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// FieldChange is one difference between two frontmatters.
type FieldChange struct {
	// Pointer is a JSON Pointer (RFC 6901) to the field.
	Pointer string
	// Kind is Added, Removed or Changed.
	Kind ChangeKind
	// Old and New are the values as JSON; Old is nil for an added field, New
	// for a removed one.
	Old, New json.RawMessage
}

var (
	pointerEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescaper = strings.NewReplacer("/", ".", "~1", "/", "~0", "~")
)

// Field names the field as people write it: metadata.version.
func (c FieldChange) Field() string {
	return pointerUnescaper.Replace(strings.TrimPrefix(c.Pointer, "/"))
}

// describe says what differs, with the names of the two sides.
func (c FieldChange) describe(old, new string) string {
	switch c.Kind {
	case Added:
		return fmt.Sprintf("%q is in %s and not in %s", c.Field(), new, old)
	case Removed:
		return fmt.Sprintf("%q is in %s and not in %s", c.Field(), old, new)
	}
	text := fmt.Sprintf("%q is %s in %s and %s in %s", c.Field(), clip(string(c.Old)), old, clip(string(c.New)), new)
	if isTyping(c.Old, c.New) {
		text += "; one of the two was quoted, or read by a YAML 1.1 loader"
	}
	return text
}

// isTyping spots a difference that YAML 1.1 explains: text on the one side, and
// on the other what a 1.1 loader makes of a word like it (S-RD2).
func isTyping(a, b json.RawMessage) bool {
	return len(a) > 0 && len(b) > 0 && (a[0] == '"') != (b[0] == '"') && !strings.ContainsAny(string(a[:1])+string(b[:1]), "{[")
}

// DiffFields compares two JSON objects field by field, into nested objects. The
// changes are sorted by pointer. Numbers are equal if their values are: 1.0 and
// 1 are.
func DiffFields(old, new json.RawMessage) []FieldChange {
	changes := diffValues("", old, new)
	slices.SortFunc(changes, func(a, b FieldChange) int { return strings.Compare(a.Pointer, b.Pointer) })
	return changes
}

func diffValues(pointer string, old, new json.RawMessage) []FieldChange {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(old, &a) != nil || json.Unmarshal(new, &b) != nil || a == nil || b == nil {
		if sameJSON(old, new) {
			return nil
		}
		return []FieldChange{{pointer, Changed, old, new}}
	}
	var changes []FieldChange
	for key, value := range a {
		at := pointer + "/" + pointerEscaper.Replace(key)
		if other, ok := b[key]; ok {
			changes = append(changes, diffValues(at, value, other)...)
		} else {
			changes = append(changes, FieldChange{at, Removed, value, nil})
		}
	}
	for key, value := range b {
		if _, ok := a[key]; !ok {
			changes = append(changes, FieldChange{pointer + "/" + pointerEscaper.Replace(key), Added, nil, value})
		}
	}
	return changes
}

// sameJSON compares two JSON values; numbers by value.
func sameJSON(a, b json.RawMessage) bool {
	x, okX := canonical(a)
	y, okY := canonical(b)
	return okX && okY && x == y
}

func canonical(raw json.RawMessage) (string, bool) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return "", false
	}
	text, err := json.Marshal(normalise(value))
	return string(text), err == nil
}

// normalise writes the numbers of a JSON value as fractions, behind a mark that
// keeps them from text.
func normalise(value any) any {
	switch value := value.(type) {
	case json.Number:
		return "n" + fraction(value.String())
	case string:
		return "s" + value
	case []any:
		for i := range value {
			value[i] = normalise(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = normalise(value[key])
		}
	}
	return value
}

// fraction writes a number so that equal values are equal text and no digit is
// lost. A number with an exponent stays as it is: it may ask for more digits
// than there is memory.
func fraction(number string) string {
	const longest = 400
	if len(number) <= longest && !strings.ContainsAny(number, "eE") {
		if r, ok := new(big.Rat).SetString(number); ok {
			return r.RatString()
		}
	}
	return number
}
