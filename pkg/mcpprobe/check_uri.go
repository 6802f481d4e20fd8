package mcpprobe

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/spec"
)

var checkURI = register(CheckInfo{
	ID: "uri-of-skill-md", Group: GroupURI, Level: Must, Requirement: "S-ENT1",
	Title: "the uri of an entry is an absolute URI that ends in /SKILL.md, with a segment before it",
	Doc: "A skill is identified by the URI of its SKILL.md. Hosts take the skill's directory from it by removing " +
		"`/SKILL.md`, and its name from the segment before that.\n\n" +
		"Write the whole URI, with its scheme and with `/SKILL.md` at the end.",
	Example: `"uri": "skill://weather-report"`,
	Good:    `"uri": "skill://weather-report/SKILL.md"`,
})

// notInURIs has no place in a skill's URI as it is (RFC 3986, section 3):
// libraries refuse the whole URI, or take a backslash for a slash. Other
// characters that should be encoded are let pass by most.
const notInURIs = "\\[]\x00\t\n\r"

// uri reads the URI of an entry.
func (r *entryReader) uri(raw json.RawMessage) {
	value, ok := text(raw)
	if !ok || value == "" {
		r.problem(checkURI, "", "uri is "+described(raw)+"; it must be the URI of the skill's SKILL.md")
		return
	}
	r.entry.URI = value
	dir, ok := skillDir(value)
	problem := ""
	switch {
	case ok:
		r.entry.Dir = dir
		if i := strings.IndexAny(value, notInURIs); i >= 0 {
			problem = fmt.Sprintf("the URI has %q, which no URI has there; encode it as %%%02X", value[i:i+1], value[i])
		}
	case splitURI(value).scheme == "":
		problem = "the URI has no scheme; write it as skill://NAME/SKILL.md"
	case !strings.HasSuffix(value, skillEnd):
		problem = "the URI does not end in /SKILL.md"
	default:
		problem = "nothing stands before /SKILL.md; the segment there is the skill's name"
	}
	r.judge(checkURI, "", problem)
	if ok {
		r.uriForm(value)
		r.scheme(value)
	}
}

var checkURIAuthority = register(CheckInfo{
	ID: "uri-authority", Group: GroupURI, Level: Should, Requirement: "S-ENT3",
	Title: "the authority of a skill's URI is a reg-name of RFC 3986",
	Doc: "The first segment of a `skill://` URI stands where other URIs have a host. It names nothing that could be " +
		"resolved, but readers of URIs still parse it: a blank, a colon or a letter that is not ASCII there makes some of them " +
		"refuse the URI or change it.\n\n" +
		"Use letters, digits, `-`, `.`, `_` and `~`, and percent-encode the rest.",
	Example: `"uri": "skill://weather reports/daily/SKILL.md"`,
	Good:    `"uri": "skill://weather-reports/daily/SKILL.md"`,
})

var checkURISegments = register(CheckInfo{
	ID: "uri-segments", Group: GroupURI, Level: Should, Requirement: "S-ENT3",
	Title: "the segments of each URI hold what RFC 3986 allows in a path",
	Doc: "What may not stand in the path of a URI (blanks, quotes, brackets, letters that are not ASCII) is percent-encoded " +
		"as UTF-8. Clients differ in how they repair a URI that is not, and then ask for another one than was listed.\n\n" +
		"Encode each segment of the path before you join them.",
	Example: `"uri": "skill://weather-report/set up.md"`,
	Good:    `"uri": "skill://weather-report/set%20up.md"`,
})

var checkURICanonical = register(CheckInfo{
	ID: "uri-canonical", Group: GroupURI, Level: Should, Requirement: "S-ENT3",
	Title: "each URI has none of the parts that lead readers apart",
	Doc: "This is a decision of this project. A skill's URI needs no user, port, query or fragment, and an empty segment, " +
		"`.`, `..`, a backslash or a slash at the end is read differently by different libraries: some remove it, some " +
		"follow it. What a user approved is then not what is asked for.\n\n" +
		"Leave these parts out.",
	Example: `"uri": "skill://weather-report//notes.md?version=2"`,
	Good:    `"uri": "skill://weather-report/notes.md"`,
})

var checkURIEncoding = register(CheckInfo{
	ID: "uri-encoding", Group: GroupURI, Level: Should, Requirement: "S-ENT3",
	Title: "percent-encoding stands only where it is needed, with upper-case digits",
	Doc: "This is a decision of this project. `%7E` and `~`, `%c3` and `%C3` are the same for RFC 3986, and different keys " +
		"for whoever compares text. A `%` that starts no encoding cannot be decoded at all.\n\n" +
		"Encode once, what has to be, with upper-case digits; a literal `%` is `%25`.",
	Example: `"uri": "skill://weather-report/%6eotes.md"`,
	Good:    `"uri": "skill://weather-report/notes.md"`,
})

