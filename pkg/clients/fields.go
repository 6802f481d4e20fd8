package clients

import (
	"fmt"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// fields looks at every field for which the client has a rule.
func (r *run) fields(read reading) {
	r.out.Name = r.name(read.fields(spec.FieldName))
	r.out.Description = r.description(read.fields(spec.FieldDescription))
	for _, key := range r.p.others {
		r.other(key, r.p.Fields[key], read.fields(key))
	}
}

// state is what a field turns out to be.
type state struct {
	text   string
	action Action // what it means that there is no text, or ""
	why    string // in words, for action
	wrong  bool   // it is of a type that is not taken
	at     spec.Span
}

// state gives the text of a field, or why there is none.
func (r *run) state(key string, f *Field, v value) state {
	s := state{at: v.at}
	if v.kind == absent {
		s.at = r.cut.open
	}
	switch {
	case v.kind == absent:
		s.action, s.why = orElse(f.Missing, Ignore), fmt.Sprintf("there is no %s", key)
	case v.kind == null && f.Null == Wrong:
		s.wrong, s.action, s.why = true, orElse(f.Wrong, Drop), fmt.Sprintf("%s is null; it must be text", key)
	case v.kind == null && f.Null != AsText:
		s.action, s.why = orElse(f.Null, orElse(f.Missing, Ignore)), fmt.Sprintf("%s has no value", key)
	case f.Falsy && v.kind != str && v.falsy():
		s.action, s.why = orElse(f.Missing, Ignore), fmt.Sprintf("%s is %s, which counts as none", key, v.kind.words())
	case len(f.Types) > 0 && !contains(f.Types, typeNames[v.kind]):
		s.wrong, s.action, s.why = true, orElse(f.Wrong, Drop), fmt.Sprintf("%s is %s; it must be text", key, v.kind.words())
		if s.action == Missing {
			s.action = orElse(f.Missing, Ignore)
		}
		return s
	default:
		s.text = space(v.in(f.Style, r.t.s), f.Spaces)
		if blank := s.text == "" || f.Trimmed && trim(s.text) == ""; blank && f.Blank != "" {
			s.action, s.why = f.Blank, fmt.Sprintf("%s is empty", key)
			if s.action == Missing {
				s.action = orElse(f.Missing, Ignore)
			}
		}
	}
	return s
}

// words names a type in messages.
func (k kind) words() string {
	switch k {
	case null:
		return "null"
	case boolean:
		return "a boolean"
	case integer, float:
		return "a number"
	case date:
		return "a date"
	case list:
		return "a list"
	case mapping:
		return "a mapping"
	}
	return "text"
}

// id gives the reason for a field without text: its type, or that it is
// missing.
func (s state) id(key string) string {
	if s.wrong {
		return key + "-type"
	}
	return key + "-missing"
}

// effects are what actions do to a skill.
var effects = map[Action]Effect{Ignore: Noted, Note: Noted, Warn: Warned, Cut: Changed, Folder: Noted, StandIn: Changed, Hide: Hides, Drop: Drops, Break: Breaks}

// checkLength holds a text against a bound, and says whether it is within.
func (r *run) checkLength(key string, f *Field, text string, at spec.Span) {
	if f.Max == 0 || len(text) <= f.Max {
		return
	}
	n := length(text, f.Unit)
	if n <= f.Max {
		return
	}
	message := fmt.Sprintf("%s has %d %s; the limit is %d", key, n, unitWords[f.Unit], f.Max)
	if f.Over == Cut {
		message += ", and the rest is cut off"
	}
	id := key + "-length"
	if key != spec.FieldName && key != spec.FieldDescription {
		id = "field-length"
	}
	r.add(effects[f.Over], id, at, "/"+key, message, nil)
}

var unitWords = map[string]string{"bytes": "bytes", "utf16": "UTF-16 units", "codepoints": "characters", "": "characters"}

// other looks at a field that the model does not see.
func (r *run) other(key string, f Field, v value) {
	if v.kind == absent {
		if f.Missing != "" {
			r.add(effects[f.Missing], "field-type", r.cut.open, "/"+key, fmt.Sprintf("there is no %s", key), nil)
		}
		return
	}
	if v.kind == null && f.Null == "" {
		return
	}
	if v.kind == null && f.Null != Wrong {
		return
	}
	if len(f.Types) > 0 && !contains(f.Types, typeNames[v.kind]) {
		r.add(effects[orElse(f.Wrong, Drop)], "field-type", v.at, "/"+key, fmt.Sprintf("%s is %s; this client takes %s", key, v.kind.words(), strings.Join(f.Types, " or ")), nil)
		return
	}
	if len(f.Values) > 0 && v.node != nil {
		r.values(key, &f, v)
	}
	if v.kind != list && v.kind != mapping {
		text := space(v.in(f.Style, r.t.s), f.Spaces)
		if text == "" && f.Blank != "" {
			r.add(effects[f.Blank], "field-type", v.at, "/"+key, fmt.Sprintf("%s is empty", key), nil)
		}
		if f.Pattern != "" && !pattern(f.Pattern).MatchString(text) {
			r.add(effects[f.Bad], "field-type", v.at, "/"+key, fmt.Sprintf("%s is %q, which is not allowed", key, clip(text, 40)), nil)
		}
		r.checkLength(key, &f, text, v.at)
	}
}

// values looks at the values of a map or a list.
func (r *run) values(key string, f *Field, v value) {
	refuse := func(n *spec.Node, what string) bool {
		child := valueOf(n, v.schema)
		if contains(f.Values, typeNames[child.kind]) {
			return false
		}
		r.add(effects[orElse(f.Wrong, Drop)], "field-type", child.at, "/"+key, fmt.Sprintf("%s in %s is %s; this client takes %s", what, key, child.kind.words(), strings.Join(f.Values, " or ")), nil)
		return true
	}
	for _, pair := range v.node.Pairs {
		if refuse(pair.Value, fmt.Sprintf("the value of %q", clip(pair.Key.Text, 40))) {
			return
		}
	}
	for i, item := range v.node.Items {
		if refuse(item, fmt.Sprintf("item %d", i+1)) {
			return
		}
	}
}

// flags looks at fields that hide the skill from the model.
func (r *run) flags(read reading) {
	for _, flag := range r.p.Hides {
		v := read.fields(flag.Field)
		switch {
		case v.kind == absent || v.kind == null:
		case flag.Typed && v.kind != boolean && !(readers[r.p.YAML.Reader].schema == "typed" && boolWord(v)):
			if flag.Wrong != "" {
				r.add(effects[flag.Wrong], "field-type", v.at, "/"+flag.Field, fmt.Sprintf("%s is %s; it must be true or false", flag.Field, v.kind.words()), nil)
			}
		case contains(flag.When, strings.ToLower(v.text)):
			r.add(Hides, "hidden", v.at, "/"+flag.Field, fmt.Sprintf("%s is %s, so that the model does not see the skill", flag.Field, clip(v.text, 20)), nil)
		}
	}
}

// boolWord reports what readers into typed fields take for a boolean: those of
// YAML 1.2, and some words of YAML 1.1 in quotes or without.
func boolWord(v value) bool {
	switch v.text {
	case "y", "Y", "yes", "on", "n", "N", "no", "off":
		return true
	}
	return v.node != nil && v.node.Style == spec.Plain && spec.ResolveCore(v.text) == spec.Bool
}

// field gives the rule for a field; there is one for name and description.
func (p *Profile) field(key string) *Field {
	f := p.Fields[key]
	return &f
}
