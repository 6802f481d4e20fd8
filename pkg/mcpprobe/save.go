package mcpprobe

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"sync"

	"github.com/skilltool/skilltool/internal/cause"
)

// SaveOptions say where skills are saved, and as whose.
type SaveOptions struct {
	// Dir is the directory that everything goes below. It is made where it is
	// missing.
	Dir string
	// Label is the user's name for the server (C-5).
	Label string
	// Server is the address or the command that the origin files show, without
	// credentials.
	Server string
	// Insist allows a directory that clients search for skills.
	Insist bool
	// Dynamic allows skills without digests (C-4).
	Dynamic bool
}

// ClientFolderError refuses a directory that clients search for skills: what a
// server sends would be loaded by the next agent that starts (C-5).
type ClientFolderError struct {
	// Dir is the directory, Folder what in its path clients search.
	Dir, Folder string
}

func (e *ClientFolderError) Error() string {
	return fmt.Sprintf("%q is below %q, which clients search for skills; what is saved there is loaded unread", e.Dir, e.Folder)
}

// Saver writes skills below one directory, each to
//
//	DIR/<label>/<skill>/<name>/…         the files of the skill
//	DIR/<label>/<skill>/.skilltool-origin.json
//
// where <label> is the server's label, <skill> the URI of the skill's directory
// and <name> its last segment, all encoded so that two never meet at one path
// (C-5, encodeName). Files are first kept in a folder of their own, and come to
// their place together. Nothing outside of DIR is written, whatever a server
// calls its files and whatever links are in the way.
//
// Add may be called from several goroutines.
type Saver struct {
	options SaveOptions
	root    *os.Root
	base    string // where skills go, absolute and slash-separated

	mu     sync.Mutex
	work   string                 // holds what is not in its place yet; "" until it is needed
	next   int                    // names the folders in work
	skills map[string]*savedSkill // by URI
}

// savedSkill is what was added of one skill.
type savedSkill struct {
	entry  *Entry            // that the files were verified against
	folder string            // in Saver.work
	place  string            // where that folder goes, below the root
	name   string            // of the skill's own folder in it
	paths  map[string]string // from URIs
	err    error             // why the skill cannot be saved
	files  []SavedFile
}

// NewSaver opens the directory. The error is a *ClientFolderError where clients
// search it for skills.
func NewSaver(o SaveOptions) (*Saver, error) {
	if o.Label == "" {
		return nil, errors.New("the server has no label, so that nothing says whose skills these are")
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	if err := o.refuse(resolveExisting(dir), dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("the directory %q cannot be made: %w", o.Dir, cause.Of(err))
	}
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		err = o.refuse(real)
	}
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, fmt.Errorf("the directory %q cannot be opened: %w", o.Dir, cause.Of(err))
	}
	base := path.Join(filepath.ToSlash(real), encodeName(o.Label))
	return &Saver{options: o, root: root, base: base, skills: map[string]*savedSkill{}}, nil
}

// refuse looks for a folder that clients search in the path of a directory and
// of what goes below it.
func (o SaveOptions) refuse(dirs ...string) error {
	for _, dir := range dirs {
		below := path.Join(filepath.ToSlash(dir), encodeName(o.Label))
		if folder, ok := clientFolder(below); ok && !o.Insist {
			return &ClientFolderError{Dir: o.Dir, Folder: folder}
		}
	}
	return nil
}

// resolveExisting follows the links of as much of a path as exists.
func resolveExisting(dir string) string {
	for at, rest := dir, ""; ; at, rest = filepath.Dir(at), filepath.Join(filepath.Base(at), rest) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// Discard forgets what was added of a skill, so that it can be added anew.
func (s *Saver) Discard(uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if skill := s.skills[uri]; skill != nil {
		delete(s.skills, uri)
		if s.work != "" {
			_ = s.root.RemoveAll(path.Join(s.work, skill.folder))
		}
	}
}

// Has reports whether a file of a skill was added, or could not be.
func (s *Saver) Has(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.skills[uri] != nil
}

// Close removes what was not committed.
func (s *Saver) Close() error {
	var err error
	if s.work != "" {
		err = s.root.RemoveAll(s.work)
	}
	if closeErr := s.root.Close(); err == nil {
		err = closeErr
	}
	return err
}

// SaveLabel gives the label that a target goes by: the user's own, else the host
// or the name of the program (C-5).
func (t Target) SaveLabel() string { return t.label() }
