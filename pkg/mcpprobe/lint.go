package mcpprobe

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/skilltool/skilltool/pkg/spec"
)

// maxLinted bounds the files of one skill that are held for the validator: what
// every host must accept for a skill.
const maxLinted = MaxSkillBytes

// keepForLint keeps a verified file for the validator.
func (s *skillAudit) keepForLint(uri string, content []byte) {
	if !s.options.Content {
		return
	}
	name := s.filePath(uri)
	if !fs.ValidPath(name) {
		return
	}
	s.keeping.Lock()
	defer s.keeping.Unlock()
	if s.keptBytes += int64(len(content)); s.keptBytes > maxLinted {
		s.findings.keep(checkConforms, Skip, s.about(""), fmt.Sprintf(
			"the files have more than %s bytes together, so that not all of them were given to the validator", thousands(maxLinted)))
		return
	}
	if s.kept == nil {
		s.kept = map[string][]byte{}
	}
	s.kept[name] = content
}

// lint runs the validator on the skill as it is served.
func (s *skillAudit) lint() {
	if !s.options.Content {
		return
	}
	if s.entry.Dynamic && s.skillMD != nil {
		s.keepForLint(s.entry.URI, s.skillMD)
	}
	defer func() { s.kept = nil }()
	if s.kept[spec.SkillFile] == nil {
		return
	}
	dir := uriName(s.entry.URI)
	if !fs.ValidPath(dir) || strings.Contains(dir, "/") {
		dir = "skill"
	}
	skill, err := spec.Load(newMemory(dir, s.kept), dir)
	if err != nil {
		s.findings.keep(checkConforms, Error, s.about(""), "the skill could not be given to the validator: "+oneLine(err.Error()))
		return
	}
	validate := s.options.Lint
	if validate == nil {
		validate = func(skill *spec.Skill) []spec.Diagnostic { return spec.Validate(skill) }
	}
	s.report.Diagnostics = validate(skill)
}

// memory is a file system of the files of one skill.
type memory map[string]*memoryFile

// memoryFile is a file or a directory.
type memoryFile struct {
	name    string
	content []byte
	dir     bool
	entries []fs.DirEntry // of a directory, sorted
}

// newMemory puts files, by their valid paths, into a directory.
func newMemory(dir string, files map[string][]byte) memory {
	m := memory{".": {name: ".", dir: true}}
	for _, name := range sortedKeys(files) {
		m.add(path.Join(dir, name), &memoryFile{name: path.Base(name), content: files[name]})
	}
	for _, f := range m {
		slices.SortFunc(f.entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return m
}

// add puts a file into its directory, which is made where it is not there. It
// gives false where a file is in its way.
func (m memory) add(name string, f *memoryFile) bool {
	parent := path.Dir(name)
	if m[parent] == nil && !m.add(parent, &memoryFile{name: path.Base(parent), dir: true}) || !m[parent].dir {
		return false
	}
	m[name] = f
	m[parent].entries = append(m[parent].entries, fs.FileInfoToDirEntry(f))
	return true
}

// Open implements fs.FS.
func (m memory) Open(name string) (fs.File, error) {
	f := m[name]
	if f == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &memoryHandle{memoryFile: f, reader: bytes.NewReader(f.content)}, nil
}

// ReadDir implements fs.ReadDirFS.
func (m memory) ReadDir(name string) ([]fs.DirEntry, error) {
	f := m[name]
	if f == nil || !f.dir {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	return f.entries, nil
}

// The methods of fs.FileInfo.
func (f *memoryFile) Name() string       { return f.name }
func (f *memoryFile) Size() int64        { return int64(len(f.content)) }
func (f *memoryFile) ModTime() time.Time { return time.Time{} }
func (f *memoryFile) IsDir() bool        { return f.dir }
func (f *memoryFile) Sys() any           { return nil }
func (f *memoryFile) Mode() fs.FileMode {
	if f.dir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}

// memoryHandle is an open file.
type memoryHandle struct {
	*memoryFile
	reader io.Reader
}

func (h *memoryHandle) Stat() (fs.FileInfo, error) { return h.memoryFile, nil }
func (h *memoryHandle) Read(p []byte) (int, error) { return h.reader.Read(p) }
func (h *memoryHandle) Close() error               { return nil }
