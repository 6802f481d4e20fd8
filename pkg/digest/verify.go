package digest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// FileState is how a file compares with what is expected of it.
type FileState string

// The states of a file.
const (
	FileOK       FileState = "ok"
	FileModified FileState = "modified"
	FileMissing  FileState = "missing"
	// FileExtra files are there and not listed.
	FileExtra FileState = "extra"
	// FileMode files have the right bytes, and may or may not be run where it
	// should be the other way.
	FileMode FileState = "mode"
)

// State is the verdict on a skill.
type State string

// The verdicts.
const (
	// OK: the folder is what was expected, byte for byte.
	OK State = "ok"
	// Explained: it is not, and every difference is one that harmless tools
	// make. What that would be is said of each file.
	Explained State = "explained"
	// Unverifiable: what was expected says nothing that can be checked, or
	// cannot be understood.
	Unverifiable State = "unverifiable"
	// Tampered: some difference has no such explanation.
	Tampered State = "tampered"
)

// FileResult is the outcome for one file.
type FileResult struct {
	Path  string
	State FileState
	// Rule is the rule that the file breaks, or "" for FileOK.
	Rule string
	// Message says what is and what was expected.
	Message string
	// Explained says what would make the file fit, or "".
	Explained string
}

// Result is the outcome for one skill.
type Result struct {
	State State
	// Files are sorted by path. They are empty where only a digest over the
	// whole skill was expected.
	Files []FileResult
	// Faults are about the manifest, or about the skill as a whole.
	Faults []Fault
	// Note explains the State where no file does.
	Note string
}

// Verify holds the files of a skill against what a manifest says of them.
// Errors name files that could not be read; they are in no state.
func Verify(ctx context.Context, s *spec.Skill, e Expected) (Result, []error) {
	v := &verifier{skill: s, expected: e}
	v.result.Faults = slices.Clone(e.Faults)
	m, failed := Build(ctx, s)
	v.unreadable = map[string]bool{}
	for _, err := range failed {
		if at, ok := err.(*FileError); ok {
			v.unreadable[at.Path] = true
		}
	}
	v.frontmatter()
	switch {
	case e.Dynamic:
		v.result.Note = "the content is generated; no digest was published"
	case !e.hasFault(RuleResourcesMissing):
		v.listed(m)
		v.extras(m)
	}
	slices.SortFunc(v.result.Files, func(a, b FileResult) int { return strings.Compare(a.Path, b.Path) })
	v.result.State = v.state()
	return v.result, failed
}

type verifier struct {
	skill      *spec.Skill
	expected   Expected
	unreadable map[string]bool
	result     Result
}

func (v *verifier) add(r FileResult) { v.result.Files = append(v.result.Files, r) }

// listed compares the files that the manifest lists.
func (v *verifier) listed(m *Manifest) {
	for _, want := range v.expected.Files {
		if v.unreadable[want.Path] {
			continue
		}
		have := m.Entry(want.Path)
		if have == nil {
			have = v.leftOut(want.Path)
		}
		if have == nil {
			v.missing(want.Path)
			continue
		}
		v.compare(want, *have)
	}
}

// leftOut reads a file that is not in the manifest of the folder by default,
// and that the expected one lists all the same.
func (v *verifier) leftOut(name string) *Entry {
	for _, f := range v.skill.Files {
		if f.Path == name && f.Kind == spec.Regular {
			if entry, err := readEntry(v.skill, f, make([]byte, 64<<10)); err == nil {
				return &entry
			}
		}
	}
	return nil
}

func (v *verifier) missing(name string) {
	r := FileResult{Path: name, State: FileMissing, Rule: RuleMissing, Message: fmt.Sprintf("%q is listed and not there", name)}
	switch {
	case hasDotSegment(name):
		r.Explained = "some installers leave out files and folders whose names start with a dot"
	case name == "metadata.json":
		r.Explained = "some installers leave out metadata.json"
	}
	v.add(r)
}

func hasDotSegment(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(s string) bool { return strings.HasPrefix(s, ".") })
}

