package clients

import (
	"fmt"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// name gives the name that the model sees.
func (r *run) name(v value) string {
	f := r.p.field(spec.FieldName)
	s := r.state(spec.FieldName, f, v)
	name := s.text
	if s.action != "" {
		r.missingName(f, s)
		name = r.d.place.Dir
		if s.action != Folder {
			name = ""
		}
	} else {
		r.checkName(f, name, s.at)
		name = r.replaceIn(f, name, s.at)
	}
	switch f.Shown {
	case "folder":
		name = r.d.place.Dir
	case "path":
		name = r.d.place.Path
	}
	if f.Max > 0 && f.Over == Cut {
		name = shorten(name, f.Max, f.Unit, f.Tail)
	}
	return name
}

func (r *run) missingName(f *Field, s state) {
	effect := effects[s.action]
	if effect == Noted && f.Shown != "" && f.Shown != "field" {
		return
	}
	why := s.why
	if s.action == Folder {
		why += "; the folder's name stands in"
	}
	r.add(effect, s.id(spec.FieldName), s.at, "/name", why, r.quoteFix(s))
}

// quoteFix offers quotes around a plain scalar that is no text to the client.
func (r *run) quoteFix(s state) []spec.Fix {
	from, to := r.t.source(s.at.Start), r.t.source(s.at.End)
	text := string(r.d.skill.Source[from:max(from, to)])
	if !s.wrong || text == "" || strings.ContainsAny(text, "\"\\\n[]{}") {
		return nil
	}
	return []spec.Fix{{Title: "quote the value", Safety: spec.Safe, Edits: []spec.Edit{{Path: r.d.skill.File, Range: r.d.skill.Span(from, to), Text: `"` + text + `"`}}}}
}

// checkName holds a name against the client's bounds.
func (r *run) checkName(f *Field, name string, at spec.Span) {
	r.checkLength("name", f, name, at)
	if f.Pattern != "" && !pattern(f.Pattern).MatchString(name) {
		if name == "" {
			r.add(effects[f.Bad], "name-missing", at, "/name", "the name is empty", nil)
			return
		}
		r.add(effects[f.Bad], "name-characters", at, "/name", fmt.Sprintf("the name %q has characters that are not allowed; use a-z, 0-9 and single hyphens", clip(name, 80)), nil)
	}
	dir := r.d.place.Dir
	same := name == dir || f.FoldCase && strings.EqualFold(name, dir)
	if f.Folder == "" || dir == "" || same {
		return
	}
	r.add(effects[f.Folder], "name-folder", at, "/name", fmt.Sprintf("the name %q is not that of the folder, %q", clip(name, 80), clip(dir, 80)), nil)
}

// replaceIn replaces characters of a name, and takes the folder's name where a
// profile says so.
func (r *run) replaceIn(f *Field, name string, at spec.Span) string {
	if f.Folder == Folder && r.d.place.Dir != "" {
		return r.d.place.Dir
	}
	if f.Replace == "" {
		return name
	}
	changed := pattern(f.Replace).ReplaceAllString(name, f.By)
	if changed != name {
		r.add(Changed, "name-characters", at, "/name", fmt.Sprintf("the model sees the name %q and not %q", clip(changed, 80), clip(name, 80)), nil)
	}
	return changed
}
