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
	// Path is the skill's directory below the one that was searched, in a
	// native manifest.
	Path string
	// Frontmatter is the frontmatter that the manifest promises, or nil.
	Frontmatter json.RawMessage
	// Dynamic entries promise no bytes.
	Dynamic bool
	// Files are the files that the manifest lists, in its order, each once.
	Files []ExpectedFile
	// Self is the path of the manifest itself where it lies in the skill's
	// directory: it can hardly list itself.
	Self string
	// nowhere is set where the URI is none, so that no file has a place.
	nowhere bool
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
	// Unchecked files have no digest that can be understood; a fault says so.
	Unchecked bool
}

// Fault is something wrong with a manifest or a skill, under the rule that it
// breaks.
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
	var top map[string]json.RawMessage
	if err := decode(text, &top); err != nil {
		return nil, err
	}
	native := top["files"] != nil || string(top["$schema"]) == strconv.Quote(NativeSchemaURL)
	if version, ok := top["version"]; native && ok && string(version) != strconv.Itoa(NativeVersion) {
		return nil, fmt.Errorf("the manifest has version %s; version %d is understood", clip(string(version)), NativeVersion)
	}
	if skills, ok := top["skills"]; ok {
		return readSet(skills)
	}
	if top["uri"] == nil && top["files"] == nil {
		return nil, ErrNoManifest
	}
	return []Expected{readEither(top)}, nil
}

// readSet reads the entries of a set. An entry whose URI stands before already
// is a fault of the first.
func readSet(raw json.RawMessage) ([]Expected, error) {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil || items == nil {
		return nil, fmt.Errorf(`"skills" is %s; it must be a list of entries`, clip(string(raw)))
	}
	all := make([]Expected, 0, len(items))
	first := map[string]int{}
	for i, item := range items {
		var fields map[string]json.RawMessage
		if json.Unmarshal(item, &fields) != nil || fields == nil {
			return nil, fmt.Errorf("skills[%d] is %s; it must be an entry", i, clip(string(item)))
		}
		e := readEither(fields)
		if before, ok := first[e.URI]; ok && e.URI != "" {
			all[before].fault(RuleDuplicateURI, "the manifest has more than one entry with the URI %q", clip(e.URI))
			continue
		}
		first[e.URI] = len(all)
		all = append(all, e)
	}
	return all, nil
}

func readEither(fields map[string]json.RawMessage) Expected {
	if _, ok := fields["files"]; ok {
		return readNative(fields)
	}
	return readSkillEntry(fields)
}

// decode reads one JSON value and nothing behind it.
func decode(text []byte, value any) error {
	if bytes.HasPrefix(text, utf8BOM) {
		return errors.New("the text starts with a byte order mark (U+FEFF); JSON starts without one")
	}
	if err := uniqueKeys(text); err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(value); err != nil {
		return jsonError(text, err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return fmt.Errorf("line %d: there is more behind the end of the JSON text", lineOf(text, decoder.InputOffset()))
	}
	return nil
}

// uniqueKeys refuses an object with a key twice: of the two values a reader may
// take either. What else is wrong with the text is left to the decoder.
func uniqueKeys(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var open []map[string]bool // the keys of the objects that are open; nil for a list
	isKey := false
	for {
		token, err := decoder.Token()
		if err != nil {
			return nil
		}
		inObject := len(open) > 0 && open[len(open)-1] != nil
		switch token {
		case json.Delim('{'):
			open, isKey = append(open, map[string]bool{}), true
			continue
		case json.Delim('['):
			open, isKey = append(open, nil), false
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
			isKey = len(open) > 0 && open[len(open)-1] != nil
			continue
		}
		if inObject && isKey {
			key, _ := token.(string)
			if open[len(open)-1][key] {
				return fmt.Errorf("line %d: the key %q stands twice in one object", lineOf(text, decoder.InputOffset()), clip(key))
			}
			open[len(open)-1][key] = true
		}
		isKey = inObject && !isKey
	}
}

// jsonError names the line of a fault in a JSON text.
func jsonError(text []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: %s", lineOf(text, syntax.Offset), syntax.Error())
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("the JSON text is a %s; it must be an object", kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("line %d: %q must not be a JSON %s", lineOf(text, kind.Offset), kind.Field, kind.Value)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("the JSON text ends too early")
	}
	return err
}

func lineOf(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(int(offset), len(text))], []byte("\n"))
}

// readSkillEntry reads an entry of the MCP Skills extension. It takes any JSON
// types and turns what is wrong with them into faults.
func readSkillEntry(fields map[string]json.RawMessage) Expected {
	var e Expected
	dir := e.readURI(fields["uri"])
	e.readFrontmatter(fields["frontmatter"])
	resources := fields["resources"]
	var items []json.RawMessage
	switch {
	case e.nowhere:
	case len(resources) == 0 || string(resources) == "null":
		e.fault(RuleResourcesMissing, `the entry has no "resources"; it must be a list of files or the string "dynamic"`)
	case string(resources) == `"`+Dynamic+`"`:
		e.Dynamic = true
	case json.Unmarshal(resources, &items) != nil:
		e.fault(RuleResourcesMissing, `"resources" is %s; it must be a list of files or the string "dynamic"`, clip(string(resources)))
	default:
		list := newListing(&e)
		for i, item := range items {
			list.resource(dir, i, item)
		}
		list.complete("resources")
	}
	return e
}

