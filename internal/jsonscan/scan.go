// Package jsonscan reads JSON text once, before any decoder sees it, and says
// what a decoder would hide: keys that come twice, bytes that are no UTF-8, half
// a surrogate pair. Its time is linear in the text, and its memory is bounded
// whatever the text holds.
package jsonscan

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The bounds of a scan.
const (
	// MaxDepth is how deep values may nest. Messages of MCP need less than
	// twenty levels; decoders recurse, and some have no bound of their own.
	MaxDepth = 1_000
	// MaxMembers bounds Report.Members. An envelope of JSON-RPC has four, an
	// entry of a skill three.
	MaxMembers = 64
	// maxDuplicates bounds Report.Duplicates: more of them tell nothing new.
	maxDuplicates = 16
	// maxKeys is how many keys of the objects that are open at one time are
	// compared, at sixteen bytes each.
	maxKeys = 1 << 18
	// maxShownKey and maxShownSteps bound what of a path is shown.
	maxShownKey   = 80
	maxShownSteps = 32
)

// ErrTooDeep is the Err of a Report on text that nests deeper than MaxDepth.
var ErrTooDeep = fmt.Errorf("JSON nested deeper than %d levels", MaxDepth)

// SyntaxError says where text stops being JSON.
type SyntaxError struct {
	Offset  int // in bytes, from 0
	Message string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.Message, e.Offset) }

// Kind is the type of a JSON value.
type Kind string

// The kinds.
const (
	Object Kind = "object"
	Array  Kind = "array"
	String Kind = "string"
	Number Kind = "number"
	Bool   Kind = "boolean"
	Null   Kind = "null"
)

// Member is a member of an object.
type Member struct {
	Key string
	// Value is a part of the text that was scanned.
	Value json.RawMessage
}

// Duplicate is a key that an object has more than once.
type Duplicate struct {
	// Path is the JSON pointer of the object, "" for the whole text.
	Path string
	// Key is the key, cut where it is long.
	Key string
	// Offset is where it comes again, in bytes.
	Offset int
}

// Report is what a scan saw.
type Report struct {
	// Err is nil for one valid JSON value with nothing but white space around
	// it, and else a *SyntaxError or ErrTooDeep. What else is in the report then
	// is about the text before it.
	Err error
	// Kind is the type of the value, "" where Err is set.
	Kind Kind
	// Members are those of the value itself, where it is an object: the first
	// MaxMembers in the order of the text.
	Members []Member
	// MoreMembers says that there are more.
	MoreMembers bool
	// Duplicates are sorted by Offset, at most sixteen of them.
	Duplicates []Duplicate
	// ManyKeys says that an object has more keys than are compared, so that
	// Duplicates need not be complete.
	ManyKeys bool
	// InvalidUTF8 and LoneSurrogate are the offset of the first of them, or -1.
	InvalidUTF8   int
	LoneSurrogate int
}

// Get gives the value of a key of the object itself: the last one, as decoders
// take it. ok is false where there is none.
func (r *Report) Get(key string) (value json.RawMessage, ok bool) {
	for _, member := range r.Members {
		if member.Key == key {
			value, ok = member.Value, true
		}
	}
	return value, ok
}

// Scan reads text to its end, or to where it stops being JSON.
func Scan(text []byte) Report {
	s := scanner{text: text, seed: maphash.MakeSeed(), report: Report{InvalidUTF8: -1, LoneSurrogate: -1}}
	s.space()
	kind, err := s.value()
	if err == nil {
		s.space()
		if s.at < len(text) {
			err = s.failure("there is more after the value")
		}
	}
	if err == nil {
		s.report.Kind = kind
	}
	s.report.Err = err
	slices.SortFunc(s.report.Duplicates, func(a, b Duplicate) int { return cmp.Compare(a.Offset, b.Offset) })
	return s.report
}

type scanner struct {
	text   []byte
	at     int
	seed   maphash.Seed
	path   []step   // to the value at hand
	keys   []keySum // of the objects that are open, outermost first
	report Report
}

// step leads from a value to one in it.
type step struct {
	key   []byte // as written, with its quotes; nil in an array
	index int
}

