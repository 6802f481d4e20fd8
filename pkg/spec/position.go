package spec

// Position is a place in a file.
type Position struct {
	// Line counts from 1. Lines end at LF or CR LF; a lone CR ends none.
	Line int `json:"line"`
	// Column counts from 1, in Unicode code points. A byte order mark at the
	// start of the file is not counted: the text behind it is at column 1.
	Column int `json:"column"`
	// Offset counts bytes from 0, from the first byte of the file, a byte
	// order mark included.
	Offset int `json:"offset"`
}

// Range is a half-open span of a file: End is the position behind its last
// byte. The zero Range stands for a whole file.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// IsZero reports whether r stands for a whole file rather than for a place in
// it.
func (r Range) IsZero() bool { return r == Range{} }

// Contains reports whether the byte at offset lies in r.
func (r Range) Contains(offset int) bool {
	return r.Start.Offset <= offset && offset < r.End.Offset
}
