package digest

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ignoreList is a list of patterns in the syntax of .gitignore; the last one
// that fits decides.
type ignoreList []ignorePattern

type ignorePattern struct {
	glob    string
	negated bool
	dirOnly bool
}

func parseIgnore(text string) ignoreList {
	var list ignoreList
	for line := range strings.Lines(text) {
		if p, ok := parseIgnoreLine(strings.TrimRight(line, "\r\n")); ok {
			list = append(list, p)
		}
	}
	return list
}

func parseIgnoreLine(line string) (ignorePattern, bool) {
	line = trimBlanks(line)
	var p ignorePattern
	switch {
	case line == "" || line[0] == '#':
		return p, false
	case line[0] == '!':
		p.negated, line = true, line[1:]
	}
	if strings.HasSuffix(line, "/") {
		p.dirOnly, line = true, strings.TrimRight(line, "/")
	}
	anchored := strings.Contains(line, "/")
	p.glob = bracesAsText.Replace(strings.TrimPrefix(line, "/"))
	if p.glob == "" {
		return p, false
	}
	if !anchored {
		p.glob = "**/" + p.glob
	}
	return p, doublestar.ValidatePattern(p.glob)
}

// bracesAsText keeps braces from being read as alternatives, which .gitignore
// does not have.
var bracesAsText = strings.NewReplacer("{", `\{`, "}", `\}`)

// trimBlanks removes blanks at the end, unless a backslash keeps the last one.
func trimBlanks(line string) string {
	trimmed := strings.TrimRight(line, " ")
	if strings.HasSuffix(trimmed, `\`) && len(trimmed) < len(line) {
		trimmed += " "
	}
	return trimmed
}

// match reports whether a file is ignored: itself, or a folder that it is in. A
// file in an ignored folder cannot be brought back.
func (l ignoreList) match(name string) bool {
	if len(l) == 0 {
		return false
	}
	for i := range len(name) {
		if name[i] == '/' && l.decides(name[:i], true) {
			return true
		}
	}
	return l.decides(name, false)
}

func (l ignoreList) decides(name string, isDir bool) bool {
	ignored := false
	for _, p := range l {
		if (isDir || !p.dirOnly) && doublestar.MatchUnvalidated(p.glob, name) {
			ignored = !p.negated
		}
	}
	return ignored
}
