package digest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// What a host of the MCP Skills extension must accept for one skill (S-ENT8).
const (
	MaxResources = 512
	MaxBytes     = 16 << 20
)

// Entry is one file of a skill.
type Entry struct {
	// Path is slash-separated and relative to the skill's directory.
	Path string `json:"path"`
	// Size is the length in bytes.
	Size   int64  `json:"size"`
	Digest Digest `json:"sha256"`
	// Executable reports that anybody may run the file. It is not part of any
	// digest.
	Executable bool `json:"executable"`
}

// Manifest is the native manifest: every file of a skill, sorted by the bytes
// of its path.
type Manifest struct {
	Name    string
	Entries []Entry
	// LeftOut are the files below the skill's directory that are not part of
	// what is served or packed (AS-S4).
	LeftOut []LeftOut
}

// LeftOut is a file that is not in a manifest.
type LeftOut struct {
	Path   string
	Reason string
}

// ErrChanged: a file was not the same before and after it was read.
var ErrChanged = errors.New("the file changed while it was being read")

// FileError names the file that could not be read.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }

func (e *FileError) Unwrap() error { return e.Err }

// Build reads every file of a skill that belongs into a manifest, one after
// another. Files that cannot be read come back as errors, and the others are
// in the manifest all the same.
func Build(ctx context.Context, s *spec.Skill) (*Manifest, []error) {
	m := &Manifest{Name: s.Frontmatter.Name}
	var failed []error
	buffer := make([]byte, 64<<10)
	kept, left := Select(s)
	m.LeftOut = left
	for _, f := range kept {
		if err := ctx.Err(); err != nil {
			return m, append(failed, err)
		}
		entry, err := readEntry(s, f, buffer)
		if err != nil {
			failed = append(failed, &FileError{f.Path, err})
			continue
		}
		m.Entries = append(m.Entries, entry)
	}
	return m, failed
}

// readEntry hashes one file. Its size must be the same before, while and after
// it is read, and so must the time of its last change.
func readEntry(s *spec.Skill, f spec.File, buffer []byte) (Entry, error) {
	file, err := s.FS.Open(joinPath(s.Dir, f.Path))
	if err != nil {
		return Entry{}, cause(err)
	}
	defer file.Close()
	before, err := file.Stat()
	if err != nil {
		return Entry{}, cause(err)
	}
	if !before.Mode().IsRegular() {
		return Entry{}, errors.New("it is no regular file any more")
	}
	h := sha256.New()
	n, err := io.CopyBuffer(onlyWriter{h}, onlyReader{file}, buffer)
	if err != nil {
		return Entry{}, cause(err)
	}
	after, err := file.Stat()
	if err != nil {
		return Entry{}, cause(err)
	}
	if n != before.Size() || n != after.Size() || !before.ModTime().Equal(after.ModTime()) {
		return Entry{}, ErrChanged
	}
	return Entry{Path: f.Path, Size: n, Digest: Digest(h.Sum(nil)), Executable: before.Mode()&0o111 != 0}, nil
}

// onlyReader and onlyWriter keep io.CopyBuffer from using a buffer of its own.
type onlyReader struct{ io.Reader }

type onlyWriter struct{ io.Writer }

// joinPath is path.Join for names that may hold any byte.
func joinPath(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// cause reduces an error of the file system to what a message needs.
func cause(err error) error {
	for _, known := range []error{fs.ErrPermission, fs.ErrNotExist} {
		if errors.Is(err, known) {
			return known
		}
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// Sort puts the entries into the order of a manifest.
func (m *Manifest) Sort() {
	slices.SortFunc(m.Entries, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
}

// Size gives the length in bytes of all files.
func (m *Manifest) Size() int64 {
	var total int64
	for _, e := range m.Entries {
		total += e.Size
	}
	return total
}

// Entry gives the entry of a path, or nil.
func (m *Manifest) Entry(path string) *Entry {
	i, ok := slices.BinarySearchFunc(m.Entries, path, func(e Entry, path string) int { return cmp.Compare(e.Path, path) })
	if !ok {
		return nil
	}
	return &m.Entries[i]
}

// Digest is the digest of the skill as a whole: the SHA-256 of the lines
// "hex  path" in bytewise order of the path. It is the hash that Go's module
// system calls h1 (golang.org/x/mod/sumdb/dirhash), in hexadecimal, and the
// hash of what sha256sum prints for the files.
func (m *Manifest) Digest() Digest {
	h := sha256.New()
	for _, e := range m.Entries {
		fmt.Fprintf(h, "%s  %s\n", e.Digest.Hex(), e.Path)
	}
	return Digest(h.Sum(nil))
}

// H1 gives the same digest as Go writes it in go.sum: "h1:" and base64.
func (m *Manifest) H1() string {
	d := m.Digest()
	return "h1:" + base64.StdEncoding.EncodeToString(d[:])
}

// Select says which of a skill's files belong into a manifest, and which do
// not and why: links and special files, litter, and what the skill's
// .skillignore names (AS-S4).
func Select(s *spec.Skill) (kept []spec.File, left []LeftOut) {
	keep := Belongs(s)
	for _, f := range s.Files {
		if reason := keep(f); reason != "" {
			left = append(left, LeftOut{f.Path, reason})
		} else {
			kept = append(kept, f)
		}
	}
	return kept, left
}

// Sums gives the manifest as sha256sum prints it, for "sha256sum -c" in the
// skill's directory. Names with a backslash or a line end are escaped as
// coreutils does.
func (m *Manifest) Sums() []byte {
	var b strings.Builder
	for _, e := range m.Entries {
		name, escaped := escapeSumName(e.Path)
		if escaped {
			b.WriteByte('\\')
		}
		b.WriteString(e.Digest.Hex() + "  " + name + "\n")
	}
	return []byte(b.String())
}

var sumEscaper = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`)

func escapeSumName(name string) (string, bool) {
	escaped := sumEscaper.Replace(name)
	return escaped, escaped != name
}
