package mcpprobe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

var checkUnknownSkill = register(CheckInfo{
	ID: "get-unknown-skill", Group: GroupGet, Level: Must, Requirement: "S-GET3", Negative: true,
	Title: "skills/get refuses an unknown skill with -32602",
	Doc: "A host learns from this error that a URI names no skill. A result with null, an empty entry, or another code (-32002 of " +
		"older revisions, -32603) tells it something else.\n\n" +
		"Answer with the error -32602 and a message that names the URI.",
	Example: `{"result": {"skill": null}}`,
	Good:    `{"error": {"code": -32602, "message": "No skill is served at skill://acme/chargebacks/SKILL.md"}}`,
})

var checkSupportingFile = register(CheckInfo{
	ID: "get-supporting-file", Group: GroupGet, Level: Must, Requirement: "S-GET3", Negative: true,
	Title: "skills/get refuses the URI of a supporting file with -32602",
	Doc: "`skills/get` takes the URI of a SKILL.md and no other. A server that answers for any file of a skill makes hosts take " +
		"that file for a skill.\n\n" +
		"Compare the whole URI; do not look for the skill that the file lies in.",
})

var checkSkillDirectory = register(CheckInfo{
	ID: "get-skill-directory", Group: GroupGet, Level: Must, Requirement: "S-GET3", Negative: true,
	Title: "skills/get refuses a skill's directory without /SKILL.md with -32602",
	Doc: "A skill is identified by the URI of its SKILL.md. With two URIs for one skill, approvals and caches are kept under " +
		"both.\n\n" +
		"Answer for the URI that ends in `/SKILL.md` alone.",
})

var checkUnknownFile = register(CheckInfo{
	ID: "read-unknown-file", Group: GroupContent, Level: Must, Requirement: "S-RD4", Negative: true,
	Title: "resources/read refuses a file that is not served with -32602",
	Doc: "From revision 2026-07-28 on an unknown resource is refused with -32602; before it was -32002, and there either is " +
		"accepted. Empty contents, or a page that says \"not found\", are taken for the file.\n\n" +
		"Answer with the error and a message that names the URI.",
	Example: `{"result": {"contents": []}}`,
	Good:    `{"error": {"code": -32602, "message": "Resource not found: skill://weather-report/nothing.md"}}`,
})

var checkUnknownDirectory = register(CheckInfo{
	ID: "directory-unknown", Group: GroupDirectory, Level: Must, Requirement: "S-DIR2", Negative: true,
	Title: "resources/directory/read refuses an unknown directory with -32602",
	Doc: "A directory that does not exist is no empty directory. With an empty listing a model looks for its files in vain.\n\n" +
		"Answer with the error -32602 and a message that names the URI.",
	Example: `{"result": {"resources": []}}`,
	Good:    `{"error": {"code": -32602, "message": "No directory at skill://weather-report/nothing"}}`,
})

var checkFileAsDirectory = register(CheckInfo{
	ID: "directory-of-file", Group: GroupDirectory, Level: Must, Requirement: "S-DIR2", Negative: true,
	Title: "resources/directory/read refuses a file with -32602",
	Doc: "The method applies to directories only. A file that answers like one, even with an empty listing, cannot be told from " +
		"a directory.\n\n" +
		"Answer with the error -32602.",
})

var checkUnknownCursor = register(CheckInfo{
	ID: "list-unknown-cursor", Group: GroupList, Level: Should, Requirement: "S-LST4", Negative: true,
	Title: "skills/list refuses a cursor that it never gave with -32602",
	Doc: "A server that starts again at a cursor which it does not know gives a client that resumes the same skills twice, for " +
		"ever. The base protocol asks for the error -32602.\n\n" +
		"Check cursors before you use them.",
	Example: `{"result": {"skills": […]}}`,
	Good:    `{"error": {"code": -32602, "message": "Invalid cursor"}}`,
})

var checkUnknownDirectoryCursor = register(CheckInfo{
	ID: "directory-unknown-cursor", Group: GroupDirectory, Level: Should, Requirement: "S-DIR1", Negative: true,
	Title: "resources/directory/read refuses a cursor that it never gave with -32602",
	Doc: "Pagination is as in `resources/list`, where a cursor that the server does not know is an error -32602.\n\n" +
		"Check cursors before you use them.",
})

var checkErrorMessages = register(CheckInfo{
	ID: "error-messages", Group: GroupContent, Level: Should, Requirement: "S-RD6", Negative: true,
	Title: "errors say what was wrong",
	Doc: "Servers should provide error messages that describe the cause. A message that is empty, or only repeats what the code " +
		"says, leaves whoever reads a log with nothing.\n\n" +
		"Name the URI and what is wrong with it.",
	Example: `{"error": {"code": -32602, "message": "Invalid params"}}`,
	Good:    `{"error": {"code": -32602, "message": "No skill is served at skill://acme/chargebacks/SKILL.md"}}`,
})

// unknownName is what is asked for where nothing is to be found. Nobody calls a
// file so.
const unknownName = "skilltool-probe-asks-for-what-is-not-there"

// refused is a request that has to be refused.
type refused struct {
	check  *CheckInfo
	method string
	params map[string]any
	about  subject
	// what names what was asked for.
	what string
	// older says that -32002 is right too before 2026-07-28.
	older bool
}

// askForWhatIsRefused sends each request that has to be refused once.
func (a *auditor) askForWhatIsRefused(ctx context.Context) {
	if a.options.NoNegative {
		return
	}
	all := slices.DeleteFunc(a.refusals(), func(r refused) bool { return !a.selected[r.check] && !a.selected[checkErrorMessages] })
	ask := func(i int) {
		if ctx.Err() == nil {
			a.askRefused(ctx, all[i])
		}
	}
	// The listing is asked for alone, as it was before: an answer without an id
	// then still has one that it can be the answer to.
	alone := 0
	for alone < len(all) && all[alone].method == MethodList {
		ask(alone)
		alone++
	}
	a.several(len(all)-alone, func(i int) { ask(alone + i) })
}

