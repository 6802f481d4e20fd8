package spec

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/lexer"
)

// Parser is one way to read a SKILL.md. The zero value reads it as the
// specification has it; clients are known to cut the frontmatter elsewhere, or
// to give plain scalars other types.
type Parser struct {
	// Split finds the frontmatter; nil stands for SplitFrontmatter.
	Split func(source []byte) Split
	// Resolve gives plain scalars their kinds; nil stands for ResolveCore.
	Resolve Resolver
}

// Parse reads the content of a SKILL.md with the zero Parser.
func Parse(source []byte) *Skill { return Parser{}.Parse(source) }

// Parse reads the content of a SKILL.md. It takes any bytes, keeps them, and
// always gives a Skill: what could not be read is nil or Unknown in it, and
// Validate says why. Its time and memory are linear in len(source).
//
// The skill has no folder: rules about its directory's name and about other
// files find nothing to say. Use Load or LoadDir for those.
func (p Parser) Parse(source []byte) *Skill {
	if p.Split == nil {
		p.Split = SplitFrontmatter
	}
	if p.Resolve == nil {
		p.Resolve = ResolveCore
	}
	s := unread()
	s.parser, s.Source, s.lines = p, source, newLineIndex(source)
	if len(source) > MaxSkillFileBytes {
		s.Oversize = true
		return s
	}
	s.Encoding = detectEncoding(source)
	if s.Encoding.wide() {
		return s
	}
	s.Split = p.Split(source)
	s.Body = s.Span(s.Split.Body.Start, s.Split.Body.End)
	if s.Split.Opened() {
		s.parseFrontmatter()
	}
	return s
}

// unread is a skill whose SKILL.md was not read.
func unread() *Skill {
	return &Skill{File: SkillFile, lines: newLineIndex(nil), extraDocument: -1}
}

// Position gives the place of a byte offset in Source.
func (s *Skill) Position(offset int) Position { return s.lines.position(offset) }

// Span gives the range between two byte offsets in Source.
func (s *Skill) Span(from, to int) Range { return s.lines.span(from, to) }

// parseFrontmatter reads the text between the fences. Without a closing fence
// only the lines that look like fields are read.
func (s *Skill) parseFrontmatter() {
	content := s.Split.Content
	if !s.Split.Closed() {
		content.End = endOfFields(s.Source, content)
	}
	s.Frontmatter.Range = s.Span(content.Start, content.End)
	if problem, over := s.overBound(content); over {
		s.Problems = append(s.Problems, problem)
		return
	}
	y := newYAMLText(s.Source, content, s.lines, s.parser.Resolve)
	s.yaml = y
	if len(y.starts) == 0 {
		return
	}
	y.tokens = lexer.Tokenize(y.text)
	if deep := depth(y.tokens); deep > MaxFrontmatterDepth {
		s.Problems = append(s.Problems, s.boundProblem("is nested deeper than %d levels; clients stop reading there", MaxFrontmatterDepth))
		return
	}
	doc, err := y.parse(0, len(y.starts))
	if err != nil && strings.Contains(y.text, "\t") {
		y.lexical, y.tokens = y.maskBlocks(), nil
		doc, err = y.parse(0, len(y.starts))
	}
	if err != nil {
		doc.extra = -1
		doc.root, s.Problems = y.rescue(err)
		s.Frontmatter.Partial = len(s.Problems) > 0
	}
	s.extraDocument = doc.extra
	s.addProblems(y.problems)
	nodes := doc.root.flatten()
	s.addProblems(y.beyondParser(nodes))
	s.Frontmatter.setRoot(doc.root, nodes)
}

// addProblems adds those of ds that say nothing new about a place.
func (s *Skill) addProblems(ds []Diagnostic) {
	type place struct {
		rule string
		at   Position
	}
	known := map[place]bool{}
	for _, d := range s.Problems {
		known[place{d.RuleID, d.Range.Start}] = true
	}
	for _, d := range ds {
		if at := (place{d.RuleID, d.Range.Start}); !known[at] {
			known[at] = true
			s.Problems = append(s.Problems, d)
		}
	}
}

