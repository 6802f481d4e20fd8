package mcpprobe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

var checkListImplemented = register(CheckInfo{
	ID: "list-implemented", Group: GroupList, Level: Must, Requirement: "S-LST1",
	Title: "skills/list is implemented",
	Doc: "A server that declares the extension answers `skills/list` with the entries of its skills. Some hosts import skills " +
		"from the listing alone; to them a server that answers with an error has none. One skill that cannot be read is no " +
		"reason to fail the whole listing.\n\n" +
		"Register the method. An earlier draft had a resource `skill://index.json` instead; no host reads it now.",
	Example: `{"error": {"code": -32601, "message": "Method not found"}}`,
	Good:    `{"result": {"resultType": "complete", "skills": […], "ttlMs": 300000, "cacheScope": "public"}}`,
})

var checkListArray = register(CheckInfo{
	ID: "list-skills-array", Group: GroupList, Level: Must, Requirement: "S-LST1",
	Title: "each page of skills/list has skills, an array",
	Doc: "`skills` holds the entries, possibly none. A missing array is no empty one: `null`, an object by name, or a list of " +
		"URIs make the page unreadable.\n\n" +
		"Send `[]` where there is nothing. Many JSON libraries write an unset list as null.",
	Example: `{"skills": null}`,
	Good:    `{"skills": []}`,
})

var checkListResultType = register(CheckInfo{
	ID: "list-result-type", Group: GroupList, Level: Must, Requirement: "S-LST2",
	Title: "the resultType of skills/list is \"complete\"",
	Doc:   resultTypeDoc, Example: `{"skills": […]}`, Good: `{"resultType": "complete", "skills": […]}`,
})

var checkListTTL = register(CheckInfo{
	ID: "list-ttl", Group: GroupList, Level: Must, Requirement: "S-LST3",
	Title: "skills/list has ttlMs, a non-negative integer",
	Doc:   ttlDoc, Example: `{"skills": […], "ttlMs": "5m"}`, Good: `{"skills": […], "ttlMs": 300000}`,
})

var checkListScope = register(CheckInfo{
	ID: "list-cache-scope", Group: GroupList, Level: Must, Requirement: "S-LST3",
	Title: "skills/list has cacheScope, public or private",
	Doc:   scopeDoc, Example: `{"skills": […], "cacheScope": "shared"}`, Good: `{"skills": […], "cacheScope": "private"}`,
})

// The three are the same for each method.
const (
	resultTypeDoc = "Since revision 2026-07-28 each result says what it is: `\"complete\"` for an answer, `\"input_required\"` " +
		"for a question. Libraries set `resultType` on the methods that they know, and not on methods that a server adds, so " +
		"that it is forgotten easily.\n\n" +
		"Set `\"resultType\": \"complete\"` on every result. It is judged only where that revision was negotiated."
	ttlDoc = "`ttlMs` says for how many milliseconds a host may take the answer as fresh; 0 says not at all. Without it a host " +
		"either asks each time or never again. It has no bearing on integrity.\n\n" +
		"Send an integer that is not negative. It is judged only from revision 2026-07-28 on."
	scopeDoc = "`cacheScope` says who may share a cached answer: `\"public\"` everybody, `\"private\"` the user alone. Where it " +
		"is missing a cache in between may take either for granted.\n\n" +
		"Send `\"private\"` wherever the answer depends on who asks. It is judged only from revision 2026-07-28 on."
)

var checkListPages = register(CheckInfo{
	ID: "list-pages-end", Group: GroupList, Level: Must, Requirement: "S-LST4",
	Title: "the pages of skills/list lead to an end",
	Doc: "`nextCursor` is a string that leads to the next page, and the last page has none. A cursor that comes twice makes a " +
		"client that follows it go round for ever, and a cursor that the server refuses cuts the listing off.\n\n" +
		"Leave `nextCursor` out of the last page, and take back every cursor that was given. That no cursor comes twice is " +
		"a decision of this project.",
	Example: `{"skills": […], "nextCursor": 2}`,
	Good:    `{"skills": […], "nextCursor": "eyJwYWdlIjoyfQ"}`,
})

var checkListEmptyCursor = register(CheckInfo{
	ID: "list-empty-cursor", Group: GroupList, Level: Should, Requirement: "S-LST4",
	Title: "no nextCursor of skills/list is empty",
	Doc: "A cursor is opaque. Some clients take `\"\"` for the end and some follow it, which starts the listing again. The " +
		"audit takes it for the end; that this is a warning is a decision of this project.\n\n" +
		"Leave `nextCursor` out instead.",
	Example: `{"skills": […], "nextCursor": ""}`,
	Good:    `{"skills": […]}`,
})

var checkListOnce = register(CheckInfo{
	ID: "list-entries-once", Group: GroupList, Level: Must, Requirement: "S-LST4",
	Title: "skills/list gives each skill once",
	Doc: "An entry is never split over pages and never repeated: of two entries with one `uri` a host keeps either. That it " +
		"fails is a decision of this project.\n\n" +
		"Page over a fixed order, such as that of the URIs, so that nothing moves from one page to the next meanwhile.",
})

var checkListEmpty = register(CheckInfo{
	ID: "list-not-empty", Group: GroupList, Level: May, Requirement: "S-LST1",
	Title: "skills/list lists at least one skill",
	Doc: "A listing may be empty or partial, and proves nothing: a host loads a skill by its URI alone. An audit of an empty " +
		"listing has looked at no skill, though, and some importers use nothing but the listing.\n\n" +
		"List what can be listed. `--uri URI` audits a skill that is not.",
})

