package clients

import (
	"bytes"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// written is what the author wrote, however broken the file is around it.
type written struct {
	name, description string
	named, described  bool
	// list says that the description is a list or a map: no text shows it as it
	// is.
	list bool
}

// writtenIn reads name and description as a person would: tolerantly, with keys
// in any case, and with the text behind a # that was not meant as a comment.
func (d *Document) writtenIn() *written {
	if d.written == nil {
		d.written = newWritten(readable(d.skill))
	}
	return d.written
}

// readable gives the skill in an encoding and with line ends in which its
// frontmatter can be found.
func readable(s *spec.Skill) *spec.Skill {
	source := s.Source
	switch {
	case strings.HasPrefix(s.Encoding.Name, "UTF-16"):
		source = fromUTF16(source, s.Encoding.Name == "UTF-16BE")
	case bytes.IndexByte(source, '\r') >= 0 && bytes.IndexByte(source, '\n') < 0:
		source = bytes.ReplaceAll(source, []byte("\r"), []byte("\n"))
	default:
		return s
	}
	if bytes.IndexByte(source, '\n') < 0 {
		source = bytes.ReplaceAll(source, []byte("\r"), []byte("\n"))
	}
	return spec.Parse(source)
}

// fromUTF16 gives the text of a file that is UTF-16.
func fromUTF16(b []byte, big bool) []byte {
	var out strings.Builder
	var high rune
	for i := 0; i+1 < len(b); i += 2 {
		unit := rune(b[i]) | rune(b[i+1])<<8
		if big {
			unit = rune(b[i])<<8 | rune(b[i+1])
		}
		switch {
		case unit >= 0xd800 && unit < 0xdc00:
			high = unit
		case unit >= 0xdc00 && unit < 0xe000 && high != 0:
			out.WriteRune((high-0xd800)<<10 + (unit - 0xdc00) + 0x10000)
			high = 0
		case unit == 0xfeff && out.Len() == 0:
		default:
			out.WriteRune(unit)
		}
	}
	return []byte(out.String())
}

func newWritten(s *spec.Skill) *written {
	w := &written{}
	root := s.Frontmatter.Root
	if root == nil || root.Kind != spec.Mapping {
		w.scan(string(s.Source[:min(len(s.Source), maxComment)]))
		return w
	}
	w.name, w.named, _ = writtenText(s, root, spec.FieldName)
	w.description, w.described, w.list = writtenText(s, root, spec.FieldDescription)
	return w
}

// scan takes name and description from the lines of a file whose frontmatter was
// not found, if it starts like one.
func (w *written) scan(head string) {
	if !strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(head, byteOrderMark), " \t\r\n"), fence) {
		return
	}
	fields := scanTwo(head, spec.Span{Start: 0, End: len(head)})
	name, named := fields[spec.FieldName]
	description, described := fields[spec.FieldDescription]
	w.name, w.named = unquoted(name.text), named && name.text != ""
	w.description, w.described = unquoted(description.text), described && description.text != ""
}

func unquoted(text string) string { return space(text, "unquote") }

func writtenText(s *spec.Skill, root *spec.Node, key string) (text string, ok, list bool) {
	n := lookUp(root, key, true).Resolve()
	if n == nil {
		return "", false, false
	}
	source := string(s.Source[n.Range.Start.Offset:n.Range.End.Offset])
	switch {
	case n.Kind == spec.Mapping || n.Kind == spec.Sequence:
		return source, true, true
	case n.Kind == spec.Null:
		return "", false, false
	case n.Tag != "" && !knownTag(n.Tag) && n.Style == spec.Plain:
		return n.Tag + " " + n.Text, true, false
	case n.Kind == spec.Unknown:
		return strings.Join(strings.Fields(source), " "), source != "", false
	case n.Style == spec.Plain && key == spec.FieldDescription && n.Range.Start.Line == n.Range.End.Line:
		rest, _, _ := strings.Cut(string(s.Source[n.Range.End.Offset:min(len(s.Source), n.Range.End.Offset+maxComment)]), "\n")
		if strings.HasPrefix(trim(rest), "#") {
			return n.Text + strings.TrimRight(rest, " \t\r"), true, false
		}
	}
	return n.Text, true, false
}

// maxComment bounds how much text behind a # is looked at.
const maxComment = 4096

// sameText reports whether two texts differ in no more than the blanks around
// them.
func sameText(a, b string) bool { return trim(a) == trim(b) }
