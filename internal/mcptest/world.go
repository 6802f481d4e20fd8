package mcptest

import (
	"encoding/base64"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// object is a JSON object. Its members are written in the order of their names.
type object = map[string]any

// world is all that a server serves. Lies change it before anything is asked
// for.
type world struct {
	name, version, instructions string
	capabilities                object
	// skills are those that skills/list gives, hidden are answered by
	// skills/get alone.
	skills, hidden []*skill
	files          []*file
	// directory says that the method is there.
	directory bool
	pageSize  int

	// What follows is found from the rest, once nothing changes any more:
	// files and skills by their URIs, and the children of each directory.
	fileAt   map[string]*file
	skillAt  map[string]*skill
	children map[string][]object
}

// skill is one skill with its entry as it is sent.
type skill struct {
	uri, dir string
	entry    object
}

// file is one resource.
type file struct {
	uri, name, description, mimeType string
	// content is what was hashed, served is what is sent.
	content, served []byte
	blob            bool
	// hidden files are in no directory and in no resources/list.
	hidden bool
	// gone files are listed and cannot be read.
	gone bool
}

func newFile(uri, name string, content []byte, blob bool) *file {
	return &file{
		uri: uri, name: name, mimeType: mimeType(name), content: content, served: content,
		blob: blob || !utf8.Valid(content) || strings.ContainsRune(string(content), 0),
	}
}

// describe gives each SKILL.md the name and description of its frontmatter
// (S-RD3).
func (w *world) describe() {
	for _, k := range w.skills {
		frontmatter, _ := k.entry["frontmatter"].(object)
		if f := w.file(k.uri); f != nil && frontmatter != nil {
			f.name, _ = frontmatter["name"].(string)
			f.description, _ = frontmatter["description"].(string)
		}
	}
}

// index finds what is asked for by URI. Of two things at one URI the first is
// served.
func (w *world) index() {
	w.fileAt, w.skillAt = map[string]*file{}, map[string]*skill{}
	for _, f := range slices.Backward(w.files) {
		w.fileAt[f.uri] = f
	}
	for _, k := range slices.Backward(slices.Concat(w.skills, w.hidden)) {
		if uri, ok := k.entry["uri"].(string); ok {
			w.skillAt[uri] = k
		}
	}
	w.buildDirectories()
}

// file gives the file of a URI, or nil.
func (w *world) file(uri string) *file {
	for _, f := range w.files {
		if f.uri == uri {
			return f
		}
	}
	return nil
}

// skill gives the skill of a URI, listed or not, or nil.
func (w *world) skill(uri string) *skill {
	for _, k := range slices.Concat(w.skills, w.hidden) {
		if k.entry["uri"] == uri {
			return k
		}
	}
	return nil
}

// buildDirectories finds the children of all directories, from the folder of a
// file up to the first segment.
func (w *world) buildDirectories() {
	byDir := map[string]map[string]object{}
	add := func(dir, uri string, child object) {
		if byDir[dir] == nil {
			byDir[dir] = map[string]object{}
		}
		byDir[dir][uri] = child
	}
	for _, f := range w.files {
		if f.hidden {
			continue
		}
		child, uri := f.resource(), f.uri
		for {
			dir := parent(uri)
			if dir == "" {
				break
			}
			add(dir, uri, child)
			uri, child = dir, directory(dir)
		}
	}
	w.children = map[string][]object{}
	for dir, found := range byDir {
		for _, uri := range slices.Sorted(maps.Keys(found)) {
			w.children[dir] = append(w.children[dir], found[uri])
		}
	}
}

// parent gives the URI of the directory that holds a URI, or "" at the first
// segment.
func parent(uri string) string {
	_, rest, ok := strings.Cut(uri, "://")
	if i := strings.LastIndexByte(rest, '/'); ok && i > 0 {
		return uri[:len(uri)-len(rest)+i]
	}
	return ""
}

// directory is the resource of a directory.
func directory(uri string) object {
	return object{"uri": uri, "name": path.Base(uri), "mimeType": "inode/directory"}
}

// resource is a file as listings show it.
func (f *file) resource() object {
	r := object{"uri": f.uri, "name": f.name, "mimeType": f.mimeType, "size": len(f.served)}
	if f.description != "" {
		r["description"] = f.description
	}
	return r
}

// contents is the one item of an answer to resources/read.
func (f *file) contents() object {
	c := object{"uri": f.uri, "mimeType": f.mimeType}
	if f.blob {
		c["blob"] = base64.StdEncoding.EncodeToString(f.served)
	} else {
		c["text"] = string(f.served)
	}
	return c
}

// mimeTypes are those of the files of skills, by their ends.
var mimeTypes = map[string]string{
	".md": "text/markdown", ".txt": "text/plain", ".csv": "text/csv", ".json": "application/json",
	".py": "text/x-python", ".sh": "application/x-sh", ".png": "image/png",
}

func mimeType(name string) string {
	if found := mimeTypes[path.Ext(name)]; found != "" {
		return found
	}
	return "application/octet-stream"
}
