package clients

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/skilltool/skilltool/pkg/spec"
)

// cut is where a client takes the parts of a file to be, as offsets in its text.
type cut struct {
	open, content, close, body spec.Span
	// fault says why there is no frontmatter, or is nil; at is its place.
	fault *fault
}

// fault is why something could not be read.
type fault struct {
	id      string // the last part of a reason's id
	at      spec.Span
	message string
	fixes   []spec.Fix
	// unsure marks what nobody has looked at in a client.
	unsure bool
}

const fence = "---"

// closers are the six forms of a closing fence. Each says whether a line, its
// line end left out, closes; "anywhere" is no matter of lines.
var closers = map[string]func(line string) bool{
	// anywhere: the first three hyphens, wherever they stand.
	"anywhere": nil,
	// prefix: a line that starts with three hyphens, so that ---- closes too.
	"prefix": func(line string) bool { return strings.HasPrefix(line, fence) },
	// hyphens: a line of three or more hyphens, with blanks behind them.
	"hyphens": func(line string) bool {
		return strings.HasPrefix(line, fence) && strings.TrimLeft(trimRight(line), "-") == ""
	},
	// exact: a line of three hyphens and nothing else.
	"exact": func(line string) bool { return strings.TrimSuffix(line, "\r") == fence },
	// blanks: the same, with blanks behind them.
	"blanks": func(line string) bool { return strings.HasPrefix(line, fence) && trimRight(line) == fence },
	// trimmed: the same, with blanks around them, so that a fence within an
	// indented block closes.
	"trimmed": func(line string) bool {
		return len(line) >= len(fence) && strings.TrimSpace(line) == fence
	},
}

func trimRight(line string) string { return strings.TrimRightFunc(line, unicode.IsSpace) }

// openers are the forms of an opening fence, by the name of a profile.
var openers = map[string]func(line string) bool{
	"exact":    closers["exact"],
	"blanks":   closers["blanks"],
	"trimmed":  closers["trimmed"],
	"hyphens":  closers["hyphens"],
	"prefix":   closers["prefix"],
	"language": closers["prefix"],
}

// split finds the parts of a text. Its time is linear.
func (f *Fences) split(s string) cut {
	open, fault := f.open(s)
	if fault != nil {
		return cut{body: spec.Span{Start: 0, End: len(s)}, fault: fault}
	}
	_, content := lineEnd(s, open.Start)
	if f.Skip > 0 {
		content = min(open.Start+f.Skip, len(s))
	}
	c := cut{open: open}
	if f.Closer == "anywhere" {
		return f.closeAnywhere(s, c, content)
	}
	return f.closeLine(s, c, content)
}

// open gives the line of the opening fence.
func (f *Fences) open(s string) (spec.Span, *fault) {
	at := 0
	for {
		end, next := lineEnd(s, at)
		line := s[at:end]
		if openers[f.Opener](line) && (end < len(s) || f.Before == "text") {
			return f.language(s, spec.Span{Start: at, End: end})
		}
		blank := strings.TrimSpace(line) == ""
		if f.Before == "nothing" || f.Before == "blanks" && !blank || next >= len(s) {
			if f.Before == "text" {
				at, end = 0, strings.IndexByte(s+"\n", '\n')
			}
			return spec.Span{}, notOpened(s, spec.Span{Start: at, End: end})
		}
		at = next
	}
}

// language looks at what stands behind an opening fence.
func (f *Fences) language(s string, open spec.Span) (spec.Span, *fault) {
	if f.Opener != "language" {
		return open, nil
	}
	switch rest := s[open.Start+len(fence) : open.End]; {
	case strings.HasPrefix(rest, "-"):
		return open, notOpened(s, open)
	case strings.TrimSpace(rest) == "", strings.EqualFold(strings.TrimSpace(rest), "yaml"), strings.EqualFold(strings.TrimSpace(rest), "yml"):
		return open, nil
	default:
		return open, &fault{id: "frontmatter-start", at: open, message: fmt.Sprintf("the text %q behind the opening fence names a language that is not read", clip(strings.TrimSpace(rest), 40)), unsure: true}
	}
}

