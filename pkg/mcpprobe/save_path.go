package mcpprobe

import (
	"fmt"
	"path"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/skilltool/skilltool/pkg/digest"
)

// pathRules say what the path of a file may be.
type pathRules struct {
	// windows is set where the system is that.
	windows bool
	// below is where the skill's folder goes, slash-separated, or "" where
	// only the path below it counts.
	below string
}

// filePaths gives where the files of an entry go below the skill's folder, by
// their URIs. It refuses a skill whose files cannot all be kept beside each
// other on every file system: two that differ only in case or normal form, or
// one that is a file and a folder at once. Nothing would say which one was lost.
func filePaths(e *Entry, rules pathRules) (map[string]string, error) {
	paths := make(map[string]string, len(e.Resources))
	files := map[string]string{}   // from folded paths
	folders := map[string]string{} // of all files, from folded paths
	for _, r := range e.Resources {
		name, err := digest.FilePath(e.Dir, r.URI)
		if err != nil {
			return nil, err
		}
		if err := rules.check(name); err != nil {
			return nil, err
		}
		folded := foldPath(name)
		if other, ok := files[folded]; ok && other != name {
			return nil, fmt.Errorf("the files %q and %q have one name where case or normal form does not count", other, name)
		}
		files[folded], paths[r.URI] = name, name
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			folded := foldPath(dir)
			if other, ok := folders[folded]; ok && other != dir {
				return nil, fmt.Errorf("the folders %q and %q have one name where case or normal form does not count", other, dir)
			}
			folders[folded] = dir
		}
	}
	for _, r := range e.Resources { // in the order of the entry, for one message
		if dir, ok := folders[foldPath(paths[r.URI])]; ok {
			return nil, fmt.Errorf("%q is a file, and %q a folder with files in it", paths[r.URI], dir)
		}
	}
	return paths, nil
}

// foldPath is equal for paths that some file system takes for one.
func foldPath(name string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFD.String(name)))
}

// check refuses a path that means more than its bytes: a repository
// whose configuration Git would run, or a folder that clients search for skills
// (C-5). On Windows it refuses what that system takes for another name.
func (r pathRules) check(name string) error {
	for segment := range strings.SplitSeq(name, "/") {
		switch folded := foldPath(segment); {
		case folded == ".git", folded == "git~1":
			return fmt.Errorf("the file %q lies in a folder that Git takes for a repository", name)
		case r.windows && !windowsName(segment):
			return fmt.Errorf("the file %q has a name that Windows takes for another: no device, none of <>:\"|?*, and no blank or full stop at the end", name)
		}
	}
	if folder, ok := clientFolder(path.Join(r.below, path.Dir(name))); ok {
		return fmt.Errorf("the file %q lies in %q, which clients search for skills", name, folder)
	}
	return nil
}

// windowsName reports a segment that Windows keeps as it is.
func windowsName(segment string) bool {
	return !isDevice(segment) && !strings.ContainsAny(segment, `<>:"|?*`) && strings.TrimRight(segment, " .") == segment
}

// clientNames are the folders of programs whose whole content counts: any
// folder "skills" below one of them is searched.
var clientNames = []string{".agents", ".claude", ".codex", ".copilot", ".cursor", ".gemini", ".github"}

// nearDot is how many segments may lie between a folder with a dot and its
// "skills": ".pi/agent/skills", ".config/opencode/skills".
const nearDot = 2

// clientFolder finds a folder that clients search for skills in a
// slash-separated path (C-5): "skills" or "skill", or "skills-" with a mode,
// near below a folder whose name starts with a dot, and the one of the whole
// machine. Clients come and go, so it goes by the form that they share.
func clientFolder(name string) (string, bool) {
	segments := strings.Split(strings.ToLower(path.Clean(name)), "/")
	dot, client := -1, false // the last folder with a dot, and whether a known one came
	for i, segment := range segments {
		isSkills := segment == "skills" || segment == "skill" || strings.HasPrefix(segment, "skills-")
		system := i >= 2 && segments[i-2] == "etc" && segments[i-1] == "codex"
		if isSkills && (dot >= 0 && (client || i-dot <= nearDot) || system) {
			return path.Join(strings.Split(path.Clean(name), "/")[max(dot, 0) : i+1]...), true
		}
		if len(segment) > 1 && segment[0] == '.' && segment != ".." {
			dot = i
			for _, known := range clientNames {
				client = client || segment == known
			}
		}
	}
	return "", false
}
