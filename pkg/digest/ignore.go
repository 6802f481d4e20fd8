package digest

import (
	"path"
	"strings"
)

// ignoreList is a list of patterns in the syntax of .gitignore; the last one
// that fits decides.
type ignoreList []ignorePattern

type ignorePattern struct {
	segments []string // each for path.Match, or "**"
	negated  bool
	dirOnly  bool
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
	if line = strings.TrimPrefix(line, "/"); line == "" {
		return p, false
	}
	if !anchored {
		p.segments = []string{"**"}
	}
	for _, segment := range strings.Split(line, "/") {
		// path.Match writes the complement of a class as [^a].
		segment = strings.ReplaceAll(segment, "[!", "[^")
		if _, err := path.Match(segment, ""); err != nil {
			return p, false
		}
		p.segments = append(p.segments, segment)
	}
	return p, true
}

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
	segments := strings.Split(name, "/")
	for n := 1; n < len(segments); n++ {
		if l.decides(segments[:n], true) {
			return true
		}
	}
	return l.decides(segments, false)
}

func (l ignoreList) decides(name []string, isDir bool) bool {
	for i := len(l) - 1; i >= 0; i-- {
		if (isDir || !l[i].dirOnly) && fits(l[i].segments, name) {
			return !l[i].negated
		}
	}
	return false
}

// fits matches the segments of a pattern with those of a name. "**" stands for
// any number of segments, but at the end for at least one. The time is at most
// the product of the two lengths: reached tells for each prefix of the name
// whether the pattern up to here fits it.
func fits(pattern, name []string) bool {
	reached := make([]bool, len(name)+1)
	reached[0] = true
	for i, p := range pattern {
		if p == "**" {
			spread(reached, i == len(pattern)-1)
			continue
		}
		for n := len(name); n > 0; n-- {
			ok, _ := path.Match(p, name[n-1]) // it was checked when it was read
			reached[n] = ok && reached[n-1]
		}
		reached[0] = false
	}
	return reached[len(name)]
}

// spread lets a "**" stand for any number of segments, or for at least one.
func spread(reached []bool, atLeastOne bool) {
	before := false
	for n := range reached {
		here := reached[n]
		reached[n] = before || here && !atLeastOne
		before = before || here
	}
}
