package spec

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestResolveCore(t *testing.T) {
	tests := map[Kind]string{
		Null:  "~ null Null NULL",
		Bool:  "true True TRUE false False FALSE",
		Int:   "0 -0 +0 1 -1 +1 012 08 00 0o17 0o0 0x1F 0xabcdef 99999999999999999999999999",
		Float: "1.0 1. .5 -.5 +.5 1e3 1E+3 1e-3 1.5e10 .5e1 5.e1 00.1 .inf .Inf .INF -.inf +.inf .nan .NaN .NAN",
		String: `nULL TrUe yes No on OFF y n a - + . .. -- e 1e 1e+ .e1 0o 0o8 0x 0xg -0o17 +0x1F 0b1 1_000 1,000 12:30 2026-01-31
			-.nan +.nan .inF .nAn 1.2.3 1.2e3.4 = << 1a a1 ١ １ 0.0.0 --1 1- 1e1e1 Infinity NaN nan inf`,
	}
	for want, texts := range tests {
		for _, text := range strings.Fields(texts) {
			if got := ResolveCore(text); got != want {
				t.Errorf("%q is %v, want %v", text, got, want)
			}
		}
	}
	if got := ResolveCore(""); got != Null {
		t.Errorf("nothing is %v", got)
	}
}

// TestOldReading: the wanted readings are those of PyYAML, and of the pages on
// https://yaml.org/type/ where it leaves something out (y and n).
func TestOldReading(t *testing.T) {
	tests := []struct{ reading, texts string }{
		{"", `a pdf-tools true False ~ null 0 1 -1 +1 10 99999999999999999999 07 00 1.0 -1.5 1. 1.5e+3 .inf -.INF .nan
			v1.2 1.2.3 1-2 2026-1-3 2026-01 20260131 12:60 12:3x a:30 :30 0x1F 0x10 -. + yess oN yES nO 1.2.3.4 <<`},
		{"the boolean true", "y Y yes Yes YES on On ON"},
		{"the boolean false", "n N no No NO off Off OFF"},
		{"a date", "2026-01-31 0000-99-99"},
		{"a time", "2026-01-31T12:30:00Z 2026-1-3t1:02:03 2026-01-31T12:30:00.5+02:00 2026-01-31T12:30:00-7"},
		{"a number in base 60", "12:30 1:2:3 -1:30 12:30:45.5 190:20:30 1_0:30 0:30.5"},
		{"a binary number", "0b1 0b1010 -0b11 0b1_0"},
		{"the octal number for 10", "012 0_12 0012"},
		{"the octal number for -10", "-012"},
		{"an integer", "1_000 +1_0 -0x1F 0xF_F +0x1"},
		{"a number", "1_000.5 1_0.0"},
		{"a string", "08 09 0o17 1e3 1E3 1.5e3 +.5 -.5 .5e1 018"},
		{"a special value", "="},
	}
	for _, test := range tests {
		for _, text := range strings.Fields(test.texts) {
			if got := oldReading(text); got != test.reading {
				t.Errorf("%q is read as %q, want %q", text, got, test.reading)
			}
		}
	}
	if got := oldReading("2026-01-31 12:30:00 +1"); got != "a time" {
		t.Errorf("a time with blanks is read as %q", got)
	}
	if got := oldReading(""); got != "" {
		t.Errorf("nothing is read as %q", got)
	}
}

// TestNumbersAreJSON: every number of the core schema but infinities has a form
// in JSON.
func TestNumbersAreJSON(t *testing.T) {
	alphabet := "0189.-+eExo_af"
	var try func(text string, left int)
	try = func(text string, left int) {
		if kind := ResolveCore(text); kind == Int || kind == Float {
			if number, ok := jsonNumber(text); !ok || !json.Valid([]byte(number)) {
				t.Errorf("%q is written %q, %v", text, number, ok)
			}
		}
		for i := range len(alphabet) * min(left, 1) {
			try(text+alphabet[i:i+1], left-1)
		}
	}
	try("", 4)
	for _, text := range []string{"", ".inf", "-.INF", ".nan", "x", "1_0", "0o8", "0xg"} {
		if number, ok := jsonNumber(text); ok {
			t.Errorf("%q is written %q", text, number)
		}
	}
}
