package digest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// MaxManifestBytes bounds the manifests, sums files and locks that are read: a
// collection of thousands of skills needs a tenth of it.
const MaxManifestBytes = 64 << 20

// Expected is what a manifest says of one skill.
type Expected struct {
	// URI is that of the entry, or "" where the manifest has none.
	URI string
	// Name is the skill's name, or "" where the manifest names none.
	Name string
	// Frontmatter is the frontmatter that the manifest promises, or nil.
	Frontmatter json.RawMessage
	// Dynamic entries promise no bytes.
	Dynamic bool
	// Files are the files that the manifest lists, in its order.
	Files []ExpectedFile
	// Faults are what is wrong with the manifest itself: whatever the folder
	// holds, it cannot fit.
	Faults []Fault
}

// ExpectedFile is what a manifest says of one file.
type ExpectedFile struct {
	Path   string
	Digest Digest
	// Size is the length in bytes, or -1 where the manifest does not say.
	Size int64
	// Executable is nil where the manifest does not say.
	Executable *bool
}

// Fault is something wrong with a manifest, under the rule that it breaks.
type Fault struct {
	Rule    string
	Message string
}

func (e *Expected) fault(rule, format string, args ...any) {
	e.Faults = append(e.Faults, Fault{rule, fmt.Sprintf(format, args...)})
}

func (e *Expected) hasFault(rule string) bool {
	return slices.ContainsFunc(e.Faults, func(f Fault) bool { return f.Rule == rule })
}

// ErrNoManifest: a text is no manifest of any known form.
var ErrNoManifest = errors.New(`this is no manifest; it must be an entry with "uri", an object with "skills", or a native manifest with "files"`)

// ReadManifest reads a manifest in any of three forms: one entry of the MCP
// Skills extension, {"skills": [entry…]} as servers load it, and the native
// form. Faults within an entry are in its Faults; an error means that the text
// is no manifest at all.
func ReadManifest(text []byte) ([]Expected, error) {
	if len(text) > MaxManifestBytes {
		return nil, fmt.Errorf("the manifest is larger than %d bytes", MaxManifestBytes)
	}
	var top struct {
		URI    *string            `json:"uri"`
		Skills *[]json.RawMessage `json:"skills"`
		Files  *json.RawMessage   `json:"files"`
	}
	if err := decode(text, &top); err != nil {
		return nil, err
	}
	switch {
	case top.Skills != nil:
		all := make([]Expected, 0, len(*top.Skills))
		for i, raw := range *top.Skills {
			e, err := readEntryOrNative(raw)
			if err != nil {
				return nil, fmt.Errorf("skills[%d]: %w", i, err)
			}
			all = append(all, e)
		}
		return all, nil
	case top.URI != nil || top.Files != nil:
		e, err := readEntryOrNative(text)
		return []Expected{e}, err
	}
	return nil, ErrNoManifest
}

// decode reads one JSON value and nothing behind it.
func decode(text []byte, value any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(value); err != nil {
		return jsonError(text, err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return fmt.Errorf("line %d: there is more behind the end of the JSON text", lineOf(text, decoder.InputOffset()))
	}
	return nil
}

// jsonError names the line of a fault in a JSON text.
func jsonError(text []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: %s", lineOf(text, syntax.Offset), syntax.Error())
	case errors.As(err, &kind):
		return fmt.Errorf("line %d: %q is a JSON %s", lineOf(text, kind.Offset), kind.Field, kind.Value)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("the JSON text ends too early")
	}
	return err
}

func lineOf(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(int(offset), len(text))], []byte("\n"))
}

func readEntryOrNative(text []byte) (Expected, error) {
	var fields map[string]json.RawMessage
	if err := decode(text, &fields); err != nil {
		return Expected{}, err
	}
	if files, ok := fields["files"]; ok {
		return readNative(fields, files), nil
	}
	return readSkillEntry(fields), nil
}

