package clients

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// Portable says in what a skill leaves the portable core: the form that every
// known client loads as it is written. It gives findings of the rules of Rules,
// sorted. A fix that is safe changes no prediction of any of profiles for the
// worse; Portable has tried.
func Portable(s *spec.Skill, place Place, profiles []*Profile) []spec.Diagnostic {
	c := &core{s: s, place: place}
	c.file()
	if root := s.Frontmatter.Root; root != nil && root.Kind == spec.Mapping && s.Split.Opened() {
		c.fields(root)
	}
	c.keepHarmless(profiles)
	spec.SortDiagnostics(c.found)
	return c.found
}

// core is one look at a skill.
type core struct {
	s     *spec.Skill
	place Place
	found []spec.Diagnostic
}

// maxCoreBytes is the smallest bound on a file among the clients.
const maxCoreBytes = 100 << 10

func (c *core) add(id, field string, at spec.Range, fixes []spec.Fix, format string, args ...any) {
	d := Reason{ID: idPrefix + id, Path: c.s.File, Field: field, Range: at, Message: fmt.Sprintf(format, args...), Fixes: fixes}.Diagnostic()
	c.found = append(c.found, d)
}

func (c *core) fix(title string, at spec.Range, text string) []spec.Fix {
	return []spec.Fix{{Title: title, Safety: spec.Safe, Edits: []spec.Edit{{Path: c.s.File, Range: at, Text: text}}}}
}

// file looks at the bytes around the fields.
func (c *core) file() {
	s := c.s
	if s.File != spec.SkillFile {
		c.add("file-name", "", spec.Range{}, nil, "the file is called %q; it must be SKILL.md", s.File)
	}
	if len(s.Source) > maxCoreBytes {
		c.add("file-size", "", spec.Range{}, nil, "the file has %d bytes; some clients read no more than %d", len(s.Source), maxCoreBytes)
	}
	if s.Encoding.Bad >= 0 {
		c.add("encoding", "", s.Span(s.Encoding.Bad, s.Encoding.Bad+1), nil, "the file is no UTF-8")
	}
	split := s.Split
	switch {
	case !split.Opened():
		c.add("frontmatter-start", "", spec.Range{}, nil, "there is no frontmatter; the file must start with ---")
		return
	case split.BOM:
		c.add("frontmatter-start", "", s.Span(0, len(byteOrderMark)), c.fix("remove the byte order mark", s.Span(0, len(byteOrderMark)), ""), "a byte order mark stands in front of the opening ---")
	}
	if !split.Preamble.Empty() {
		at := s.Span(split.Preamble.Start, split.Preamble.End)
		var fixes []spec.Fix
		if trim(string(s.Source[split.Preamble.Start:split.Preamble.End])) == "" {
			fixes = c.fix("remove the blank lines", at, "")
		}
		c.add("frontmatter-start", "", at, fixes, "something stands in front of the opening ---")
	}
	c.fence("frontmatter-start", split.Open)
	if !split.Closed() {
		c.add("frontmatter-end", "", s.Span(split.Open.Start, split.Open.End), nil, "no line of three hyphens closes the frontmatter")
		return
	}
	c.fence("frontmatter-end", split.Close)
	c.body()
}

// fence looks for blanks behind a fence.
func (c *core) fence(id string, at spec.Span) {
	line := strings.TrimSuffix(string(c.s.Source[at.Start:at.End]), "\r")
	if line == fence {
		return
	}
	blanks := c.s.Span(at.Start+len(fence), at.Start+len(line))
	c.add(id, "", blanks, c.fix("remove the blanks", blanks, ""), "blanks stand behind the fence")
}

func (c *core) body() {
	s := c.s
	body := s.Source[s.Split.Body.Start:s.Split.Body.End]
	if s.Split.Close.End == len(s.Source) {
		end := s.Span(len(s.Source), len(s.Source))
		c.add("frontmatter-end", "", end, c.fix("add the line end", end, "\n"), "the closing fence has no line end")
	}
	if len(bytes.TrimSpace(body)) == 0 {
		c.add("body-empty", "", s.Span(s.Split.Close.Start, s.Split.Close.End), nil, "nothing stands behind the frontmatter")
	}
}

