package report

import (
	"bytes"
	"encoding/json"
)

// The bounds on JSON of a server within a document of ours. Indented, text that
// nests deeply takes many times its length.
const (
	maxRawBytes = 64 << 10
	maxRawDepth = 64
)

// rawOrNull gives JSON that a server sent, or null where it is none, or beyond
// the bounds.
func rawOrNull(raw json.RawMessage) json.RawMessage {
	if len(raw) > maxRawBytes || depth(raw) > maxRawDepth || !json.Valid(raw) {
		return json.RawMessage("null")
	}
	return raw
}

// IndentJSON gives JSON that a server sent as people read it, with a line end,
// and as EscapeJSON writes it. Text that would take many times its length
// stays in one line. What is no JSON gives null.
func IndentJSON(raw json.RawMessage) []byte {
	const most = 64 << 20
	var b bytes.Buffer
	raw = bytes.TrimSpace(raw)
	switch {
	case !json.Valid(raw):
		b.WriteString("null")
	case 2*depth(raw)*len(raw) > most:
		// Compact of what is valid cannot fail, nor can Indent.
		_ = json.Compact(&b, raw)
	default:
		_ = json.Indent(&b, raw, "", "  ")
	}
	b.WriteByte('\n')
	return EscapeJSON(b.Bytes())
}

// depth counts how deep JSON nests.
func depth(raw []byte) int {
	now, deepest := 0, 0
	for inside, i := false, 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside = !inside
		case inside:
		case c == '{', c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}', c == ']':
			now--
		}
	}
	return deepest
}
