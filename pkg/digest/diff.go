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
	// Frontmatter is nil where it is not known.
	Frontmatter json.RawMessage
}

// Diff is what changed from one side to another.
type Diff struct {
	Files  []FileDiff
	Fields []FieldChange
}

// Empty reports that nothing changed.
func (d Diff) Empty() bool { return len(d.Files) == 0 && len(d.Fields) == 0 }

// FileDiff is one file that changed. Sizes are in bytes, and -1 where they are
// not known or there is no such file.
type FileDiff struct {
	Path             string
	Kind             ChangeKind
	OldSize, NewSize int64
	// ModeOnly reports that only the executable bit changed, to Executable.
	ModeOnly   bool
	Executable bool
}

// Compare gives what changed from old to new, sorted by path and by field.
// Fields are compared where both sides know them.
func Compare(old, new Side) Diff {
	var d Diff
	before, after := byPath(old.Files), byPath(new.Files)
	for path, a := range before {
		b, ok := after[path]
		switch {
		case !ok:
			d.Files = append(d.Files, FileDiff{Path: path, Kind: Removed, OldSize: a.Size, NewSize: -1})
		case a.Digest != b.Digest:
			d.Files = append(d.Files, FileDiff{Path: path, Kind: Changed, OldSize: a.Size, NewSize: b.Size})
		case a.Executable != nil && b.Executable != nil && *a.Executable != *b.Executable:
			d.Files = append(d.Files, FileDiff{
				Path: path, Kind: Changed, OldSize: a.Size, NewSize: b.Size, ModeOnly: true, Executable: *b.Executable,
			})
		}
	}
	for path, b := range after {
		if _, ok := before[path]; !ok {
			d.Files = append(d.Files, FileDiff{Path: path, Kind: Added, OldSize: -1, NewSize: b.Size})
		}
	}
	slices.SortFunc(d.Files, func(a, b FileDiff) int { return strings.Compare(a.Path, b.Path) })
	if old.Frontmatter != nil && new.Frontmatter != nil {
		d.Fields = DiffFields(old.Frontmatter, new.Frontmatter)
	}
	return d
}

func byPath(files []ExpectedFile) map[string]ExpectedFile {
	m := make(map[string]ExpectedFile, len(files))
	for _, f := range files {
		m[f.Path] = f
	}
	return m
}

// Side gives a manifest as a side of a comparison.
func (m *Manifest) Side(frontmatter json.RawMessage) Side {
	s := Side{Frontmatter: frontmatter}
	for _, e := range m.Entries {
		executable := e.Executable
		s.Files = append(s.Files, ExpectedFile{Path: e.Path, Digest: e.Digest, Size: e.Size, Executable: &executable})
	}
	return s
}
