package clients

import (
	"fmt"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// description gives the description that the model sees.
func (r *run) description(v value) string {
	f := r.p.field(spec.FieldDescription)
	s := r.state(spec.FieldDescription, f, v)
	if s.action != "" {
		return r.missingDescription(s)
	}
	text := s.text
	if f.Tags {
		text = tags().ReplaceAllString(text, "")
	}
	r.checkLength(spec.FieldDescription, f, text, s.at)
	if f.Pattern != "" && !pattern(f.Pattern).MatchString(text) {
		r.add(effects[f.Bad], "description-changed", s.at, "/description", "the description has characters that are not allowed", nil)
	}
	if f.Over == Cut && f.Max > 0 {
		text = shorten(text, f.Max, f.Unit, f.Tail)
	}
	w := r.d.writtenIn()
	if changed := w.list || !sameText(w.description, text); w.described && changed && !r.has("description-") {
		r.add(Changed, "description-changed", s.at, "/description", r.difference(w.description, text), nil)
	}
	return text
}

var tags = lazily(`<[^>]*>`)

// difference says how a text that is shown differs from the one written.
func (r *run) difference(written, shown string) string {
	w, s := trim(written), trim(shown)
	switch {
	case r.d.writtenIn().list:
		return fmt.Sprintf("the description is a list or a mapping, and the model sees %q", clip(s, 80))
	case s == "":
		return "the model sees no description"
	case strings.Join(strings.Fields(w), " ") == strings.Join(strings.Fields(s), " "):
		return "the model sees the description without its line breaks and runs of blanks"
	case strings.HasPrefix(w, s):
		return fmt.Sprintf("the model sees the description up to %q; the rest is lost", lastWords(s))
	}
	return fmt.Sprintf("the model sees the description %q", clip(s, 80))
}

// lastWords gives the end of a text, enough to find it by eye.
func lastWords(text string) string {
	runes := []rune(text[max(0, len(text)-160):])
	if len(runes) > 40 {
		return "…" + string(runes[len(runes)-39:])
	}
	return string(runes)
}

func (r *run) missingDescription(s state) string {
	effect := effects[s.action]
	text, why := "", s.why
	switch s.action {
	case StandIn:
		text = r.standIn()
		why += fmt.Sprintf("; the model sees %q instead", clip(text, 80))
	case Ignore, Note, Warn:
		effect = Changed
		why += "; the model sees none"
	case Hide:
		why += "; the model does not see the skill"
	}
	r.add(effect, s.id(spec.FieldDescription), s.at, "/description", why, r.quoteFix(s))
	return text
}

// standIn gives what a client shows in place of a description.
func (r *run) standIn() string {
	st := &r.p.Stand
	if st.Take == "name" {
		return r.out.Name
	}
	text := st.part(r.t.s[r.cut.body.Start:r.cut.body.End])
	if text == "" {
		return st.Text
	}
	if st.Max > 0 {
		text = shorten(text, st.Max, "utf16", st.Tail)
	}
	return text
}

// part takes a part of a body.
func (st *Stand) part(body string) string {
	if st.Take == "block" {
		first, _, _ := strings.Cut(trim(body), "\n\n")
		return trim(first)
	}
	var paragraph []string
	for at := 0; at < len(body); {
		end, next := lineEnd(body, at)
		line := trim(body[at:end])
		if st.Take == "line" {
			line = strings.TrimSpace(body[at:end]) // as Python has it, which keeps a byte order mark
		}
		at = next
		switch {
		case line == "" && len(paragraph) > 0:
			return strings.Join(paragraph, " ")
		case line == "":
		case st.Take == "line" && line == fence:
		case st.Take == "line":
			return line
		case st.Take == "title":
			return trim(strings.TrimLeft(line, "#"))
		case line[0] == '#' && len(paragraph) > 0:
			return strings.Join(paragraph, " ")
		case line[0] == '#':
		default:
			paragraph = append(paragraph, line)
		}
	}
	return strings.Join(paragraph, " ")
}