// readURI gives the URI of the skill's directory.
func (e *Expected) readURI(raw json.RawMessage) string {
	if json.Unmarshal(raw, &e.URI) != nil || e.URI == "" {
		e.fault(RuleEntryURI, `the entry has no "uri"; it must be the URI of SKILL.md`)
		e.nowhere = true
		return ""
	}
	dir, ok := strings.CutSuffix(e.URI, "/"+spec.SkillFile)
	_, authority, hasScheme := strings.Cut(dir, "://")
	if !ok || !hasScheme || authority == "" {
		e.fault(RuleEntryURI, `"uri" is %q; it must be an absolute URI that ends in "/%s" behind the skill's name`, clip(e.URI), spec.SkillFile)
		e.nowhere = true
		return ""
	}
	name, err := decodeSegment(dir[strings.LastIndexByte(dir, '/')+1:])
	if err != nil {
		e.fault(RuleEntryURI, `"uri" is %q: %v`, clip(e.URI), err)
	}
	e.Name = name
	return dir
}

func (e *Expected) readFrontmatter(raw json.RawMessage) {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || object == nil {
		e.fault(RuleEntryFrontmatter, `"frontmatter" is %s; it must be an object with the fields of SKILL.md`, orAbsent(raw))
		return
	}
	e.Frontmatter = raw
	var name string
	if json.Unmarshal(object["name"], &name) == nil && e.Name != "" && name != e.Name {
		e.fault(RuleEntryURI, `"uri" has %q before "/%s" and the frontmatter's name is %q; they must be equal`, e.Name, spec.SkillFile, clip(name))
	}
}

// listing collects the files of one manifest.
type listing struct {
	expected *Expected
	seen     map[string]bool
}

func newListing(e *Expected) *listing { return &listing{e, map[string]bool{}} }

// at names a place in a JSON text.
func (l *listing) at(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }

// path takes a path that is plain and new.
func (l *listing) path(at, path string) bool {
	if !isPlain(path) {
		l.expected.fault(RuleOutside, "%s: %q is no plain path below the skill", at, clip(path))
		return false
	}
	if l.seen[path] {
		l.expected.fault(RuleDuplicate, "%q is listed more than once; each file stands once", clip(path))
		return false
	}
	l.seen[path] = true
	return true
}

// complete wants SKILL.md among the files.
func (l *listing) complete(field string) {
	if !l.seen[spec.SkillFile] {
		l.expected.fault(RuleIncomplete, "%s is not among the %s; every file must be", spec.SkillFile, field)
	}
}

// resource takes one resource of an entry.
func (l *listing) resource(dir string, i int, raw json.RawMessage) {
	var item map[string]json.RawMessage
	var uri string
	if json.Unmarshal(raw, &item) != nil || json.Unmarshal(item["uri"], &uri) != nil {
		l.expected.fault(RuleResource, `resources[%d] has no "uri"`, i)
		return
	}
	path, err := FilePath(dir, uri)
	if err != nil {
		l.expected.fault(RuleOutside, "resources[%d]: %v", i, err)
		return
	}
	if !l.path(l.at("resources", i), path) {
		return
	}
	f := ExpectedFile{Path: path}
	l.measures(&f, "digest", item["digest"], item["size"])
	l.expected.Files = append(l.expected.Files, f)
}

// measures reads the digest, in the field of that name, and the size.
func (l *listing) measures(f *ExpectedFile, field string, digest, size json.RawMessage) {
	n, err := strconv.ParseInt(string(size), 10, 64)
	if f.Size = n; err != nil || n < 0 {
		f.Size = -1
		l.expected.fault(RuleResource, `%q: "size" is %s; it must be a whole number of bytes`, clip(f.Path), orAbsent(size))
	}
	var text string
	if json.Unmarshal(digest, &text) != nil {
		f.Unchecked = true
		l.expected.fault(RuleDigestFormat, `%q: %q is %s; it must be "sha256:" and 64 lower-case hexadecimal digits`, clip(f.Path), field, orAbsent(digest))
		return
	}
	if f.Digest, err = Parse(text); err != nil {
		f.Unchecked = true
		l.expected.fault(RuleDigestFormat, "%q: %v", clip(f.Path), err)
	}
}

func orAbsent(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "absent"
	}
	return clip(string(raw))
}

// isPlain reports a relative path of plain segments.
func isPlain(path string) bool {
	for _, segment := range strings.Split(path, "/") {
		if segment == "" || segment == "." || segment == ".." || strings.ContainsRune(segment, 0) {
			return false
		}
	}
	return true
}
