package clients

import "unique"

// Profile is what is known of one client in one version. All of it is data; the
// readers, closers and other words in it name code of this package.
type Profile struct {
	// ID is the name by which a client is asked for, such as codex.
	ID string `yaml:"id"`
	// Title is the name that its makers give it.
	Title string `yaml:"title"`
	// Kind is what it is: agent, editor, library or installer.
	Kind string `yaml:"kind"`
	// Version is the version that the evidence is about.
	Version string `yaml:"version"`
	// Before, in a variant, is the first version that it does not describe.
	Before string `yaml:"before"`
	// Certainty is run for a client that was run, and read for one whose source
	// was read.
	Certainty Certainty `yaml:"certainty"`
	// Told says what the user learns of a skill that is not loaded.
	Told Told `yaml:"told"`
	// Tells are the reasons, by the last part of their id (such as same-name),
	// for which that differs.
	Tells map[string]Told `yaml:"tells"`

	Roots     Roots            `yaml:"roots"`
	Walk      Walk             `yaml:"walk"`
	File      File             `yaml:"file"`
	Fences    Fences           `yaml:"fences"`
	YAML      YAML             `yaml:"yaml"`
	Fields    map[string]Field `yaml:"fields"`
	Stand     Stand            `yaml:"stand-in"`
	Body      Action           `yaml:"empty-body"`
	Hides     []Flag           `yaml:"hides"`
	Catalogue Budget           `yaml:"catalogue"`
	Evidence  []Evidence       `yaml:"evidence"`
	// Notes are facts that no rule above holds.
	Notes []string `yaml:"notes"`

	// fencesKey and yamlKey are equal in profiles that split, and read, alike.
	fencesKey, yamlKey unique.Handle[string]
	others             []string // fields besides name and description, sorted
}

// Certainty says what a prediction rests on.
type Certainty string

// The certainties, from the surest to the least sure.
const (
	// Run: the client, or its loader, was run on skills with the same fault.
	Run Certainty = "run"
	// Read: its source was read.
	Read Certainty = "read"
	// Inferred: it follows from what is known of its parts, and nobody looked.
	Inferred Certainty = "inferred"
)

// Told says what the user learns.
type Told string

// What the user may learn of a skill that is not loaded.
const (
	// OnScreen: a message, a list command or a panel shows it.
	OnScreen Told = "told"
	// InLog: only a log holds it.
	InLog Told = "log"
	// Silent: nothing shows it.
	Silent Told = "silent"
)

// Roots are the folders in which a client looks for skills.
type Roots struct {
	// Project and Home are relative to a project's folder and to the user's
	// home, the one that counts first in front.
	Project []string `yaml:"project"`
	Home    []string `yaml:"home"`
	// Climb says from where project folders are taken: none (the current folder
	// alone), repository (each folder up to the repository's root) or root (the
	// repository's root alone).
	Climb string `yaml:"climb"`
}

// Walk is the way through one root.
type Walk struct {
	// Depth is how many folders deep a skill may stand, 1 for folders in the
	// root itself and 0 for any.
	Depth int `yaml:"depth"`
	// Root says that a SKILL.md in the root itself is a skill.
	Root bool `yaml:"root"`
	// Nested goes on below a skill.
	Nested bool `yaml:"nested"`
	// Hidden enters folders whose name starts with a dot.
	Hidden bool `yaml:"hidden"`
	// Ignored are names of folders that are not entered.
	Ignored []string `yaml:"ignored"`
	// FolderLinks and FileLinks say whether links to folders, and a SKILL.md
	// that is a link, are followed: follow, or skip.
	FolderLinks string `yaml:"folder-links"`
	FileLinks   string `yaml:"file-links"`
	// FileName says which names of the file count: exact, skill.md as well
	// (lower), or any case (any).
	FileName string `yaml:"file-name"`
	// Flat says what a Markdown file in the root is: none, skill, or context
	// (always shown).
	Flat string `yaml:"flat"`
	// SameName says which of two skills with one name is kept: all, first or
	// last in the order of their paths.
	SameName string `yaml:"same-name"`
	// Most bounds the skills of one root; 0 is no bound.
	Most int `yaml:"most"`
}

