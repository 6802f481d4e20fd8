package mcpprobe

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/pkg/digest"
)

var checkGetAnswers = register(CheckInfo{
	ID: "get-answers", Group: GroupGet, Level: Must, Requirement: "S-GET1",
	Title: "skills/get answers for each skill that is listed",
	Doc: "A server answers `skills/get` for every skill that it serves, listed or not. Hosts ask for one entry to load a skill by " +
		"its URI, and to find out what changed when a file does not fit its digest.\n\n" +
		"Answer for the URI exactly as it is listed, percent-encoding included.",
	Example: `{"error": {"code": -32601, "message": "Method not found"}}`,
	Good:    `{"result": {"resultType": "complete", "skill": {…}, "ttlMs": 300000, "cacheScope": "public"}}`,
})

var checkGetObject = register(CheckInfo{
	ID: "get-skill-object", Group: GroupGet, Level: Must, Requirement: "S-GET1",
	Title: "skills/get has skill, an object",
	Doc: "The entry stands in the member `skill`, as one object. An entry at the top of the result, a list of one, or null is " +
		"not found there.\n\n" +
		"Wrap the entry: `{\"skill\": {…}}`. Where there is no such skill answer with the error -32602, never with null.",
	Example: `{"skill": null}`,
	Good:    `{"skill": {"uri": "skill://weather-report/SKILL.md", …}}`,
})

var checkGetURI = register(CheckInfo{
	ID: "get-same-uri", Group: GroupGet, Level: Must, Requirement: "S-GET1",
	Title: "skills/get answers with the uri that was asked for",
	Doc: "An entry with another `uri` is that of another skill. That the two are equal as text is a decision of this project: a " +
		"host holds the entry under the URI that it asked for.\n\n" +
		"Send back the URI as it was asked for.",
})

var checkGetEntry = register(CheckInfo{
	ID: "get-same-entry", Group: GroupGet, Level: Must, Requirement: "S-GET1",
	Title: "skills/get gives the entry that skills/list gave",
	Doc: "The two methods give entries of the same shape and meaning. A host that lists and one that gets would otherwise " +
		"approve two different skills. By a decision of this project a difference fails, once listing again has shown " +
		"that the skill did not simply change in between.\n\n" +
		"Make both answers from one source. A listing that leaves out sizes or fields is the usual cause.",
})

var checkEntryStable = register(CheckInfo{
	ID: "entry-stable", Group: GroupGet, Level: May, Requirement: "C-12",
	Title: "no entry changed during the audit",
	Doc: "The entry was fetched again with `skills/get`, once, because something did not fit, and it was another one. That is " +
		"what an update looks like: files are then verified against the new entry. A skill whose entry changes all the " +
		"time cannot be approved by anybody.\n\n" +
		"Publish the entry and the files of a skill together.",
})

var checkGetResultType = register(CheckInfo{
	ID: "get-result-type", Group: GroupGet, Level: Must, Requirement: "S-GET2",
	Title: "the resultType of skills/get is \"complete\"",
	Doc:   resultTypeDoc, Example: `{"skill": {…}}`, Good: `{"resultType": "complete", "skill": {…}}`,
})

var checkGetTTL = register(CheckInfo{
	ID: "get-ttl", Group: GroupGet, Level: Must, Requirement: "S-GET2",
	Title: "skills/get has ttlMs, a non-negative integer",
	Doc:   ttlDoc, Example: `{"skill": {…}, "ttlMs": -1}`, Good: `{"skill": {…}, "ttlMs": 0}`,
})

var checkGetScope = register(CheckInfo{
	ID: "get-cache-scope", Group: GroupGet, Level: Must, Requirement: "S-GET2",
	Title: "skills/get has cacheScope, public or private",
	Doc:   scopeDoc, Example: `{"skill": {…}}`, Good: `{"skill": {…}, "cacheScope": "public"}`,
})

var checkGetNoCursor = register(CheckInfo{
	ID: "get-no-cursor", Group: GroupGet, Level: Must, Requirement: "S-GET2",
	Title: "skills/get has no nextCursor",
	Doc: "One entry is never spread over pages, so that there is no page to go to.\n\n" +
		"Leave `nextCursor` out.",
	Example: `{"skill": {…}, "nextCursor": ""}`,
	Good:    `{"skill": {…}}`,
})

