package cmd

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/skilltool/skilltool/internal/term"
)

// templateFiles holds one directory for each template of "new". The files'
// names end in .tmpl, so that nobody takes them for a skill.
//
//go:embed templates
var templateFiles embed.FS

// templates gives the names of the templates, the default first.
func templates() []string { return []string{"minimal", "full", "script"} }

// templateData is what a template can say. Name, Description and License are
// quoted for YAML; License is empty where there is none.
type templateData struct {
	Name, Description, License string
	Title, Topic               string
}

func newSkill(name, description, license string) templateData {
	data := templateData{Name: quoteName(name), Description: quoteYAML(description), Topic: topic(name)}
	data.Title = strings.ToUpper(data.Topic[:1]) + data.Topic[1:]
	if license != "" {
		data.License = quoteYAML(license)
	}
	return data
}

// newFile is a file to write; its path is slash-separated and relative to the
// skill's directory.
type newFile struct {
	path string
	data []byte
	mode fs.FileMode
}

// render fills in a template and gives its files, sorted by path.
func render(name string, data templateData) ([]newFile, error) {
	root := path.Join("templates", name)
	var files []newFile
	err := fs.WalkDir(templateFiles, root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		source, err := templateFiles.ReadFile(file)
		if err != nil {
			return err
		}
		text, err := fill(file, string(source), data)
		relative := strings.TrimSuffix(strings.TrimPrefix(file, root+"/"), ".tmpl")
		files = append(files, newFile{relative, text, modeOf(text)})
		return err
	})
	slices.SortFunc(files, func(a, b newFile) int { return cmp.Compare(a.path, b.path) })
	return files, err
}

func fill(name, source string, data templateData) ([]byte, error) {
	parsed, err := template.New(name).Parse(source)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = parsed.Execute(&b, data)
	return b.Bytes(), err
}

// modeOf makes scripts executable.
func modeOf(text []byte) fs.FileMode {
	if bytes.HasPrefix(text, []byte("#!")) {
		return 0o755
	}
	return 0o644
}

// scaffold is a skill about to be written as the directory name below parent.
type scaffold struct {
	parent, name  string
	files         []newFile
	force, dryRun bool
}

// write builds the skill beside its place, moves it there, and gives the paths
// of files that were replaced. On an error it leaves nothing behind.
func (s *scaffold) write() (replaced []string, err error) {
	if s.dryRun {
		return s.probe()
	}
	created, err := makeParents(s.parent)
	defer func() {
		if err != nil {
			removeEmpty(created)
		}
	}()
	if err != nil {
		return nil, err
	}
	// Nothing can be written outside of parent, whatever links are in it.
	root, err := os.OpenRoot(s.parent)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if replaced, err = s.check(root); err != nil {
		return nil, err
	}
	temporary := "." + s.name + "." + rand.Text()
	defer root.RemoveAll(temporary)
	if err := s.build(root, temporary); err != nil {
		return nil, err
	}
	return replaced, s.move(root, temporary)
}

// probe does what write does first, as far as it needs no directory that does
// not exist yet.
func (s *scaffold) probe() ([]string, error) {
	root, err := os.OpenRoot(s.parent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return s.check(root)
}

// check looks for what is in the way and gives the files that exist. Without
// force any is an error; a file where a directory has to be, or the other way
// round, always is.
func (s *scaffold) check(root *os.Root) (existing []string, err error) {
	for _, file := range s.files {
		for dir := path.Dir(path.Join(s.name, file.path)); dir != "."; dir = path.Dir(dir) {
			if info, err := root.Lstat(filepath.FromSlash(dir)); err == nil && !info.IsDir() {
				return nil, fmt.Errorf("%s is in the way and is no directory", s.shown(dir))
			}
		}
		target := path.Join(s.name, file.path)
		info, err := root.Lstat(filepath.FromSlash(target))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		case info.IsDir():
			return nil, fmt.Errorf("%s is in the way and is a directory", s.shown(target))
		}
		existing = append(existing, file.path)
	}
	if len(existing) > 0 && !s.force {
		return nil, s.inTheWay(existing)
	}
	return existing, nil
}

func (s *scaffold) inTheWay(existing []string) error {
	var shown []string
	for _, file := range existing {
		shown = append(shown, s.shown(path.Join(s.name, file)))
	}
	return fmt.Errorf("in the way: %s; --force overwrites", strings.Join(shown, ", "))
}

// build writes all files below the directory temporary.
func (s *scaffold) build(root *os.Root, temporary string) error {
	for _, file := range s.files {
		target := filepath.Join(temporary, filepath.FromSlash(file.path))
		if err := root.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(target, file.data, file.mode); err != nil {
			return err
		}
	}
	return nil
}

// move puts what was built into its place: as a whole, or file by file where
// the directory exists.
func (s *scaffold) move(root *os.Root, temporary string) error {
	if _, err := root.Lstat(s.name); errors.Is(err, fs.ErrNotExist) {
		return root.Rename(temporary, s.name)
	}
	for _, file := range s.files {
		local := filepath.FromSlash(file.path)
		target := filepath.Join(s.name, local)
		if err := root.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := root.Rename(filepath.Join(temporary, local), target); err != nil {
			return err
		}
	}
	return nil
}

// summarize says on stdout what was written, and on stderr what comes next.
func (s *scaffold) summarize(e *env, replaced []string) {
	for _, file := range s.files {
		verb := "created"
		switch {
		case s.dryRun && slices.Contains(replaced, file.path):
			verb = "would replace"
		case s.dryRun:
			verb = "would create"
		case slices.Contains(replaced, file.path):
			verb = "replaced"
		}
		fmt.Fprintf(e.stdout, "%s %s\n", verb, s.shown(path.Join(s.name, file.path)))
	}
	if !s.dryRun {
		dir := s.shown(s.name)
		e.notef("next: edit %s/SKILL.md, then run: skilltool validate %s", dir, dir)
	}
}

// shown gives a path below parent for people: slash-separated, and relative
// where parent is.
func (s *scaffold) shown(name string) string {
	return term.Escape(path.Join(filepath.ToSlash(s.parent), name))
}

// makeParents is os.MkdirAll, and gives the directories that it made, the
// deepest first.
func makeParents(dir string) ([]string, error) {
	var created []string
	for missing := filepath.Clean(dir); ; missing = filepath.Dir(missing) {
		if _, err := os.Lstat(missing); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		created = append(created, missing)
	}
	return created, os.MkdirAll(dir, 0o755)
}

// removeEmpty takes back what makeParents made. A directory that somebody has
// put something into stays.
func removeEmpty(dirs []string) {
	for _, dir := range dirs {
		_ = os.Remove(dir)
	}
}