// File is what happens to the bytes of a file before the fences are looked for.
type File struct {
	// Max is the largest size in bytes; 0 is no bound.
	Max int `yaml:"max"`
	// Invalid says what bytes do that are no UTF-8: replace, keep, drop or
	// break.
	Invalid string `yaml:"invalid"`
	// BOM says whether a byte order mark is dropped (strip) or kept (keep).
	BOM string `yaml:"bom"`
	// Newlines says whether CR and CR LF become LF (all), or stay (keep).
	Newlines string `yaml:"newlines"`
}

// Fences says where the frontmatter begins and ends.
type Fences struct {
	// Before says what may stand in front of the opening fence: nothing, blanks
	// or text.
	Before string `yaml:"before"`
	// Opener is the form of the opening fence: exact, blanks (blanks behind
	// it), trimmed (blanks around it), hyphens (three or more), prefix (a line
	// that starts so) or language (the same, with the name of a language behind
	// it).
	Opener string `yaml:"opener"`
	// Skip is how many bytes of a prefix opener are no content; 0 stands for
	// its whole line.
	Skip int `yaml:"skip"`
	// Closer is the form of the closing fence; see closers.
	Closer string `yaml:"closer"`
	// Line says that a line end must stand between opener and closer, so that
	// two fences in a row hold no frontmatter.
	Line bool `yaml:"line"`
	// After says that a line end must follow the closing fence.
	After bool `yaml:"after"`
	// Unclosed says what a missing closing fence means: none (there is no
	// frontmatter), or end (all the file is frontmatter).
	Unclosed string `yaml:"unclosed"`
	// Fit tries the next closing fence while the content is no YAML.
	Fit bool `yaml:"fit"`
	// Missing says what a file without frontmatter means: drop, break, or empty
	// (no field is set, and all of the file is the body).
	Missing Action `yaml:"missing"`
}

// YAML is the way in which the text between the fences is read.
type YAML struct {
	// Reader names the reader; see readers.
	Reader string `yaml:"reader"`
	// Repair names what is tried when the reader fails; see repairs.
	Repair string `yaml:"repair"`
	// Known are the keys that may not be written twice; without any, it is all
	// of them, where the reader minds at all.
	Known []string `yaml:"known"`
	// FoldCase says that keys may be written in any case.
	FoldCase bool `yaml:"fold-case"`
	// LastLine says what becomes of the last line end of the content: keep, or
	// drop, which takes the final line end from a block at its end.
	LastLine string `yaml:"last-line"`
	// LastCR keeps the CR of a last line whose LF is cut off.
	LastCR bool `yaml:"last-cr"`
	// Braces says what a content that starts with a brace is taken for: yaml or
	// json.
	Braces string `yaml:"braces"`
	// Fallback names a line scanner that is asked when the reader fails or when
	// name or description is no text.
	Fallback string `yaml:"fallback"`
	// Invalid says what a text means that cannot be read: drop, break, or empty
	// (no field is set).
	Invalid Action `yaml:"invalid"`
	// Other says the same of YAML that is no mapping; without it, Invalid
	// counts. Blank says it of a content without a value.
	Other Action `yaml:"other"`
	Blank Action `yaml:"blank"`
}

// Action says what a client does about something that it does not expect.
type Action string

// The actions.
const (
	// Ignore: nothing.
	Ignore Action = "ignore"
	// Note: it goes on, and a log holds it.
	Note Action = "note"
	// Warn: it goes on, and tells the user.
	Warn Action = "warn"
	// Cut: the text is cut to the bound.
	Cut Action = "cut"
	// Missing: the field counts as missing.
	Missing Action = "missing"
	// Folder: the folder's name stands in.
	Folder Action = "folder"
	// StandIn: something stands in, as the profile's stand-in says.
	StandIn Action = "stand-in"
	// Hide: the user sees the skill, the model does not.
	Hide Action = "hide"
	// Empty: it counts as empty.
	Empty Action = "empty"
	// Wrong, said of null: it is of a wrong type.
	Wrong Action = "wrong"
	// AsText, said of null: it becomes a text like any other value.
	AsText Action = "text"
	// Drop: the skill is not loaded.
	Drop Action = "drop"
	// Break: nothing from the same root is loaded.
	Break Action = "break"
)

