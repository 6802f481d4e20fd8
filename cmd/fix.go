package cmd

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/spec"
)

// fixMode says what becomes of safe fixes.
type fixMode int

const (
	// fixOffer shows them in the report.
	fixOffer fixMode = iota
	// fixWrite applies them to the files.
	fixWrite
	// fixDiff shows what would be written.
	fixDiff
)

// applyFixes mends the skill's file as the mode says, and gives the skill as it
// is afterwards.
func (c *check) applyFixes(dir string, s *spec.Skill, o *outcome) *spec.Skill {
	if c.fix == fixOffer || s.Source == nil {
		return s
	}
	mended, applied := spec.ApplyFixes(s, c.rules...)
	if len(applied) == 0 {
		return s
	}
	name := filepath.Join(dir, s.File)
	if c.fix == fixDiff {
		shown := name
		if workDir, err := os.Getwd(); err == nil {
			shown = displayPath(workDir, name)
		}
		o.diff = diff.Diff(filepath.ToSlash(shown), s.Source, filepath.ToSlash(shown), mended.Source)
		return s
	}
	if err := replaceFile(dir, s.File, s.Source, mended.Source); err != nil {
		o.errors = append(o.errors, report.Error{Path: filepath.ToSlash(name), Message: "the fixes were not written: " + err.Error()})
		return s
	}
	o.fixed = len(applied)
	return mended
}

// replaceFile puts new content into a file of dir in one step, and keeps its
// mode. A link is never written through, and a file that is no longer what was
// read is left alone.
func replaceFile(dir, name string, old, content []byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return plainError(err)
	}
	defer root.Close()
	info, err := root.Lstat(name)
	if err != nil {
		return plainError(err)
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is a symbolic link; mend the file that it leads to")
	}
	if now, err := root.ReadFile(name); err != nil || !bytes.Equal(now, old) {
		return errors.New("the file has changed in the meantime")
	}
	temporary := temporaryName(name)
	if err := writeNew(root, temporary, info, content); err != nil {
		return plainError(err)
	}
	if err := root.Rename(temporary, name); err != nil {
		_ = root.Remove(temporary)
		return plainError(err)
	}
	return nil
}