var checkAskedFor = register(CheckInfo{
	ID: "skill-asked-for", Group: GroupGet, Level: Must, Requirement: "S-GET1",
	Title: "each skill that the audit was to look at is served",
	Doc: "`--skill` and `--uri` name skills to audit. One that is neither listed nor answered by `skills/get` is not served, " +
		"or not under that URI.\n\n" +
		"Compare the URI with what `probe list` shows.",
})

var checkInstructions = register(CheckInfo{
	ID: "instructions-skills", Group: GroupGet, Level: Should, Requirement: "S-GET1",
	Title: "skills/get answers for each skill that the server's instructions name",
	Doc: "A server may point a model to a skill from its instructions. A host confirms such a URI with `skills/get`; where that " +
		"is refused the model was sent to nothing.\n\n" +
		"Correct the URI in the instructions, or serve the skill. It need not be listed.",
})

// gotEntry is what skills/get gave.
type gotEntry struct {
	entry *Entry
	err   error
}

// getEntry asks for an entry and judges the answer, as far as it can be judged
// alone.
func (a *auditor) getEntry(ctx context.Context, uri string) gotEntry {
	r, err := a.asking(GroupGet).ask(ctx, MethodGet, map[string]any{"uri": uri}, maxPageBytes)
	if err != nil {
		return gotEntry{err: err}
	}
	a.judgeResult(resultChecks{checkGetResultType, checkGetTTL, checkGetScope}, r)
	about := subject{skill: uri}
	problem := ""
	if cursor, ok := r.members["nextCursor"]; ok {
		problem = "nextCursor is " + described(cursor) + "; skills/get has no pages"
	}
	a.judge(checkGetNoCursor, about, problem)
	raw := r.members["skill"]
	if _, ok := object(raw); !ok {
		a.fault(checkGetObject, about, "skill is "+described(raw)+"; it must be the entry, an object", excerpt("result", r.Result))
		return gotEntry{err: malformed("skill is %s", described(raw))}
	}
	a.pass(checkGetObject, 1)
	e := ParseEntry(raw)
	problem = ""
	if e.URI != uri {
		problem = fmt.Sprintf("the entry has the uri %q", clip(e.URI))
	}
	a.judge(checkGetURI, about, problem)
	return gotEntry{entry: e}
}

// get asks for the entry of a listed skill and compares the two.
func (s *skillAudit) get(ctx context.Context) {
	if s.got == nil {
		got := s.getEntry(ctx, s.entry.URI)
		s.got = &got
	}
	about := subject{skill: s.entry.URI}
	if err := s.got.err; err != nil {
		s.getFailed(ctx, err, about)
		return
	}
	s.pass(checkGetAnswers, 1)
	if s.got.entry.URI != s.entry.URI || !s.listed {
		return
	}
	if sameEntryJSON(s.got.entry.Raw, s.entry.Raw) {
		s.pass(checkGetEntry, 1)
		return
	}
	s.settleDifference(ctx, about)
}

func (s *skillAudit) getFailed(ctx context.Context, err error, about subject) {
	switch {
	case s.over(ctx, err):
	case s.wants(err, about), s.exceeded(err, about):
		s.incomplete = true
	default:
		if s.failure(MethodGet, err) != "" && !isSkillShape(err) {
			s.fault(checkGetAnswers, about, s.failure(MethodGet, err))
		}
	}
}

// isSkillShape reports an answer whose skill is no object: that is judged.
func isSkillShape(err error) bool {
	broken, ok := err.(*MalformedError)
	return ok && strings.HasPrefix(broken.Message, "skill is ")
}

// settleDifference finds out, by listing again, whether a skill has changed
// between the listing and skills/get, or is described in two ways (S-GET1).
func (s *skillAudit) settleDifference(ctx context.Context, about subject) {
	s.relisting.Do(func() { s.relisted = s.listAgain(ctx) })
	again := s.relisted[s.entry.URI]
	if again != "" && again == canonicalEntry(s.got.entry.Raw) {
		s.note(checkEntryStable, about, "the entry changed between skills/list and skills/get: listing again gave the new one")
		s.entry, s.byURI = s.got.entry, nil
		s.refreshed.Do(func() { s.current = s.got.entry })
		return
	}
	if again != "" && again != canonicalEntry(s.entry.Raw) {
		s.fault(checkGetEntry, about, "skills/list, skills/get and skills/list again gave three different entries", differences(s.entry, s.got.entry)...)
		return
	}
	s.fault(checkGetEntry, about, "skills/get gives another entry than skills/list: "+whatDiffers(s.entry, s.got.entry), differences(s.entry, s.got.entry)...)
}

