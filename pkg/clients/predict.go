package clients

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skilltool/skilltool/pkg/spec"
)

// run is one prediction in the making.
type run struct {
	d      *Document
	p      *Profile
	t      *text
	cut    cut
	out    Prediction
	told   Told // of the heaviest reason
	unsure bool
}

// Predict says what a client does with the document.
func (d *Document) Predict(p *Profile) Prediction {
	r := &run{d: d, p: p, out: Prediction{Client: p.ID, Version: p.Version, Path: d.place.Path, Outcome: Loads, Certainty: p.Certainty}}
	r.load()
	r.finish()
	return r.out
}

// load goes through the steps of a client's loader up to the one that fails.
func (r *run) load() {
	source := r.d.skill.Source
	if most := r.p.File.Max; most > 0 && len(source) > most {
		r.whole(Drops, "file-size", fmt.Sprintf("the file has %d bytes; the limit is %d", len(source), most))
		return
	}
	if !r.decode(source) {
		return
	}
	r.cut = r.d.cut(r.p, r.p.File.form(r.d.traits), r.t.s)
	read, ok := r.frontmatter()
	if !ok {
		return
	}
	body := r.t.s[r.cut.body.Start:r.cut.body.End]
	if r.p.Body == Drop && trim(body) == "" {
		r.add(Drops, "body-empty", spec.Span{Start: len(r.t.s), End: len(r.t.s)}, "", "nothing stands behind the frontmatter; a body is demanded", nil)
	}
	r.out.Body = r.place(r.cut.body)
	if read.fields == nil {
		read.fields = func(string) value { return value{} }
	}
	r.fields(read)
	r.flags(read)
	r.compare()
}

