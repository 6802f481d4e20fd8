package spec

import (
	"io/fs"
	"path"
	"strings"
)

// Skill is one skill as it was read, faults and all. It is not changed after
// Parse or Load, but for caches: rules may read it one after another.
type Skill struct {
	// FS and Dir say where it was read from: Dir is its directory in FS,
	// slash-separated, "." for the root. FS is nil for a skill that was parsed
	// from bytes.
	FS  fs.FS
	Dir string
	// DirName is the real name of the directory that holds SKILL.md, or ""
	// where nobody knows it: a file read from standard input has none.
	DirName string
	// RepositoryRoot reports that the directory is the root of a repository
	// and so named by whoever cloned it.
	RepositoryRoot bool
	// File is the name of the file that was read, relative to Dir: SKILL.md,
	// or its near miss.
	File string
	// FileProblem says why File is not what the specification asks for.
	FileProblem FileProblem
	// Source is the content of File, byte for byte. It is nil where the file
	// could not be read or must not be.
	Source []byte
	// Oversize reports a file of more than MaxSkillFileBytes, which is not
	// read further.
	Oversize bool
	// Encoding says what the bytes of Source are.
	Encoding Encoding
	// Split says where the fences stand.
	Split Split
	// Frontmatter is the YAML between them.
	Frontmatter Frontmatter
	// Body is the Markdown behind the closing fence.
	Body Range
	// Files are all files below Dir but those of .git, sorted by path. It is
	// nil for a skill that was parsed from bytes.
	Files []File
	// Problems are the findings of the parser: text that is no YAML, or more
	// of it than is read. The rules that they name report them.
	Problems []Diagnostic
	// Errors name what below Dir could not be read; the rest is there.
	Errors []error

	// schemaFailures is filled by the first rule that asks.
	schemaFailures func() []schemaFailure

	parser        Parser
	lines         *lineIndex
	yaml          *yamlText
	extraDocument int // offset in yaml, or -1
}

// FileProblem says what is wrong with the file that makes a folder a skill
// (AS-F1, AS-F2).
type FileProblem int

// The problems with SKILL.md itself.
const (
	// FileOK: there is a regular file of that name, or a link to one within
	// the skill.
	FileOK FileProblem = iota
	// FileMisnamed: there is none, but a file whose name comes close.
	FileMisnamed
	// FileNotRegular: it is a folder, a pipe, a socket or a device.
	FileNotRegular
	// FileUnreachable: it is a link that leaves the skill or leads nowhere.
	FileUnreachable
)

// Bytes gives the size of the skill's regular files in total.
func (s *Skill) Bytes() int64 {
	var total int64
	for _, f := range s.Files {
		if f.Kind == Regular {
			total += f.Size
		}
	}
	return total
}

// Nested gives the folders of the skills that stand within this one, relative
// to its directory and sorted. They are part of it, and may be skills of their
// own (AS-S3).
func (s *Skill) Nested() []string {
	var dirs []string
	for _, f := range s.Files {
		dir, name := path.Split(f.Path)
		if name == SkillFile && dir != "" && f.Kind == Regular && !inSkippedDir(dir) {
			dirs = append(dirs, strings.TrimSuffix(dir, "/"))
		}
	}
	return dirs
}

func inSkippedDir(dir string) bool {
	for _, segment := range strings.Split(dir, "/") {
		if skippedDirs[segment] {
			return true
		}
	}
	return false
}