// endOfFields guesses where a frontmatter without a closing fence ends: at the
// first line that is neither a field, nor indented, nor a comment.
func endOfFields(source []byte, content Span) int {
	at := content.Start
	for at < content.End {
		line := lineAt(source, at)
		text := bytes.TrimRight(line.of(source), "\r")
		_, _, key := cutKey(string(text[:min(len(text), 256)]))
		if !key && !(len(text) > 0 && strings.IndexByte(" \t", text[0]) >= 0) {
			break
		}
		at = afterLine(source, line.End)
	}
	return at
}

// overBound finds a frontmatter that is too large to be read (AS-F9).
func (s *Skill) overBound(content Span) (Diagnostic, bool) {
	text := content.of(s.Source)
	if len(text) > MaxFrontmatterBytes {
		return s.boundProblem("is larger than %d bytes; clients stop reading there", MaxFrontmatterBytes), true
	}
	if bytes.Count(text, []byte("\n")) > MaxFrontmatterLines {
		return s.boundProblem("is longer than %d lines; clients stop reading there", MaxFrontmatterLines), true
	}
	if bytes.Count(text, []byte("\t")) > MaxFrontmatterTabs {
		return s.boundProblem("has more than %d tabs; it is not read further", MaxFrontmatterTabs), true
	}
	return Diagnostic{}, false
}

func (s *Skill) boundProblem(format string, bound int) Diagnostic {
	open := s.Split.Open
	return Diagnostic{
		RuleID:  "frontmatter-size",
		Range:   s.Span(open.Start, open.Start+3),
		Message: fmt.Sprintf("the frontmatter "+format, bound),
	}
}

// Encoding says how the bytes of a SKILL.md are to be read.
type Encoding struct {
	// Name is the encoding that the bytes look like: UTF-8, UTF-16LE,
	// UTF-16BE, UTF-32LE, UTF-32BE, or "not UTF-8" for bytes of some
	// single-byte encoding such as Latin-1.
	Name string
	// Bad is the offset of the first byte that is no UTF-8, or -1.
	Bad int
	// NUL is the offset of the first NUL byte in a UTF-8 text, or -1.
	NUL int
}

// wide reports an encoding in which no line of text can be read as UTF-8.
func (e Encoding) wide() bool {
	return strings.HasPrefix(e.Name, "UTF-16") || strings.HasPrefix(e.Name, "UTF-32")
}

func detectEncoding(source []byte) Encoding {
	for _, mark := range []struct{ bytes, name string }{
		{"\xff\xfe\x00\x00", "UTF-32LE"}, {"\x00\x00\xfe\xff", "UTF-32BE"},
		{"\xff\xfe", "UTF-16LE"}, {"\xfe\xff", "UTF-16BE"},
		{"-\x00-\x00-\x00", "UTF-16LE"}, {"\x00-\x00-\x00-", "UTF-16BE"},
	} {
		if strings.HasPrefix(string(source[:min(len(source), 8)]), mark.bytes) {
			return Encoding{Name: mark.name, Bad: 0, NUL: -1}
		}
	}
	e := Encoding{Name: "UTF-8", Bad: invalidByte(source), NUL: bytes.IndexByte(source, 0)}
	if e.Bad >= 0 {
		e.Name = "not UTF-8"
	}
	return e
}

// invalidByte gives the offset of the first byte that is no UTF-8, or -1.
func invalidByte(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// WithSource gives the skill as it would be with another content of its
// SKILL.md: an unsaved buffer, or the outcome of a fix. Files are not read
// again.
func (s *Skill) WithSource(source []byte) *Skill {
	changed := s.parser.Parse(source)
	changed.FS, changed.Dir, changed.DirName, changed.RepositoryRoot = s.FS, s.Dir, s.DirName, s.RepositoryRoot
	changed.File, changed.FileProblem = s.File, s.FileProblem
	changed.Files, changed.Errors = s.Files, s.Errors
	return changed
}
