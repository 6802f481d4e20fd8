package mcpprobe

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxShownChanges bounds the files that a result about a lock names one by one;
// their numbers are always complete.
const maxShownChanges = 20

// Check holds entries against the approvals of a server (C-6), and gives
// failures, and one result for all that pass. complete says that the entries are
// all that the server has; else nobody can tell what vanished.
func (l *Lock) Check(label string, entries []*Entry, complete bool) []Result {
	var results []Result
	passed := 0
	served := map[string]bool{}
	for _, e := range entries {
		served[e.URI] = true
		if result, ok := l.judge(label, e); ok {
			passed++
		} else {
			results = append(results, result)
		}
	}
	unseen := 0
	for _, skill := range l.Skills(label) {
		switch {
		case served[skill.URI]:
		case complete:
			results = append(results, lockResult(Fail, skill.URI, "the approved skill is not served any more"))
		default:
			unseen++
		}
	}
	if unseen > 0 {
		results = append(results, lockResult(Skip, "", fmt.Sprintf(
			"%d approved skills were not looked at: the audit did not take in all skills", unseen)))
	}
	if passed > 0 {
		results = append(results, Result{Check: checkLockApproved, Status: Pass, Count: passed})
	}
	return results
}

// Approves gives an error that says why an entry is not approved, or nil.
func (l *Lock) Approves(label string, e *Entry) error {
	if result, ok := l.judge(label, e); !ok {
		return fmt.Errorf("the lock does not approve it: %s", result.Message)
	}
	return nil
}

func lockResult(status Status, skill, message string) Result {
	return Result{Check: checkLockApproved, Status: status, Skill: skill, Message: message, Count: 1}
}

// judge tells whether an entry is approved, and else what is not.
func (l *Lock) judge(label string, e *Entry) (Result, bool) {
	approved, known := l.Skill(label, e.URI)
	switch {
	case !known && e.Dynamic:
		return lockResult(Fail, e.URI, "the skill is dynamic, so that it cannot be approved: it carries no digests"), false
	case !known:
		return lockResult(Fail, e.URI, "the skill is not approved"+l.nested(label, e)), false
	case e.Dynamic:
		return lockResult(Fail, e.URI, fmt.Sprintf(
			"the skill is dynamic now, without digests; %d files were approved", len(approved.Files))), false
	}
	changes := compareSets(approved.Files, e.Resources)
	if len(changes) == 0 {
		return Result{}, true
	}
	result := lockResult(Fail, e.URI, "the skill is not the approved one: "+countChanges(changes))
	for _, change := range changes[:min(len(changes), maxShownChanges)] {
		result.Evidence = append(result.Evidence, Evidence{change.kind, clipTo(change.text(e.Dir), maxEvidence)})
	}
	if more := len(changes) - maxShownChanges; more > 0 {
		result.Evidence = append(result.Evidence, Evidence{"and", fmt.Sprintf("%d more", more)})
	}
	return result, false
}

// nested says which approved skill the entry lies in, since its approval does
// not cover the entry (C-6).
func (l *Lock) nested(label string, e *Entry) string {
	for dir := e.Dir; ; {
		i := strings.LastIndexByte(dir, '/')
		if e.Dir == "" || i < 0 {
			return ""
		}
		dir = dir[:i]
		if outer, ok := l.Skill(label, dir+"/SKILL.md"); ok {
			return fmt.Sprintf("; the approval of %q, in which it is nested, does not cover it", clip(outer.URI))
		}
	}
}

// setChange is a file that is in one of two sets, or in both with another
// digest.
type setChange struct {
	kind, uri string
	old, new  string // digests, "" where there is none
}

func (c setChange) text(dir string) string {
	name := strings.TrimPrefix(c.uri, dir+"/")
	switch {
	case c.old == "":
		return fmt.Sprintf("%s (%s)", name, shortDigest(c.new))
	case c.new == "":
		return fmt.Sprintf("%s (%s)", name, shortDigest(c.old))
	}
	return fmt.Sprintf("%s (%s, approved %s)", name, shortDigest(c.new), shortDigest(c.old))
}

// shortDigest is enough of a digest to tell it from another.
func shortDigest(digest string) string {
	const shown = len("sha256:") + 12
	if len(digest) <= shown {
		return digest
	}
	return strings.ToValidUTF8(digest[:shown], "") + "…"
}

// compareSets gives the differences of two sets of (URI, digest), sorted by URI.
// Order and sizes do not count, and neither does a pair that is there twice.
func compareSets(old, new []Resource) []setChange {
	before, after := digestsByURI(old), digestsByURI(new)
	var changes []setChange
	for _, uri := range slices.Sorted(maps.Keys(before)) {
		was, is := before[uri], after[uri]
		switch {
		case len(is) == 0:
			changes = append(changes, setChange{"removed", uri, was[0], ""})
		case !slices.Equal(was, is):
			changes = append(changes, setChange{"changed", uri, strings.Join(was, " "), strings.Join(is, " ")})
		}
	}
	for uri, is := range after {
		if len(before[uri]) == 0 {
			changes = append(changes, setChange{"added", uri, "", is[0]})
		}
	}
	slices.SortFunc(changes, func(a, b setChange) int { return cmp.Compare(a.uri, b.uri) })
	return changes
}

// digestsByURI gives the digests of each URI, sorted, each once.
func digestsByURI(files []Resource) map[string][]string {
	byURI := make(map[string][]string, len(files))
	for _, f := range files {
		byURI[f.URI] = append(byURI[f.URI], f.Digest)
	}
	for uri, digests := range byURI {
		slices.Sort(digests)
		byURI[uri] = slices.Compact(digests)
	}
	return byURI
}

func countChanges(changes []setChange) string {
	counts := map[string]int{}
	for _, c := range changes {
		counts[c.kind]++
	}
	var parts []string
	for _, kind := range []string{"changed", "added", "removed"} {
		if n := counts[kind]; n > 0 {
			parts = append(parts, plural(n, "file", "files")+" "+kind)
		}
	}
	return strings.Join(parts, ", ")
}
