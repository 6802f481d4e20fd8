package digest

import (
	"context"
	"fmt"
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
	// cannot be understood, or a file was rewritten in a way that hides whether
	// it was also changed.
	Unverifiable State = "unverifiable"
	// Tampered: some difference has no such explanation.
	Tampered State = "tampered"
)

// worse gives the worse of two verdicts.
func worse(a, b State) State {
	order := []State{OK, Explained, Unverifiable, Tampered}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}

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
	// Unverifiable says why nobody can tell whether the difference is
	// harmless, or "".
	Unverifiable string
}

// state is what the file makes of the verdict on its skill.
func (r FileResult) state() State {
	switch {
	case r.State == FileOK:
		return OK
	case r.Explained != "":
		return Explained
	case r.Unverifiable != "":
		return Unverifiable
	}
	return Tampered
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

// Verify holds the files of a skill against what a manifest says of them. Files
// are read one after another and in pieces; one whose size is wrong already, or
// that is not listed, is not hashed. Errors name files that could not be read;
// they are in no state.
func Verify(ctx context.Context, s *spec.Skill, e Expected) (Result, []error) {
	v := &verifier{ctx: ctx, skill: s, expected: e, frontmatter: &s.Frontmatter}
	v.result = Result{State: OK, Faults: slices.Clone(e.Faults)}
	if len(e.Faults) > 0 {
		v.result.State = Unverifiable
	}
	switch {
	case e.Dynamic:
		v.result.State = Unverifiable
		v.result.Faults = append(v.result.Faults, Fault{RuleDynamic, "the content is generated and no digests are published; its integrity cannot be checked"})
	case !e.nowhere && !e.hasFault(RuleResourcesMissing):
		v.listed()
		v.extras()
	}
	slices.SortFunc(v.result.Files, func(a, b FileResult) int { return strings.Compare(a.Path, b.Path) })
	v.fields()
	return v.result, v.errors
}

type verifier struct {
	ctx      context.Context
	skill    *spec.Skill
	expected Expected
	// frontmatter is what the fields are compared with: of SKILL.md, or of what
	// it was before a change that is explained. It is nil where that is not
	// known.
	frontmatter *spec.Frontmatter
	result      Result
	errors      []error
}

func (v *verifier) add(r FileResult) {
	v.result.Files = append(v.result.Files, r)
	v.result.State = worse(v.result.State, r.state())
}

func (v *verifier) fail(path string, err error) {
	v.errors = append(v.errors, &FileError{path, err})
}

// listed compares the files that the manifest lists.
func (v *verifier) listed() {
	files := make(map[string]spec.File, len(v.skill.Files))
	for _, f := range v.skill.Files {
		files[f.Path] = f
	}
	buffer := make([]byte, bufferSize(v.skill.Files))
	for _, want := range v.expected.Files {
		if err := v.ctx.Err(); err != nil {
			v.errors = append(v.errors, err)
			return
		}
		switch f, ok := files[want.Path]; {
		case !ok:
			v.missing(want.Path)
		case f.Kind != spec.Regular:
			v.add(FileResult{
				Path: want.Path, State: FileModified, Rule: RuleDigest,
				Message: fmt.Sprintf("%q is listed as a file and is %s; only regular files are read", want.Path, kindName(f.Kind)),
			})
		case !want.Unchecked:
			v.compare(want, f, buffer)
		}
	}
}

func kindName(k spec.FileKind) string {
	if k == spec.Symlink {
		return "a symbolic link"
	}
	return "a pipe, a socket or a device"
}

func (v *verifier) missing(name string) {
	r := FileResult{Path: name, State: FileMissing, Rule: RuleMissing, Message: fmt.Sprintf("%q is listed and not there", name)}
	switch {
	case isHidden(name):
		r.Explained = "some installers drop files and folders whose names start with a dot"
	case name == metadataFile:
		r.Explained = "some installers drop metadata.json"
	}
	v.add(r)
}

// compare judges one file: its size before its digest, since a wrong size needs
// no digest.
func (v *verifier) compare(want ExpectedFile, f spec.File, buffer []byte) {
	r := FileResult{Path: want.Path, State: FileOK}
	have := Entry{Size: f.Size, Executable: f.Mode&0o111 != 0}
	if want.Size < 0 || want.Size == f.Size {
		var err error
		if have, err = readEntry(v.skill, f, buffer); err != nil {
			v.fail(f.Path, err)
			return
		}
	}
	switch {
	case want.Size >= 0 && have.Size != want.Size:
		r.State, r.Rule = FileModified, RuleSize
		r.Message = fmt.Sprintf("%q has %d bytes; %d are listed", want.Path, have.Size, want.Size)
		v.explain(&r, want, f)
	case have.Digest != want.Digest:
		r.State, r.Rule = FileModified, RuleDigest
		r.Message = fmt.Sprintf("%q has %d bytes and another digest than is listed", want.Path, have.Size)
		v.explain(&r, want, f)
	case want.Executable != nil && *want.Executable != have.Executable:
		r.State, r.Rule = FileMode, RuleMode
		r.Message = fmt.Sprintf("%q is %s; it is listed as %s", want.Path, executable(have.Executable), executable(*want.Executable))
		r.Explained = "archives, some installers and some systems do not keep the executable bit"
	}
	v.add(r)
}

func executable(is bool) string {
	if is {
		return "executable"
	}
	return "not executable"
}

// explain looks for the harmless change that makes the listed bytes of the file
// that is there: other line ends, a byte order mark or a final line end more or
// less, or what an installer writes into SKILL.md.
func (v *verifier) explain(r *FileResult, want ExpectedFile, f spec.File) {
	if f.Size > maxExplained {
		return
	}
	content, err := readWhole(v.skill, f)
	if err != nil {
		v.errors = append(v.errors, err)
		return
	}
	isSkillFile := want.Path == spec.SkillFile
	for c := range variants(content, isSkillFile) {
		if want.Size >= 0 && int64(len(c.content)) != want.Size || Of(c.content) != want.Digest {
			continue
		}
		r.Explained = "it fits " + c.how
		if isSkillFile {
			v.frontmatter = &spec.Parse(c.content).Frontmatter
		}
		return
	}
	if isSkillFile && v.rewritten() {
		r.Unverifiable = "an installer wrote the frontmatter anew and added metadata; the other fields are the listed ones, the body cannot be checked"
		v.frontmatter = nil
	}
}

// rewritten reports whether the frontmatter has what installers add, and is
// without it the expected one.
func (v *verifier) rewritten() bool {
	metadata := v.skill.Frontmatter.Value(spec.FieldMetadata)
	if v.expected.Frontmatter == nil || metadata == nil || !slices.ContainsFunc(metadata.Pairs, func(p spec.Pair) bool { return isInstallKey(p.Key.Text) }) {
		return false
	}
	have, err := v.skill.Frontmatter.JSON()
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(DiffFields(v.expected.Frontmatter, have), func(c FieldChange) bool {
		key, ok := strings.CutPrefix(c.Pointer, "/metadata/")
		added := c.Pointer == "/metadata" && c.Kind == Added && len(metadata.Pairs) == countInstallKeys(metadata.Pairs)
		return !(ok && c.Kind == Added && isInstallKey(key)) && !added
	})
}

func countInstallKeys(pairs []spec.Pair) int {
	n := 0
	for _, p := range pairs {
		if isInstallKey(p.Key.Text) {
			n++
		}
	}
	return n
}

// extras finds files that the manifest does not list.
func (v *verifier) extras() {
	listed := make(map[string]bool, len(v.expected.Files))
	for _, f := range v.expected.Files {
		listed[f.Path] = true
	}
	if v.expected.hasFault(RuleIncomplete) {
		listed[spec.SkillFile] = true // the fault says so already
	}
	reason, err := Belongs(v.skill)
	if err != nil {
		v.errors = append(v.errors, err)
		return
	}
	for _, f := range v.skill.Files {
		if !listed[f.Path] {
			v.extra(f, reason(f))
		}
	}
}

func (v *verifier) extra(f spec.File, reason string) {
	r := FileResult{Path: f.Path, State: FileExtra, Rule: RuleUnlisted, Message: fmt.Sprintf("%q is there and not listed", f.Path)}
	switch {
	case f.Path == v.expected.Self:
		r.Explained = "it is what the skill is compared with"
	case f.Kind == spec.Special, f.Kind == spec.Symlink && f.Link.State != spec.LinkInside:
		r.Message += "; it is " + kindName(f.Kind)
		if f.Kind == spec.Symlink {
			r.Message += " that leads to no file of the skill"
		}
	case reason != "":
		r.Explained = reason + ", which manifests leave out"
	}
	v.add(r)
}

// fields compares the fields of SKILL.md with those of the entry (S-RD2).
func (v *verifier) fields() {
	if v.expected.Frontmatter == nil || v.frontmatter == nil {
		return
	}
	have, err := v.frontmatter.JSON()
	if err != nil {
		v.field("the frontmatter of SKILL.md cannot be compared: " + err.Error())
		return
	}
	for _, change := range DiffFields(v.expected.Frontmatter, have) {
		v.field(change.describe("the entry", "SKILL.md"))
	}
}

func (v *verifier) field(message string) {
	v.result.Faults = append(v.result.Faults, Fault{RuleFrontmatter, message})
	v.result.State = Tampered
}

// VerifySum holds a skill against one digest over the whole of it, in the form
// that Sum gives.
func VerifySum(ctx context.Context, s *spec.Skill, algorithm Algorithm, want string) (Result, error) {
	if err := CheckSum(algorithm, want); err != nil {
		return Result{State: Unverifiable, Faults: []Fault{{RuleDigestFormat, err.Error()}}}, nil
	}
	r, err := newReading(s, algorithm)
	if err != nil {
		return Result{}, err
	}
	have, err := r.sum(ctx, algorithm)
	if err != nil || have == want {
		return Result{State: OK}, err
	}
	result := Result{State: Tampered, Faults: []Fault{{
		RuleSkillDigest, fmt.Sprintf("the skill's %s digest is %s; %s was expected", algorithm, have, want),
	}}}
	how, err := explainSum(ctx, r, algorithm, want)
	if how != "" {
		result.State, result.Note = Explained, how
	}
	return result, err
}