// uriForm judges how a URI is written (S-ENT3).
func (r *entryReader) uriForm(value string) {
	u := splitURI(value)
	about := value
	if rest, ok := strings.CutPrefix(value, r.entry.Dir+"/"); ok && r.entry.Dir != "" && value != r.entry.URI {
		// What is above it is the entry's, and judged there.
		u = splitURI("skill://d/" + rest)
		value = "skill://d/" + rest
	}
	if value == r.entry.URI {
		about = ""
		bad := authorityProblem(u)
		if bad != "" {
			bad = fmt.Sprintf("the authority %q has %s, which no reg-name of RFC 3986 has", clipTo(u.authority, 80), bad)
		}
		r.judge(checkURIAuthority, about, bad)
	}
	segments := ""
	for segment := range strings.SplitSeq(u.path, "/") {
		if bad := segmentProblem(segment); bad != "" && segments == "" {
			segments = fmt.Sprintf("the segment %q has %s, which has to be percent-encoded", clipTo(segment, 80), bad)
		}
	}
	r.judge(checkURISegments, about, segments)
	canonical := uriProblem(value)
	if canonical != "" {
		canonical = "the URI has " + canonical
	}
	r.judge(checkURICanonical, about, canonical)
	encoding := encodingProblem(value)
	if encoding != "" {
		encoding = "the URI has " + encoding
	}
	r.judge(checkURIEncoding, about, encoding)
}

var checkURIScheme = register(CheckInfo{
	ID: "uri-scheme", Group: GroupURI, Level: May, Requirement: "S-RD6",
	Title: "the skill has the scheme skill://",
	Doc: "Servers should use `skill://`. A scheme that is native to the server's domain (`github://…`) is legal, and no " +
		"scheme is privileged, so that this is information and no fault. Some hosts look for `skill://` in what a model " +
		"or a user says.\n\n" +
		"Keep the native scheme where it means something to your users, and use `skill://` everywhere else.",
	Example: `"uri": "docs://weather-report/SKILL.md"`,
	Good:    `"uri": "skill://weather-report/SKILL.md"`,
})

func (r *entryReader) scheme(value string) {
	problem := ""
	switch scheme := splitURI(value).scheme; {
	case scheme == digest.DefaultScheme:
	case strings.EqualFold(scheme, digest.DefaultScheme):
		problem = fmt.Sprintf("the scheme is written %q; in lower case it is the one that hosts look for", scheme)
	default:
		problem = fmt.Sprintf("the scheme is %q, one of the server's own; that is allowed", clipTo(scheme, 40))
	}
	r.judge(checkURIScheme, "", problem)
}

var checkURIName = register(CheckInfo{
	ID: "uri-matches-name", Group: GroupURI, Level: Must, Requirement: "S-ENT2",
	Title: "the segment before /SKILL.md is the skill's name",
	Doc: "The last segment of a skill's path equals `frontmatter.name`, as the Agent Skills specification wants the " +
		"directory to be called like the skill. A host can then tell the name from the URI alone.\n\n" +
		"Rename the directory or the skill. The comparison is exact and with case; percent-encoding is decoded first.",
	Example: `"uri": "skill://weather/SKILL.md", "frontmatter": {"name": "weather-report", …}`,
	Good:    `"uri": "skill://weather-report/SKILL.md", "frontmatter": {"name": "weather-report", …}`,
})

var checkNameRules = register(CheckInfo{
	ID: "name-rules", Group: GroupNames, Level: Must, Requirement: "S-ENT2",
	Title: "each name keeps the naming rules of Agent Skills",
	Doc: "A name has 1 to 64 characters: lower-case letters, digits and single hyphens, none at either end. Hosts use it " +
		"as a command, a directory name and a key, and refuse what does not fit.\n\n" +
		"Rename the skill, in its SKILL.md and in its URI.",
	Example: `"name": "Weather_Report"`,
	Good:    `"name": "weather-report"`,
})

// name judges the name of an entry, once its URI and frontmatter are known.
func (r *entryReader) name() {
	name := r.entry.Name
	inURI := uriName(r.entry.URI)
	if name != "" && inURI != "" {
		problem := ""
		if name != inURI {
			problem = fmt.Sprintf("the segment before /SKILL.md is %q, and the name is %q", clipTo(inURI, 80), clipTo(name, 80))
		}
		r.judge(checkURIName, "", problem)
	}
	if name == "" {
		name = inURI
	}
	if name == "" {
		return
	}
	problem := ""
	if reasons := spec.CheckName(name); len(reasons) > 0 {
		problem = fmt.Sprintf("the name %q %s", clipTo(name, 80), strings.Join(reasons, ", and it "))
	}
	r.judge(checkNameRules, "", problem)
}
