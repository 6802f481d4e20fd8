package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/spec"
)

// renderManifest gives the manifest of skills in one of manifestFormats.
func renderManifest(format string, all []served) ([]byte, error) {
	switch format {
	case "json":
		return renderJSON(entries(all))
	case "jsonl":
		return renderLines(all)
	case "sha256sum":
		return renderSums(all)
	case "native":
		return renderNative(all)
	}
	return renderText(all), nil
}

func entries(all []served) []digest.Skill {
	list := []digest.Skill{}
	for _, s := range all {
		if s.servable() {
			list = append(list, s.entry)
		}
	}
	slices.SortFunc(list, func(a, b digest.Skill) int { return strings.Compare(a.URI, b.URI) })
	return list
}

// renderJSON gives digest.Skills as report.MarshalJSON does, in a tenth of the
// time: all but the frontmatter has a form that is known.
func renderJSON(list []digest.Skill) ([]byte, error) {
	if len(list) == 0 {
		return []byte("{\n  \"skills\": []\n}\n"), nil
	}
	var b bytes.Buffer
	b.Grow(sizeOf(list))
	b.WriteString("{\n  \"skills\": [")
	for i, s := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		// A URI is ASCII, without quotes and backslashes.
		fmt.Fprintf(&b, "\n    {\n      \"uri\": \"%s\",\n      \"frontmatter\": ", s.URI)
		if err := json.Indent(&b, report.EscapeJSON(s.Frontmatter), "      ", "  "); err != nil {
			return nil, err
		}
		b.WriteString(",\n      \"resources\": ")
		renderResources(&b, s)
		b.WriteString("\n    }")
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes(), nil
}

// sizeOf is about what the JSON form of entries takes.
func sizeOf(list []digest.Skill) int {
	const entry, resource = 200, 180
	n := 0
	for _, s := range list {
		n += entry + 2*len(s.Frontmatter) + len(s.Resources)*(resource+len(s.URI))
	}
	return n
}

func renderResources(b *bytes.Buffer, s digest.Skill) {
	if s.Dynamic {
		b.WriteString("\"" + digest.Dynamic + "\"")
		return
	}
	separator := "["
	for _, r := range s.Resources {
		b.WriteString(separator)
		separator = ","
		b.WriteString("\n        {\n          \"uri\": \"")
		b.WriteString(r.URI)
		b.WriteString("\",\n          \"digest\": \"")
		b.Write(r.Digest.Append(b.AvailableBuffer()))
		b.WriteString("\",\n          \"size\": ")
		b.Write(strconv.AppendInt(b.AvailableBuffer(), r.Size, 10))
		b.WriteString("\n        }")
	}
	b.WriteString("\n      ]")
}

