package mcptest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/skilltool/skilltool/pkg/digest"
)

// byteLies serve other bytes than were hashed, or hash others than are served
// (S-RD1). Each has a cause of its own.
func byteLies() []Lie {
	return []Lie{
		lie("byte-flipped", "S-RD1", "serves a file with one other byte", served(func(text []byte) []byte { text[0] ^= 1; return text })),
		lie("byte-flipped-skill-md", "S-RD1", "serves a SKILL.md with one other byte in its text", inWorld(func(w *world, k *skill) {
			f := w.file(k.uri)
			f.served = bytes.Clone(f.content)
			f.served[len(f.served)-2] ^= 1
		})),
		lie("bytes-lost", "S-RD1", "serves the first half of a file", served(func(text []byte) []byte { return text[:len(text)/2] })),
		lie("bytes-empty", "S-RD1", "serves nothing of a file", served(func([]byte) []byte { return nil })),
		lie("crlf-to-lf", "S-RD1", "hashes CRLF and serves LF", servedOf("\r\n", func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) })),
		lie("lf-to-crlf", "S-RD1", "hashes LF and serves CRLF", served(func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) })),
		lie("newline-added", "S-RD1", "adds a line end to a file", served(func(text []byte) []byte { return append(text, '\n') })),
		lie("newline-dropped", "S-RD1", "drops the last line end of a file", served(func(text []byte) []byte { return bytes.TrimSuffix(text, []byte("\n")) })),
		lie("bom-added", "S-RD1", "adds a byte order mark to a file", served(func(text []byte) []byte { return append([]byte("\ufeff"), text...) })),
		lie("bom-dropped", "S-RD1", "drops the byte order mark of a file", func(s *script) {
			s.collection(func(files map[string][]byte) {
				replaceIn(files, "read-csv/references/formats.md", "# Formats", "\ufeff# Formats")
			})
			served(func(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) })(s)
		}),
		lie("replacement-characters", "S-RD1", "serves a binary file as text with U+FFFD", func(s *script) {
			s.world(func(w *world) error {
				f, err := w.binary()
				if err == nil {
					f.served, f.blob = []byte(strings.ToValidUTF8(string(f.content), "\ufffd")), false
				}
				return err
			})
		}),
		lie("nfd", "S-RD1", "serves text in another Unicode normalisation", servedOf("ü", norm.NFD.Bytes)),
		lie("trimmed", "S-RD1", "hashes a file without the blanks around it", func(s *script) {
			s.collection(func(files map[string][]byte) {
				files["read-csv/references/formats.md"] = fmt.Appendf(nil, "\n%s\n\n", files["read-csv/references/formats.md"])
			})
			inFile(func(w *world, _ *skill, f *file) {
				f.content = bytes.TrimSpace(f.content)
				w.promise(f)
			})(s)
		}),
		lie("escapes-served", "S-RD1", "serves JSON escapes as text", servedOf("ü", func(text []byte) []byte {
			return []byte(strings.Trim(fmt.Sprintf("%+q", text), `"`))
		})),
		lie("base64-hashed", "S-RD1", "hashes the base64 of a binary file", func(s *script) {
			s.world(func(w *world) error {
				f, err := w.binary()
				if err == nil {
					f.content = []byte(base64.StdEncoding.EncodeToString(f.content))
					w.promise(f)
				}
				return err
			})
		}),
		lie("size-in-utf16", "S-RD1", "counts the size in UTF-16 units", sized(func(text string) int { return len(utf16.Encode([]rune(text))) })),
		lie("size-in-characters", "S-RD1", "counts the size in characters", sized(utf8.RuneCountInString)),
		lie("size-wrong", "S-RD1", "lists a size that is one too large", sized(func(text string) int { return len(text) + 1 })),
		lie("digest-wrong", "S-RD1", "lists the digest of something else", inResource(func(r object) { r["digest"] = digest.Of([]byte("something else")).String() })),
		lie("stale-listing", "S-RD1, S-GET1", "keeps an old listing, while skills/get has the new entry", tellStale),
		lie("changed-after-listing", "S-RD1, S-GET1", "changes a skill between the first listing and the first read", tellChanged),
	}
}

// served sends other bytes than were hashed, of a supporting file.
func served(change func(text []byte) []byte) func(*script) {
	return inFile(func(_ *world, _ *skill, f *file) { f.served = change(bytes.Clone(f.content)) })
}

// servedOf sends other bytes than were hashed, of the first supporting file with
// a text in it.
func servedOf(part string, change func(text []byte) []byte) func(*script) {
	return func(s *script) {
		s.world(func(w *world) error {
			f, err := w.containing(part)
			if err == nil {
				f.served = change(bytes.Clone(f.content))
			}
			return err
		})
	}
}

// sized lists another size, of the first supporting file with an umlaut.
func sized(size func(text string) int) func(*script) {
	return func(s *script) {
		s.world(func(w *world) error {
			f, err := w.containing("ü")
			if err != nil {
				return err
			}
			for _, k := range w.skills {
				if r := k.resource(f.uri); r != nil {
					r["size"] = size(string(f.content))
				}
			}
			return nil
		})
	}
}

func (w *world) containing(part string) (*file, error) {
	for _, f := range w.files {
		if w.skill(f.uri) == nil && !f.blob && bytes.Contains(f.content, []byte(part)) {
			return f, nil
		}
	}
	return nil, fmt.Errorf("no file has %q in it", part)
}

func (w *world) binary() (*file, error) {
	for _, f := range w.files {
		if !utf8.Valid(f.content) {
			return f, nil
		}
	}
	return nil, fmt.Errorf("no file is binary")
}

// tellStale lists what was there before one file changed.
func tellStale(s *script) {
	var old object
	inFile(func(w *world, k *skill, f *file) {
		old = decodeObject(k.entry)
		w.fill(f, append(bytes.Clone(f.content), "\nNew.\n"...))
	})(s)
	s.result(methodList, func(_ *call, r object) { relist(r, old) })
}

// tellChanged lists that once, and then what is.
func tellChanged(s *script) {
	var old object
	inFile(func(w *world, k *skill, f *file) {
		old = decodeObject(k.entry)
		w.fill(f, append(bytes.Clone(f.content), "\nNew.\n"...))
	})(s)
	s.result(methodList, func(c *call, r object) {
		if c.number == 1 {
			relist(r, old)
		}
	})
}

// relist puts an entry into a page in the place of the one with its URI.
func relist(page, entry object) {
	entries, _ := page["skills"].([]object)
	changed := make([]object, len(entries))
	for i, e := range entries {
		if changed[i] = e; e["uri"] == entry["uri"] {
			changed[i] = entry
		}
	}
	page["skills"] = changed
}
