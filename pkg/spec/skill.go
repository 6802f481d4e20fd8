package spec

import (
	"io/fs"
)

// Skill is one skill as it was read, faults and all.
type Skill struct {
	// FS and Dir say where it was read from: Dir is its directory in FS,
	// slash-separated, "." for the root.
	FS  fs.FS
	Dir string
	// DirName is the real name of the directory that holds SKILL.md, or ""
	// where nobody knows it (a file read from standard input, say).
	DirName string
	// File is the name of the file that was read, relative to Dir: SKILL.md,
	// or its near miss.
	File string
	// Source is the content of File, byte for byte.
	Source []byte
}
