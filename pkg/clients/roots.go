package clients

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// ProjectRoots gives the folders below fsys in which a client would look for the
// skills of a project, the one that counts first in front, as far as they
// exist. fsys is the repository, and dir the current folder in it,
// slash-separated.
func (p *Profile) ProjectRoots(fsys fs.FS, dir string) []string {
	from := []string{path.Clean(dir)}
	switch p.Roots.Climb {
	case "root":
		from = []string{"."}
	case "repository":
		for at := path.Clean(dir); at != "." && at != "/" && !strings.HasPrefix(at, ".."); {
			at = path.Dir(at)
			from = append(from, at)
		}
	}
	var roots []string
	for _, at := range from {
		for _, root := range p.Roots.Project {
			name := path.Join(at, root)
			if info, err := fs.Stat(fsys, name); err == nil && info.IsDir() && !slices.Contains(roots, name) {
				roots = append(roots, name)
			}
		}
	}
	return roots
}
