package mcpprobe

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// What a server sends is judged as JSON, before any type of ours says what it
// ought to be: 1.0 is told from 1, "" from nothing, and null from both.

// object reads a JSON object. Its values are parts of raw, which is known to be
// JSON: whole messages are looked through when they come, and entries that
// anybody else gives in ParseEntry.
func object(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	rest, ok := cutDelimiter(raw, '{')
	if !ok {
		return nil, false
	}
	members := map[string]json.RawMessage{}
	for {
		if _, ok := cutDelimiter(rest, '}'); ok {
			return members, true
		}
		var quoted, value json.RawMessage
		if quoted, rest = cutValue(rest); len(quoted) == 0 {
			return nil, false
		}
		key, isText := text(quoted)
		if rest, ok = cutDelimiter(rest, ':'); !ok || !isText {
			return nil, false
		}
		if value, rest = cutValue(rest); len(value) == 0 {
			return nil, false
		}
		members[key] = value
		rest, _ = cutDelimiter(rest, ',')
	}
}

// array reads a JSON array, as object reads objects.
func array(raw json.RawMessage) ([]json.RawMessage, bool) {
	rest, ok := cutDelimiter(raw, '[')
	if !ok {
		return nil, false
	}
	items := []json.RawMessage{}
	for {
		if _, ok := cutDelimiter(rest, ']'); ok {
			return items, true
		}
		var item json.RawMessage
		if item, rest = cutValue(rest); len(item) == 0 {
			return nil, false
		}
		items = append(items, item)
		rest, _ = cutDelimiter(rest, ',')
	}
}

// cutDelimiter gives what comes behind a delimiter, where raw begins with it.
func cutDelimiter(raw json.RawMessage, delimiter byte) (rest json.RawMessage, ok bool) {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 || raw[0] != delimiter {
		return raw, false
	}
	return raw[1:], true
}

// cutValue gives the value that raw begins with, and what comes behind it; ""
// where there is none. It reads no further into a value than to find its end:
// a file of 16 MiB is decoded once.
func cutValue(raw json.RawMessage) (value, rest json.RawMessage) {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	end, depth := 0, 0
	for end < len(raw) {
		switch raw[end] {
		case '"':
			end = stringEnd(raw, end)
		case '{', '[':
			depth++
			end++
		case '}', ']':
			depth--
			end++
		default:
			end = plainEnd(raw, end, depth)
		}
		if depth <= 0 {
			break
		}
	}
	if depth < 0 {
		return nil, raw // a bracket that closes nothing
	}
	return raw[:end], raw[end:]
}

// stringEnd gives the place behind the string that begins at a place.
func stringEnd(raw []byte, at int) int {
	for i := at + 1; i < len(raw); i++ {
		next := bytes.IndexByte(raw[i:], '"')
		if next < 0 {
			break
		}
		i += next
		escapes := 0
		for raw[i-escapes-1] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
	}
	return len(raw)
}

// plainEnd gives the place behind a number, a word or a separator. Within
// brackets nothing but strings and other brackets matters.
func plainEnd(raw []byte, at, depth int) int {
	for at++; at < len(raw); at++ {
		switch raw[at] {
		case '"', '{', '}', '[', ']':
			return at
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return at
			}
		}
	}
	return at
}

// text reads a JSON string.
func text(raw json.RawMessage) (string, bool) {
	if kind(raw) != "a string" {
		return "", false
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// kind names the type of a JSON value for a message; "missing" for none.
func kind(raw json.RawMessage) string {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 {
		return "missing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// described shows a JSON value in a message: its type, and itself where it is
// short.
func described(raw json.RawMessage) string {
	what := kind(raw)
	raw = bytes.TrimSpace(raw)
	switch what {
	case "missing", "null":
		return what
	case "an object", "an array":
		if len(raw) > 2 {
			return what
		}
	}
	return what + " (" + clipTo(string(raw), 80) + ")"
}

// number is an integer as a server wrote it.
type number struct {
	value int64
	// plain says that it is written with digits alone, as nearly all readers
	// want it: 12, neither 12.0 nor 1.2e1.
	plain bool
}

// maxNumberDigits bounds the digits of a number that is read: no size has more
// than nineteen, and an exponent may ask for more than there is memory.
const maxNumberDigits = 40

// maxInteger is the largest integer that a JSON number carries between any two
// readers (RFC 8259, section 6).
const maxInteger = 1<<53 - 1

// integer reads a JSON number whose value is a non-negative integer. problem
// completes "it is …" where it is none.
func integer(raw json.RawMessage) (n number, problem string) {
	raw = bytes.TrimSpace(raw)
	if kind(raw) != "a number" {
		return number{}, described(raw)
	}
	digits := string(raw)
	whole, exponent, _ := strings.Cut(strings.ToLower(digits), "e")
	if len(whole) > maxNumberDigits || len(strings.TrimLeft(exponent, "+-0")) > 2 {
		return number{}, "the number " + clipTo(digits, 80) + ", which is out of range"
	}
	value, ok := new(big.Rat).SetString(digits)
	switch {
	case !ok:
		return number{}, described(raw)
	case !value.IsInt():
		return number{}, "the number " + digits + ", which is no integer"
	case value.Sign() < 0:
		return number{}, "the number " + digits + ", which is negative"
	case !value.Num().IsInt64() || value.Num().Int64() > maxInteger:
		return number{}, "the number " + digits + ", which is over " + thousands(maxInteger) + ", the largest integer that every reader of JSON keeps"
	}
	return number{value.Num().Int64(), !strings.ContainsAny(digits, ".eE-")}, ""
}

// compact writes a JSON value without white space, for evidence.
func compact(raw json.RawMessage) string {
	if len(raw) > maxCompacted {
		return clip(string(raw))
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return clip(string(raw))
	}
	return b.String()
}

// maxCompacted bounds what is compacted to show the beginning of it.
const maxCompacted = 64 << 10

// clipTo cuts text to a number of code points.
func clipTo(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// sortedKeys gives the keys of an object in order.
func sortedKeys[V any](members map[string]V) []string { return slices.Sorted(maps.Keys(members)) }

// forEachString calls visit for each string of a JSON value, keys included,
// with the JSON Pointer of the value that it belongs to. It stops at the first
// false.
func forEachString(raw json.RawMessage, visit func(pointer, text string) bool) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) == nil {
		walkStrings("", value, visit)
	}
}

func walkStrings(pointer string, value any, visit func(pointer, text string) bool) bool {
	switch value := value.(type) {
	case string:
		return visit(pointer, value)
	case []any:
		for _, item := range value {
			if !walkStrings(pointer, item, visit) {
				return false
			}
		}
	case map[string]any:
		for _, key := range sortedKeys(value) {
			if !visit(pointer, key) || !walkStrings(pointer+"/"+escapePointer(key), value[key], visit) {
				return false
			}
		}
	}
	return true
}

// escapePointer makes a key a segment of a JSON Pointer (RFC 6901).
func escapePointer(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// plural writes a count with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(int64(n)) + " " + many
}

// thousands writes a number with commas: 16,777,216.
func thousands(n int64) string {
	digits := big.NewInt(n).String()
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	for i, r := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return sign + b.String()
}

// isText reports bytes that are UTF-8 without NUL.
func isText(content []byte) bool {
	return utf8.Valid(content) && bytes.IndexByte(content, 0) < 0
}
