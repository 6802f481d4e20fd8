package clients

import (
	"slices"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// Effect says what a reason does to a skill.
type Effect string

// The effects, from the lightest to the heaviest.
const (
	// Noted: the skill loads as it is; a log may say so, or a repair was needed.
	Noted Effect = "note"
	// Warned: it loads, and the user is told.
	Warned Effect = "warn"
	// Changed: the model sees something else than what was written.
	Changed Effect = "change"
	// Hides: the model does not see it.
	Hides Effect = "hide"
	// Drops: it is not loaded.
	Drops Effect = "drop"
	// Breaks: nothing of its root is loaded.
	Breaks Effect = "break"
)

var effectOrder = []Effect{Noted, Warned, Changed, Hides, Drops, Breaks}

func (e Effect) weight() int { return slices.Index(effectOrder, e) }

// Reason is one cause of a prediction, with its place.
type Reason struct {
	// ID is that of a rule; see Rules.
	ID string
	// Effect is what it does in this client.
	Effect Effect
	// Message says what is and what is allowed: lower case, no full stop.
	Message string
	// Path is the file that it is about, relative to the skill's folder.
	Path string
	// Field is a JSON Pointer into the frontmatter, or "".
	Field string
	// Range is the place in that file; the zero Range is the whole file.
	Range spec.Range
	// Fixes are what would mend it.
	Fixes []spec.Fix
}

// Diagnostic gives the reason as a finding.
func (r Reason) Diagnostic() spec.Diagnostic {
	d := spec.Diagnostic{RuleID: r.ID, Severity: spec.Info, Path: r.Path, Field: r.Field, Range: r.Range, Message: r.Message, Fixes: r.Fixes}
	if info, ok := ruleByID(r.ID); ok {
		d.Severity, d.Help = info.Severity, info.Mend
	}
	return d
}

// idPrefix starts the id of every reason.
const idPrefix = "client-"

// since is the version that brought the reasons.
const since = "0.2.0"

// Rules describes the reasons, sorted by id, so that a linter can report them
// as findings.
func Rules() []spec.RuleInfo {
	infos := make([]spec.RuleInfo, 0, len(ruleTexts))
	for _, t := range ruleTexts {
		infos = append(infos, t.info())
	}
	return infos
}

func ruleByID(id string) (spec.RuleInfo, bool) {
	short := strings.TrimPrefix(id, idPrefix)
	i, ok := slices.BinarySearchFunc(ruleTexts, short, func(t ruleText, id string) int { return strings.Compare(t.id, id) })
	if !ok {
		return spec.RuleInfo{}, false
	}
	return ruleTexts[i].info(), true
}

type ruleText struct {
	id, title, why, mend string
	severity             spec.Severity
}

func (t ruleText) info() spec.RuleInfo {
	return spec.RuleInfo{ID: idPrefix + t.id, Title: t.title, Category: spec.CategoryPortability, Severity: t.severity, Why: t.why, Mend: t.mend, Since: since}
}

// ruleTexts are sorted by id.
var ruleTexts = []ruleText{
	{"body-empty", "something stands behind the frontmatter", "A client takes a file without a body for an error.", "Write at least one line behind the closing fence.", spec.Warning},
	{"description-changed", "every client shows the description as it is written", "Clients cut text behind a # or a ---, join lines, or keep quotes and marks of YAML, and the model chooses skills by what is left.", "Write the description on one line, in double quotes, without --- and line breaks.", spec.Warning},
	{"description-length", "the description fits every client", "The bound of 1,024 is counted in bytes, units of UTF-16 or code points; some clients cut a longer text and some drop the skill.", "Keep it within 1,024 bytes, with the words that matter first.", spec.Warning},
	{"description-missing", "there is a description", "Without one a client shows the first lines of the body, nothing at all, or does not load the skill.", "Add a description that says what the skill does and when to use it.", spec.Warning},
	{"description-type", "the description is text", "An unquoted number, date, boolean or list is no text to some readers.", "Put the value in double quotes.", spec.Warning},
	{"duplicate-key", "each key is written once", "Some readers take the last of two, and some refuse the file.", "Remove one of them.", spec.Warning},
	{"encoding", "the file is UTF-8", "Some clients replace bytes that are no UTF-8, some drop the skill, and in some the error stops the load of all skills.", "Save the file as UTF-8.", spec.Warning},
	{"field-length", "optional fields are short", "Some clients refuse a compatibility of more than 500.", "Shorten the text.", spec.Warning},
	{"field-type", "optional fields have the type that the specification gives them", "Some clients refuse a skill whose license, compatibility, metadata or allowed-tools is of another type.", "Write license, compatibility and allowed-tools as quoted text and metadata as a map of quoted texts.", spec.Warning},
	{"file-link", "SKILL.md is a file and no link", "Some clients skip a SKILL.md that is a link.", "Put the file itself into the folder.", spec.Warning},
	{"file-name", "the file is called SKILL.md", "Most clients look for that name in that case.", "Rename the file.", spec.Warning},
	{"file-size", "the file is small enough", "Some clients skip a large SKILL.md.", "Move long text into files beside it.", spec.Warning},
	{"flat-file", "a skill is a folder", "Few clients take a Markdown file in the root for a skill.", "Put it into a folder of its own as SKILL.md.", spec.Info},
	{"folder-depth", "the skill's folder stands directly in the root", "Many clients look one level deep.", "Move the folder into the root itself.", spec.Warning},
	{"folder-hidden", "no folder on the way starts with a dot", "Some clients enter no hidden folders.", "Rename the folder.", spec.Warning},
	{"folder-ignored", "no folder on the way is one that is ignored", "Folders such as node_modules are not searched by most clients.", "Move the skill.", spec.Warning},
	{"folder-link", "the skill's folder is no link", "Some clients follow no links.", "Copy the folder.", spec.Warning},
	{"folder-nested", "no skill stands within another", "Most clients stop at a skill and take everything in it for its own files.", "Move the inner folder beside the outer one.", spec.Warning},
	{"frontmatter-blank", "there is something between the fences", "Frontmatter without a field gives neither name nor description.", "Write name and description.", spec.Warning},
	{"frontmatter-end", "a line of exactly three hyphens closes the frontmatter", "Clients look for the end in six ways; only a plain line of three hyphens ends it for all.", "Close it with a line of three hyphens and nothing else.", spec.Warning},
	{"frontmatter-start", "the file starts with three hyphens on a line of their own", "A byte order mark, a blank line or text in front of the fence hides the frontmatter from many clients.", "Make --- the very first bytes of the file, with a line end behind it.", spec.Warning},
	{"hidden", "the skill is for the model", "A field keeps the skill from the model in this client, and in others it does not.", "Remove the field if the model is to use the skill.", spec.Info},
	{"name-characters", "the name has only a-z, 0-9 and single hyphens", "Clients refuse, warn about or replace other characters.", "Use lower-case letters, digits and single hyphens.", spec.Warning},
	{"name-folder", "the name is that of the folder", "Some clients show the folder's name instead, and some refuse the skill.", "Give folder and skill one name.", spec.Warning},
	{"name-length", "the name has at most 64 characters", "Clients refuse or cut a longer one.", "Shorten the name.", spec.Warning},
	{"name-missing", "there is a name", "Some clients take the folder's name instead, and some refuse the skill.", "Add a name that is that of the folder.", spec.Warning},
	{"name-type", "the name is text", "An unquoted number, date or boolean is no text to some readers.", "Put the name in quotes, or give it a letter.", spec.Warning},
	{"repaired", "the frontmatter needs no repair", "The client mends the line before it reads it again; others do not.", "Put the value in double quotes.", spec.Info},
	{"same-name", "no two skills have one name", "Some clients keep the first, some the last, and some list both.", "Rename one of them.", spec.Warning},
	{"yaml", "the frontmatter is YAML that every reader takes", "What one reader of YAML lets pass is an error to another, and then all fields are lost.", "Put values in double quotes, indent with spaces, and write each key once.", spec.Warning},
}
