package servers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// compact writes a value as JSON.
func (v *value) compact() string {
	quote := func(s string) string {
		text, _ := json.Marshal(s)
		return string(text)
	}
	var parts []string
	switch v.kind {
	case kindString:
		return quote(v.text)
	case kindArray:
		for _, item := range v.items {
			parts = append(parts, item.compact())
		}
		return "[" + strings.Join(parts, ",") + "]"
	case kindObject:
		for _, m := range v.members {
			parts = append(parts, quote(m.key)+":"+m.value.compact())
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return v.text
}

func TestParseJSONC(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{}`, `{}`},
		{"\ufeff{\"a\": [1, -2.5e3, true, false, null]}\n", `{"a":[1,-2.5e3,true,false,null]}`},
		{"// first\r\n{ /* a */ \"a\": /* b\n */ 1, // c\n}\n// last", `{"a":1}`},
		{`{"a": [1,2,], }`, `{"a":[1,2]}`},
		{`["\"\\\/\b\f\n\r\té𝄞"]`, `["\"\\/\b\f\n\r\té𝄞"]`},
		{`"http://example.com/* no comment */"`, `"http://example.com/* no comment */"`},
		{`[1/**/,2]`, `[1,2]`},
		{`{"":{"":[]}}`, `{"":{"":[]}}`},
	} {
		v, err := parseJSONC([]byte(test.text))
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if have := v.compact(); have != test.want {
			t.Errorf("%s: %s, want %s", test.text, have, test.want)
		}
	}
}

func TestParseJSONCMistakes(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "1:1: the file is empty"},
		{" // only a comment\n", "2:1: the file is empty"},
		{"{\n  \"a\" 1\n}", `2:7: '1' where ":" is wanted`},
		{"{\n  \"é\": 1\n  \"b\": 2\n}", `3:3: '"' where "," or "}" is wanted`},
		{"{a: 1}", `1:2: 'a' where a key in double quotes is wanted`},
		{"{'a': 1}", `1:2: '\'' where a key in double quotes is wanted`},
		{"{,}", `1:2: ',' where a key in double quotes is wanted`},
		{"[,]", `1:2: ',' where a value is wanted`},
		{"[1,,2]", `1:4: ',' where a value is wanted`},
		{"[01]", `1:2: '0' where a value is wanted`},
		{"[nul]", `1:2: 'n' where a value is wanted`},
		{"[NaN]", `1:2: 'N' where a value is wanted`},
		{"[1", `1:3: the end of the file where "," or "]" is wanted`},
		{"{\"a\":", `1:6: the end of the file where a value is wanted`},
		{"{} x", `1:4: 'x' after the end of the value`},
		{"{} {}", `1:4: '{' after the end of the value`},
		{"/* open", `1:1: the comment is not closed`},
		{"[\"a\nb\"]", `1:4: the string does not end on its line`},
		{"[\"a", `1:4: the string does not end`},
		{"[\"a\\", `1:4: the string does not end`},
		{"[\"a\tb\"]", `1:4: '\t' in a string must be escaped`},
		{"[\"C:\\Users\"]", `1:5: "\\U" is no escape of JSON; a backslash is written twice`},
		{`["\u12"]`, `1:3: \u wants four hexadecimal digits`},
		{`["\ud834x"]`, `1:3: half a surrogate pair stands for no character`},
		{`["\udd1e"]`, `1:3: half a surrogate pair stands for no character`},
		{"[\"a\xff\"]", `1:4: a byte that is not UTF-8`},
		{"{\"a\": 1,\n \"b\": 2,\n \"a\": 3}", `3:2: the key "a" is there already, at 1:2`},
		{strings.Repeat("[", 300), `1:201: values nest deeper than 200 levels`},
	} {
		_, err := parseJSONC([]byte(test.text))
		if err == nil || err.Error() != test.want {
			t.Errorf("%q: %v\nwant %s", test.text, err, test.want)
		}
	}
}

func TestJSONCDepth(t *testing.T) {
	deep := strings.Repeat("[", maxJSONDepth) + strings.Repeat("]", maxJSONDepth)
	if _, err := parseJSONC([]byte(deep)); err != nil {
		t.Errorf("%d levels: %v", maxJSONDepth, err)
	}
}

// TestJSONCLinear reads large texts of the kinds that a careless reader takes
// for ever over. The bound is far from what they take.
func TestJSONCLinear(t *testing.T) {
	const n = 1 << 18
	for name, text := range map[string]string{
		"one line":      "[" + strings.Repeat("1,", n) + "]",
		"line breaks":   "[" + strings.Repeat("1,\n", n) + "]",
		"long string":   `"` + strings.Repeat(`\u00e9`, n) + `"`,
		"comments":      strings.Repeat("/**/", n) + "1",
		"keys":          keys(n),
		"open comments": strings.Repeat("/*", n),
	} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = parseJSONC([]byte(text))
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatalf("%s: %d bytes take more than a minute", name, len(text))
		}
	}
}

func keys(n int) string {
	var b strings.Builder
	b.WriteString("{")
	for i := range n {
		fmt.Fprintf(&b, `"k%d":1,`, i)
	}
	return b.String() + "}"
}

// FuzzJSONC holds the reader against encoding/json: what is JSON gives the same,
// and what is not JSON without its comments is refused.
func FuzzJSONC(f *testing.F) {
	for _, text := range []string{
		`{"a": [1, true, null, "x\n\u00e9"]}`, "// c\n{\"a\":1,}", `["\ud834\udd1e", {}]`, "\ufeff[]", `{"a":1,"a":2}`, "/**/1", `"\q"`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := parseJSONC(text)
		if err != nil {
			place, ok := err.(*placeError)
			if !ok || place.at.line < 1 || place.at.column < 1 || place.message == "" {
				t.Fatalf("%q: %#v has no place", text, err)
			}
			return
		}
		again, err := parseJSONC([]byte(v.compact()))
		if err != nil || again.compact() != v.compact() {
			t.Fatalf("%q: %s is read as %v, %v", text, v.compact(), again, err)
		}
		if !json.Valid([]byte(v.compact())) {
			t.Fatalf("%q gives %s, which is no JSON", text, v.compact())
		}
		var plain bytes.Buffer
		if json.Compact(&plain, text) != nil {
			return // with comments
		}
		want, have := decode(t, text), decode(t, []byte(v.compact()))
		if fmt.Sprint(want) != fmt.Sprint(have) {
			t.Fatalf("%q: %v, want %v", text, have, want)
		}
	})
}

// decode reads JSON without a loss of digits.
func decode(t *testing.T, text []byte) (v any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%q cannot be compared: %v", text, err)
	}
	return v
}