// readSkillEntry reads an entry of the MCP Skills extension. It takes any JSON
// types and turns what is wrong with them into faults.
func readSkillEntry(fields map[string]json.RawMessage) Expected {
	var e Expected
	dir := e.readURI(fields["uri"])
	e.readFrontmatter(fields["frontmatter"])
	resources := fields["resources"]
	var items []map[string]json.RawMessage
	switch {
	case len(resources) == 0 || string(resources) == "null":
		e.fault(RuleResourcesMissing, `the entry has no "resources"; it must be a list of files or the string "dynamic"`)
	case string(resources) == `"`+Dynamic+`"`:
		e.Dynamic = true
	case json.Unmarshal(resources, &items) != nil:
		e.fault(RuleResourcesMissing, `"resources" is %s; it must be a list of files or the string "dynamic"`, clip(string(resources)))
	default:
		e.readResources(dir, items)
	}
	return e
}

// readURI gives the URI of the skill's directory.
func (e *Expected) readURI(raw json.RawMessage) string {
	if json.Unmarshal(raw, &e.URI) != nil || e.URI == "" {
		e.fault(RuleEntryURI, `the entry has no "uri"; it must be the URI of SKILL.md`)
		return ""
	}
	dir, ok := strings.CutSuffix(e.URI, "/"+spec.SkillFile)
	_, authority, hasScheme := strings.Cut(dir, "://")
	if !ok || !hasScheme || authority == "" {
		e.fault(RuleEntryURI, `"uri" is %q; it must be an absolute URI that ends in "/%s" behind the skill's name`, clip(e.URI), spec.SkillFile)
		return dir
	}
	name, err := decodeSegment(dir[strings.LastIndexByte(dir, '/')+1:], false)
	if err != nil {
		e.fault(RuleEntryURI, `"uri" is %q: %v`, clip(e.URI), err)
	}
	e.Name = name
	return dir
}

func (e *Expected) readFrontmatter(raw json.RawMessage) {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || object == nil {
		e.fault(RuleFrontmatter, `the entry has no "frontmatter" object`)
		return
	}
	e.Frontmatter = raw
	var name string
	if json.Unmarshal(object["name"], &name) == nil && e.Name != "" && name != e.Name {
		e.fault(RuleEntryURI, `"uri" has %q before "/%s" and the frontmatter's name is %q; they must be equal`, e.Name, spec.SkillFile, clip(name))
	}
}

func (e *Expected) readResources(dir string, items []map[string]json.RawMessage) {
	seen := map[string]bool{}
	self := false
	for i, item := range items {
		f, ok := e.readResource(dir, i, item)
		if !ok {
			continue
		}
		if seen[f.Path] {
			e.fault(RuleDuplicate, "%q is listed more than once; each file stands once", clip(f.Path))
			continue
		}
		seen[f.Path] = true
		self = self || f.Path == spec.SkillFile
		e.Files = append(e.Files, f)
	}
	if !self {
		e.fault(RuleIncomplete, "%s is not among the resources; every file must be", spec.SkillFile)
	}
}

func (e *Expected) readResource(dir string, i int, item map[string]json.RawMessage) (ExpectedFile, bool) {
	var uri, digest string
	f := ExpectedFile{Size: -1}
	if json.Unmarshal(item["uri"], &uri) != nil {
		e.fault(RuleResource, `resources[%d] has no "uri"`, i)
		return f, false
	}
	path, err := FilePath(dir, uri)
	if err != nil {
		e.fault(RuleOutside, "resources[%d]: %v", i, err)
		return f, false
	}
	f.Path = path
	size, err := strconv.ParseInt(string(item["size"]), 10, 64)
	if err != nil || size < 0 {
		e.fault(RuleResource, `%q: "size" is %s; it must be a whole number of bytes`, clip(path), orAbsent(item["size"]))
	} else {
		f.Size = size
	}
	if json.Unmarshal(item["digest"], &digest) != nil {
		e.fault(RuleDigestFormat, `%q: "digest" is %s; it must be "sha256:" and 64 lower-case hexadecimal digits`, clip(path), orAbsent(item["digest"]))
		return f, false
	}
	if f.Digest, err = Parse(digest); err != nil {
		e.fault(RuleDigestFormat, "%q: %v", clip(path), err)
		return f, false
	}
	return f, true
}

func orAbsent(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "absent"
	}
	return clip(string(raw))
}

