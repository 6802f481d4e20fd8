package mcpprobe

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/skilltool/skilltool/internal/cause"
	"github.com/skilltool/skilltool/pkg/digest"
)

// Add takes a file that was verified. It holds the content against the entry
// once more, so that nothing else is ever written. The first error about a skill
// as a whole is that of all its files.
func (s *Saver) Add(e *Entry, uri string, content []byte) error {
	skill, err := s.skill(e)
	if err != nil {
		return err
	}
	file, err := s.verified(skill, e, uri, content)
	if err != nil {
		return err
	}
	if known, err := s.note(skill, file); known || err != nil {
		return err
	}
	name := path.Join(s.work, skill.folder, skill.name, file.Path)
	if err := s.writeNew(name, content); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		skill.files = slices.DeleteFunc(skill.files, func(f SavedFile) bool { return f == file })
		return fmt.Errorf("%q cannot be saved: %w", file.Path, cause.Of(err))
	}
	return nil
}

// note takes a file into the list, and says whether it was there already: two
// entries of a listing may carry one URI.
func (s *Saver) note(skill *savedSkill, file SavedFile) (known bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range skill.files {
		switch {
		case f == file:
			return true, nil
		case f.Path == file.Path:
			return true, fmt.Errorf("the file %q is promised with two digests; the first one is saved", clip(file.URI))
		}
	}
	skill.files = append(skill.files, file)
	return false, nil
}

// skill gives what was added of the skill of an entry.
func (s *Saver) skill(e *Entry) (*savedSkill, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.skills[e.URI]; ok {
		return known, known.err
	}
	skill := &savedSkill{entry: e, folder: strconv.Itoa(s.next)}
	s.next++
	s.skills[e.URI] = skill
	if skill.err = s.prepare(skill, e); skill.err != nil {
		return nil, skill.err
	}
	return skill, nil
}

// prepare plans where the files of a skill go.
func (s *Saver) prepare(skill *savedSkill, e *Entry) (err error) {
	name, err := skillFolder(e)
	if err != nil {
		return err
	}
	if e.Dynamic && !s.options.Dynamic {
		return errors.New("the skill is dynamic: it carries no digests, so that nothing can be verified")
	}
	skill.name = encodeName(name)
	skill.place = path.Join(encodeName(s.options.Label), encodeName(e.Dir))
	if skill.paths, err = filePaths(e, s.rules(skill)); err != nil {
		return err
	}
	if s.work == "" {
		work := ".skilltool-" + rand.Text() + ".tmp"
		if err := s.root.Mkdir(work, 0o700); err != nil {
			return fmt.Errorf("nothing can be written to the directory: %w", cause.Of(err))
		}
		s.work = work
	}
	return nil
}

// skillFolder gives the last segment of the skill's directory, which is its
// name.
func skillFolder(e *Entry) (string, error) {
	_, below, ok := strings.Cut(e.Dir, "://")
	if !ok || below == "" {
		return "", fmt.Errorf("the skill's URI %q has no directory", clip(e.URI))
	}
	parent, segment := path.Split(e.Dir)
	name, err := digest.FilePath(strings.TrimSuffix(parent, "/"), parent+segment)
	if err != nil {
		return "", err
	}
	return name, nil
}

// verified holds a file against the entry.
func (s *Saver) verified(skill *savedSkill, e *Entry, uri string, content []byte) (SavedFile, error) {
	f := SavedFile{Path: skill.paths[uri], URI: uri, Size: int64(len(content)), Digest: digest.Of(content)}
	if e.Dynamic {
		var err error
		f.Path, err = s.dynamicPath(skill, e, uri)
		return f, err
	}
	for _, r := range e.Resources {
		if r.URI == uri {
			if r.Size != f.Size || r.Digest != f.Digest.String() {
				return f, fmt.Errorf("%q is not what its entry promises; it is not saved", clip(uri))
			}
			if f.Path == "" {
				return f, fmt.Errorf("%q is listed in one entry of the skill and not in another; it is not saved", clip(uri))
			}
			return f, nil
		}
	}
	return f, fmt.Errorf("%q is no file of its entry; it is not saved", clip(uri))
}

// dynamicPath gives the path of a file that no manifest lists, beside those
// that were added before.
func (s *Saver) dynamicPath(skill *savedSkill, e *Entry, uri string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := &Entry{Dir: e.Dir, Resources: []Resource{{URI: uri}}}
	for _, f := range skill.files {
		all.Resources = append(all.Resources, Resource{URI: f.URI})
	}
	paths, err := filePaths(all, s.rules(skill))
	return paths[uri], err
}

// rules say what the paths of a skill's files may be.
func (s *Saver) rules(skill *savedSkill) pathRules {
	r := pathRules{windows: runtime.GOOS == "windows"}
	if !s.options.Insist {
		r.below = path.Join(s.base, path.Base(skill.place), skill.name)
	}
	return r
}

// writeNew writes a file that must not exist yet, with the folders that it
// needs. It is never executable.
func (s *Saver) writeNew(name string, content []byte) error {
	if err := s.root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o755); err != nil {
		return err
	}
	f, err := s.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}
