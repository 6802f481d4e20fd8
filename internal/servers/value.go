package servers

import "fmt"

// kind is that of a JSON value.
type kind int

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
)

func (k kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}[k]
}

// position is a place in a file, from 1, the column in code points.
type position struct{ line, column int }

func (p position) String() string { return fmt.Sprintf("%d:%d", p.line, p.column) }

// value is a JSON value with its place.
type value struct {
	kind kind
	// text is that of a string, or a number, boolean or null as it is written.
	text    string
	items   []*value
	members []member
	at      position
}

// member is a key of an object with its value.
type member struct {
	key   string
	at    position
	value *value
}

// get gives the value of a key, or nil. A nil value, and one that is no object,
// has no keys.
func (v *value) get(key string) *value {
	if v == nil {
		return nil
	}
	for i := range v.members {
		if v.members[i].key == key {
			return v.members[i].value
		}
	}
	return nil
}

// placeError is a mistake at a place of a file.
type placeError struct {
	at      position
	message string
}

func (e *placeError) Error() string { return e.at.String() + ": " + e.message }

func (v *value) errorf(format string, args ...any) *placeError {
	return &placeError{v.at, fmt.Sprintf(format, args...)}
}