// decode gives the text, unless the client refuses its bytes.
func (r *run) decode(source []byte) bool {
	invalid := r.p.File.Invalid
	if (invalid == "drop" || invalid == "break") && r.d.traits.invalid {
		at := 0
		for at < len(source) {
			c, size := utf8.DecodeRune(source[at:])
			if c == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		effect := Drops
		if invalid == "break" {
			effect = Breaks
		}
		r.t = &text{}
		r.add(effect, "encoding", spec.Span{Start: at, End: at + 1}, "", fmt.Sprintf("the byte 0x%02X is no UTF-8; save the file as UTF-8", source[at]), nil)
		return false
	}
	r.t = r.d.text(r.p.File.form(r.d.traits))
	return true
}

// frontmatter reads what stands between the fences; ok is false where the
// client stops there.
func (r *run) frontmatter() (reading, bool) {
	if f := r.cut.fault; f != nil {
		return reading{}, r.fault(f, r.p.Fences.Missing)
	}
	form := r.p.File.form(r.d.traits)
	read := r.d.read(r.p, form, r.t, r.cut.content)
	for tries := 0; r.p.Fences.Fit && read.invalid != nil; tries++ {
		next, found := r.nextFence()
		if !found || tries == maxFits {
			r.unsure = found
			break
		}
		r.cut = next
		read = r.d.read(r.p, form, r.t, r.cut.content)
	}
	if read.repaired != nil {
		r.add(Noted, "repaired", read.repaired.at, "", "the client mends this line before it reads it: "+read.repaired.message, read.repaired.fixes)
	}
	r.unsure = r.unsure || read.unsure
	y := &r.p.YAML
	switch {
	case read.invalid != nil:
		return reading{}, r.fault(read.invalid, y.Invalid)
	case read.other != nil:
		return reading{}, r.fault(read.other, orElse(y.Other, y.Invalid))
	case read.blank:
		f := &fault{id: "frontmatter-blank", at: r.cut.open, message: "nothing stands between the fences; name and description are wanted"}
		return read, r.fault(f, orElse(y.Blank, Empty))
	}
	return read, true
}

// maxFits bounds how many closing fences are tried for one file.
const maxFits = 8

// nextFence gives the parts of the file if its fence were the next one.
func (r *run) nextFence() (cut, bool) {
	c := r.cut
	for at := c.body.Start; at < len(r.t.s); {
		end, next := lineEnd(r.t.s, at)
		if closers[r.p.Fences.Closer](r.t.s[at:end]) {
			c.content.End, c.close, c.body.Start = at, spec.Span{Start: at, End: end}, next
			return c, true
		}
		at = next
	}
	return c, false
}

// fault reports why the frontmatter gives no fields; it reports whether the
// client goes on without them.
func (r *run) fault(f *fault, action Action) bool {
	r.unsure = r.unsure || f.unsure
	fixes := f.fixes
	if fixes == nil {
		fixes = r.fenceFix(f)
	}
	switch action {
	case Break:
		r.add(Breaks, f.id, f.at, "", f.message, fixes)
	case Drop, "":
		r.add(Drops, f.id, f.at, "", f.message, fixes)
	default:
		r.add(Noted, f.id, f.at, "", f.message, fixes)
		return true
	}
	return false
}

// fenceFix offers what mends a fence that is not taken for one: without a byte
// order mark or blank lines in front of it, or blanks around it.
func (r *run) fenceFix(f *fault) []spec.Fix {
	start, end := r.t.source(f.at.Start), r.t.source(f.at.End)
	source := string(r.d.skill.Source)
	fix := func(title string, from, to int, text string) []spec.Fix {
		return []spec.Fix{{Title: title, Safety: spec.Safe, Edits: []spec.Edit{{Path: r.d.skill.File, Range: r.d.skill.Span(from, to), Text: text}}}}
	}
	switch line := source[start:end]; {
	case f.id != "frontmatter-start" && f.id != "frontmatter-end":
	case r.d.traits.mark && start < len(byteOrderMark):
		return fix("remove the byte order mark", 0, len(byteOrderMark), "")
	case f.id == "frontmatter-start" && strings.HasPrefix(strings.TrimLeft(source, "\r\n\t "), fence+"\n") && line != fence:
		return fix("remove the blanks in front of the fence", 0, len(source)-len(strings.TrimLeft(source, "\r\n\t ")), "")
	case strings.TrimSpace(line) == fence && line != fence && !strings.Contains(line, "\r"):
		return fix("remove the blanks around the fence", start, end, fence)
	}
	return nil
}

func orElse(a, b Action) Action {
	if a == "" {
		return b
	}
	return a
}

// add notes a reason whose place is a span of the client's text.
func (r *run) add(effect Effect, id string, at spec.Span, field, message string, fixes []spec.Fix) {
	where := spec.Range{}
	if r.t != nil && len(r.d.skill.Source) > 0 {
		where = r.place(at)
	}
	r.out.Reasons = append(r.out.Reasons, Reason{
		ID: idPrefix + id, Effect: effect, Message: message, Path: r.d.skill.File, Field: field, Range: where, Fixes: fixes,
	})
	if outcome := outcomeOf[effect]; outcome.Worse(r.out.Outcome) {
		r.out.Outcome = outcome
		r.told = r.p.tells(id)
	}
	r.out.Warned = r.out.Warned || effect == Warned
}

// whole notes a reason that is about the whole file.
func (r *run) whole(effect Effect, id, message string) {
	r.add(effect, id, spec.Span{}, "", message, nil)
}

var outcomeOf = map[Effect]Outcome{Noted: Loads, Warned: Loads, Changed: Degrades, Hides: Hidden, Drops: Dropped, Breaks: BreaksOthers}

func (r *run) place(at spec.Span) spec.Range {
	return r.d.skill.Span(r.t.source(at.Start), r.t.source(at.End))
}

// tells says what the user learns of a skill that is not loaded for a reason.
func (p *Profile) tells(id string) Told {
	if told, ok := p.Tells[id]; ok {
		return told
	}
	return p.Told
}

// finish puts the parts of a prediction in order.
func (r *run) finish() {
	switch r.out.Outcome {
	case Dropped, BreaksOthers:
		r.out.Name, r.out.Description, r.out.Body, r.out.Warned = "", "", spec.Range{}, false
		r.out.Told = r.told
	}
	if r.unsure {
		r.out.Certainty = Inferred
	}
	slices.SortStableFunc(r.out.Reasons, func(a, b Reason) int { return b.Effect.weight() - a.Effect.weight() })
}

// compare notes what the model sees otherwise than it was written.
func (r *run) compare() {
	w := r.d.writtenIn()
	at := r.cut.open
	if w.named && !sameText(w.name, r.out.Name) && !r.has("name-") {
		r.add(Changed, "name-folder", at, "/name", fmt.Sprintf("the model sees the name %q and not %q", clip(r.out.Name, 80), clip(w.name, 80)), nil)
	}
	if !w.described && !r.has("description-") {
		r.add(Changed, "description-missing", at, "/description", fmt.Sprintf("nothing is written, and the model sees the description %q", clip(r.out.Description, 80)), nil)
	}
	if !w.named && r.out.Name != r.d.place.Dir && r.p.field(spec.FieldName).Shown != "path" && !r.has("name-") {
		r.add(Changed, "name-missing", at, "/name", fmt.Sprintf("nothing is written, and the model sees the name %q", clip(r.out.Name, 80)), nil)
	}
	changed := w.described && (w.list || !sameText(w.description, r.out.Description))
	if changed && !r.has("description-") {
		r.add(Changed, "description-changed", at, "/description", fmt.Sprintf("the model sees the description %q and not %q", clip(r.out.Description, 80), clip(w.description, 80)), nil)
	}
}

// has reports whether a reason of a kind says already that the model sees
// something else, or that it sees nothing.
func (r *run) has(prefix string) bool {
	return slices.ContainsFunc(r.out.Reasons, func(reason Reason) bool {
		return reason.Effect.weight() >= Changed.weight() && len(reason.ID) > len(idPrefix+prefix) && reason.ID[len(idPrefix):len(idPrefix)+len(prefix)] == prefix
	})
}
