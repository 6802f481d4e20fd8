package servers

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxJSONDepth bounds how deeply values nest. Configuration files have a dozen
// levels; the reader calls itself for each.
const maxJSONDepth = 200

// parseJSONC reads JSON with comments, commas behind the last item, and a byte
// order mark. A key that is twice in one object is a mistake: readers differ in
// which they take. The time is linear.
func parseJSONC(text []byte) (*value, error) {
	r := &jsonReader{text: strings.TrimPrefix(string(text), "\ufeff"), line: 1}
	v, err := r.document()
	if err != nil {
		return nil, err
	}
	return v, nil
}

type jsonReader struct {
	text string
	pos  int
	// line is that of pos, and counted how far its start was looked for.
	line, start, counted int
}

// document reads the whole text.
func (r *jsonReader) document() (*value, *placeError) {
	if err := r.space(); err != nil {
		return nil, err
	}
	if r.pos == len(r.text) {
		return nil, r.errorf("the file is empty")
	}
	v, err := r.value(1)
	if err != nil {
		return nil, err
	}
	if err := r.space(); err != nil {
		return nil, err
	}
	if r.pos < len(r.text) {
		return nil, r.errorf("%s after the end of the value", r.found())
	}
	return v, nil
}

// place gives the position of pos. It is asked for in ascending order, so that
// each line break is counted once; columns are those of one line, and bounded by
// longestColumn.
func (r *jsonReader) place() position {
	for {
		i := strings.IndexByte(r.text[r.counted:r.pos], '\n')
		if i < 0 {
			break
		}
		r.counted += i + 1
		r.line, r.start = r.line+1, r.counted
	}
	r.counted = r.pos
	return position{r.line, r.column()}
}

// longestColumn bounds the columns that are counted, in bytes: in a file without
// line breaks counting would be quadratic.
const longestColumn = 4096

func (r *jsonReader) column() int {
	if r.pos-r.start > longestColumn {
		return r.pos - r.start + 1
	}
	return utf8.RuneCountInString(r.text[r.start:r.pos]) + 1
}

func (r *jsonReader) errorf(format string, args ...any) *placeError {
	return &placeError{r.place(), fmt.Sprintf(format, args...)}
}

// found names what stands at pos.
func (r *jsonReader) found() string {
	if r.pos >= len(r.text) {
		return "the end of the file"
	}
	c, _ := utf8.DecodeRuneInString(r.text[r.pos:])
	return strconv.QuoteRune(c)
}

// space steps over blanks and comments.
func (r *jsonReader) space() *placeError {
	for r.pos < len(r.text) {
		rest := r.text[r.pos:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			r.pos++
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			r.pos += end
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return r.errorf("the comment is not closed")
			}
			r.pos += end + 4
		default:
			return nil
		}
	}
	return nil
}

func (r *jsonReader) value(depth int) (*value, *placeError) {
	if depth > maxJSONDepth {
		return nil, r.errorf("values nest deeper than %d levels", maxJSONDepth)
	}
	v := &value{at: r.place()}
	var err *placeError
	switch {
	case r.at('{'):
		v.kind = kindObject
		err = r.object(v, depth)
	case r.at('['):
		v.kind = kindArray
		err = r.array(v, depth)
	case r.at('"'):
		v.kind = kindString
		v.text, err = r.string()
	default:
		err = r.literal(v)
	}
	return v, err
}

// at reports whether c stands at pos.
func (r *jsonReader) at(c byte) bool { return r.pos < len(r.text) && r.text[r.pos] == c }

func (r *jsonReader) object(v *value, depth int) *placeError {
	seen := map[string]position{}
	return r.list('}', func() *placeError {
		m := member{at: r.place()}
		if !r.at('"') {
			return r.errorf("%s where a key in double quotes is wanted", r.found())
		}
		var err *placeError
		if m.key, err = r.string(); err != nil {
			return err
		}
		if first, twice := seen[m.key]; twice {
			return &placeError{m.at, fmt.Sprintf("the key %q is there already, at %s", m.key, first)}
		}
		seen[m.key] = m.at
		if err := r.space(); err != nil {
			return err
		}
		if !r.at(':') {
			return r.errorf("%s where \":\" is wanted", r.found())
		}
		r.pos++
		if err := r.space(); err != nil {
			return err
		}
		m.value, err = r.value(depth + 1)
		v.members = append(v.members, m)
		return err
	})
}

