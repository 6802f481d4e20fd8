package mcpprobe

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/internal/cause"
	"github.com/skilltool/skilltool/pkg/digest"
)

// Saved says what became of a skill.
type Saved struct {
	// Path is the skill's folder below the directory, slash-separated.
	Path string
	// Files is how many files were verified.
	Files int
	// Complete says that all files of the entry are there.
	Complete bool
	// Changed is false where the same files were there already.
	Changed bool
	// Kept says that an earlier copy with all its files was kept, and these
	// files, which are not all, were dropped.
	Kept bool
}

// Commit brings what was added of a skill to its place, as a whole. What is
// there already is replaced only if it came from the same label and URI, and if
// nobody has touched it since; it is left alone if it is the same, or if it is
// complete and this is not.
func (s *Saver) Commit(uri string) (*Saved, error) {
	s.mu.Lock()
	skill := s.skills[uri]
	s.mu.Unlock()
	switch {
	case skill == nil:
		return nil, errors.New("no file of the skill was verified")
	case skill.err != nil:
		return nil, skill.err
	case len(skill.files) == 0:
		return nil, errors.New("no file of the skill could be saved")
	}
	origin := s.origin(skill)
	text, err := origin.text()
	if err == nil {
		err = s.writeNew(path.Join(s.work, skill.folder, OriginFile), text)
	}
	if err != nil {
		return nil, fmt.Errorf("the origin of the skill cannot be written: %w", cause.Of(err))
	}
	saved := &Saved{Path: path.Join(skill.place, skill.name), Files: len(skill.files), Complete: origin.Complete}
	if err := s.makeLabel(path.Dir(skill.place)); err != nil {
		return nil, err
	}
	info, there, err := lookAt(s.root, skill.place)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q cannot be looked at: %w", skill.place, cause.Of(err))
	case !there:
		saved.Changed = true
		return saved, s.move(skill)
	case !info.IsDir():
		return nil, fmt.Errorf("%q is in the way and is no folder", skill.place)
	}
	return saved, s.replace(skill, origin, text, saved)
}

func (s *Saver) origin(skill *savedSkill) Origin {
	e, files := skill.entry, slices.Clone(skill.files)
	slices.SortFunc(files, func(a, b SavedFile) int { return strings.Compare(a.Path, b.Path) })
	return Origin{
		Version: 1, Label: s.options.Label, Server: s.options.Server, URI: e.URI, Folder: skill.name,
		Verified: !e.Dynamic, Complete: isComplete(e, files), Files: files,
	}
}

// makeLabel makes the folder of the server. A link there would lead elsewhere.
func (s *Saver) makeLabel(name string) error {
	info, there, err := lookAt(s.root, name)
	if err == nil && !there {
		err = s.root.Mkdir(name, 0o755)
	}
	switch {
	case err != nil && !errors.Is(err, fs.ErrExist):
		return fmt.Errorf("the folder %q cannot be made: %w", name, cause.Of(err))
	case there && !info.IsDir():
		return fmt.Errorf("%q is in the way and is no folder", name)
	}
	return nil
}

// move brings a skill to its place, where nothing is.
func (s *Saver) move(skill *savedSkill) error {
	if err := s.root.Rename(filepath.Join(s.work, skill.folder), filepath.FromSlash(skill.place)); err != nil {
		return fmt.Errorf("%q cannot be written: %w", skill.place, linkCause(err))
	}
	return nil
}

// replace puts a skill in the place of an earlier copy.
func (s *Saver) replace(skill *savedSkill, now Origin, text []byte, saved *Saved) error {
	old, err := readOrigin(s.root, skill.place)
	if err != nil {
		return err
	}
	if old == nil || old.Label != now.Label || old.URI != now.URI {
		return fmt.Errorf("%q is there already and was not saved from this skill of this server; move it away", skill.place)
	}
	if old.Complete && !now.Complete {
		saved.Kept = true
		return nil
	}
	same, err := s.untouched(skill, old, now.Files)
	if err != nil {
		return err
	}
	oldText, err := old.text()
	if err != nil {
		return err
	}
	if same && bytes.Equal(oldText, text) {
		return nil
	}
	saved.Changed = true
	aside := filepath.Join(s.work, skill.folder+"-before")
	if err := s.root.Rename(filepath.FromSlash(skill.place), aside); err != nil {
		return fmt.Errorf("%q cannot be replaced: %w", skill.place, linkCause(err))
	}
	if err := s.move(skill); err != nil {
		return errors.Join(err, s.root.Rename(aside, filepath.FromSlash(skill.place)))
	}
	return nil
}

// untouched refuses an earlier copy that holds anything but what was saved: it
// would be lost. same says that every one of the files is there.
func (s *Saver) untouched(skill *savedSkill, old *Origin, files []SavedFile) (same bool, err error) {
	allowed := map[string][]digest.Digest{}
	for _, f := range old.Files {
		name := path.Join(skill.place, old.Folder, f.Path)
		allowed[name] = append(allowed[name], f.Digest)
	}
	now := map[string]digest.Digest{}
	for _, f := range files {
		name := path.Join(skill.place, skill.name, f.Path)
		allowed[name], now[name] = append(allowed[name], f.Digest), f.Digest
	}
	found := 0
	err = fs.WalkDir(s.root.FS(), skill.place, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == path.Join(skill.place, OriginFile) {
			return err
		}
		have, err := s.digestOf(name, entry)
		switch {
		case err != nil:
			return err
		case !slices.Contains(allowed[name], have):
			return fmt.Errorf("%q was changed or added since the skill was saved; move it away", name)
		case now[name] == have:
			found++
		}
		return nil
	})
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = fmt.Errorf("%q cannot be read: %w", pathError.Path, cause.Of(err))
	}
	return found == len(files), err
}

// digestOf gives the digest of a regular file, and that of nothing for what is
// none, which no file has that was saved.
func (s *Saver) digestOf(name string, entry fs.DirEntry) (digest.Digest, error) {
	if !entry.Type().IsRegular() {
		return digest.Digest{}, nil
	}
	f, err := s.root.Open(filepath.FromSlash(name))
	if err != nil {
		return digest.Digest{}, err
	}
	defer f.Close()
	have, _, err := digest.Read(f)
	return have, err
}

// linkCause is cause.Of for a rename.
func linkCause(err error) error {
	var link *os.LinkError
	if errors.As(err, &link) {
		err = link.Err
	}
	return cause.Of(err)
}

// isComplete reports whether all files of an entry are among some.
func isComplete(e *Entry, files []SavedFile) bool {
	saved := map[string]string{}
	for _, f := range files {
		saved[f.URI] = f.Digest.String()
	}
	for _, r := range e.Resources {
		if saved[r.URI] != r.Digest {
			return false
		}
	}
	return saved[e.URI] != ""
}

// lookAt says what is at a path, and whether there is anything.
func lookAt(root *os.Root, name string) (fs.FileInfo, bool, error) {
	info, err := root.Lstat(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return info, err == nil, err
}
