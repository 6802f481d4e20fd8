package digest

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"github.com/skilltool/skilltool/pkg/spec"
)

// Algorithm names a digest over a whole skill.
type Algorithm string

// The digests over a whole skill. All but SHA256 are other tools' definitions.
const (
	// SHA256 is Manifest.Digest.
	SHA256 Algorithm = "sha256"
	// H1 is the same in the form of Go's go.sum.
	H1 Algorithm = "h1"
	// SkillsLock is computedHash of skills-lock.json, as "npx skills" writes it.
	SkillsLock Algorithm = "skills-lock"
	// GitTree is the id of the folder as a Git tree object, with SHA-1.
	GitTree Algorithm = "git-tree"
)

// Algorithms gives the names of all algorithms.
func Algorithms() []Algorithm { return []Algorithm{SHA256, H1, SkillsLock, GitTree} }

// CheckSum reports a text that is no digest under an algorithm.
func CheckSum(algorithm Algorithm, text string) error {
	switch algorithm {
	case SHA256:
		_, err := Parse(text)
		return err
	case H1:
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, h1Prefix))
		if err != nil || len(raw) != sha256.Size || !strings.HasPrefix(text, h1Prefix) {
			return fmt.Errorf("digest %q is not %q and 32 bytes in base64", clip(text), h1Prefix)
		}
		return nil
	case SkillsLock:
		_, err := parseHex(text)
		return err
	}
	if raw, err := hex.DecodeString(text); err != nil || len(raw) != sha1.Size || strings.ToLower(text) != text {
		return fmt.Errorf("id %q of a Git tree is not 40 lower-case hexadecimal digits", clip(text))
	}
	return nil
}

// Sum gives the digest of a skill under an algorithm, in the form that the
// algorithm's own tools write. Each algorithm chooses the files itself: SHA256
// and H1 are over those of the manifest.
func Sum(ctx context.Context, s *spec.Skill, algorithm Algorithm) (string, error) {
	r, err := newReading(s, algorithm)
	if err != nil {
		return "", err
	}
	return r.sum(ctx, algorithm)
}

// reading is a skill as an algorithm reads it.
type reading struct {
	skill *spec.Skill
	files []spec.File
	// change, where it is not nil, gives the content to take for what is there.
	change func(name string, content []byte) []byte
	// locale orders the files for SkillsLock.
	locale language.Tag
}

func newReading(s *spec.Skill, algorithm Algorithm) (r reading, err error) {
	r = reading{skill: s, locale: language.AmericanEnglish}
	switch algorithm {
	case SkillsLock:
		r.files = lockFiles(s)
	case GitTree:
		r.files = slices.DeleteFunc(slices.Clone(s.Files), func(f spec.File) bool { return f.Kind == spec.Special })
	default:
		r.files, _, err = Select(s)
	}
	return r, err
}

// lockFiles are the files that "npx skills" hashes: all regular ones outside
// .git and node_modules.
func lockFiles(s *spec.Skill) []spec.File {
	return slices.DeleteFunc(slices.Clone(s.Files), func(f spec.File) bool {
		return f.Kind != spec.Regular || slices.Contains(strings.Split(path.Dir(f.Path), "/"), "node_modules")
	})
}

func (r reading) sum(ctx context.Context, algorithm Algorithm) (string, error) {
	switch algorithm {
	case SHA256, H1:
		m, err := r.manifest(ctx)
		if err != nil {
			return "", err
		}
		if algorithm == H1 {
			return m.H1(), nil
		}
		return m.Digest().String(), nil
	case SkillsLock:
		return r.lockHash(ctx)
	case GitTree:
		return r.treeID(ctx)
	}
	return "", fmt.Errorf("digest algorithm %q is not known", algorithm)
}

func (r reading) manifest(ctx context.Context) (*Manifest, error) {
	m := &Manifest{}
	for _, f := range r.files {
		h := sha256.New()
		if err := r.copy(ctx, func(int64) io.Writer { return h }, f); err != nil {
			return nil, err
		}
		m.Entries = append(m.Entries, Entry{Path: f.Path, Digest: Digest(h.Sum(nil))})
	}
	return m, nil
}

