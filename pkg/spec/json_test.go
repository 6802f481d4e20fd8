package spec

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestJSON holds what the frontmatter is as JSON, byte for byte.
func TestJSON(t *testing.T) {
	tests := []struct{ name, yaml, want string }{
		{"strings", `a: b c
d: 'e''f "g"'
h: "i\tj\n\u00e9\x41\U0001F600\\"
k: <&>`, `{"a":"b c","d":"e'f \"g\"","h":"i\tj\né` + `A😀\\","k":"<&>"}`},
		{"order and nesting", "z: {y: [x, {w: v}], u: []}\nt:\n- s\n- r: q\n  p: {}\no:\n  n:\n    m: l", `{"z":{"y":["x",{"w":"v"}],"u":[]},"t":["s",{"r":"q","p":{}}],"o":{"n":{"m":"l"}}}`},
		{"null", "a:\nb: ~\nc: null\nd: Null\ne: NULL\nf: nULL\ng: ''\nh: [~, ]\ni: {j: }", `{"a":null,"b":null,"c":null,"d":null,"e":null,"f":"nULL","g":"","h":[null],"i":{"j":null}}`},
		{"booleans", "a: true\nb: False\nc: TRUE\nd: tRUE\ne: yes\nf: off\ng: y", `{"a":true,"b":false,"c":true,"d":"tRUE","e":"yes","f":"off","g":"y"}`},
		{"integers", "a: 0\nb: -0\nc: +1\nd: 012\ne: -007\nf: 0o17\ng: 0x1F\nh: 123456789012345678901234567890\ni: 0xFFFFFFFFFFFFFFFFFFFF\nj: 000", `{"a":0,"b":-0,"c":1,"d":12,"e":-7,"f":15,"g":31,"h":123456789012345678901234567890,"i":1208925819614629174706175,"j":0}`},
		{"numbers", "a: 1.0\nb: 1.10\nc: .5\nd: 5.\ne: -.5e+3\nf: +1.50E-10\ng: 1e400\nh: 00.10\ni: 3.14159265358979323846264338327950288", `{"a":1.0,"b":1.10,"c":0.5,"d":5.0,"e":-0.5e+3,"f":1.50E-10,"g":1e400,"h":0.10,"i":3.14159265358979323846264338327950288}`},
		{"no numbers", "a: 1_000\nb: 12:30\nc: 0b11\nd: -0x1F\ne: 0o8\nf: 1.2.3\ng: 1e\nh: +\ni: .\nj: 0x\nk: 1,5", `{"a":"1_000","b":"12:30","c":"0b11","d":"-0x1F","e":"0o8","f":"1.2.3","g":"1e","h":"+","i":".","j":"0x","k":"1,5"}`},
		{"dates", "a: 2026-01-31\nb: 2026-01-31T12:30:00Z\nc: 2026-01-31 12:30:00", `{"a":"2026-01-31","b":"2026-01-31T12:30:00Z","c":"2026-01-31 12:30:00"}`},
		{"quoted", "a: '1'\nb: \"true\"\nc: 'null'\nd: \"~\"\ne: '.nan'", `{"a":"1","b":"true","c":"null","d":"~","e":".nan"}`},
		{"folded lines", "a: b\n  c\n\n  d\ne: \"f\n  g\n\n\n  h\\\n  i\"\nj: 'k\n\n  l'", `{"a":"b c\nd","e":"f g\n\nhi","j":"k\nl"}`},
		{"literal, clipped", "a: |\n  b\n   c\n\nd: e", `{"a":"b\n c\n","d":"e"}`},
		{"literal, stripped", "a: |-\n  b\n  c\n\nd: e", `{"a":"b\nc","d":"e"}`},
		{"literal, kept", "a: |+\n  b\n  c\n\nd: e", `{"a":"b\nc\n\n","d":"e"}`},
		{"folded, clipped", "a: >\n  b\n  c\n\n  d\n   e\n  f\n\ng: h", `{"a":"b c\nd\n e\nf\n","g":"h"}`},
		{"folded, stripped", "a: >-\n  b\n  c\n", `{"a":"b c"}`},
		{"folded, kept", "a: >+\n  b\n  c\n\nd: e", `{"a":"b c\n\n","d":"e"}`},
		{"block at the end", "a: |\n  b", `{"a":"b\n"}`},
		{"block with an indicator", "a: |2\n   b\n  c\nd: |1-\n e", `{"a":" b\nc\n","d":"e"}`},
		{"block with what is none", "a: |\n  # b\n  c: d\n  - e\n  ---", `{"a":"# b\nc: d\n- e\n---\n"}`},
		{"empty blocks", "a: |\nb: >-\nc: |\n\n\nd: e", `{"a":"","b":"","c":"","d":"e"}`},
		{"blocks of blanks", "a: |\n  \nb: >-\n \n\nc: |+\n  \nd: >\n ", `{"a":"","b":"","c":"\n","d":""}`},
		{"comments", "# a\nb: c # d\n# e\nf: # g\n  h: i#j\nk: [l, # m\n  n]", `{"b":"c","f":{"h":"i#j"},"k":["l","n"]}`},
		{"a key twice", "a: 1\nb: 2\na: 3\nc: {d: 1, d: 2}", `{"b":2,"a":3,"c":{"d":2}}`},
		{"keys that are no strings", "1: a\ntrue: b\n1.0: c\n2026-01-31: d\n'2': e", `{"1":"a","true":"b","1.0":"c","2026-01-31":"d","2":"e"}`},
		{"odd keys", "a b: c\n'd: e': f\n\"g\\th\": i\n日本: j\nk/l~m: n\n? o\n: p", `{"a b":"c","d: e":"f","g\th":"i","日本":"j","k/l~m":"n","o":"p"}`},
		{"aliases", "a: &x [1, {b: c}]\nd: *x\ne: [*x, *x]\nf: &y g\nh: *y", `{"a":[1,{"b":"c"}],"d":[1,{"b":"c"}],"e":[[1,{"b":"c"}],[1,{"b":"c"}]],"f":"g","h":"g"}`},
		{"the nearest anchor", "a: &x 1\nb: *x\nc: &x 2\nd: *x", `{"a":1,"b":1,"c":2,"d":2}`},
		{"an alias as a key", "&x a: 1\nb: {*x : 2}", `{"a":1,"b":{"a":2}}`},
		{"merge keys", "a: &x {b: c}\n<<: *x\nd: {<<: {e: f}}", `{"a":{"b":"c"},"<<":{"b":"c"},"d":{"<<":{"e":"f"}}}`},
		{"tags", "a: !!str 1\nb: !!int '2'\nc: !!float 3\nd: ! 4\ne: !x 5\nf: !!null ''\ng: !!bool 'true'\nh: !!str", `{"a":"1","b":2,"c":3,"d":"4","e":"5","f":null,"g":true,"h":""}`},
		{"flow at the top", "{a: b, c: [d]}", `{"a":"b","c":["d"]}`},
		{"colons", "a: b:c\nd: http://e\nf: ::e\ng: h :i", `{"a":"b:c","d":"http://e","f":"::e","g":"h :i"}`},
		{"marks within plain text", "a: b#c\nd: e, f\ng: h[i]{j}\nk: -l\nm: ?n\no: p'q\"r\ns: t & u * v ! w | x > y % z @", `{"a":"b#c","d":"e, f","g":"h[i]{j}","k":"-l","m":"?n","o":"p'q\"r","s":"t & u * v ! w | x > y % z @"}`},
		{"blanks of Unicode", "a: \u00a0b\u00a0\nc: d\u2028e\nf: \u3000", "{\"a\":\"\u00a0b\u00a0\",\"c\":\"d\\u2028e\",\"f\":\"\u3000\"}"},
		{"a tab in plain text", "a: b\tc\nd\te: f\n", `{"a":"b\tc","d\te":"f"}`},
		{"a tab in single quotes", "a: 'b\tc'\nd: e", `{"a":"b\tc","d":"e"}`},
		{"a tab in double quotes", "a: \"b\tc\"\nd: e", `{"a":"b\tc","d":"e"}`},
		{"a tab in a block", "a: |\n  b\tc\t\n  \td\ne: f", `{"a":"b\tc\t\n\td\n","e":"f"}`},
		{"a block that starts with a tab", "a: |\n  \tb\n  c\nd: e", `{"a":"\tb\nc\n","d":"e"}`},
		{"blanks at the end of a stripped block", "a: |-\n  b  \nc: >-\n  d \n", `{"a":"b  ","c":"d "}`},
		{"a key behind an empty block", "a: |\n\n\"b\": c", `{"a":"","b":"c"}`},
		{"a key behind an empty kept block", "a: |+\n\nb: c", `{"a":"\n","b":"c"}`},
		{"a key behind an empty item", "a:\n-\nb: c", `{"a":[null],"b":"c"}`},
		{"a key behind an empty tagged value", "a: !x\nb: c", `{"a":"","b":"c"}`},
		{"a comment behind a line with a hyphen", "a: b \n  - c # d\ne: f", `{"a":"b - c","e":"f"}`},
		{"blanks at the end of a folded line", "a: b \n  c  \n  - d\ne: f", `{"a":"b c - d","e":"f"}`},
		{"a colon without a blank in brackets within braces", "a: {b: [c:d, http://e]}", `{"a":{"b":["c:d","http://e"]}}`},
		{"a colon without a blank in braces", "a: {b:c}\nd: [e:f]", `{"a":{"b:c":null},"d":["e:f"]}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, source := range [][]byte{fenced(test.yaml), []byte(strings.ReplaceAll(string(fenced(test.yaml)), "\n", "\r\n"))} {
				s := Parse(source)
				got, err := s.Frontmatter.JSON()
				if err != nil || string(got) != test.want {
					t.Errorf("got  %s %v\nwant %s", got, err, test.want)
				}
				checkSkill(t, s)
			}
		})
	}
}

func TestJSONErrors(t *testing.T) {
	tests := []struct {
		name, source string
		want         error
	}{
		{"no frontmatter", "# Text\n", ErrNoFrontmatter},
		{"empty", "---\n---\n", ErrNoFrontmatter},
		{"a list", "---\n- a\n---\n", ErrNoFrontmatter},
		{"a text", "---\na\n---\n", ErrNoFrontmatter},
		{"a syntax error", "---\na: b\nc: d: e\n---\n", ErrNoFrontmatter},
		{"no UTF-8", "---\na: \xff\n---\n", ErrNoFrontmatter},
		{"an unknown alias", "---\na: *b\n---\n", ErrNoFrontmatter},
		{"infinity", "---\na: .inf\n---\n", ErrNotJSON},
		{"minus infinity", "---\na: [-.INF]\n---\n", ErrNotJSON},
		{"not a number", "---\na: {b: .NaN}\n---\n", ErrNotJSON},
		{"a list as a key", "---\na: &x [b]\nc: {*x : d}\n---\n", ErrNotJSON},
		{"an alias bomb", "---\n" + aliasBomb(25) + "---\n", ErrTooManyAliases},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got, err := Parse([]byte(test.source)).Frontmatter.JSON(); !errors.Is(err, test.want) || got != nil {
				t.Errorf("%s, %v; want %v", got, err, test.want)
			}
		})
	}
}

// aliasBomb has 9 to the power of levels values.
func aliasBomb(levels int) string {
	var b strings.Builder
	b.WriteString("l0: &l0 [x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < levels; i++ {
		item := fmt.Sprintf("*l%d,", i-1)
		fmt.Fprintf(&b, "l%d: &l%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(item, 9), ","))
	}
	return b.String()
}

// TestAliasBound: as many values as are allowed are written out, one more is
// refused, and the rule says the same.
func TestAliasBound(t *testing.T) {
	for _, test := range []struct {
		aliases int
		fine    bool
	}{{0, true}, {10, true}, {900, true}, {1100, false}} {
		s := Parse(fenced("a: &x [1,2,3,4,5,6,7,8,9]\nb: [" + strings.Repeat("*x,", test.aliases) + "]\nc: [" + strings.Repeat("d,", MaxAliasNodes+1) + "]"))
		_, err := s.Frontmatter.JSON()
		if (err == nil) != test.fine {
			t.Errorf("%d aliases: %v", test.aliases, err)
		}
		found := false
		for _, d := range Validate(s) {
			found = found || d.RuleID == "alias-expansion"
		}
		if found == test.fine {
			t.Errorf("%d aliases: a finding of alias-expansion: %v", test.aliases, found)
		}
	}
}

// TestAliasBytes: aliases of a long text multiply bytes where they do not
// multiply values.
func TestAliasBytes(t *testing.T) {
	s := Parse(fenced("a: &x " + strings.Repeat("y", MaxFrontmatterBytes/2) + "\nb: [" + strings.Repeat("*x,", MaxAliasNodes/2-10) + "]"))
	if got, err := s.Frontmatter.JSON(); len(got) > 64*MaxFrontmatterBytes {
		t.Errorf("%d bytes of frontmatter are %d bytes of JSON, %v", len(s.Source), len(got), err)
	}
}

// TestCaseJSON: what is given without an error is JSON, and is the same again
// when it is read as YAML, which holds JSON.
func TestCaseJSON(t *testing.T) {
	for name, source := range caseSources(t) {
		s := Parse(source)
		got, err := s.Frontmatter.JSON()
		if err != nil {
			continue
		}
		if !json.Valid(got) || !utf8.Valid(got) {
			t.Errorf("%s: %s is no JSON", name, got)
		}
	}
}
