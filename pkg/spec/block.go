package spec

import (
	"bytes"
	"regexp"
	"strings"
)

// blockScalar reads the literal or folded scalar whose indicator stands at an
// offset of the text, by the rules of YAML 1.2 (section 8.1). indent is the
// column (from 0) of the collection that the scalar stands in, or -1 at the top.
// It gives the value, and the offset behind the last line that is not blank.
//
// The parser finds such scalars well, and loses blanks and tabs of theirs.
func (y *yamlText) blockScalar(at, indent int) (value string, end int) {
	first := y.line(at)
	header, _, _ := strings.Cut(y.text[at:y.lineEnd(first)], " ")
	lines := y.blockLines(first+1, indent, header)
	end = y.lineEnd(first)
	if n := len(lines); n > 0 {
		end = y.lineEnd(first + n)
	}
	for n := len(lines); n > 0 && strings.Trim(lines[n-1], " \t") == ""; n-- {
		end = y.lineEnd(first + n - 1)
	}
	return chomp(lines, strings.HasPrefix(header, ">"), header), end
}

// blockLines gives the lines of a block scalar without their indentation. Blank
// lines of no more than the indentation are empty.
func (y *yamlText) blockLines(first, indent int, header string) []string {
	width := 0
	if i := strings.IndexAny(header, "123456789"); i >= 0 {
		width = max(indent, 0) + int(header[i]-'0')
	}
	var lines []string
	onlyBlanks := true
	for line := first; line < len(y.starts); line++ {
		text := y.text[y.starts[line]:y.lineEnd(line)]
		spaces := indentOf(text)
		blank := spaces == len(text)
		if !blank && spaces <= indent || !blank && width > 0 && spaces < width {
			break
		}
		if !blank && width == 0 {
			width = spaces
		}
		onlyBlanks = onlyBlanks && blank
		lines = append(lines, text)
	}
	if onlyBlanks {
		return make([]string, len(lines))
	}
	for i, text := range lines {
		lines[i] = text[min(max(width, 0), indentOf(text)):]
	}
	return lines
}

// chomp joins the lines of a block scalar, folded or not, and ends the value as
// the header says: "-" strips the final line ends, "+" keeps all of them, and
// otherwise there is one.
func chomp(lines []string, folded bool, header string) string {
	last := len(lines)
	for last > 0 && lines[last-1] == "" {
		last--
	}
	text := strings.Join(lines[:last], "\n")
	if folded {
		text = foldLines(lines[:last])
	}
	switch {
	case strings.Contains(header, "+"):
		if last > 0 {
			text += "\n"
		}
		return text + strings.Repeat("\n", len(lines)-last)
	case strings.Contains(header, "-") || last == 0:
		return text
	}
	return text + "\n"
}

// foldLines joins two lines by a blank, unless one of them starts with a blank;
// empty lines between them stand for themselves.
func foldLines(lines []string) string {
	var b strings.Builder
	before, empty := "", 0 // the last line with text, and the empty ones behind it
	for _, line := range lines {
		if line == "" {
			empty++
			continue
		}
		switch {
		case before != "" && (isBlankStart(before) || isBlankStart(line)):
			b.WriteString(strings.Repeat("\n", empty+1))
		case before != "" && empty == 0:
			b.WriteByte(' ')
		default:
			b.WriteString(strings.Repeat("\n", empty))
		}
		b.WriteString(line)
		before, empty = line, 0
	}
	return b.String()
}

func isBlankStart(line string) bool { return line[0] == ' ' || line[0] == '\t' }

// blockHeader ends a line whose value is a block scalar.
var blockHeader = regexp.MustCompile(`(?:^|[:?-]|[!&]\S*)[ \t]+[|>][1-9+-]*[ \t]*(?:#.*)?$`)

// maskedTab stands for a tab within double quotes, where the parser fails on
// some. No text with it is YAML, so it stands for nothing else.
const maskedTab = "\x1f"

// maskQuoted masks the tabs within the double quotes of a line.
func maskQuoted(line []byte) {
	inside := false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '"' && (inside || startsValue(line[:i])):
			inside = !inside
		case line[i] == '\\' && inside:
			i++
		case line[i] == '\t' && inside:
			line[i] = maskedTab[0]
		}
	}
}

// startsValue reports whether a value may start behind the beginning of a line.
func startsValue(before []byte) bool {
	before = bytes.TrimRight(before, " \t")
	return len(before) == 0 || bytes.IndexByte([]byte(":-,[{"), before[len(before)-1]) >= 0
}

// maskBlocks puts letters in place of the tabs in block scalars, which the parser
// refuses at the start of one. Their values are read from the text itself.
func (y *yamlText) maskBlocks() string {
	masked := []byte(y.text)
	for line := 0; line < len(y.starts); line++ {
		text := y.text[y.starts[line]:y.lineEnd(line)]
		if !blockHeader.MatchString(text) {
			maskQuoted(masked[y.starts[line]:y.lineEnd(line)])
			continue
		}
		indent := indentOf(text)
		for line+1 < len(y.starts) {
			next := y.text[y.starts[line+1]:y.lineEnd(line+1)]
			blank := strings.Trim(next, " \t") == ""
			if !blank && indentOf(next) <= indent {
				break
			}
			line++
			for i := y.starts[line]; i < y.lineEnd(line); i++ {
				switch {
				case masked[i] == '\t' && blank:
					masked[i] = ' '
				case masked[i] == '\t':
					masked[i] = 'x'
				}
			}
		}
	}
	return string(masked)
}
