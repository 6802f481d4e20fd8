package report

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/spec"
)

// join gives the path of a file of a skill; "." is the skill's directory.
func join(skill, file string) string {
	if skill == "" {
		return file
	}
	if file == "." {
		return skill
	}
	return strings.TrimSuffix(skill, "/") + "/" + file
}

// relative gives path relative to base; a path outside stays as it is.
func relative(base, path string) string {
	if base == "" {
		return path
	}
	if path == base {
		return "."
	}
	if inside, ok := strings.CutPrefix(path, strings.TrimSuffix(base, "/")+"/"); ok {
		return inside
	}
	return path
}

// showPath makes a path fit for a line of text: one line, and no colon but
// that of a Windows drive, so that a name cannot pose as a place or a finding.
func showPath(path string) string {
	drive := ""
	if len(path) > 2 && path[1] == ':' && path[2] == '/' {
		drive, path = path[:2], path[2:]
	}
	return drive + strings.ReplaceAll(term.Escape(path), ":", `\x3a`)
}

// showPosition gives ":LINE:COLUMN", or "" for a whole file.
func showPosition(r spec.Range) string {
	if r.IsZero() {
		return ""
	}
	return fmt.Sprintf(":%d:%d", r.Start.Line, r.Start.Column)
}

// fileURL gives the URL of an absolute, slash-separated path, "" for another.
func fileURL(path string) string {
	switch {
	case strings.HasPrefix(path, "//"): // \\host\share of Windows
		host, rest, _ := strings.Cut(path[2:], "/")
		return (&url.URL{Scheme: "file", Host: host, Path: "/" + rest}).String()
	case strings.HasPrefix(path, "/"):
		return (&url.URL{Scheme: "file", Path: path}).String()
	case len(path) > 2 && path[1] == ':' && path[2] == '/':
		return (&url.URL{Scheme: "file", Path: "/" + path}).String()
	}
	return ""
}
