package clients

import (
	"regexp"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// words are the values that the keys of a profile may have.
var words = []struct {
	path    string
	allowed []string
}{
	{"kind", []string{"", "agent", "editor", "library", "installer"}},
	{"certainty", []string{"run", "read", "inferred"}},
	{"told", []string{"told", "log", "silent"}},
	{"roots.climb", []string{"", "none", "repository", "root"}},
	{"walk.folder-links", []string{"", "follow", "skip"}},
	{"walk.file-links", []string{"", "follow", "skip"}},
	{"walk.file-name", []string{"", "exact", "lower", "any"}},
	{"walk.flat", []string{"", "none", "skill", "context"}},
	{"walk.same-name", []string{"", "all", "first", "last"}},
	{"file.invalid", []string{"replace", "keep", "drop", "break"}},
	{"file.bom", []string{"", "strip", "keep"}},
	{"file.newlines", []string{"", "all", "keep"}},
	{"fences.before", []string{"nothing", "blanks", "text"}},
	{"fences.opener", keys(openers)},
	{"fences.closer", keys(closers)},
	{"fences.unclosed", []string{"", "none", "end"}},
	{"fences.missing", []string{"", "drop", "break", "empty"}},
	{"yaml.reader", append(keys(readers), keys(scanners)...)},
	{"yaml.repair", append([]string{""}, keys(repairs)...)},
	{"yaml.fallback", append([]string{""}, keys(scanners)...)},
	{"yaml.last-line", []string{"", "keep", "drop"}},
	{"yaml.braces", []string{"", "yaml", "json"}},
	{"yaml.invalid", []string{"", "drop", "break", "empty"}},
	{"yaml.other", []string{"", "drop", "break", "empty"}},
	{"yaml.blank", []string{"", "drop", "break", "empty"}},
	{"stand-in.take", []string{"", "line", "title", "paragraph", "block", "name"}},
	{"empty-body", []string{"", "ignore", "drop"}},
	{"catalogue.form", []string{"", "lines", "markdown", "xml"}},
	{"catalogue.overflow", []string{"", "descriptions", "names", "even", "skills"}},
}

// fieldWords are the values that the keys of a field may have.
var fieldWords = []struct {
	path    string
	allowed []string
}{
	{"style", []string{"", "source", "javascript", "python"}},
	{"spaces", []string{"", "keep", "trim", "final", "unquote", "lines", "collapse"}},
	{"unit", []string{"", "bytes", "utf16", "codepoints"}},
	{"shown", []string{"", "field", "folder", "path"}},
	{"missing", actionWords}, {"null", append([]string{"text", "wrong"}, actionWords...)}, {"blank", actionWords},
	{"wrong", actionWords}, {"over", actionWords}, {"bad", actionWords}, {"folder", actionWords},
}

var actionWords = []string{"", "ignore", "note", "warn", "cut", "missing", "folder", "stand-in", "hide", "drop", "break"}

func keys[V any](m map[string]V) []string {
	all := make([]string, 0, len(m))
	for key := range m {
		all = append(all, key)
	}
	slices.Sort(all)
	return all
}

// check looks at what decoding lets pass: words, patterns, and what must be
// there.
func (p *Profile) check(root *spec.Node) error {
	if p.ID == "" || p.Title == "" {
		return placed(root.Range, "a profile needs an id and a title")
	}
	for _, w := range words {
		if err := checkWord(root, w.path, w.allowed); err != nil {
			return err
		}
	}
	for _, key := range []string{spec.FieldName, spec.FieldDescription} {
		if _, ok := p.Fields[key]; !ok {
			return placed(root.Range, "fields has no rule for %s", key)
		}
	}
	fields := root.Get("fields").Resolve()
	for _, pair := range fields.Pairs {
		if err := checkField(pair.Value.Resolve(), p.Fields[pair.Key.Text]); err != nil {
			return err
		}
	}
	return nil
}

func checkWord(n *spec.Node, path string, allowed []string) error {
	at := n
	for _, key := range strings.Split(path, ".") {
		if at = at.Get(key).Resolve(); at == nil {
			if slices.Contains(allowed, "") {
				return nil
			}
			return placed(n.Range, "%s is missing; use %s", path, strings.Join(allowed, ", "))
		}
	}
	if !slices.Contains(allowed, at.Text) {
		return placed(at.Range, "%s has no %q; use %s", path, at.Text, strings.TrimPrefix(strings.Join(allowed, ", "), ", "))
	}
	return nil
}

func checkField(n *spec.Node, f Field) error {
	for _, w := range fieldWords {
		if err := checkWord(n, w.path, w.allowed); err != nil {
			return err
		}
	}
	for _, key := range []string{"pattern", "replace"} {
		if at := n.Get(key).Resolve(); at != nil {
			if _, err := regexp.Compile(at.Text); err != nil {
				return placed(at.Range, "%s is no regular expression: %v", key, err)
			}
		}
	}
	for _, names := range [][]string{f.Types, f.Values} {
		for _, name := range names {
			if name != "null" && !slices.Contains([]string{"text", "number", "boolean", "date", "list", "map"}, name) {
				return placed(n.Range, "%q is no type; use text, number, boolean, date, list or map", name)
			}
		}
	}
	return nil
}