// compare judges one file: its size before its digest, since a wrong size needs
// no digest.
func (v *verifier) compare(want ExpectedFile, have Entry) {
	r := FileResult{Path: want.Path, State: FileOK}
	switch {
	case want.Size >= 0 && have.Size != want.Size:
		r.State, r.Rule = FileModified, RuleSize
		r.Message = fmt.Sprintf("%q has %d bytes; %d are listed", want.Path, have.Size, want.Size)
	case have.Digest != want.Digest:
		r.State, r.Rule = FileModified, RuleDigest
		r.Message = fmt.Sprintf("%q has %d bytes and another digest than is listed", want.Path, have.Size)
	case want.Executable != nil && *want.Executable != have.Executable:
		r.State, r.Rule = FileMode, RuleMode
		r.Message = fmt.Sprintf("%q is %s; it is listed as %s", want.Path, executable(have.Executable), executable(*want.Executable))
		r.Explained = "archives and some installers do not keep the executable bit"
	}
	if r.State == FileModified {
		r.Explained = v.explain(want)
	}
	v.add(r)
}

func executable(is bool) string {
	if is {
		return "executable"
	}
	return "not executable"
}

// extras finds files that the manifest does not list.
func (v *verifier) extras(m *Manifest) {
	listed := make(map[string]bool, len(v.expected.Files))
	for _, f := range v.expected.Files {
		listed[f.Path] = true
	}
	if v.expected.hasFault(RuleIncomplete) {
		listed[spec.SkillFile] = true // the fault says so already
	}
	for _, e := range m.Entries {
		if !listed[e.Path] {
			v.add(FileResult{Path: e.Path, State: FileExtra, Rule: RuleUnlisted, Message: fmt.Sprintf("%q is there and not listed", e.Path)})
		}
	}
	for _, l := range m.LeftOut {
		if !listed[l.Path] {
			v.add(FileResult{
				Path: l.Path, State: FileExtra, Rule: RuleUnlisted,
				Message:   fmt.Sprintf("%q is there and not listed", l.Path),
				Explained: l.Reason + ": it is left out of manifests and archives",
			})
		}
	}
}

// maxExplained bounds the files that are read whole to find an explanation.
const maxExplained = 16 << 20

// explain looks for the harmless change that makes the listed bytes of the file
// that is there: other line ends, a byte order mark or a final newline more or
// less, or what an installer writes into SKILL.md. It gives "" if none does.
func (v *verifier) explain(want ExpectedFile) string {
	content, err := v.read(want.Path)
	if err != nil {
		return ""
	}
	for _, c := range variants(content, want.Path == spec.SkillFile) {
		if (want.Size < 0 || int64(len(c.content)) == want.Size) && Of(c.content) == want.Digest {
			return "it fits " + c.how
		}
	}
	if want.Path == spec.SkillFile && v.rewritten() {
		return "an installer wrote metadata.github-* into it and wrote the YAML anew; the fields are the listed ones, the body cannot be checked"
	}
	return ""
}

func (v *verifier) read(name string) ([]byte, error) {
	file, err := v.skill.FS.Open(joinPath(v.skill.Dir, name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxExplained+1))
	if err == nil && len(content) > maxExplained {
		err = fmt.Errorf("larger than %d bytes", maxExplained)
	}
	return content, err
}

// variant is a content that a file may have had before something changed it.
type variant struct {
	content []byte
	how     string
}

var utf8BOM = []byte("\xef\xbb\xbf")

// variants gives the contents that a file may have had, the likeliest first:
// each alone, then line ends together with each other change.
func variants(content []byte, skillFile bool) []variant {
	bases := []variant{{content, ""}}
	if skillFile {
		if stripped, ok := withoutInstallMetadata(content); ok {
			bases = append(bases, variant{stripped, "without the metadata that an installer added"})
		}
	}
	var all []variant
	for _, base := range bases {
		for _, ends := range append([]variant{{base.content, base.how}}, lineEnds(base)...) {
			all = append(all, ends)
			all = append(all, edges(ends)...)
		}
	}
	return slices.DeleteFunc(all, func(v variant) bool { return v.how == "" })
}

func lineEnds(v variant) []variant {
	lf := bytes.ReplaceAll(v.content, []byte("\r\n"), []byte("\n"))
	crlf := bytes.ReplaceAll(lf, []byte("\n"), []byte("\r\n"))
	return []variant{
		{lf, both(v.how, "with LF line ends")},
		{crlf, both(v.how, "with CRLF line ends")},
	}
}

