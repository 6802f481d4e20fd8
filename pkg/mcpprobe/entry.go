package mcpprobe

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

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
	// to be loaded. Of one check there are at most maxProblems, and then one
	// more that says how many were left out.
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

// maxProblems bounds the problems of one check in one entry: a list of 500
// files without a size is one mistake.
const maxProblems = 20

// ParseEntry reads one entry. It always gives what could be read, with what is
// wrong beside it.
func ParseEntry(raw json.RawMessage) *Entry { return readEntry(raw).entry }

// entryReader reads one entry and judges it on the way. The judgements stand
// beside their checks, in check_entry.go, check_uri.go and others.
type entryReader struct {
	entry *Entry
	// passes counts, for each check, the things that it passed.
	passes map[*CheckInfo]int
	// problems counts those of each check, the ones left out included.
	problems map[*CheckInfo]int
}

func readEntry(raw json.RawMessage) *entryReader {
	r := &entryReader{entry: &Entry{Raw: raw}, passes: map[*CheckInfo]int{}, problems: map[*CheckInfo]int{}}
	members, ok := object(raw)
	if !ok || !json.Valid(raw) {
		r.problem(checkEntryObject, "", "an item of skills is "+described(raw)+"; it must be an object with uri, frontmatter and resources")
		return r
	}
	r.passes[checkEntryObject]++
	r.members(members)
	r.uri(members["uri"])
	r.frontmatter(members["frontmatter"])
	r.name()
	r.resources(members["resources"])
	r.countLeftOut()
	return r
}

// judge counts a pass, or keeps a problem where there is one.
func (r *entryReader) judge(check *CheckInfo, uri, problem string, evidence ...Evidence) {
	if problem == "" {
		r.passes[check]++
		return
	}
	r.problem(check, uri, problem, evidence...)
}

func (r *entryReader) problem(check *CheckInfo, uri, message string, evidence ...Evidence) {
	if r.problems[check]++; r.problems[check] <= maxProblems {
		r.entry.Problems = append(r.entry.Problems, Problem{check, uri, message, evidence})
	}
}

func (r *entryReader) countLeftOut() {
	var checks []*CheckInfo
	for check, n := range r.problems {
		if n > maxProblems {
			checks = append(checks, check)
		}
	}
	slices.SortFunc(checks, func(a, b *CheckInfo) int { return strings.Compare(a.ID, b.ID) })
	for _, check := range checks {
		more := plural(r.problems[check]-maxProblems, "resource", "resources")
		r.entry.Problems = append(r.entry.Problems, Problem{Check: check, Message: fmt.Sprintf("the same holds for %s more", more)})
	}
}

// resource gives the resource of a URI, compared exactly. several says that
// the entry lists it more than once, and not alike.
func (e *Entry) resource(uri string) (found *Resource, several bool) {
	for i := range e.Resources {
		switch r := &e.Resources[i]; {
		case r.URI != uri:
		case found == nil:
			found = r
		case *found != *r:
			several = true
		}
	}
	return found, several
}

// invalid gives the first problem of level MUST, or nil.
func (e *Entry) invalid() *Problem {
	for i := range e.Problems {
		if e.Problems[i].Check.Level == Must {
			return &e.Problems[i]
		}
	}
	return nil
}

// excerpt is evidence of a JSON value.
func excerpt(label string, raw json.RawMessage) Evidence {
	if len(raw) == 0 {
		return Evidence{label, "nothing"}
	}
	return Evidence{label, clipTo(compact(raw), maxEvidence)}
}

// quoted is evidence of text from outside.
func quoted(label, text string) Evidence {
	return Evidence{label, clipTo(text, maxEvidence)}
}

// joinAnd joins words for a message: a, b and c.
func joinAnd(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