// Field is what a client demands of one field, and makes of it.
type Field struct {
	// Missing, Null and Blank say what a field means that is absent, that is
	// null (without it, Missing counts), and that holds no text.
	Missing Action `yaml:"missing"`
	Null    Action `yaml:"null"`
	Blank   Action `yaml:"blank"`
	// Trimmed says that a text of blanks alone counts as blank.
	Trimmed bool `yaml:"trimmed"`
	// Falsy says that false, zero and empty lists count as missing.
	Falsy bool `yaml:"falsy"`
	// Types are the types that are taken: text, number, boolean, date, list and
	// map; without any, it is all of them.
	Types []string `yaml:"types"`
	// Values are the types that the values of a map may have.
	Values []string `yaml:"values"`
	// Wrong says what another type means.
	Wrong Action `yaml:"wrong"`
	// Style says how a value that is no text becomes one: source (as it is
	// written), javascript or python.
	Style string `yaml:"style"`
	// Spaces says what happens to blanks: keep, trim, final (the last line ends
	// go), unquote (trim, and quotes around the whole go), lines (line ends
	// become blanks, and trim) or collapse (each run becomes one blank, and
	// trim).
	Spaces string `yaml:"spaces"`
	// Max bounds the length, in Unit: bytes, utf16 or codepoints. Over says
	// what a longer text means; Tail is what a cut text ends in, within the
	// bound.
	Max  int    `yaml:"max"`
	Unit string `yaml:"unit"`
	Over Action `yaml:"over"`
	Tail string `yaml:"tail"`
	// Pattern is a regular expression that the whole text must match, and Bad
	// what another text means.
	Pattern string `yaml:"pattern"`
	Bad     Action `yaml:"bad"`
	// Folder says what a text means that is not the folder's name; FoldCase
	// compares without case.
	Folder   Action `yaml:"folder"`
	FoldCase bool   `yaml:"fold-case"`
	// Replace and By give characters that are replaced, and what by.
	Replace string `yaml:"replace"`
	By      string `yaml:"by"`
	// Shown says what the model sees of a name: field, folder or path.
	Shown string `yaml:"shown"`
	// Tags says that what looks like a tag of HTML is taken out.
	Tags bool `yaml:"strip-tags"`
}

// Stand is what stands in for a missing description.
type Stand struct {
	// Take names a part of the body: line (the first that is not blank), title
	// (the same without the marks of a heading), paragraph (the first that is no
	// heading) or block (everything up to the first empty line); or else name,
	// the skill's name.
	Take string `yaml:"take"`
	// Max bounds it in UTF-16 units, with Tail as its end.
	Max  int    `yaml:"max"`
	Tail string `yaml:"tail"`
	// Text stands in for an empty body.
	Text string `yaml:"text"`
}

// Flag is a field that hides a skill from the model.
type Flag struct {
	Field string `yaml:"field"`
	// When are the values that count, as text. Typed says that only a boolean
	// counts, and Wrong what another type means.
	When  []string `yaml:"when"`
	Typed bool     `yaml:"typed"`
	Wrong Action   `yaml:"wrong"`
}

// Budget bounds what a client shows of all skills together.
type Budget struct {
	// Form is how the model gets the catalogue: lines, markdown or xml.
	Form string `yaml:"form"`
	// Escaped says that characters of XML are escaped.
	Escaped bool `yaml:"escaped"`
	// Chars bounds the whole catalogue, in characters; Share is a part of the
	// window instead, in percent, at CharsPerToken characters for each token.
	Chars         int     `yaml:"chars"`
	Share         float64 `yaml:"share"`
	CharsPerToken int     `yaml:"chars-per-token"`
	// Each is what a skill takes besides its name and description.
	Each int `yaml:"each"`
	// Most bounds the number of skills.
	Most int `yaml:"most"`
	// Overflow says what gives way: descriptions (whole ones go), names (the
	// rest is only named), even (every description is cut alike) or skills (the
	// rest is left out).
	Overflow string `yaml:"overflow"`
	Told     Told   `yaml:"told"`
}

// Evidence says where a statement comes from.
type Evidence struct {
	// How is run or read.
	How Certainty `yaml:"how"`
	// What was run or read, in words of our own.
	What string `yaml:"what"`
	// Date is when, as YYYY-MM or YYYY-MM-DD.
	Date string `yaml:"date"`
}