// keySum stands for a key: two with one sum are taken for the same.
type keySum struct {
	sum    uint64
	offset int
}

func (s *scanner) failure(message string) error {
	if s.at >= len(s.text) {
		message = "unexpected end of JSON"
	}
	return &SyntaxError{Offset: s.at, Message: message}
}

func (s *scanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// peek gives the next byte, and 0, which begins nothing, at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) value() (Kind, error) {
	switch c := s.peek(); {
	case c == '{':
		return Object, s.object()
	case c == '[':
		return Array, s.array()
	case c == '"':
		return String, s.string()
	case c == '-' || '0' <= c && c <= '9':
		return Number, s.number()
	case c == 't':
		return Bool, s.word("true")
	case c == 'f':
		return Bool, s.word("false")
	case c == 'n':
		return Null, s.word("null")
	}
	return "", s.failure("no JSON value")
}

func (s *scanner) word(word string) error {
	for i := range len(word) {
		if s.peek() != word[i] {
			return s.failure("no JSON value")
		}
		s.at++
	}
	return nil
}

func (s *scanner) enter() error {
	if len(s.path) == MaxDepth {
		return ErrTooDeep
	}
	s.at++ // the bracket
	s.path = append(s.path, step{})
	return nil
}

// leave steps over the closing bracket.
func (s *scanner) leave() {
	s.at++
	s.path = s.path[:len(s.path)-1]
}

func (s *scanner) object() error {
	if err := s.enter(); err != nil {
		return err
	}
	first := len(s.keys)
	s.space()
	if s.peek() == '}' {
		s.leave()
		return nil
	}
	for {
		if err := s.member(); err != nil {
			return err
		}
		s.space()
		switch s.peek() {
		case ',':
			s.at++
			s.space()
		case '}':
			s.compareKeys(first)
			s.leave()
			return nil
		default:
			return s.failure("neither a comma nor the end of an object")
		}
	}
}

func (s *scanner) member() error {
	if s.peek() != '"' {
		return s.failure("no key")
	}
	start := s.at
	if err := s.string(); err != nil {
		return err
	}
	key := s.text[start:s.at]
	s.path[len(s.path)-1].key = key
	s.remember(key, start)
	s.space()
	if s.peek() != ':' {
		return s.failure("no colon after a key")
	}
	s.at++
	s.space()
	start = s.at
	if _, err := s.value(); err != nil {
		return err
	}
	if len(s.path) == 1 {
		s.keep(key, s.text[start:s.at:s.at])
	}
	return nil
}

func (s *scanner) keep(key, value []byte) {
	if len(s.report.Members) == MaxMembers {
		s.report.MoreMembers = true
		return
	}
	s.report.Members = append(s.report.Members, Member{Key: unquote(key), Value: value})
}

func (s *scanner) remember(key []byte, offset int) {
	if len(s.keys) == maxKeys {
		s.report.ManyKeys = true
		return
	}
	s.keys = append(s.keys, keySum{maphash.String(s.seed, unquote(key)), offset})
}

// compareKeys looks for duplicates among the keys of the object that ends here.
func (s *scanner) compareKeys(first int) {
	keys := s.keys[first:]
	s.keys = s.keys[:first]
	if len(keys) < 2 {
		return
	}
	slices.SortFunc(keys, func(a, b keySum) int {
		return cmp.Or(cmp.Compare(a.sum, b.sum), cmp.Compare(a.offset, b.offset))
	})
	for i := 1; i < len(keys) && len(s.report.Duplicates) < maxDuplicates; i++ {
		if keys[i].sum == keys[i-1].sum {
			s.report.Duplicates = append(s.report.Duplicates, Duplicate{
				Path: s.pointer(), Key: shorten(unquote(s.quoted(keys[i].offset))), Offset: keys[i].offset,
			})
		}
	}
}

// quoted gives the string, with its quotes, that is known to begin at offset.
func (s *scanner) quoted(offset int) []byte {
	end := offset + 1
	for s.text[end] != '"' {
		if s.text[end] == '\\' {
			end++
		}
		end++
	}
	return s.text[offset : end+1]
}