// listAgain gives the entries of the listing once more.
func (a *auditor) listAgain(ctx context.Context) map[string]string {
	entries := map[string]string{}
	pages := a.asking(GroupList).pager(MethodList, "skills", nil)
	for held := 0; held <= maxListed; {
		found, err := pages.next(ctx)
		if err != nil || found == nil {
			break
		}
		for _, item := range found.items {
			held += len(item)
			if members, ok := object(item); ok {
				if uri, ok := text(members["uri"]); ok {
					entries[uri] = canonicalEntry(item)
				}
			}
		}
	}
	return entries
}

// sameEntryJSON reports entries that mean the same.
func sameEntryJSON(a, b json.RawMessage) bool {
	return bytes.Equal(a, b) || canonicalEntry(a) == canonicalEntry(b)
}

// canonicalEntry writes an entry so that entries that mean the same are equal
// text: the order of keys and of resources counts for nothing.
func canonicalEntry(raw json.RawMessage) string {
	return digest.CanonicalJSON(sortResources(raw))
}

// sortResources sorts the resources of an entry by their JSON.
func sortResources(raw json.RawMessage) json.RawMessage {
	members, ok := object(raw)
	if !ok {
		return raw
	}
	items, ok := array(members["resources"])
	if !ok {
		return raw
	}
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = digest.CanonicalJSON(item)
	}
	slices.Sort(texts)
	members["resources"], _ = json.Marshal(texts) // strings always marshal
	sorted, err := json.Marshal(members)
	if err != nil {
		return raw
	}
	return sorted
}

// whatDiffers names the parts of two entries that differ.
func whatDiffers(a, b *Entry) string {
	var parts []string
	before, after := resourcesByURI(a), resourcesByURI(b)
	for _, change := range digest.DiffFields(a.Raw, b.Raw) {
		field := change.Field()
		if field == "resources" && len(before) > 0 && len(after) > 0 {
			if field = resourcesDiffer(before, after); field == "" {
				continue
			}
		}
		parts = append(parts, clipTo(field, 80))
	}
	if len(parts) > 5 {
		parts = append(parts[:5], fmt.Sprintf("%d more", len(parts)-5))
	}
	if len(parts) == 1 {
		return parts[0] + " differs"
	}
	return joinAnd(parts) + " differ"
}

func resourcesByURI(e *Entry) map[string]Resource {
	all := make(map[string]Resource, len(e.Resources))
	for _, r := range e.Resources {
		all[r.URI] = r
	}
	return all
}

// resourcesDiffer names the first of the resources that differ.
func resourcesDiffer(before, after map[string]Resource) string {
	differ := map[string]bool{}
	for uri, r := range before {
		if other, ok := after[uri]; !ok || other != r {
			differ[uri] = true
		}
	}
	for uri := range after {
		if _, ok := before[uri]; !ok {
			differ[uri] = true
		}
	}
	uris := sortedKeys(differ)
	switch len(uris) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("resources (%q)", clip(uris[0]))
	}
	return fmt.Sprintf("resources (%q and %d more)", clip(uris[0]), len(uris)-1)
}

// differences shows the fields in which two entries differ.
func differences(a, b *Entry) []Evidence {
	var shown []Evidence
	for _, change := range digest.DiffFields(a.Raw, b.Raw) {
		if len(shown) == 6 {
			break
		}
		d := difference(change)
		shown = append(shown, Evidence{"list " + clipTo(d.field, 40), d.listing}, Evidence{"get " + clipTo(d.field, 40), d.served})
	}
	return shown
}

// refresh fetches the entry again, once (C-12), and gives it where it is
// another one than was held.
func (s *skillAudit) refresh(ctx context.Context) *Entry {
	s.refreshed.Do(func() {
		r, err := s.asking(GroupGet).ask(ctx, MethodGet, map[string]any{"uri": s.entry.URI}, maxPageBytes)
		if err != nil {
			return
		}
		e := ParseEntry(r.members["skill"])
		before := s.entry.Raw
		if s.got != nil && s.got.entry != nil {
			// What skills/get said then is compared with what it says now: that
			// it never was what the listing says is another finding.
			before = s.got.entry.Raw
		}
		if e.URI != s.entry.URI || sameEntryJSON(e.Raw, before) {
			return
		}
		s.current = e
		s.note(checkEntryStable, subject{skill: s.entry.URI}, "the entry changed during the audit: "+whatDiffers(s.entry, e)+"; what did not fit was verified against the new one")
	})
	return s.current
}