func renderLines(all []served) ([]byte, error) {
	var b bytes.Buffer
	for _, entry := range entries(all) {
		line, err := entry.MarshalJSON()
		if err != nil {
			return nil, err
		}
		b.Write(report.EscapeJSON(line))
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// renderSums gives the sums of one skill, servable or not: sha256sum takes any
// file name.
func renderSums(all []served) ([]byte, error) {
	if len(all) > 1 {
		return nil, usagef("-f sha256sum is about one skill, to be checked in its folder; %d were found", len(all))
	}
	var sums []byte
	for _, s := range all {
		if s.manifest != nil {
			sums = s.manifest.Sums()
		}
	}
	return sums, nil
}

func renderNative(all []served) ([]byte, error) {
	var list []digest.Native
	for _, s := range all {
		if s.servable() {
			list = append(list, s.manifest.Native(s.path))
		}
	}
	slices.SortFunc(list, func(a, b digest.Native) int { return strings.Compare(a.Path, b.Path) })
	return report.MarshalJSON(digest.NewNativeSet(list...))
}

// renderText gives a table for each skill.
func renderText(all []served) []byte {
	var b bytes.Buffer
	for _, s := range all {
		if !s.servable() {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		renderTable(&b, s)
	}
	return b.Bytes()
}

func renderTable(b *bytes.Buffer, s served) {
	fmt.Fprintf(b, "%s\n", term.Escape(s.entry.URI))
	if s.entry.Dynamic {
		b.WriteString("  dynamic: no digests are published\n")
		return
	}
	width := len(fmt.Sprint(s.manifest.Size()))
	for _, f := range s.manifest.Entries {
		fmt.Fprintf(b, "  %s  %*d  %s\n", f.Digest, width, f.Size, term.Escape(f.Path))
	}
	fmt.Fprintf(b, "  %d of %d files, %d of %d bytes\n", len(s.manifest.Entries), digest.MaxResources, s.manifest.Size(), digest.MaxBytes)
	for _, left := range s.manifest.LeftOut {
		fmt.Fprintf(b, "  left out: %s (%s)\n", term.Escape(left.Path), left.Reason)
	}
}

// writeFile writes the manifest, in one step, if it is another one than the
// file holds.
func (m *manifestRun) writeFile(r *report.Report, all []served) error {
	if err := refuseInside(m.write, all); err != nil {
		return err
	}
	text, err := renderManifest(m.format, all)
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(m.write); err == nil && bytes.Equal(old, text) {
		r.Notes = append(r.Notes, m.write+" is up to date")
		return nil
	}
	if err := writeAtomic(m.write, text); err != nil {
		return fmt.Errorf("the manifest cannot be written to %q: %w", m.write, plainError(err))
	}
	r.Notes = append(r.Notes, m.write+" was written")
	return nil
}

// refuseInside refuses a file that would be part of a skill whose digests it
// holds: writing it would make them wrong.
func refuseInside(file string, all []served) error {
	dir, err := realPath(filepath.Dir(file))
	if err != nil {
		return nil // writing fails, and says why
	}
	name := filepath.ToSlash(filepath.Join(dir, filepath.Base(file)))
	for _, s := range all {
		inside, ok := strings.CutPrefix(name, s.dir+"/")
		if !ok {
			continue
		}
		skill, err := spec.LoadDir(filepath.FromSlash(s.dir))
		if err != nil {
			return err
		}
		reason, err := digest.Belongs(skill)
		if err != nil {
			return err
		}
		if reason(spec.File{Path: inside}) == "" {
			return usagef("--write: %q would be a file of the skill %q itself; write it elsewhere, or name it in %s", file, s.name, digest.IgnoreFile)
		}
	}
	return nil
}

// checkFile compares with the manifest in a file and prints what differs.
func (m *manifestRun) checkFile(all []served) (bool, error) {
	old, err := m.e.readManifest(m.check)
	if err != nil {
		return false, fmt.Errorf("--check: %q: %w", m.check, err)
	}
	if native := isNative(old); native != (m.format == "native") && len(old) > 0 {
		return false, usagef("--check: %q is %s", m.check, map[bool]string{true: "a native manifest; compare with -f native", false: "no native manifest; compare with -f json"}[native])
	}
	fresh, err := renderManifest(m.format, all)
	if err != nil {
		return false, err
	}
	now, err := digest.ReadManifest(fresh)
	if err != nil {
		return false, err
	}
	var b bytes.Buffer
	for _, d := range diffSkills(pairExactly(sidesOf(old), sidesOf(now))) {
		d.write(&b, true)
	}
	_, err = m.e.stdout.Write(b.Bytes())
	return b.Len() > 0, err
}

func isNative(list []digest.Expected) bool {
	return slices.ContainsFunc(list, func(e digest.Expected) bool { return e.URI == "" })
}

// readManifest reads a manifest from a file, or from standard input for "-".
func (e *env) readManifest(file string) ([]digest.Expected, error) {
	text, err := e.readInput(file)
	if err != nil {
		return nil, plainError(err)
	}
	return digest.ReadManifest(text)
}
