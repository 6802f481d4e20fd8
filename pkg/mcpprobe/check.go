package mcpprobe

import (
	"cmp"
	"slices"
)

// Group is a stage of the audit.
type Group string

// The groups, in the order of a report.
const (
	GroupConnect     Group = "connect"
	GroupCapability  Group = "capability"
	GroupList        Group = "list"
	GroupGet         Group = "get"
	GroupEntry       Group = "entry"
	GroupURI         Group = "uri"
	GroupFrontmatter Group = "frontmatter"
	GroupIntegrity   Group = "integrity"
	GroupContent     Group = "content"
	GroupDirectory   Group = "directory"
	GroupLimits      Group = "limits"
	GroupNames       Group = "names"
	GroupSecurity    Group = "security"
	GroupPerformance Group = "performance"
)

// Groups gives all groups in their order.
func Groups() []Group {
	return []Group{
		GroupConnect, GroupCapability, GroupList, GroupGet, GroupEntry, GroupURI, GroupFrontmatter,
		GroupIntegrity, GroupContent, GroupDirectory, GroupLimits, GroupNames, GroupSecurity, GroupPerformance,
	}
}

// Level is how strongly a requirement binds.
type Level string

// The levels. A check of level MUST fails, one of SHOULD warns, and one of MAY
// gives information. A decision of this project that is as strict as MUST or
// SHOULD has that level and says in Doc that it is a decision.
const (
	Must   Level = "MUST"
	Should Level = "SHOULD"
	May    Level = "MAY"
)

// CheckInfo describes a check. Its page is made from it.
type CheckInfo struct {
	// ID is kebab-case words that explain themselves, unique and never reused.
	ID    string
	Group Group
	Level Level
	// Requirement is one or more ids, separated by ", ": "S-RD1".
	Requirement string
	// Title says what holds when the check passes: "each file has the listed
	// digest".
	Title string
	// Doc says why it matters and what a server has to do, in paragraphs of
	// Markdown.
	Doc string
	// Example is a JSON or text excerpt that fails, and Good one that passes;
	// both may be "".
	Example, Good string
	// Negative checks ask for what must be refused; --no-negative leaves them
	// out.
	Negative bool
}

// Status is the outcome of a check.
type Status string

// The statuses. StatusError is a fault of ours: the check could not be made.
const (
	Pass  Status = "pass"
	Fail  Status = "fail"
	Warn  Status = "warn"
	Info  Status = "info"
	Skip  Status = "skip"
	Error Status = "error"
)

// Result is the outcome of a check about one thing. Passes of a check are
// folded into one Result with their Count.
type Result struct {
	Check  *CheckInfo
	Status Status
	// Skill is the URI of the skill that it is about, URI that of the file or
	// directory; "" where there is none.
	Skill, URI string
	// Message says what is, and what is allowed; for a skip, why. It is "" for
	// a pass.
	Message string
	// Evidence shows what was compared: "listing" beside "served".
	Evidence []Evidence
	// Count is the number of passes, and 1 for all else.
	Count int
	// Expected says that a file of expected failures names it, so that it
	// fails nothing.
	Expected bool
}

// Evidence is one labelled excerpt of what a server sent, at most
// maxEvidence code points long.
type Evidence struct {
	Label string
	Text  string
}

const maxEvidence = 200

// checks are all checks, sorted by group and id once all files have registered.
var checks []*CheckInfo

// register adds a check while the program starts, and gives it back.
func register(info CheckInfo) *CheckInfo {
	checks = append(checks, &info)
	return &info
}

// Checks gives all checks, sorted by group, in the order of Groups, and id.
func Checks() []*CheckInfo {
	all := slices.Clone(checks)
	groups := Groups()
	slices.SortFunc(all, func(a, b *CheckInfo) int {
		return cmp.Or(cmp.Compare(slices.Index(groups, a.Group), slices.Index(groups, b.Group)), cmp.Compare(a.ID, b.ID))
	})
	return all
}
