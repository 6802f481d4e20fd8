package mcpprobe

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
)

// LockSchemaURL identifies the JSON Schema of a lock file.
const LockSchemaURL = "https://github.com/skilltool/skilltool/schemas/probe-lock.schema.json"

// lockVersion is the version of lock files. A later one may promise more than
// this program knows, so it is refused.
const lockVersion = 1

// Lock holds approvals of skills. Each is given for the set of files, by URI and
// digest, that a skill of a server had, and for nothing else: any other set
// revokes it, and the skills nested in a skill want approvals of their own
// (C-6). Servers are known by the user's label (C-5).
//
// The zero value approves nothing.
type Lock struct {
	servers map[string]lockedServer
}

// lockedServer are the approved skills of one server.
type lockedServer struct {
	skills map[string]LockedSkill // by URI
	// raw is the JSON that they were read from, so that what is not changed is
	// written as it was; nil for what is new.
	raw json.RawMessage
}

// LockedSkill is an approved skill.
type LockedSkill struct {
	URI  string
	Name string
	// Files are sorted by URI.
	Files []Resource
}

// Labels gives the labels of all servers, sorted.
func (l *Lock) Labels() []string { return slices.Sorted(maps.Keys(l.servers)) }

// Skills gives the approved skills of a server, sorted by URI.
func (l *Lock) Skills(label string) []LockedSkill {
	skills := slices.Collect(maps.Values(l.servers[label].skills))
	slices.SortFunc(skills, func(a, b LockedSkill) int { return cmp.Compare(a.URI, b.URI) })
	return skills
}

// Skill gives the approved skill with a URI.
func (l *Lock) Skill(label, uri string) (LockedSkill, bool) {
	skill, ok := l.servers[label].skills[uri]
	return skill, ok
}

// Approve makes entries the approved skills of a server, in place of those
// before; keep says which of those stay, and nil that none does. Each entry must
// have been verified; dynamic ones cannot be approved (C-6) and are left out.
func (l *Lock) Approve(label string, entries []*Entry, keep func(uri string) bool) {
	server := lockedServer{skills: map[string]LockedSkill{}}
	for uri, skill := range l.servers[label].skills {
		if keep != nil && keep(uri) {
			server.skills[uri] = skill
		}
	}
	for _, e := range entries {
		if e.Dynamic {
			continue
		}
		files := slices.Clone(e.Resources)
		slices.SortFunc(files, func(a, b Resource) int { return cmp.Compare(a.URI, b.URI) })
		server.skills[e.URI] = LockedSkill{URI: e.URI, Name: e.Name, Files: files}
	}
	if l.servers == nil {
		l.servers = map[string]lockedServer{}
	}
	l.servers[label] = server
}

// Text gives the lock file: sorted, so that the same approvals give the same
// bytes, and with the parts of servers that were not changed byte for byte as
// they were read.
func (l *Lock) Text() []byte {
	var b bytes.Buffer
	b.WriteString("{\n  \"$schema\": " + quoteJSON(LockSchemaURL) + ",\n  \"version\": 1,\n  \"servers\": {")
	for i, label := range l.Labels() {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n    " + quoteJSON(label) + ": ")
		if raw := l.servers[label].raw; raw != nil {
			b.Write(raw)
		} else {
			writeLocked(&b, l.Skills(label))
		}
	}
	if len(l.servers) > 0 {
		b.WriteString("\n  ")
	}
	b.WriteString("}\n}\n")
	return b.Bytes()
}

// writeLocked writes the part of one server, one line for each file: approvals
// are read in reviews.
func writeLocked(b *bytes.Buffer, skills []LockedSkill) {
	b.WriteByte('{')
	for i, skill := range skills {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n      " + quoteJSON(skill.URI) + ": {\n        \"name\": " + quoteJSON(skill.Name) + ",\n        \"files\": [")
		for j, f := range skill.Files {
			if j > 0 {
				b.WriteByte(',')
			}
			size, _ := json.Marshal(f.Size) // an integer
			b.WriteString("\n          {\"uri\": " + quoteJSON(f.URI) + ", \"digest\": " + quoteJSON(f.Digest) + ", \"size\": ")
			b.Write(size)
			b.WriteByte('}')
		}
		if len(skill.Files) > 0 {
			b.WriteString("\n        ")
		}
		b.WriteString("]\n      }")
	}
	if len(skills) > 0 {
		b.WriteString("\n    ")
	}
	b.WriteByte('}')
}

// quoteJSON writes a JSON string.
func quoteJSON(text string) string {
	raw, err := encode(text)
	if err != nil {
		panic(err) // a string always is JSON
	}
	return string(raw)
}