// refusals chooses what to ask for, from the first skill that will do.
func (a *auditor) refusals() []refused {
	get := func(check *CheckInfo, uri, what string, about subject) refused {
		return refused{check: check, method: MethodGet, params: map[string]any{"uri": uri}, about: about, what: what}
	}
	all := []refused{{check: checkUnknownCursor, method: MethodList, params: map[string]any{"cursor": unknownName}, what: "a cursor that was never given"}}
	first, withFile := a.sample()
	unknown := "skill://" + unknownName + skillEnd
	if first != nil {
		unknown = sibling(first.entry.Dir) + skillEnd
	}
	all = append(all, get(checkUnknownSkill, unknown, "a skill that is not there", subject{uri: unknown}))
	if first == nil {
		return all
	}
	dir := first.entry.Dir
	for _, uri := range []string{dir, dir + "/"} {
		all = append(all, get(checkSkillDirectory, uri, "a skill's directory", subject{first.entry.URI, uri}))
	}
	a.skip(checkSupportingFile, "no skill has a supporting file")
	if withFile != nil {
		file := supportingFile(withFile)
		all = append(all, get(checkSupportingFile, file, "a supporting file", subject{withFile.entry.URI, file}))
	}
	file := dir + "/" + unknownName + ".md"
	all = append(all, refused{
		check: checkUnknownFile, method: MethodRead, params: map[string]any{"uri": file},
		about: subject{first.entry.URI, file}, what: "a file that is not there", older: true,
	})
	if !a.server.DirectoryRead {
		return all
	}
	read := func(check *CheckInfo, params map[string]any, what string) {
		uri, _ := params["uri"].(string)
		all = append(all, refused{check: check, method: MethodDirectory, params: params, about: subject{first.entry.URI, uri}, what: what})
	}
	read(checkUnknownDirectory, map[string]any{"uri": dir + "/" + unknownName}, "a directory that is not there")
	read(checkFileAsDirectory, map[string]any{"uri": first.entry.URI}, "a file")
	read(checkUnknownDirectoryCursor, map[string]any{"uri": dir, "cursor": unknownName}, "a cursor that was never given")
	return all
}

// sample gives the first skill with a sound URI, and the first with a
// supporting file.
func (a *auditor) sample() (first, withFile *skillAudit) {
	for _, s := range a.skills {
		if s.entry.Dir == "" {
			continue
		}
		if first == nil {
			first = s
		}
		if withFile == nil && supportingFile(s) != "" {
			withFile = s
		}
	}
	return first, withFile
}

// supportingFile gives a file of a skill that can be no skill of its own.
func supportingFile(s *skillAudit) string {
	for _, r := range s.entry.Resources {
		if within(s.entry.Dir, r.URI) && !strings.HasSuffix(r.URI, skillEnd) {
			return r.URI
		}
	}
	return ""
}

// sibling gives the directory of an unknown skill beside another.
func sibling(dir string) string {
	u := splitURI(dir)
	if len(u.segments()) < 2 {
		return u.scheme + "://" + unknownName
	}
	return dir[:strings.LastIndexByte(dir, '/')+1] + unknownName
}

// askRefused sends one request and judges how it was refused.
func (a *auditor) askRefused(ctx context.Context, r refused) {
	_, err := a.asking(r.check.Group).ask(ctx, r.method, r.params, maxPageBytes)
	var rpc *RPCError
	switch {
	case err == nil:
		a.fault(r.check, r.about, fmt.Sprintf("%s for %s is answered with a result; it must be refused with error %d", r.method, r.what, CodeInvalidParams))
	case errors.As(err, &rpc):
		a.judgeRefusal(r, rpc)
	case a.over(ctx, err), a.wants(err, r.about), a.exceeded(err, r.about):
	default:
		a.fault(r.check, r.about, fmt.Sprintf("%s for %s: %s; it must be refused with error %d", r.method, r.what, a.failure(r.method, err), CodeInvalidParams))
	}
}

func (a *auditor) judgeRefusal(r refused, rpc *RPCError) {
	a.judgeErrorMessage(rpc, r)
	problem := fmt.Sprintf("%s for %s is refused with error %d (%q); it must be %d", r.method, r.what, rpc.Code, clipTo(rpc.Message, 80), CodeInvalidParams)
	switch {
	case rpc.Code == CodeInvalidParams, r.older && !a.server.Modern() && rpc.Code == CodeResourceNotFound:
		a.pass(r.check, 1)
	case r.older && !a.server.Modern():
		a.note(r.check, r.about, problem+fmt.Sprintf("; judged from %s on", ProtocolModern))
	case rpc.Code == CodeResourceNotFound:
		a.fault(r.check, r.about, problem+", since -32002 is the code of older revisions")
	default:
		a.fault(r.check, r.about, problem)
	}
}

// emptyPhrases are messages that say no more than the code.
var emptyPhrases = map[string]bool{
	"": true, "error": true, "invalid params": true, "invalid parameters": true, "internal error": true, "bad request": true, "unknown error": true,
}

func (a *auditor) judgeErrorMessage(rpc *RPCError, r refused) {
	problem := ""
	if emptyPhrases[strings.ToLower(strings.Trim(rpc.Message, " .!:"))] {
		problem = fmt.Sprintf("the message of error %d is %q, which does not say what was wrong", rpc.Code, clipTo(rpc.Message, 80))
	}
	a.tally(checkErrorMessages, r.about.uri, problem)
}
