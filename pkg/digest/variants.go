package digest

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// variant is a content that a file may have had before something changed it.
type variant struct {
	content []byte
	how     string
}

// variants gives the contents that a file may have had, the likeliest first:
// each change alone, then those that come together. It makes one at a time:
// files may be large.
func variants(content []byte, skillFile bool) iter.Seq[variant] {
	return func(yield func(variant) bool) {
		bases := []variant{{content, ""}}
		if stripped, ok := withoutInstallMetadata(content); ok && skillFile {
			bases = append(bases, variant{stripped, "without the metadata that an installer added"})
		}
		for _, base := range bases {
			for ends := range lineEnds(base) {
				for v := range edges(ends) {
					if v.how != "" && !yield(v) {
						return
					}
				}
			}
		}
	}
}

// lineEnds gives a content as it is, with LF and with CRLF line ends.
func lineEnds(v variant) iter.Seq[variant] {
	return func(yield func(variant) bool) {
		_ = yield(v) &&
			yield(variant{toLF(v.content), both(v.how, "with LF line ends")}) &&
			yield(variant{toCRLF(v.content), both(v.how, "with CRLF line ends")})
	}
}

var utf8BOM = []byte("\xef\xbb\xbf")

// edges gives a content as it is, and with a byte order mark or a final line
// end more or less.
func edges(v variant) iter.Seq[variant] {
	return func(yield func(variant) bool) {
		_ = yield(v) && yield(otherEnd(v)) && yield(otherStart(v)) && yield(otherEnd(otherStart(v)))
	}
}

func otherStart(v variant) variant {
	if rest, ok := bytes.CutPrefix(v.content, utf8BOM); ok {
		return variant{rest, both(v.how, "without its byte order mark")}
	}
	return variant{slices.Concat(utf8BOM, v.content), both(v.how, "with a byte order mark")}
}

func otherEnd(v variant) variant {
	newline := []byte("\n")
	if bytes.Contains(v.content, []byte("\r\n")) {
		newline = []byte("\r\n")
	}
	if rest, ok := bytes.CutSuffix(v.content, newline); ok {
		return variant{rest, both(v.how, "without its final line end")}
	}
	return variant{slices.Concat(v.content, newline), both(v.how, "with a final line end")}
}

// Variants gives the contents that text may have had before something changed
// its line ends, its final line end or its byte order mark, each with a clause
// that completes "the same text". The likeliest come first, one at a time.
func Variants(content []byte) iter.Seq2[[]byte, string] {
	return func(yield func([]byte, string) bool) {
		for v := range variants(content, false) {
			if !yield(v.content, v.how) {
				return
			}
		}
	}
}

// isInstallKey reports a key of metadata that "gh skill install" adds.
func isInstallKey(key string) bool {
	return strings.HasPrefix(key, "github-") || key == "local-path"
}

// withoutInstallMetadata removes the lines that an installer added to the
// frontmatter, and metadata itself where nothing else is in it.
func withoutInstallMetadata(content []byte) ([]byte, bool) {
	if !bytes.Contains(content, []byte("github-")) && !bytes.Contains(content, []byte("local-path")) {
		return nil, false
	}
	s := spec.Parse(content)
	metadata := s.Frontmatter.Value(spec.FieldMetadata)
	if metadata == nil || metadata.Kind != spec.Mapping || metadata.Style == spec.Flow {
		return nil, false
	}
	drop := map[int]bool{}
	kept := 0
	for _, pair := range metadata.Pairs {
		if !isInstallKey(pair.Key.Text) {
			kept++
			continue
		}
		for line := pair.Key.Range.Start.Line; line <= max(pair.Key.Range.Start.Line, pair.Value.Range.End.Line); line++ {
			drop[line] = true
		}
	}
	if key, ok := s.Frontmatter.Key(spec.FieldMetadata); ok && kept == 0 {
		drop[key.Start.Line] = true
	}
	return withoutLines(content, drop), len(drop) > 0
}

// withoutLines removes lines, which count from 1.
func withoutLines(content []byte, drop map[int]bool) []byte {
	var b bytes.Buffer
	number := 0
	for line := range bytes.Lines(content) {
		if number++; !drop[number] {
			b.Write(line)
		}
	}
	return b.Bytes()
}
