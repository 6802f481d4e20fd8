package mcpprobe

import "slices"

// Buffers for answers grow by steps of four, up to what the answer may have: the
// runtime grows long slices by a quarter, which leaves several times their size
// behind.
const growth = 4

// grown makes room for n more bytes of a text that has at most limit of them.
func grown(text []byte, n int, limit int64) []byte {
	room := min(growth*int64(cap(text)), limit+1) // one more, to see the end
	return append(make([]byte, 0, max(room, int64(len(text)+n))), text...)
}

// appendWithin appends to a text that has at most limit bytes.
func appendWithin(text, part []byte, limit int64) []byte {
	if cap(text)-len(text) < len(part) {
		text = grown(text, len(part), limit)
	}
	return append(text, part...)
}

// fitted gives a finished text without the room that is left, where that is
// much: what an answer holds may be kept for long.
func fitted(text []byte) []byte {
	if cap(text)/2 > len(text) {
		return slices.Clone(text)
	}
	return text
}
