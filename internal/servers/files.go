package servers

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// maxFileBytes bounds a configuration file. The largest known kind, in which
// Claude Code keeps its history too, has a few MiB.
const maxFileBytes = 32 << 20

// File is a configuration file that may name servers.
type File struct {
	// Path is absolute.
	Path string
	// Show is the path as messages have it: within the repository relative to
	// the working directory, and with ~ for the home directory.
	Show string
	// Workspace is the folder that the file is about: commands start in it.
	// "" stands for none.
	Workspace string
	// Project says that the file belongs to a project, rather than a user.
	Project bool
	// shape is where in the file servers stand.
	shape shape
	// section is the project that a part of the file is about, or "".
	section string
}

type shape int

const (
	shapeClient    shape = iota // mcpServers or servers
	shapeSkilltool              // probe.servers
	shapeProjects               // projects.DIR.mcpServers
)

// Place is where names are looked up.
type Place struct {
	// Dir is the absolute working directory.
	Dir string
	// Root is the root of the repository around it, or Dir.
	Root string
	// Home is the user's home directory, or "".
	Home   string
	Getenv func(string) string
	// OS is a value of runtime.GOOS; "" stands for that of the program.
	OS string
}

// projectFiles are what a folder may have, the first winning.
var projectFiles = []string{".skilltool.yaml", ".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json"}

// Files gives the files in which names are looked up, the nearest first: those
// of the working directory and of the folders above it up to the repository's
// root, then the user's. Not all need exist.
func (p Place) Files() []File {
	var list []File
	for _, dir := range p.upward() {
		for _, name := range projectFiles {
			list = append(list, p.projectFile(dir, name))
		}
	}
	seen := map[string]bool{}
	for _, f := range list {
		seen[f.Path] = true
	}
	for _, f := range p.userFiles() {
		if !seen[f.Path] {
			list = append(list, f)
		}
	}
	return list
}

// upward gives the folders from Dir to Root.
func (p Place) upward() []string {
	var list []string
	for dir := p.Dir; ; dir = filepath.Dir(dir) {
		list = append(list, dir)
		if dir == p.Root || dir == filepath.Dir(dir) {
			return list
		}
	}
}

func (p Place) projectFile(dir, name string) File {
	f := File{Path: filepath.Join(dir, filepath.FromSlash(name)), Workspace: dir, Project: true}
	if name == ".skilltool.yaml" {
		f.shape = shapeSkilltool
	}
	f.Show = p.show(f.Path)
	return f
}

// userFiles gives the files of clients in the user's home.
func (p Place) userFiles() []File {
	if p.Home == "" {
		return nil
	}
	config := p.configDir()
	claude := filepath.Join(p.Home, ".claude.json")
	if dir := p.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		claude = filepath.Join(dir, ".claude.json")
	}
	list := []File{{Path: filepath.Join(config, "Claude", "claude_desktop_config.json")}}
	for _, dir := range p.upward() {
		list = append(list, File{Path: claude, shape: shapeProjects, section: dir, Workspace: dir})
	}
	list = append(list,
		File{Path: claude},
		File{Path: filepath.Join(config, "Code", "User", "mcp.json")},
		File{Path: filepath.Join(p.Home, ".cursor", "mcp.json")},
	)
	for i := range list {
		list[i].Show = p.show(list[i].Path)
	}
	return list
}

// configDir is where programs keep settings, by operating system.
func (p Place) configDir() string {
	system := p.OS
	if system == "" {
		system = runtime.GOOS
	}
	switch system {
	case "darwin":
		return filepath.Join(p.Home, "Library", "Application Support")
	case "windows":
		if dir := p.Getenv("APPDATA"); dir != "" {
			return dir
		}
		return filepath.Join(p.Home, "AppData", "Roaming")
	}
	if dir := p.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(p.Home, ".config")
}

