package digest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
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
	return diffFields(old, new, sameJSON)
}

// DiffForms gives the values that DiffFields calls equal and that have numbers
// written differently, as 1.0 and 1 are.
func DiffForms(old, new json.RawMessage) []FieldChange {
	return slices.DeleteFunc(diffFields(old, new, sameText), func(c FieldChange) bool {
		return c.Kind != Changed || !sameJSON(c.Old, c.New)
	})
}

func diffFields(old, new json.RawMessage, same func(a, b json.RawMessage) bool) []FieldChange {
	changes := diffValues("", old, new, same)
	slices.SortFunc(changes, func(a, b FieldChange) int { return strings.Compare(a.Pointer, b.Pointer) })
	return changes
}

func diffValues(pointer string, old, new json.RawMessage, same func(a, b json.RawMessage) bool) []FieldChange {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(old, &a) != nil || json.Unmarshal(new, &b) != nil || a == nil || b == nil {
		if same(old, new) {
			return nil
		}
		return []FieldChange{{pointer, Changed, old, new}}
	}
	var changes []FieldChange
	for key, value := range a {
		at := pointer + "/" + pointerEscaper.Replace(key)
		if other, ok := b[key]; ok {
			changes = append(changes, diffValues(at, value, other, same)...)
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
func sameJSON(a, b json.RawMessage) bool { return sameAs(a, b, decimal) }

// sameText compares two JSON values; numbers as they are written.
func sameText(a, b json.RawMessage) bool {
	return sameAs(a, b, func(number string) string { return number })
}

func sameAs(a, b json.RawMessage, number func(string) string) bool {
	x, okX := canonical(a, number)
	y, okY := canonical(b, number)
	return okX && okY && x == y
}

func canonical(raw json.RawMessage, number func(string) string) (string, bool) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return "", false
	}
	text, err := json.Marshal(normalise(value, number))
	return string(text), err == nil
}

// CanonicalJSON writes a JSON value so that values that mean the same are equal
// text: keys in order, numbers by value. It gives "" for what is no JSON, and is
// not meant to be read by anybody.
func CanonicalJSON(raw json.RawMessage) string {
	text, _ := canonical(raw, decimal)
	return text
}

// normalise writes the numbers of a JSON value behind a mark that keeps them
// from text.
func normalise(value any, number func(string) string) any {
	switch value := value.(type) {
	case json.Number:
		return "n" + number(value.String())
	case string:
		return "s" + value
	case []any:
		for i := range value {
			value[i] = normalise(value[i], number)
		}
	case map[string]any:
		for key := range value {
			value[key] = normalise(value[key], number)
		}
	}
	return value
}

// decimal writes a number so that equal values are equal text and no digit is
// lost: its digits without zeros at either end, and a power of ten. Nothing is
// multiplied out: an exponent may ask for more digits than there is memory.
func decimal(number string) string {
	const longestExponent = 15 // so that it can be counted on
	mantissa, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	digits, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	power := 0
	if exponent != "" {
		if len(exponent) > longestExponent {
			return number
		}
		power, _ = strconv.Atoi(strings.TrimPrefix(exponent, "+"))
	}
	power -= len(fraction)
	short := strings.TrimRight(digits, "0")
	text := short + "e" + strconv.Itoa(power+len(digits)-len(short))
	if negative {
		return "-" + text
	}
	return text
}