func (r *jsonReader) array(v *value, depth int) *placeError {
	return r.list(']', func() *placeError {
		item, err := r.value(depth + 1)
		v.items = append(v.items, item)
		return err
	})
}

// list reads items between commas up to end, from the opening bracket on.
func (r *jsonReader) list(end byte, item func() *placeError) *placeError {
	r.pos++
	for {
		if err := r.space(); err != nil {
			return err
		}
		if r.at(end) {
			r.pos++
			return nil
		}
		if err := item(); err != nil {
			return err
		}
		if err := r.space(); err != nil {
			return err
		}
		switch {
		case r.at(','):
			r.pos++
		case !r.at(end):
			return r.errorf("%s where \",\" or %q is wanted", r.found(), string(end))
		}
	}
}

// literal reads a number, true, false or null.
func (r *jsonReader) literal(v *value) *placeError {
	end := r.pos
	for end < len(r.text) && strings.IndexByte(" \t\r\n,:]}[{\"/", r.text[end]) < 0 {
		end++
	}
	word := r.text[r.pos:end]
	switch {
	case word == "true" || word == "false":
		v.kind = kindBool
	case word == "null":
		v.kind = kindNull
	case word != "" && json.Valid([]byte(word)):
		v.kind = kindNumber
	default:
		return r.errorf("%s where a value is wanted", r.found())
	}
	v.text, r.pos = word, end
	return nil
}

// string reads a string from its opening quote on.
func (r *jsonReader) string() (string, *placeError) {
	r.pos++
	var b strings.Builder
	for r.pos < len(r.text) {
		c, size := utf8.DecodeRuneInString(r.text[r.pos:])
		switch {
		case c == '"':
			r.pos++
			return b.String(), nil
		case c == '\\':
			if err := r.escape(&b); err != nil {
				return "", err
			}
			continue
		case c == utf8.RuneError && size == 1:
			return "", r.errorf("a byte that is not UTF-8")
		case c == '\n' || c == '\r':
			return "", r.errorf("the string does not end on its line")
		case c < ' ':
			return "", r.errorf("%s in a string must be escaped", r.found())
		}
		b.WriteString(r.text[r.pos : r.pos+size])
		r.pos += size
	}
	return "", r.errorf("the string does not end")
}

var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (r *jsonReader) escape(b *strings.Builder) *placeError {
	if r.pos+1 >= len(r.text) {
		return r.errorf("the string does not end")
	}
	letter := r.text[r.pos+1]
	if plain, ok := escapes[letter]; ok {
		b.WriteByte(plain)
		r.pos += 2
		return nil
	}
	if letter != 'u' {
		return r.errorf("%q is no escape of JSON; a backslash is written twice", r.text[r.pos:r.pos+1]+string(letter))
	}
	first, ok := r.unit(r.pos)
	if !ok {
		return r.errorf(`\u wants four hexadecimal digits`)
	}
	if !utf16.IsSurrogate(first) {
		b.WriteRune(first)
		r.pos += 6
		return nil
	}
	second, _ := r.unit(r.pos + 6)
	whole := utf16.DecodeRune(first, second)
	if whole == utf8.RuneError {
		return r.errorf("half a surrogate pair stands for no character")
	}
	b.WriteRune(whole)
	r.pos += 12
	return nil
}

// unit reads \uXXXX at i.
func (r *jsonReader) unit(i int) (rune, bool) {
	if i+6 > len(r.text) || r.text[i] != '\\' || r.text[i+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(r.text[i+2:i+6], 16, 16)
	return rune(n), err == nil
}