var (
	coreName    = lazily(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)
	hasLetter   = lazily(`[a-z]`)
	coreStart   = lazily(`^\pL`)
	coreRefuse  = lazily(`[<>\\"\n\r\t]|---`)
	wordsOfYAML = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
)

// fields looks at the frontmatter.
func (c *core) fields(root *spec.Node) {
	for _, problem := range c.s.Problems {
		c.add("yaml", problem.Field, problem.Range, problem.Fixes, "%s", problem.Message)
	}
	if root.Style == spec.Flow {
		c.add("yaml", "", root.Range, nil, "the frontmatter is in braces; write one field on each line")
	}
	c.keys(root)
	c.name(root.Get(spec.FieldName).Resolve())
	c.description(root.Get(spec.FieldDescription).Resolve())
	for _, key := range []string{spec.FieldLicense, spec.FieldCompatibility, spec.FieldAllowedTools} {
		c.quoted("/"+key, key, root.Get(key))
	}
	c.metadata(root.Get(spec.FieldMetadata).Resolve())
}

func (c *core) keys(root *spec.Node) {
	seen := map[string]bool{}
	for _, pair := range root.Pairs {
		key := pair.Key.Text
		at := pair.Key.Range
		switch {
		case seen[key]:
			c.add("duplicate-key", "/"+key, at, nil, "the key %q is written twice", clip(key, 40))
		case pair.Key.Style != spec.Plain:
			c.add("yaml", "/"+key, at, nil, "the key %q is in quotes, which readers that go by lines keep", clip(key, 40))
		case slices.Contains(spec.Fields(), strings.ToLower(key)) && key != strings.ToLower(key):
			c.add("yaml", "/"+key, at, nil, "the key %q has capitals; keys are in lower case", clip(key, 40))
		case root.Style != spec.Flow && at.Start.Column != 1:
			c.add("yaml", "/"+key, at, nil, "the key %q is indented; keys start in column 1", clip(key, 40))
		}
		seen[key] = true
	}
	walk(root, 0, func(n *spec.Node, _ int) bool {
		if n.Anchor != "" || n.Kind == spec.Alias {
			at := n.Mark
			if n.Kind == spec.Alias {
				at = n.Range
			}
			c.add("yaml", "", at, nil, "an anchor or alias stands here, which readers that go by lines take for text")
			return false
		}
		return true
	})
}

func (c *core) name(n *spec.Node) {
	if n == nil || n.Kind == spec.Null || n.Text == "" {
		c.add("name-missing", "", c.openRange(), nil, "there is no name")
		return
	}
	const field = "/name"
	switch {
	case n.Kind != spec.String || slices.Contains(wordsOfYAML, n.Text) || !hasLetter().MatchString(n.Text) && coreName().MatchString(n.Text):
		c.add("name-type", field, n.Range, nil, "the name %q is no text to every reader; give it a letter, and no word of YAML", clip(n.Text, 80))
	case !coreName().MatchString(n.Text):
		c.add("name-characters", field, n.Range, nil, "the name %q has other characters than a-z, 0-9 and single hyphens", clip(n.Text, 80))
	case len(n.Text) > spec.MaxNameLength:
		c.add("name-length", field, n.Range, nil, "the name has %d characters; the limit is %d", len(n.Text), spec.MaxNameLength)
	}
	if c.place.Dir != "" && n.Text != c.place.Dir {
		c.add("name-folder", field, n.Range, nil, "the name %q is not that of the folder, %q", clip(n.Text, 80), clip(c.place.Dir, 80))
	}
	c.comment(field, n)
}

func (c *core) openRange() spec.Range {
	return c.s.Span(c.s.Split.Open.Start, c.s.Split.Open.End)
}

