// Package redact keeps secrets out of what is shown and written.
package redact

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Mark stands where a secret was.
const Mark = "[redacted]"

// shortest is the length in bytes from which a secret is hidden within words
// too. Hiding each "ab" would leave nothing to read, and would tell as much.
const shortest = 4

// Set is a set of secrets. Its methods may be called from several goroutines.
// The zero value has none.
type Set struct {
	mu sync.RWMutex
	// forms are the spellings of all secrets, the longest first.
	forms []form
}

// form is one spelling of a secret.
type form struct {
	text string
	// word says that it is hidden only where it is a whole word.
	word bool
}

// Add adds secrets. Empty ones are none.
func (s *Set) Add(secrets ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	forms := slices.Clone(s.forms) // Redact may be reading the old ones
	for _, secret := range secrets {
		if strings.TrimSpace(secret) == "" {
			continue
		}
		for _, text := range spellings(secret) {
			forms = append(forms, form{text, min(len(secret), len(text)) < shortest})
		}
	}
	slices.SortFunc(forms, func(a, b form) int {
		return cmp.Or(cmp.Compare(len(b.text), len(a.text)), cmp.Compare(a.text, b.text))
	})
	s.forms = slices.CompactFunc(forms, func(a, b form) bool { return a.text == b.text })
}

// Redact gives text with Mark in place of every secret, in whatever spelling.
// Where secrets overlap, all of them are gone.
func (s *Set) Redact(text string) string {
	s.mu.RLock()
	forms := s.forms
	s.mu.RUnlock()
	var hits []span
	for _, f := range forms {
		hits = f.find(text, hits)
	}
	if len(hits) == 0 {
		return text
	}
	return cut(text, hits)
}

// span is a part of a text, by bytes.
type span struct{ start, end int }

// find adds the places of f in text to hits.
func (f form) find(text string, hits []span) []span {
	for from := 0; ; {
		i := strings.Index(text[from:], f.text)
		if i < 0 {
			return hits
		}
		start := from + i
		end := start + len(f.text)
		if from = start + 1; f.word && !wholeWord(text, start, end) {
			continue
		}
		if last := len(hits) - 1; last >= 0 && hits[last].start <= start && start <= hits[last].end {
			hits[last].end = max(hits[last].end, end)
			continue
		}
		hits = append(hits, span{start, end})
	}
}

// cut replaces the parts, each run of overlapping ones by one Mark.
func cut(text string, hits []span) string {
	slices.SortFunc(hits, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	done := 0
	for i := 0; i < len(hits); {
		end := hits[i].end
		b.WriteString(text[done:hits[i].start])
		for i++; i < len(hits) && hits[i].start < end; i++ {
			end = max(end, hits[i].end)
		}
		b.WriteString(Mark)
		done = end
	}
	return b.String() + text[done:]
}

// wholeWord reports whether no letter or digit stands beside the part.
func wholeWord(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !wordRune(before) && !wordRune(after)
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
