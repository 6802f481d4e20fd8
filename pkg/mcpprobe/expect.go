package mcpprobe

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/spec"
)

// ExpectedSkill is a skill that a server is expected to serve: on disk, or of a
// manifest.
type ExpectedSkill struct {
	// Name is that for people.
	Name string
	digest.Side
}

// NotServed gives the failure for a skill that is expected and not served.
func (w ExpectedSkill) NotServed() Result {
	return expectResult("", "", fmt.Sprintf("the skill %q is expected and not served", clip(w.Name)))
}

// NotExpected gives the failure for a skill that is served and not expected.
func NotExpected(e *Entry) Result {
	return expectResult(e.URI, "", "the skill is served and not expected")
}

func expectResult(skill, uri, message string) Result {
	return Result{Check: checkExpectedContent, Status: Fail, Skill: skill, URI: uri, Message: message, Count: 1}
}

// Compare holds an entry against what is expected, and gives its failures, or a
// pass. explained has what Explain gave, by the URIs of files.
func (w ExpectedSkill) Compare(e *Entry, explained map[string]string) []Result {
	var results []Result
	diff := digest.Compare(w.Side, servedSide(e))
	if diff.Dynamic != nil {
		message := "the skill is served as dynamic, without digests; files are expected"
		if w.Dynamic {
			message = "the skill is served with files; it is expected to be dynamic"
		}
		results = append(results, expectResult(e.URI, "", message))
	}
	for _, f := range diff.Files {
		uri := digest.FileURI(e.Dir, f.Path)
		for _, r := range e.Resources { // as it is listed, where it is
			if name, err := digest.FilePath(e.Dir, r.URI); err == nil && name == f.Path {
				uri = r.URI
			}
		}
		results = append(results, expectResult(e.URI, uri, describeFile(f, explained[uri])))
	}
	for _, c := range diff.Fields {
		result := expectResult(e.URI, "", fmt.Sprintf("the field %q of the frontmatter is not as expected", c.Field()))
		result.Evidence = []Evidence{{"expected", clipTo(orNone(c.Old), maxEvidence)}, {"served", clipTo(orNone(c.New), maxEvidence)}}
		results = append(results, result)
	}
	if len(results) == 0 {
		results = []Result{{Check: checkExpectedContent, Status: Pass, Skill: e.URI, Count: 1}}
	}
	return results
}

func orNone(raw []byte) string {
	if len(raw) == 0 {
		return "none"
	}
	return string(raw)
}

func describeFile(f digest.FileDiff, explained string) string {
	switch f.Kind {
	case digest.Added:
		return fmt.Sprintf("%q is served and not expected", f.Path)
	case digest.Removed:
		return fmt.Sprintf("%q is expected and not served", f.Path)
	}
	message := fmt.Sprintf("%q has other bytes than expected: %d bytes are served", f.Path, f.NewSize)
	switch {
	case f.OldSize >= 0 && f.OldSize != f.NewSize:
		message += fmt.Sprintf(", %d are expected", f.OldSize)
	case f.OldSize >= 0:
		message += ", as many as expected"
	}
	if explained != "" {
		message += "; " + explained
	}
	return message
}

// servedSide gives what an entry promises as a side of a comparison. Files whose
// URIs or digests cannot be read are failures of other checks.
func servedSide(e *Entry) digest.Side {
	side := digest.Side{Dynamic: e.Dynamic, Frontmatter: e.Frontmatter}
	for _, r := range e.Resources {
		name, err := digest.FilePath(e.Dir, r.URI)
		if err != nil {
			continue
		}
		f := digest.ExpectedFile{Path: name, Size: r.Size}
		if f.Digest, err = digest.Parse(r.Digest); err != nil {
			f.Unchecked = true
		}
		side.Files = append(side.Files, f)
	}
	return side
}

// Explain looks for the harmless reason why a served file is not the expected
// one: other line ends, a byte order mark, a final line end. It gives "" where
// the file is as expected, or no reason is known.
func (w ExpectedSkill) Explain(ctx context.Context, e *Entry, uri string, content []byte) string {
	name, err := digest.FilePath(e.Dir, uri)
	if err != nil {
		return ""
	}
	for _, want := range w.Files {
		if want.Path != name || want.Unchecked || want.Digest == digest.Of(content) {
			continue
		}
		served := &spec.Skill{
			Dir: ".", FS: oneFile{name, content},
			Files: []spec.File{{Path: name, Kind: spec.Regular, Size: int64(len(content))}},
		}
		want.Executable = nil
		result, _ := digest.Verify(ctx, served, digest.Expected{Files: []digest.ExpectedFile{want}})
		for _, f := range result.Files {
			if how, ok := strings.CutPrefix(f.Explained, "it fits "); ok {
				return "the served file fits " + how
			}
		}
	}
	return ""
}

// oneFile is a file system with one file in it.
type oneFile struct {
	name    string
	content []byte
}

func (o oneFile) Open(name string) (fs.File, error) {
	if name != o.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &openFile{oneFile: o, Reader: bytes.NewReader(o.content)}, nil
}

// openFile is that file, open. It is its own fs.FileInfo.
type openFile struct {
	oneFile
	io.Reader
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *openFile) Close() error               { return nil }
func (f *openFile) Name() string               { return f.name }
func (f *openFile) Size() int64                { return int64(len(f.content)) }
func (f *openFile) Mode() fs.FileMode          { return 0o444 }
func (f *openFile) ModTime() time.Time         { return time.Time{} }
func (f *openFile) IsDir() bool                { return false }
func (f *openFile) Sys() any                   { return nil }