// edges gives a content with a byte order mark or a final newline more or less.
func edges(v variant) []variant {
	var all []variant
	if rest, ok := bytes.CutPrefix(v.content, utf8BOM); ok {
		all = append(all, variant{rest, both(v.how, "without its byte order mark")})
	} else {
		all = append(all, variant{slices.Concat(utf8BOM, v.content), both(v.how, "with a byte order mark")})
	}
	newline := []byte("\n")
	if bytes.Contains(v.content, []byte("\r\n")) {
		newline = []byte("\r\n")
	}
	for _, v := range append([]variant{v}, all...) {
		if rest, ok := bytes.CutSuffix(v.content, newline); ok {
			all = append(all, variant{rest, both(v.how, "without its final newline")})
		} else {
			all = append(all, variant{slices.Concat(v.content, newline), both(v.how, "with a final newline")})
		}
	}
	return all
}

func both(a, b string) string {
	if a == "" {
		return b
	}
	return a + " and " + b
}

// installKeys start the metadata that "gh skill install" adds.
var installKeys = []string{"github-", "local-path"}

func isInstallKey(key string) bool {
	return slices.ContainsFunc(installKeys, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
}

// withoutInstallMetadata removes the lines that an installer added to the
// frontmatter, and metadata itself where nothing else is in it.
func withoutInstallMetadata(content []byte) ([]byte, bool) {
	s := spec.Parse(content)
	metadata := s.Frontmatter.Value(spec.FieldMetadata)
	if metadata == nil || metadata.Kind != spec.Mapping || metadata.Style == spec.Flow {
		return nil, false
	}
	drop := map[int]bool{}
	kept := 0
	for _, pair := range metadata.Pairs {
		if !isInstallKey(pair.Key.Text) {
			kept++
			continue
		}
		for line := pair.Key.Range.Start.Line; line <= pair.Value.Range.End.Line; line++ {
			drop[line] = true
		}
	}
	if len(drop) == 0 {
		return nil, false
	}
	if key, ok := s.Frontmatter.Key(spec.FieldMetadata); ok && kept == 0 {
		drop[key.Start.Line] = true
	}
	var b bytes.Buffer
	number := 0
	for line := range bytes.Lines(content) {
		if number++; !drop[number] {
			b.Write(line)
		}
	}
	return b.Bytes(), true
}

// rewritten reports whether the frontmatter, without what installers add, has
// the fields that are expected, and has something that installers add.
func (v *verifier) rewritten() bool {
	metadata := v.skill.Frontmatter.Value(spec.FieldMetadata)
	if v.expected.Frontmatter == nil || metadata == nil || !slices.ContainsFunc(metadata.Pairs, func(p spec.Pair) bool { return isInstallKey(p.Key.Text) }) {
		return false
	}
	have, err := v.skill.Frontmatter.JSON()
	if err != nil {
		return false
	}
	changes := DiffFields(v.expected.Frontmatter, have)
	return !slices.ContainsFunc(changes, func(c FieldChange) bool {
		key, ok := strings.CutPrefix(c.Pointer, "/metadata/")
		return !(ok && isInstallKey(key)) && !(c.Pointer == "/metadata" && c.Kind == Added)
	})
}

// frontmatter compares the fields of SKILL.md with those of the entry (S-RD2).
func (v *verifier) frontmatter() {
	if v.expected.Frontmatter == nil {
		return
	}
	have, err := v.skill.Frontmatter.JSON()
	if err != nil {
		v.result.Faults = append(v.result.Faults, Fault{RuleFrontmatter, "the frontmatter of SKILL.md cannot be compared: " + err.Error()})
		return
	}
	for _, change := range DiffFields(v.expected.Frontmatter, have) {
		v.result.Faults = append(v.result.Faults, Fault{RuleFrontmatter, change.describe("the entry", "SKILL.md")})
	}
}

// state sums the files up.
func (v *verifier) state() State {
	state := OK
	for _, f := range v.result.Files {
		switch {
		case f.State == FileOK:
		case f.Explained == "":
			return Tampered
		default:
			state = Explained
		}
	}
	manifestFault := slices.ContainsFunc(v.result.Faults, func(f Fault) bool { return f.Rule != RuleFrontmatter })
	fieldFault := slices.ContainsFunc(v.result.Faults, func(f Fault) bool { return f.Rule == RuleFrontmatter })
	switch {
	case manifestFault:
		return Unverifiable
	case fieldFault && state == OK:
		return Tampered
	case v.expected.Dynamic:
		return Unverifiable
	}
	return state
}

// VerifySum holds a skill against one digest over the whole of it.
func VerifySum(s *spec.Skill, m *Manifest, algorithm Algorithm, want string) (Result, error) {
	have, err := Sum(s, m, algorithm)
	if err != nil {
		return Result{}, err
	}
	if have == want {
		return Result{State: OK}, nil
	}
	r := Result{State: Tampered, Faults: []Fault{{RuleSkillDigest, fmt.Sprintf("the skill's %s digest is %s; %s was expected", algorithm, have, clip(want))}}}
	how, err := explainSum(s, algorithm, want)
	if err == nil && how != "" {
		r.State, r.Note = Explained, how
	}
	return r, err
}

// FieldChange is one difference between two frontmatters.
type FieldChange struct {
	// Pointer is a JSON Pointer (RFC 6901) to the field.
	Pointer string
	Kind    ChangeKind
	// Old and New are the values as JSON; Old is nil for an added field, New
	// for a removed one.
	Old, New json.RawMessage
}

// ChangeKind says what happened to a field or a file.
type ChangeKind string

// The kinds of changes.
const (
	Added   ChangeKind = "added"
	Removed ChangeKind = "removed"
	Changed ChangeKind = "changed"
)

// describe says what differs, with the names of the two sides.
func (c FieldChange) describe(old, new string) string {
	field := strings.ReplaceAll(strings.TrimPrefix(c.Pointer, "/"), "/", ".")
	switch c.Kind {
	case Added:
		return fmt.Sprintf("%s is in %s and not in %s", field, new, old)
	case Removed:
		return fmt.Sprintf("%s is in %s and not in %s", field, old, new)
	}
	text := fmt.Sprintf("%s is %s in %s and %s in %s", field, clip(string(c.Old)), old, clip(string(c.New)), new)
	if why := typingReason(c.Old, c.New); why != "" {
		text += "; " + why
	}
	return text
}

// typingReason explains a difference that comes from YAML 1.1: text on the one
// side, and what a 1.1 loader makes of it on the other.
func typingReason(a, b json.RawMessage) string {
	if len(a) == 0 || len(b) == 0 || (a[0] == '"') == (b[0] == '"') {
		return ""
	}
	return "one of the two was read by a YAML 1.1 loader, or quoted"
}

// DiffFields compares two JSON objects field by field, into nested objects. The
// changes are sorted by pointer. Numbers are equal if they are written with the
// same value: 1.0 and 1 are.
func DiffFields(old, new json.RawMessage) []FieldChange {
	changes := diffValues("", old, new)
	slices.SortFunc(changes, func(a, b FieldChange) int { return strings.Compare(a.Pointer, b.Pointer) })
	return changes
}

func diffValues(pointer string, old, new json.RawMessage) []FieldChange {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(old, &a) != nil || json.Unmarshal(new, &b) != nil || a == nil || b == nil {
		if sameJSON(old, new) {
			return nil
		}
		return []FieldChange{{pointer, Changed, old, new}}
	}
	var changes []FieldChange
	for key, value := range a {
		at := pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
		if other, ok := b[key]; ok {
			changes = append(changes, diffValues(at, value, other)...)
		} else {
			changes = append(changes, FieldChange{at, Removed, value, nil})
		}
	}
	for key, value := range b {
		if _, ok := a[key]; !ok {
			at := pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
			changes = append(changes, FieldChange{at, Added, nil, value})
		}
	}
	return changes
}

// sameJSON compares two JSON values; numbers by value.
func sameJSON(a, b json.RawMessage) bool {
	canonical := func(raw json.RawMessage) (string, bool) {
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()
		var value any
		if decoder.Decode(&value) != nil {
			return "", false
		}
		text, err := json.Marshal(normalise(value))
		return string(text), err == nil
	}
	x, okX := canonical(a)
	y, okY := canonical(b)
	return okX && okY && x == y
}