// copy writes the content of a file, changed if that is asked for, to the
// writer that start gives for its length.
func (r reading) copy(ctx context.Context, start func(size int64) io.Writer, f spec.File) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.change != nil && f.Size <= maxExplained {
		content, err := readWhole(r.skill, f)
		if err != nil {
			return err
		}
		content = r.change(f.Path, content)
		_, err = start(int64(len(content))).Write(content)
		return err
	}
	n, err := copyFile(start(f.Size), r.skill, f, make([]byte, bufferSize([]spec.File{f})))
	if err == nil && n != f.Size {
		err = ErrChanged
	}
	if err != nil {
		return &FileError{f.Path, err}
	}
	return nil
}

// readWhole reads a file that is not too large to look for an explanation in.
func readWhole(s *spec.Skill, f spec.File) ([]byte, error) {
	if isParsed(s, f) {
		return s.Source, nil
	}
	var b bytes.Buffer
	b.Grow(int(f.Size) + 1)
	if _, err := copyFile(&b, s, f, nil); err != nil {
		return nil, &FileError{f.Path, err}
	}
	return b.Bytes(), nil
}

// lockHash is the SHA-256 over path and content of each file, with nothing
// between them, in the order of JavaScript's localeCompare. That order depends
// on the locale of whoever computed it.
func (r reading) lockHash(ctx context.Context) (string, error) {
	h := sha256.New()
	for _, f := range r.inLocaleOrder() {
		start := func(int64) io.Writer {
			io.WriteString(h, f.Path)
			return h
		}
		if err := r.copy(ctx, start, f); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func (r reading) inLocaleOrder() []spec.File {
	order := collate.New(r.locale)
	return slices.SortedStableFunc(slices.Values(r.files), func(a, b spec.File) int {
		return cmp.Or(order.CompareString(a.Path, b.Path), cmp.Compare(a.Path, b.Path))
	})
}

// treeNode is a folder or a file of a Git tree.
type treeNode struct {
	mode     string
	id       []byte
	children map[string]*treeNode // nil for a file
}

// treeID gives the id of the Git tree that the skill's folder would be: all its
// files, executable ones marked, symbolic links as links.
func (r reading) treeID(ctx context.Context) (string, error) {
	root := &treeNode{children: map[string]*treeNode{}}
	for _, f := range r.files {
		node, err := r.blob(ctx, f)
		if err != nil {
			return "", err
		}
		root.add(strings.Split(f.Path, "/"), node)
	}
	return hex.EncodeToString(root.hash()), nil
}

func (n *treeNode) add(segments []string, file *treeNode) {
	if len(segments) == 1 {
		n.children[segments[0]] = file
		return
	}
	dir := n.children[segments[0]]
	if dir == nil {
		dir = &treeNode{mode: "40000", children: map[string]*treeNode{}}
		n.children[segments[0]] = dir
	}
	dir.add(segments[1:], file)
}

// blob gives the Git object of a file's content, or of a link's target.
func (r reading) blob(ctx context.Context, f spec.File) (*treeNode, error) {
	if f.Kind == spec.Symlink {
		h := gitObject("blob", int64(len(f.Link.Target)))
		io.WriteString(h, f.Link.Target)
		return &treeNode{mode: "120000", id: h.Sum(nil)}, nil
	}
	node := &treeNode{mode: "100644"}
	if f.Mode&0o100 != 0 {
		node.mode = "100755"
	}
	var h hash.Hash
	start := func(size int64) io.Writer {
		h = gitObject("blob", size)
		return h
	}
	if err := r.copy(ctx, start, f); err != nil {
		return nil, err
	}
	node.id = h.Sum(nil)
	return node, nil
}

// gitObject starts the hash of a Git object with its header.
func gitObject(kind string, size int64) hash.Hash {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", kind, size)
	return h
}

// hash gives the id of a folder. Git sorts a folder as if its name ended in a
// slash.
func (n *treeNode) hash() []byte {
	names := make([]string, 0, len(n.children))
	for name, child := range n.children {
		if child.children != nil {
			name += "/"
			child.id = child.hash()
		}
		names = append(names, name)
	}
	slices.Sort(names)
	var content []byte
	for _, name := range names {
		name = strings.TrimSuffix(name, "/")
		child := n.children[name]
		content = fmt.Appendf(content, "%s %s\x00", child.mode, name)
		content = append(content, child.id...)
	}
	h := gitObject("tree", int64(len(content)))
	h.Write(content)
	return h.Sum(nil)
}