// readNative reads a native manifest.
func readNative(fields map[string]json.RawMessage, files json.RawMessage) Expected {
	var e Expected
	// A name of another type is no name; nothing rests on it.
	_ = json.Unmarshal(fields["name"], &e.Name)
	var list []struct {
		Path       string `json:"path"`
		Size       *int64 `json:"size"`
		SHA256     string `json:"sha256"`
		Executable *bool  `json:"executable"`
	}
	if err := json.Unmarshal(files, &list); err != nil {
		e.fault(RuleResource, `"files" cannot be read: %v`, jsonError(files, err))
		return e
	}
	seen := map[string]bool{}
	for i, item := range list {
		f := ExpectedFile{Path: item.Path, Size: -1, Executable: item.Executable}
		if item.Size != nil {
			f.Size = *item.Size
		}
		var err error
		switch f.Digest, err = Parse(item.SHA256); {
		case !isPlain(item.Path):
			e.fault(RuleOutside, "files[%d]: %q is no plain path below the skill", i, clip(item.Path))
		case seen[item.Path]:
			e.fault(RuleDuplicate, "%q is listed more than once; each file stands once", clip(item.Path))
		case err != nil:
			e.fault(RuleDigestFormat, "%q: %v", clip(item.Path), err)
		default:
			e.Files = append(e.Files, f)
		}
		seen[item.Path] = true
	}
	if !seen[spec.SkillFile] {
		e.fault(RuleIncomplete, "%s is not among the files; every file must be", spec.SkillFile)
	}
	return e
}

// isPlain reports a relative path of plain segments.
func isPlain(path string) bool {
	for _, segment := range strings.Split(path, "/") {
		if segment == "" || segment == "." || segment == ".." {
			return false
		}
	}
	return true
}

// ReadSums reads what sha256sum prints: lines of a digest, a blank, a blank or
// an asterisk, and a path. Lines that start with a backslash have escapes in
// their path.
func ReadSums(text []byte) (Expected, error) {
	var e Expected
	if len(text) > MaxManifestBytes {
		return e, fmt.Errorf("the sums file is larger than %d bytes", MaxManifestBytes)
	}
	seen := map[string]bool{}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			continue
		}
		f, err := readSum(line)
		if err != nil {
			return e, fmt.Errorf("line %d: %w", number, err)
		}
		switch {
		case !isPlain(f.Path):
			e.fault(RuleOutside, "line %d: %q is no plain path below the skill", number, clip(f.Path))
		case seen[f.Path]:
			e.fault(RuleDuplicate, "%q is listed more than once; each file stands once", clip(f.Path))
		default:
			e.Files = append(e.Files, f)
		}
		seen[f.Path] = true
	}
	if len(seen) == 0 {
		return e, errors.New("the sums file lists no file")
	}
	return e, nil
}

func readSum(line string) (ExpectedFile, error) {
	line, escaped := strings.CutPrefix(line, `\`)
	digits, name, ok := strings.Cut(line, " ")
	if !ok || len(name) < 2 || name[0] != ' ' && name[0] != '*' {
		return ExpectedFile{}, errors.New("a line must be a digest, two blanks and a path, as sha256sum prints it")
	}
	d, err := parseHex(digits)
	if err != nil {
		return ExpectedFile{}, err
	}
	name = strings.TrimPrefix(name[1:], "./")
	if escaped {
		name = sumUnescaper.Replace(name)
	}
	return ExpectedFile{Path: name, Digest: d, Size: -1}, nil
}

var sumUnescaper = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r")

// Lock is a skills-lock.json as "npx skills" writes it (version 1).
type Lock struct {
	Skills map[string]LockedSkill `json:"skills"`
}

// LockedSkill is one skill of a Lock.
type LockedSkill struct {
	Source       string `json:"source"`
	SourceType   string `json:"sourceType"`
	ComputedHash string `json:"computedHash"`
}

// ReadLock reads a skills-lock.json.
func ReadLock(text []byte) (Lock, error) {
	if len(text) > MaxManifestBytes {
		return Lock{}, fmt.Errorf("the lock file is larger than %d bytes", MaxManifestBytes)
	}
	var lock struct {
		Version json.Number `json:"version"`
		Lock
	}
	if err := decode(text, &lock); err != nil {
		return Lock{}, err
	}
	if lock.Version != "1" {
		return Lock{}, fmt.Errorf(`the lock file has version %q; version 1 is understood`, string(lock.Version))
	}
	if lock.Skills == nil {
		return Lock{}, errors.New(`the lock file has no "skills"`)
	}
	return lock.Lock, nil
}
