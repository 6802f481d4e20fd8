package digest

import (
	"encoding/json"
	"slices"
	"strings"
)

// Side is one of two things that are compared: a folder, a manifest or an
// entry.
type Side struct {
	Files []ExpectedFile
	// Dynamic sides have no files that could be compared.
	Dynamic bool
	// Frontmatter is nil where it is not known.
	Frontmatter json.RawMessage
}

// Side gives a manifest as a side of a comparison.
func (m *Manifest) Side(frontmatter json.RawMessage) Side {
	s := Side{Frontmatter: frontmatter}
	for _, e := range m.Entries {
		s.Files = append(s.Files, ExpectedFile{Path: e.Path, Digest: e.Digest, Size: e.Size, Executable: &e.Executable})
	}
	return s
}

// Side gives what a manifest says as a side of a comparison.
func (e *Expected) Side() Side {
	return Side{Files: e.Files, Dynamic: e.Dynamic, Frontmatter: e.Frontmatter}
}

// ChangeKind says what happened to a file, a field or a skill.
type ChangeKind string

// The kinds of changes.
const (
	Added   ChangeKind = "added"
	Removed ChangeKind = "removed"
	// Modified files have other bytes.
	Modified ChangeKind = "modified"
	// Mode files have the same bytes and another executable bit.
	Mode ChangeKind = "mode"
	// Changed fields have another value.
	Changed ChangeKind = "changed"
)

// Diff is what changed from one side to another.
type Diff struct {
	// Dynamic is nil unless one side has resources and the other has none, and
	// then says which the new side is.
	Dynamic *bool
	// Files are sorted by path, Fields by pointer.
	Files  []FileDiff
	Fields []FieldChange
}

// Empty reports that nothing changed.
func (d Diff) Empty() bool { return d.Dynamic == nil && len(d.Files) == 0 && len(d.Fields) == 0 }

// FileDiff is one file that changed.
type FileDiff struct {
	Path string
	Kind ChangeKind
	// OldSize and NewSize are in bytes, and -1 where they are not known or
	// there is no such file.
	OldSize, NewSize int64
	// OldExecutable and NewExecutable are nil where they are not known or
	// there is no such file.
	OldExecutable, NewExecutable *bool
}

// ModeChanged reports that the executable bit of a file changed.
func (f FileDiff) ModeChanged() bool {
	return f.OldExecutable != nil && f.NewExecutable != nil && *f.OldExecutable != *f.NewExecutable
}

// Compare gives what changed from old to new. Fields are compared where both
// sides know them, files where both have some.
func Compare(old, new Side) Diff {
	var d Diff
	switch {
	case old.Dynamic != new.Dynamic:
		d.Dynamic = &new.Dynamic
	case !old.Dynamic:
		d.Files = compareFiles(old.Files, new.Files)
	}
	if old.Frontmatter != nil && new.Frontmatter != nil {
		d.Fields = DiffFields(old.Frontmatter, new.Frontmatter)
	}
	return d
}

func compareFiles(old, new []ExpectedFile) []FileDiff {
	var all []FileDiff
	before, after := byPath(old), byPath(new)
	for path, a := range before {
		b, ok := after[path]
		f := FileDiff{path, Modified, a.Size, b.Size, a.Executable, b.Executable}
		switch {
		case !ok:
			all = append(all, FileDiff{path, Removed, a.Size, -1, a.Executable, nil})
		case a.Digest != b.Digest, a.Unchecked != b.Unchecked:
			all = append(all, f)
		case f.ModeChanged():
			f.Kind = Mode
			all = append(all, f)
		}
	}
	for path, b := range after {
		if _, ok := before[path]; !ok {
			all = append(all, FileDiff{path, Added, -1, b.Size, nil, b.Executable})
		}
	}
	slices.SortFunc(all, func(a, b FileDiff) int { return strings.Compare(a.Path, b.Path) })
	return all
}

func byPath(files []ExpectedFile) map[string]ExpectedFile {
	m := make(map[string]ExpectedFile, len(files))
	for _, f := range files {
		m[f.Path] = f
	}
	return m
}
