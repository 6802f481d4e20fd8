package digest

import (
	"cmp"
	"encoding/json"
	"slices"
)

// NativeVersion is the version of the native manifest. Fields are only added.
const NativeVersion = 1

// NativeSchemaURL identifies the JSON Schema of the native manifest.
const NativeSchemaURL = "https://github.com/skilltool/skilltool/schemas/manifest.schema.json"

// NativeSet is the native form of the manifests of some skills, as
// schemas/manifest.schema.json describes it.
type NativeSet struct {
	Schema  string   `json:"$schema"`
	Version int      `json:"version"`
	Skills  []Native `json:"skills"`
}

// NewNativeSet gives a set of the current version.
func NewNativeSet(skills ...Native) NativeSet {
	if skills == nil {
		skills = []Native{}
	}
	return NativeSet{Schema: NativeSchemaURL, Version: NativeVersion, Skills: skills}
}

// Native is the native form of one skill's manifest.
type Native struct {
	Name string `json:"name"`
	// Path is the skill's directory below the one that was searched,
	// slash-separated; it ends in the name.
	Path string `json:"path"`
	// Digest is that of Manifest.Digest.
	Digest Digest  `json:"digest"`
	Files  []Entry `json:"files"`
}

// Native gives the native form of a manifest, for a skill's directory below the
// one that was searched.
func (m *Manifest) Native(path string) Native {
	n := Native{Name: m.Name, Path: path, Digest: m.Digest(), Files: m.Entries}
	if n.Files == nil {
		n.Files = []Entry{}
	}
	return n
}

// nativeFile is a file of a native manifest, of whatever types it has.
type nativeFile struct {
	Path       string          `json:"path"`
	Size       json.RawMessage `json:"size"`
	SHA256     json.RawMessage `json:"sha256"`
	Executable *bool           `json:"executable"`
}

// readNative reads a native manifest of one skill.
func readNative(fields map[string]json.RawMessage) Expected {
	var e Expected
	// Names of another type are no names; nothing rests on them.
	_ = json.Unmarshal(fields["name"], &e.Name)
	_ = json.Unmarshal(fields["path"], &e.Path)
	var items []json.RawMessage
	if json.Unmarshal(fields["files"], &items) != nil {
		e.fault(RuleResourcesMissing, `"files" is %s; it must be a list of files`, orAbsent(fields["files"]))
		return e
	}
	list := newListing(&e)
	for i, raw := range items {
		list.native(i, raw)
	}
	list.complete("files")
	e.checkDigest(fields["digest"])
	return e
}

func (l *listing) native(i int, raw json.RawMessage) {
	var item nativeFile
	if err := json.Unmarshal(raw, &item); err != nil {
		l.expected.fault(RuleResource, "files[%d] is %s; it must have a path, a size, a digest and whether it is executable", i, clip(string(raw)))
		return
	}
	if !l.path(l.at("files", i), item.Path) {
		return
	}
	f := ExpectedFile{Path: item.Path, Executable: item.Executable}
	l.measures(&f, "sha256", item.SHA256, item.Size)
	l.expected.Files = append(l.expected.Files, f)
}

// checkDigest holds the digest that a native manifest has of itself against
// its files.
func (e *Expected) checkDigest(raw json.RawMessage) {
	var said Digest
	if len(raw) == 0 || len(e.Faults) > 0 {
		return
	}
	if err := json.Unmarshal(raw, &said); err != nil {
		e.fault(RuleDigestFormat, "the manifest's digest is %s; it must be %q and 64 lower-case hexadecimal digits", clip(string(raw)), prefix)
		return
	}
	if have := e.digest(); have != said {
		e.fault(RuleSkillDigest, "the manifest says that its digest is %s; that of its files is %s", said, have)
	}
}

// digest is Manifest.Digest of the listed files.
func (e *Expected) digest() Digest {
	m := Manifest{}
	for _, f := range e.Files {
		m.Entries = append(m.Entries, Entry{Path: f.Path, Digest: f.Digest})
	}
	slices.SortFunc(m.Entries, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	return m.Digest()
}