// pointer gives the JSON pointer of the object at hand.
func (s *scanner) pointer() string {
	steps := s.path[:len(s.path)-1]
	var b strings.Builder
	if len(steps) > maxShownSteps {
		b.WriteString("…")
		steps = steps[len(steps)-maxShownSteps:]
	}
	for _, step := range steps {
		b.WriteByte('/')
		if step.key == nil {
			b.WriteString(strconv.Itoa(step.index))
			continue
		}
		b.WriteString(pointerEscapes.Replace(shorten(unquote(step.key))))
	}
	return b.String()
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func (s *scanner) array() error {
	if err := s.enter(); err != nil {
		return err
	}
	s.space()
	if s.peek() == ']' {
		s.leave()
		return nil
	}
	for {
		if _, err := s.value(); err != nil {
			return err
		}
		s.path[len(s.path)-1].index++
		s.space()
		switch s.peek() {
		case ',':
			s.at++
			s.space()
		case ']':
			s.leave()
			return nil
		default:
			return s.failure("neither a comma nor the end of an array")
		}
	}
}

// plain are the bytes of a string that stand for themselves and end nothing.
var plain = func() (table [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		table[c] = c != '"' && c != '\\'
	}
	return table
}()

func (s *scanner) string() error {
	s.at++ // the quote
	for {
		for s.at < len(s.text) && plain[s.text[s.at]] {
			s.at++
		}
		switch c := s.peek(); {
		case c == '"':
			s.at++
			return nil
		case c == '\\':
			if err := s.escape(); err != nil {
				return err
			}
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(s.text[s.at:])
			if r == utf8.RuneError && size == 1 && s.report.InvalidUTF8 < 0 {
				s.report.InvalidUTF8 = s.at
			}
			s.at += size
		default:
			return s.failure("a control character in a string")
		}
	}
}

func (s *scanner) escape() error {
	start := s.at
	s.at++ // the backslash
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.at++
		return nil
	case 'u':
	default:
		return s.failure("no escape of JSON")
	}
	unit, err := s.codeUnit()
	if err != nil {
		return err
	}
	lone := 0xDC00 <= unit && unit <= 0xDFFF
	if 0xD800 <= unit && unit <= 0xDBFF {
		lone = true
		if bytes.HasPrefix(s.text[s.at:], []byte(`\u`)) {
			back := s.at
			s.at++
			second, err := s.codeUnit()
			if err != nil {
				return err
			}
			lone = second < 0xDC00 || 0xDFFF < second
			if lone {
				s.at = back // it may begin a pair of its own
			}
		}
	}
	if lone && s.report.LoneSurrogate < 0 {
		s.report.LoneSurrogate = start
	}
	return nil
}

// codeUnit reads "uXXXX".
func (s *scanner) codeUnit() (unit int, err error) {
	s.at++ // the u
	for range 4 {
		digit := bytes.IndexByte([]byte("0123456789abcdef"), s.peek()|0x20)
		if digit < 0 || s.peek() < '0' {
			return 0, s.failure("no hexadecimal digit in an escape")
		}
		unit = unit<<4 | digit
		s.at++
	}
	return unit, nil
}

func (s *scanner) number() error {
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++
	} else if err := s.digits(); err != nil {
		return err
	}
	if s.peek() == '.' {
		s.at++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if s.peek()|0x20 == 'e' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		return s.digits()
	}
	return nil
}

func (s *scanner) digits() error {
	start := s.at
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		s.at++
	}
	if s.at == start {
		return s.failure("no digit")
	}
	return nil
}

// unquote decodes a string that was scanned.
func unquote(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 && utf8.Valid(quoted) {
		return string(quoted[1 : len(quoted)-1])
	}
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil {
		panic(errors.Join(errors.New("jsonscan: what was scanned as a string is none"), err))
	}
	return text
}

// shorten cuts text to what is shown of a key.
func shorten(text string) string {
	runes := 0
	for i := range text {
		if runes == maxShownKey {
			return text[:i] + "…"
		}
		runes++
	}
	return text
}