// list asks for all pages of the listing and judges each.
func (a *auditor) list(ctx context.Context) {
	pages := a.asking(GroupList).pager(MethodList, "skills", nil)
	seen := map[string]*skillAudit{}
	held, whole := 0, true
	for {
		found, err := pages.next(ctx)
		if err != nil {
			a.listEnded(ctx, pages, err)
			break
		}
		a.report.Pages++
		a.judgeListPage(found)
		for _, item := range found.items {
			held += len(item)
			if len(a.skills) == a.client.options.MaxSkills || held > maxListed {
				a.bound(a.tooMuchListed(held))
				pages.ended, whole = true, false
				break
			}
			a.addListed(item, seen)
		}
		if pages.ended {
			a.whole = whole && pages.problem(found) == nil
			break
		}
	}
	a.advance(func(p *Progress) { p.Stage, p.Total = GroupList, len(a.skills) })
	a.judgeListing(pages)
}

// maxListed bounds the entries that are held, in bytes of their JSON: ten
// thousand skills with thirty files each.
const maxListed = 48 << 20

func (a *auditor) tooMuchListed(held int) *LimitError {
	if held > maxListed {
		return &LimitError{Bound: "max-skills", Message: fmt.Sprintf("the entries of %s have more than %s bytes together", MethodList, thousands(maxListed))}
	}
	return &LimitError{Bound: "max-skills", Message: fmt.Sprintf("%s goes on after %s", MethodList, plural(len(a.skills), "skill", "skills"))}
}

// listEnded judges an error in place of a page.
func (a *auditor) listEnded(ctx context.Context, pages *pager, err error) {
	if a.over(ctx, err) {
		return
	}
	a.unfinishedIf(pages.pages > 0)
	switch {
	case a.wants(err, subject{}):
		a.tally(checkListResultType, "", `resultType is a string ("input_required"); it must be "complete"`)
	case a.exceeded(err, subject{}):
	case pages.pages > 0:
		a.fault(checkListPages, subject{}, fmt.Sprintf("after %s the next cursor led to no page: %s", plural(pages.pages, "page", "pages"), a.failure(MethodList, err)))
	default:
		a.fault(checkListImplemented, subject{}, a.failure(MethodList, err)+a.oldDraft(ctx, err))
	}
}

func (a *auditor) unfinishedIf(is bool) {
	if is {
		a.unfinished()
	}
}

// oldIndex is the resource that an earlier draft had in place of skills/list.
const oldIndex = "skill://index.json"

// oldDraft recognises a server of the earlier draft.
func (a *auditor) oldDraft(ctx context.Context, err error) string {
	var rpc *RPCError
	if !errors.As(err, &rpc) || rpc.Code != CodeMethodNotFound {
		return ""
	}
	if _, err := a.asking(GroupList).ask(ctx, MethodRead, map[string]any{"uri": oldIndex}, maxPageBytes); err != nil {
		a.over(ctx, err)
		return ""
	}
	return "; the server has " + oldIndex + ", as an earlier draft of the extension wanted it"
}

func (a *auditor) judgeListPage(found *page) {
	a.pass(checkListImplemented, 1)
	a.judgeResult(resultChecks{checkListResultType, checkListTTL, checkListScope}, found.reply)
	problem := ""
	if !found.isArray {
		problem = "skills is " + described(found.members["skills"]) + "; it must be an array of entries"
	}
	a.judge(checkListArray, subject{}, problem)
	a.judgeCursor(found, checkListPages, checkListEmptyCursor, subject{})
}

// judgeCursor judges what a page says of the next one; the end of the listing
// is judged elsewhere.
func (a *auditor) judgeCursor(found *page, pages, empty *CheckInfo, about subject) {
	switch found.cursor {
	case cursorWrong:
		a.fault(pages, about, "nextCursor is "+described(found.members["nextCursor"])+"; it must be a string, or absent at the end")
	case cursorRepeated:
		a.unfinished()
		a.fault(pages, about, "the same nextCursor came twice: the listing never ends", excerpt("nextCursor", found.members["nextCursor"]))
	case cursorEmpty:
		a.fault(empty, about, "nextCursor is empty; some clients follow it, and the audit took it for the end")
	case cursorNone:
		a.pass(pages, 1)
		a.pass(empty, 1)
	case cursorGiven:
		a.pass(empty, 1)
	}
}

func (a *auditor) addListed(item json.RawMessage, seen map[string]*skillAudit) {
	e := ParseEntry(item)
	if before := seen[e.URI]; before != nil && e.URI != "" {
		how := "the skill is listed twice, with the same entry"
		if !sameEntryJSON(before.entry.Raw, item) {
			how = "the skill is listed twice, with two entries that differ"
		}
		a.fault(checkListOnce, subject{skill: e.URI}, how)
		return
	}
	a.pass(checkListOnce, 1)
	s := a.newSkill(e, true)
	a.skills = append(a.skills, s)
	if e.URI != "" {
		seen[e.URI] = s
	}
}

// judgeListing judges what only all pages show.
func (a *auditor) judgeListing(pages *pager) {
	if pages.pages == 0 || !a.whole {
		return
	}
	problem := ""
	if len(a.skills) == 0 {
		problem = "the listing is empty: 0 skills are listed, which does not say that none are served"
	}
	a.judge(checkListEmpty, subject{}, problem)
}
