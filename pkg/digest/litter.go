package digest

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// IgnoreFile names files that are part of the folder and not of the skill, in
// the syntax of .gitignore. It stands at the skill's root.
const IgnoreFile = ".skillignore"

// maxIgnoreBytes bounds IgnoreFile.
const maxIgnoreBytes = 64 << 10

// Belongs gives the function that decides, for every command, which files of a
// skill are served, packed and named in a manifest (AS-S4). It gives "" for a
// file that is, and otherwise why it is not, as a phrase. It fails where the
// skill's IgnoreFile cannot be read.
func Belongs(s *spec.Skill) (func(spec.File) string, error) {
	ignored, err := readIgnore(s)
	if err != nil {
		return nil, err
	}
	return func(f spec.File) string {
		switch {
		case f.Kind == spec.Symlink:
			return "a symbolic link"
		case f.Kind == spec.Special:
			return "no regular file"
		case f.Path == spec.SkillFile:
			return ""
		}
		if reason := litter(f.Path); reason != "" {
			return reason
		}
		if ignored.match(f.Path) {
			return "named in " + IgnoreFile
		}
		return ""
	}, nil
}

const litterOfVCS = "version control data"

// litterDirs are folders of other tools, with what they hold.
var litterDirs = map[string]string{
	".git": litterOfVCS, ".hg": litterOfVCS, ".svn": litterOfVCS, ".jj": litterOfVCS, "CVS": litterOfVCS,
	"node_modules": "installed dependencies", ".venv": "installed dependencies", "venv": "installed dependencies",
	"__pycache__": "a cache", ".pytest_cache": "a cache", ".mypy_cache": "a cache", ".ruff_cache": "a cache",
	".cache": "a cache", ".tox": "a cache", ".nox": "a cache",
	"__MACOSX": "a file of an operating system",
	".idea":    "a file of an editor", ".vscode": "a file of an editor", ".vs": "a file of an editor",
}

// litterFiles are files that nobody means to publish, with what they are.
var litterFiles = map[string]string{
	".DS_Store": "a file of an operating system", "Thumbs.db": "a file of an operating system",
	"desktop.ini": "a file of an operating system", ".directory": "a file of an operating system",
	".gitignore": litterOfVCS, ".gitattributes": litterOfVCS, ".gitmodules": litterOfVCS, ".gitkeep": litterOfVCS,
	IgnoreFile: "the list of what is left out",
}

// litterSuffixes end the names of such files.
var litterSuffixes = []struct{ suffix, reason string }{
	{".pyc", "bytecode"}, {".pyo", "bytecode"}, {".class", "bytecode"},
	{".swp", "a file of an editor"}, {".swo", "a file of an editor"}, {"~", "a file of an editor"},
}

// litter says what a path is that is left out by default, or "".
func litter(name string) string {
	segments := strings.Split(name, "/")
	for _, dir := range segments[:len(segments)-1] {
		if reason := litterDirs[dir]; reason != "" {
			return reason
		}
	}
	base := path.Base(name)
	if reason := litterFiles[base]; reason != "" {
		return reason
	}
	for _, s := range litterSuffixes {
		if strings.HasSuffix(base, s.suffix) && base != s.suffix {
			return s.reason
		}
	}
	switch {
	case strings.HasPrefix(base, "._"), strings.HasPrefix(base, "Icon\r"):
		return "a file of an operating system"
	case strings.HasPrefix(base, ".#"), strings.HasPrefix(base, "#") && strings.HasSuffix(base, "#") && len(base) > 1:
		return "a file of an editor"
	case isEnvFile(base):
		return "a file of settings and secrets"
	}
	return ""
}

// isEnvFile reports a file such as .env or .env.local, but not .env.example.
func isEnvFile(base string) bool {
	if !strings.HasPrefix(base, ".env") {
		return false
	}
	for _, word := range []string{"example", "sample", "template", "dist", "defaults"} {
		if strings.HasSuffix(base, "."+word) {
			return false
		}
	}
	return true
}

// readIgnore reads the skill's ignore file, if there is one. What cannot be read
// is an error: the files that it names must not be published by mistake.
func readIgnore(s *spec.Skill) (ignoreList, error) {
	i := slices.IndexFunc(s.Files, func(f spec.File) bool { return f.Path == IgnoreFile })
	if i < 0 {
		return nil, nil
	}
	f := s.Files[i]
	switch {
	case f.Kind != spec.Regular:
		return nil, &FileError{IgnoreFile, errors.New("it is no regular file, so nobody knows what it leaves out")}
	case f.Size > maxIgnoreBytes:
		return nil, &FileError{IgnoreFile, fmt.Errorf("it has %d bytes; at most %d are read", f.Size, maxIgnoreBytes)}
	}
	text, err := readWhole(s, f)
	if err != nil {
		return nil, err
	}
	return parseIgnore(string(text)), nil
}