// notOpened says why the line at a span opens no frontmatter.
func notOpened(s string, at spec.Span) *fault {
	f := &fault{id: "frontmatter-start", at: at}
	line := s[at.Start:at.End]
	switch {
	case strings.TrimSpace(s) == "":
		f.message = "the file is empty; frontmatter between two lines of --- is wanted"
	case strings.HasPrefix(line, byteOrderMark):
		f.at.End = at.Start + len(byteOrderMark)
		f.message = "a byte order mark stands in front of the opening ---, which must be the first bytes of the file"
	case strings.Contains(line, "\r") && strings.HasPrefix(line, fence):
		f.message = "the lines end in CR alone, so that the whole file is one line; end them in LF"
	case strings.Contains(line, "\x00"):
		f.message = "the text is no UTF-8, so that its first line is no opening ---"
	case strings.TrimSpace(line) == "":
		f.message = "a blank line stands in front of the opening ---, which must be the first line"
	case strings.HasPrefix(strings.TrimSpace(line), fence):
		f.message = fmt.Sprintf("the first line is %q; only three hyphens open the frontmatter", clip(line, 20))
	default:
		f.message = fmt.Sprintf("the file starts with %q; the opening --- must be its first line", clip(line, 40))
	}
	return f
}

func (f *Fences) closeAnywhere(s string, c cut, content int) cut {
	i := strings.Index(s[content:], fence)
	if i < 0 {
		return f.unclosed(s, c, content)
	}
	at := content + i
	c.content = spec.Span{Start: content, End: at}
	c.close = spec.Span{Start: at, End: at + len(fence)}
	rest := s[c.close.End:]
	c.body = spec.Span{Start: len(s) - len(strings.TrimLeftFunc(rest, unicode.IsSpace)), End: len(s)}
	return c
}

func (f *Fences) closeLine(s string, c cut, content int) cut {
	for at := content; at < len(s); {
		end, next := lineEnd(s, at)
		closes := closers[f.Closer](s[at:end]) && (!f.Line || at > content) && (!f.After || end < len(s))
		if !closes || at == content && f.Skip > 0 && (at == 0 || s[at-1] != '\n') {
			at = next
			continue
		}
		c.content = spec.Span{Start: content, End: at}
		c.close = spec.Span{Start: at, End: end}
		c.body = spec.Span{Start: next, End: len(s)}
		if f.Closer == "prefix" {
			c.close.End = at + len(fence)
			c.body.Start = c.close.End
			if c.close.End == end {
				c.body.Start = next
			}
		}
		return c
	}
	return f.unclosed(s, c, content)
}

func (f *Fences) unclosed(s string, c cut, content int) cut {
	if f.Unclosed == "end" {
		c.content = spec.Span{Start: min(content, len(s)), End: len(s)}
		c.body = spec.Span{Start: len(s), End: len(s)}
		return c
	}
	found := f.notClosed(s, c.open, content)
	return cut{open: c.open, body: spec.Span{Start: 0, End: len(s)}, fault: found}
}

// notClosed says why no line closes the frontmatter.
func (f *Fences) notClosed(s string, open spec.Span, content int) *fault {
	for at := content; at < len(s); {
		end, next := lineEnd(s, at)
		line := s[at:end]
		place := spec.Span{Start: at, End: end}
		switch t := strings.TrimSpace(line); {
		case closers[f.Closer] != nil && closers[f.Closer](line) && f.Line && at == content:
			return &fault{id: "frontmatter-end", at: place, message: "there is nothing between the two fences"}
		case closers[f.Closer] != nil && closers[f.Closer](line):
			return &fault{id: "frontmatter-end", at: place, message: "a line end must follow the closing fence"}
		case strings.HasPrefix(t, fence) && strings.Trim(t, "-") == "":
			return &fault{id: "frontmatter-end", at: place, message: fmt.Sprintf("the line %q does not close the frontmatter here; a line of exactly three hyphens does", clip(line, 40))}
		case t == "...":
			return &fault{id: "frontmatter-end", at: place, message: "the line \"...\" does not close the frontmatter; a line of three hyphens does"}
		}
		at = next
	}
	return &fault{id: "frontmatter-end", at: open, message: "no line closes the frontmatter; a line of three hyphens must"}
}

// clip shortens text for a message to at most length code points.
func clip(text string, length int) string {
	runes := []rune(text[:min(len(text), 4*length+4)])
	if len(runes) <= length && len(text) <= 4*length+4 {
		return text
	}
	return string(runes[:min(length-1, len(runes))]) + "…"
}
