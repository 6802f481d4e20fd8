package mcptest

import (
	"fmt"

	"github.com/skilltool/skilltool/pkg/digest"
)

// victim gives the skill that lies are about: the last one.
func (w *world) victim() (*skill, error) {
	if len(w.skills) == 0 {
		return nil, fmt.Errorf("there is no skill to lie about")
	}
	return w.skills[len(w.skills)-1], nil
}

// supporting gives a file of a skill that is text and not its SKILL.md.
func (w *world) supporting(k *skill) (*file, error) {
	for _, r := range k.resources() {
		if f := w.file(r["uri"].(string)); f != nil && f.uri != k.uri && !f.blob && len(f.content) > 0 {
			return f, nil
		}
	}
	return nil, fmt.Errorf("%s has no other file to lie about", k.uri)
}

// resources gives the array of an entry that is still honest.
func (k *skill) resources() []object {
	items, _ := k.entry["resources"].([]any)
	all := make([]object, len(items))
	for i, item := range items {
		all[i] = item.(object)
	}
	return all
}

// setResources puts an array into an entry.
func (k *skill) setResources(resources ...object) {
	items := make([]any, len(resources))
	for i, r := range resources {
		items[i] = r
	}
	k.entry["resources"] = items
}

// resource gives the resource of a URI, or nil.
func (k *skill) resource(uri string) object {
	for _, r := range k.resources() {
		if r["uri"] == uri {
			return r
		}
	}
	return nil
}

// drop takes a resource out of an entry.
func (k *skill) drop(uri string) {
	var left []object
	for _, r := range k.resources() {
		if r["uri"] != uri {
			left = append(left, r)
		}
	}
	k.setResources(left...)
}

func (k *skill) frontmatter() object { return k.entry["frontmatter"].(object) }

// promise lists what a file has as it is hashed, in every entry.
func (w *world) promise(f *file) {
	for _, k := range w.skills {
		if r := k.resource(f.uri); r != nil {
			r["digest"], r["size"] = digest.Of(f.content).String(), len(f.content)
		}
	}
}

// fill gives a file content that it is honest about.
func (w *world) fill(f *file, content []byte) {
	f.content, f.served = content, content
	w.promise(f)
}

// add serves another file, which is in no entry.
func (w *world) add(uri, name string, content []byte) *file {
	f := newFile(uri, name, content, false)
	w.files = append(w.files, f)
	return f
}

// list adds a file to an entry.
func (k *skill) list(f *file) {
	k.setResources(append(k.resources(), resourceOf(f))...)
}

func resourceOf(f *file) object {
	return object{"uri": f.uri, "digest": digest.Of(f.content).String(), "size": len(f.content)}
}

// move gives a skill and its files other URIs, honestly.
func (w *world) move(k *skill, rename func(uri string) string) {
	for _, r := range k.resources() {
		if f := w.file(r["uri"].(string)); f != nil {
			f.uri = rename(f.uri)
		}
		r["uri"] = rename(r["uri"].(string))
	}
	k.uri, k.dir = rename(k.uri), rename(k.dir)
	k.entry["uri"] = k.uri
}
