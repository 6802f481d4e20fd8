package mcpprobe

import "encoding/json"

// Entry is what skills/list and skills/get say of one skill.
type Entry struct {
	// Raw is the JSON as sent.
	Raw json.RawMessage
	URI string
	// Dir is URI without "/SKILL.md", or "" where URI has another end.
	Dir string
	// Name and Description are those of the frontmatter, "" where it has none
	// or another type.
	Name, Description string
	// Frontmatter is the JSON as sent.
	Frontmatter json.RawMessage
	// Dynamic says that resources is the string "dynamic".
	Dynamic bool
	// Resources are the files that could be read from the entry, in its order.
	Resources []Resource
	// Problems are the ways in which the entry does not keep the
	// specification. An entry with a Problem whose check has level MUST is not
	// to be loaded.
	Problems []Problem
}

// Resource is one file of an entry.
type Resource struct {
	URI string
	// Digest is as sent, Size is -1 where there is none that could be read.
	Digest string
	Size   int64
}

// Problem is a way in which an entry does not keep the specification.
type Problem struct {
	Check   *CheckInfo
	URI     string // of the resource that it is about, or ""
	Message string
	// Evidence is what was sent.
	Evidence []Evidence
}

// ParseEntry reads one entry. It always gives what could be read, with what is
// wrong beside it.
func ParseEntry(raw json.RawMessage) *Entry { return &Entry{Raw: raw} }