// Named gives the file that a person names, with what it can be about.
func (p Place) Named(path string) []File {
	absolute := path
	if !filepath.IsAbs(path) {
		absolute = filepath.Join(p.Dir, path)
	}
	f := File{Path: filepath.Clean(absolute), Show: path, Project: true, Workspace: workspaceOf(absolute)}
	switch base := filepath.Base(absolute); {
	case strings.HasSuffix(base, ".yaml"), strings.HasSuffix(base, ".yml"):
		f.shape = shapeSkilltool
	case base == ".claude.json":
		var list []File
		for _, dir := range p.upward() {
			list = append(list, File{Path: f.Path, Show: path, shape: shapeProjects, section: dir, Workspace: dir})
		}
		return append(list, File{Path: f.Path, Show: path})
	}
	for _, user := range p.userFiles() {
		if user.Path == f.Path {
			f.Project, f.Workspace = false, user.Workspace
		}
	}
	return []File{f}
}

// workspaceOf gives the folder that a file of a project is about.
func workspaceOf(path string) string {
	dir := filepath.Dir(path)
	if base := filepath.Base(dir); base == ".vscode" || base == ".cursor" {
		return filepath.Dir(dir)
	}
	return dir
}

// show shortens a path for messages.
func (p Place) show(path string) string {
	if _, ok := below(p.Root, path); ok {
		if rel, err := filepath.Rel(p.Dir, path); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	if rel, ok := below(p.Home, path); ok {
		return "~/" + filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}

// below gives the way from a folder to what is in it.
func below(dir, path string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	return rel, dir != "" && err == nil && filepath.IsLocal(rel)
}

// FileError is a file that cannot be read or understood.
type FileError struct {
	File File
	Err  error
}

func (e *FileError) Error() string {
	var place *placeError
	if errors.As(e.Err, &place) {
		return fmt.Sprintf("%s:%v", e.File.Show, e.Err)
	}
	return fmt.Sprintf("%s: %v", e.File.Show, e.Err)
}

func (e *FileError) Unwrap() error { return e.Err }

// Read gives the servers of a file in the order in which they are written. A
// file that does not exist gives an error that is fs.ErrNotExist.
func (f File) Read() ([]Server, error) {
	text, err := readBounded(f.Path, maxFileBytes)
	if err == nil {
		var all []Server
		if all, err = f.parse(text); err == nil {
			return all, nil
		}
	}
	return nil, &FileError{f, err}
}

// parse gives the servers of a file's text.
func (f File) parse(text []byte) ([]Server, error) {
	parse := parseJSONC
	if f.shape == shapeSkilltool {
		parse = parseYAML
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	if root.kind != kindObject {
		return nil, root.errorf("the file holds %s; it is an object", root.kind)
	}
	switch f.shape {
	case shapeSkilltool:
		return readEntries(root.get("probe").get("servers"), "probe.servers", f, nil)
	case shapeProjects:
		project := root.get("projects").get(f.section)
		return readEntries(project.get("mcpServers"), "projects."+f.section+".mcpServers", f, nil)
	}
	inputs := readInputs(root.get("inputs"))
	all, err := readEntries(root.get("mcpServers"), "mcpServers", f, inputs)
	if err != nil {
		return nil, err
	}
	more, err := readEntries(root.get("servers"), "servers", f, inputs)
	return append(all, more...), err
}

// readBounded reads a regular file of at most limit bytes.
func readBounded(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, reason(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, reason(err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("it is larger than %d bytes", limit)
	}
	return text, reason(err)
}

// missing is fs.ErrNotExist in the words of this program.
type missing struct{}

func (missing) Error() string        { return "there is no such file" }
func (missing) Is(target error) bool { return target == fs.ErrNotExist }

// reason gives an error of the file system without the path in it.
func reason(err error) error {
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return missing{}
	case errors.Is(err, fs.ErrPermission):
		return errors.New("permission denied")
	case errors.As(err, &path):
		return path.Err
	}
	return err
}