func (c *core) description(n *spec.Node) {
	const field = "/description"
	if n == nil || n.Kind == spec.Null || trim(n.Text) == "" && n.Kind == spec.String {
		c.add("description-missing", "", c.openRange(), nil, "there is no description")
		return
	}
	if n.Kind == spec.Mapping || n.Kind == spec.Sequence || n.Kind == spec.Unknown {
		if n.Kind != spec.Unknown { // the fault of the text says it already
			c.add("description-type", field, n.Range, nil, "the description is %s; it must be text", n.Kind)
		}
		return
	}
	if len(n.Text) > spec.MaxDescriptionLength {
		c.add("description-length", field, n.Range, nil, "the description has %d bytes; some clients count bytes, and the limit is %d", len(n.Text), spec.MaxDescriptionLength)
	}
	text := trim(n.Text)
	bad := coreRefuse().FindString(text)
	switch {
	case bad != "":
		c.add("description-changed", field, n.Range, nil, "the description holds %q, which not every client shows as it is", bad)
	case !coreStart().MatchString(text):
		c.add("description-changed", field, n.Range, nil, "the description does not start with a letter")
	}
	if n.Style != spec.DoubleQuoted || n.Range.Start.Line != n.Range.End.Line {
		c.add("yaml", field, n.Range, c.requote(n), "the description is not in double quotes on one line")
	}
	c.comment(field, n)
}

// requote offers a value in double quotes on one line, where that is the same
// text.
func (c *core) requote(n *spec.Node) []spec.Fix {
	text := trim(n.Text)
	if n.Kind != spec.String && n.Kind != spec.Int && n.Kind != spec.Float && n.Kind != spec.Bool || strings.ContainsAny(text, "\\\"\n\r\t") || text == "" || n.Anchor != "" || n.Tag != "" {
		return nil
	}
	at := n.Range
	quoted := `"` + text + `"`
	if n.Style == spec.Literal || n.Style == spec.Folded {
		if end, _ := lineEnd(string(c.s.Source), at.End.Offset); end != at.End.Offset {
			return nil
		}
	}
	return c.fix("write it in double quotes on one line", at, quoted)
}

// quoted looks at a field that must be a quoted text.
func (c *core) quoted(field, key string, n *spec.Node) {
	if n == nil {
		return
	}
	value := n.Resolve()
	if value == nil || value.Kind == spec.Unknown {
		return
	}
	if value.Kind == spec.Null || value.Kind == spec.Mapping || value.Kind == spec.Sequence {
		c.add("field-type", field, value.Range, nil, "%s is %s; it must be text in double quotes, or absent", key, value.Kind)
		return
	}
	if value.Style != spec.DoubleQuoted {
		c.add("field-type", field, value.Range, c.requote(value), "%s is not in double quotes, and some readers take it for something else than text", key)
	}
	if key == spec.FieldCompatibility && len(value.Text) > spec.MaxCompatibilityLength {
		c.add("field-length", field, value.Range, nil, "compatibility has %d bytes; the limit is %d", len(value.Text), spec.MaxCompatibilityLength)
	}
	c.comment(field, value)
}

func (c *core) metadata(n *spec.Node) {
	const field = "/metadata"
	switch {
	case n == nil || n.Kind == spec.Unknown:
		return
	case n.Kind != spec.Mapping || len(n.Pairs) == 0:
		c.add("field-type", field, n.Range, nil, "metadata is %s; it must be a map of texts, or absent", n.Kind)
		return
	case n.Style == spec.Flow:
		c.add("yaml", field, n.Range, nil, "metadata is in braces; write one entry on each line")
	}
	for _, pair := range n.Pairs {
		c.quoted(field+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(pair.Key.Text), "the value of "+clip(pair.Key.Text, 40), pair.Value)
	}
}

// comment finds a comment behind a value.
func (c *core) comment(field string, n *spec.Node) {
	rest := c.s.Source[n.Range.End.Offset:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	if text := bytes.TrimLeft(rest, " \t"); len(text) > 0 && text[0] == '#' && (n.Style != spec.Literal && n.Style != spec.Folded) {
		from := n.Range.End.Offset + len(rest) - len(text)
		c.add("yaml", field, c.s.Span(from, n.Range.End.Offset+len(bytes.TrimRight(rest, "\r"))), nil, "a comment stands behind the value, which readers that go by lines take for text")
	}
}
