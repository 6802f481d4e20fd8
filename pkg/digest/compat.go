package digest

import (
	"cmp"
	"crypto/sha1"
	"crypto/sha256"
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

// Sum gives the digest of a skill under an algorithm, as its own tools write
// it. SHA256 and H1 are over the manifest m; the others read the files again,
// each as the tool that defines it chooses them.
func Sum(s *spec.Skill, m *Manifest, algorithm Algorithm) (string, error) {
	switch algorithm {
	case SHA256:
		return m.Digest().String(), nil
	case H1:
		return m.H1(), nil
	case SkillsLock:
		return lockHash(s, lockFiles(s), language.AmericanEnglish)
	case GitTree:
		return treeID(s)
	}
	return "", fmt.Errorf("digest algorithm %q is not known", algorithm)
}

// lockFiles are the files that "npx skills" hashes: all regular ones outside
// .git and node_modules.
func lockFiles(s *spec.Skill) []spec.File {
	return slices.DeleteFunc(slices.Clone(s.Files), func(f spec.File) bool {
		return f.Kind != spec.Regular || slices.Contains(strings.Split(path.Dir(f.Path), "/"), "node_modules")
	})
}

// lockHash is the SHA-256 over path and content of each file, with nothing
// between them, in the order of JavaScript's localeCompare. That order depends
// on the locale of whoever computed it.
func lockHash(s *spec.Skill, files []spec.File, locale language.Tag) (string, error) {
	order := collate.New(locale)
	slices.SortStableFunc(files, func(a, b spec.File) int {
		return cmp.Or(order.CompareString(a.Path, b.Path), cmp.Compare(a.Path, b.Path))
	})
	h := sha256.New()
	for _, f := range files {
		io.WriteString(h, f.Path)
		if err := copyFile(h, s, f); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// copyFile writes the content of a skill's file to w.
func copyFile(w io.Writer, s *spec.Skill, f spec.File) error {
	file, err := s.FS.Open(joinPath(s.Dir, f.Path))
	if err != nil {
		return &FileError{f.Path, cause(err)}
	}
	defer file.Close()
	n, err := io.Copy(w, file)
	switch {
	case err != nil:
		return &FileError{f.Path, cause(err)}
	case n != f.Size:
		return &FileError{f.Path, ErrChanged}
	}
	return nil
}

// treeNode is a folder or a file of a Git tree.
type treeNode struct {
	mode     string
	id       []byte
	children map[string]*treeNode // nil for a file
}

// treeID gives the id of the Git tree that the skill's folder would be: all its
// files, executable ones marked, symbolic links as links.
func treeID(s *spec.Skill) (string, error) {
	root := &treeNode{children: map[string]*treeNode{}}
	for _, f := range s.Files {
		if f.Kind == spec.Special {
			continue
		}
		node, err := blob(s, f)
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
func blob(s *spec.Skill, f spec.File) (*treeNode, error) {
	if f.Kind == spec.Symlink {
		h := gitObject("blob", int64(len(f.Link.Target)))
		io.WriteString(h, f.Link.Target)
		return &treeNode{mode: "120000", id: h.Sum(nil)}, nil
	}
	node := &treeNode{mode: "100644"}
	if f.Mode&0o111 != 0 {
		node.mode = "100755"
	}
	h := gitObject("blob", f.Size)
	if err := copyFile(h, s, f); err != nil {
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
