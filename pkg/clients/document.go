package clients

import (
	"unique"

	"github.com/skilltool/skilltool/pkg/spec"
)

// Document is one skill that many clients are asked about: what several of them
// would read alike is read once. It is for one goroutine at a time.
type Document struct {
	skill   *spec.Skill
	place   Place
	traits  traits
	texts   map[textForm]*text
	cuts    map[cutKey]cut
	parses  map[parseKey]*parsed
	reads   map[readKey]reading
	scans   map[readKey]map[string]value
	written *written
	bytes   map[textForm][]byte
}

type cutKey struct {
	form   textForm
	fences unique.Handle[string]
}

type parseKey struct {
	form    textForm
	content spec.Span
	repair  string
}

type readKey struct {
	parseKey
	reader unique.Handle[string]
}

// NewDocument takes a skill to ask clients about. The skill is not changed.
func NewDocument(s *spec.Skill, place Place) *Document {
	if place.Path == "" {
		place.Path = place.Dir
	}
	return &Document{
		skill: s, place: place, traits: traitsOf(s.Source),
		texts: map[textForm]*text{}, cuts: map[cutKey]cut{}, parses: map[parseKey]*parsed{},
		reads: map[readKey]reading{}, scans: map[readKey]map[string]value{}, bytes: map[textForm][]byte{},
	}
}

func (d *Document) text(form textForm) *text {
	t := d.texts[form]
	if t == nil {
		t = newText(d.skill.Source, form)
		d.texts[form] = t
	}
	return t
}

func (d *Document) cut(p *Profile, form textForm, s string) cut {
	key := cutKey{form, p.fencesKey}
	c, ok := d.cuts[key]
	if !ok {
		c = p.Fences.split(s)
		d.cuts[key] = c
	}
	return c
}

// parse reads a content. Where the skill has been read in the same way already,
// that is taken.
func (d *Document) parse(key parseKey) *parsed {
	p := d.parses[key]
	if p != nil {
		return p
	}
	s := d.skill
	if plain := (key.form == textForm{}); plain && s.Split.Closed() && !s.Oversize && s.Split.Content == key.content {
		p = &parsed{root: s.Frontmatter.Root, problems: s.Problems, text: d.text(key.form).s, content: key.content}
	} else if plain {
		p = parse(s.Source, key.content)
	} else {
		b := d.bytes[key.form]
		if b == nil {
			b = []byte(d.text(key.form).s)
			d.bytes[key.form] = b
		}
		p = parse(b, key.content)
	}
	d.parses[key] = p
	return p
}

// mended reads a content with a repair.
func (d *Document) mended(key parseKey, content string) *parsed {
	p := d.parses[key]
	if p == nil {
		p = parse([]byte(content), spec.Span{Start: 0, End: len(content)})
		d.parses[key] = p
	}
	return p
}

// read gives what a client's reader makes of a content.
func (d *Document) read(p *Profile, form textForm, t *text, content spec.Span) reading {
	key := readKey{parseKey{form: form, content: content}, p.yamlKey}
	r, ok := d.reads[key]
	if !ok {
		r = d.readNew(p, key, t)
		d.reads[key] = r
	}
	return r
}

func (d *Document) readNew(p *Profile, key readKey, t *text) reading {
	y := &p.YAML
	if scan, ok := scanners[y.Reader]; ok {
		return scanned(scan, t.s, key.content)
	}
	r := y.read(d.parse(key.parseKey))
	if r.invalid != nil && y.Repair != "" {
		r = d.repair(y, r, key, t)
	}
	if y.Fallback != "" && (r.fields == nil || r.fields(spec.FieldName).kind != str || r.fields(spec.FieldDescription).kind != str) {
		fallback := scanned(scanners[y.Fallback], t.s, key.content)
		if fallback.fields(spec.FieldName).kind != absent && fallback.fields(spec.FieldDescription).kind != absent {
			fallback.repaired = r.invalid
			return fallback
		}
	}
	return r
}

// repair tries a refused content again with its lines mended.
func (d *Document) repair(y *YAML, refused reading, key readKey, t *text) reading {
	content, ok := repair(y.Repair, t.s, key.content)
	if !ok {
		return refused
	}
	again := key.parseKey
	again.repair = y.Repair
	r := y.read(d.mended(again, content))
	if r.fields == nil {
		return refused
	}
	fields := r.fields
	r.fields = func(key2 string) value {
		v := fields(key2)
		if v.kind != absent {
			v.at = placeOf(t.s, key.content, key2)
		}
		return v
	}
	r.repaired = refused.invalid
	return r
}

func scanned(scan scanner, s string, content spec.Span) reading {
	fields := scan(s, content)
	return reading{fields: func(key string) value { return fields[key] }}
}
