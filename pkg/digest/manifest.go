package digest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/skilltool/skilltool/internal/cause"
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
	// Executable reports that somebody may run the file. It is not part of any
	// digest.
	Executable bool `json:"executable"`
}

// Manifest lists every file of a skill that is served or packed.
type Manifest struct {
	// Name is that of the frontmatter.
	Name string
	// Entries are sorted by the bytes of their paths.
	Entries []Entry
	// LeftOut are the files below the skill's directory that are not part of
	// what is served or packed (AS-S4), sorted by path.
	LeftOut []LeftOut
}

// LeftOut is a file that is not in a manifest, with the reason as a phrase.
type LeftOut struct{ Path, Reason string }

// ErrChanged: a file was not the same before and after it was read.
var ErrChanged = errors.New("the file changed while it was being read")

// FileError names the file that could not be read, relative to its skill.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }

func (e *FileError) Unwrap() error { return e.Err }

// Build reads the files of a skill that belong to it, one after another and in
// pieces, and gives its manifest. SKILL.md counts as the skill was parsed from
// it, so that digest and frontmatter are of the same bytes. Files that cannot
// be read come back as errors, each a *FileError, and the others are in the
// manifest all the same; where ctx ends its error is the last one.
func Build(ctx context.Context, s *spec.Skill) (*Manifest, []error) {
	kept, left, err := Select(s)
	if err != nil {
		return &Manifest{Name: s.Frontmatter.Name}, []error{err}
	}
	m := &Manifest{Name: s.Frontmatter.Name, Entries: make([]Entry, 0, len(kept)), LeftOut: left}
	var failed []error
	var buffer []byte
	for _, f := range kept {
		if err := ctx.Err(); err != nil {
			return m, append(failed, err)
		}
		if buffer == nil && !isParsed(s, f) {
			buffer = make([]byte, bufferSize(kept))
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

// bufferSize is what the largest of some files needs to be read in one piece,
// within bounds: small skills are most of all, and a buffer must be cleared.
func bufferSize(files []spec.File) int64 {
	const least, most = 4 << 10, 64 << 10
	var largest int64
	for _, f := range files {
		if f.Path != spec.SkillFile {
			largest = max(largest, f.Size)
		}
	}
	return min(max(largest, least), most)
}

// Select says which of a skill's files belong into a manifest, and which do
// not and why: links and special files, litter, and what the skill's
// .skillignore names (AS-S4). It fails where that cannot be read.
func Select(s *spec.Skill) (kept []spec.File, left []LeftOut, err error) {
	reason, err := Belongs(s)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range s.Files {
		if why := reason(f); why != "" {
			left = append(left, LeftOut{f.Path, why})
		} else {
			kept = append(kept, f)
		}
	}
	return kept, left, nil
}

// isParsed reports whether a file is the SKILL.md that the skill was parsed
// from and that is in memory whole.
func isParsed(s *spec.Skill, f spec.File) bool {
	return f.Path == s.File && f.Kind == spec.Regular && s.Source != nil && !s.Oversize
}

// readEntry hashes one file through a buffer.
func readEntry(s *spec.Skill, f spec.File, buffer []byte) (Entry, error) {
	e := Entry{Path: f.Path, Executable: f.Mode&0o111 != 0}
	if isParsed(s, f) {
		e.Size, e.Digest = int64(len(s.Source)), Of(s.Source)
		return e, nil
	}
	h := sha256.New()
	var err error
	if e.Size, err = copyFile(h, s, f, buffer); err != nil {
		return Entry{}, err
	}
	h.Sum(e.Digest[:0])
	return e, nil
}

// copyFile writes the content of a skill's file to w through a buffer and gives
// its length. The file's size must be the same before, while and after it is
// read, and so must the time of its last change.
func copyFile(w io.Writer, s *spec.Skill, f spec.File, buffer []byte) (int64, error) {
	file, err := s.FS.Open(joinPath(s.Dir, f.Path))
	if err != nil {
		return 0, cause.Of(err)
	}
	defer file.Close()
	before, err := file.Stat()
	if err != nil {
		return 0, cause.Of(err)
	}
	if !before.Mode().IsRegular() {
		return 0, errors.New("it is no regular file any more")
	}
	// What is appended meanwhile is not read, and shows in the size afterwards.
	n, err := io.CopyBuffer(onlyWriter{w}, io.LimitReader(file, before.Size()), buffer)
	if err != nil {
		return 0, cause.Of(err)
	}
	after, err := file.Stat()
	if err != nil {
		return 0, cause.Of(err)
	}
	if n != before.Size() || n != after.Size() || !before.ModTime().Equal(after.ModTime()) {
		return 0, ErrChanged
	}
	return n, nil
}

// onlyWriter keeps io.CopyBuffer from using a buffer of its own.
type onlyWriter struct{ io.Writer }

// joinPath is path.Join for names that may hold any byte.
func joinPath(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
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
func (m *Manifest) H1() string { return h1(m.Digest()) }

func h1(d Digest) string { return h1Prefix + base64.StdEncoding.EncodeToString(d[:]) }

const h1Prefix = "h1:"
