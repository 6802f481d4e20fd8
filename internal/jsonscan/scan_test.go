package jsonscan

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScan(t *testing.T) {
	clean := func(kind Kind) Report { return Report{Kind: kind, InvalidUTF8: -1, LoneSurrogate: -1} }
	with := func(r Report, change func(*Report)) Report { change(&r); return r }
	for name, c := range map[string]struct {
		text string
		want Report
	}{
		"null":          {` null `, clean(Null)},
		"string":        {`"a\u00e9\n"`, clean(String)},
		"number":        {`-1.50e+07`, clean(Number)},
		"array":         {"[1, [], {}]\r\n", clean(Array)},
		"pair":          {`"\ud83d\ude00"`, clean(String)},
		"members":       {`{"a":1,"b":{"c":2}}`, with(clean(Object), func(r *Report) { r.Members = []Member{{"a", []byte("1")}, {"b", []byte(`{"c":2}`)}} })},
		"high alone":    {`["\ud83d"]`, with(clean(Array), func(r *Report) { r.LoneSurrogate = 2 })},
		"high twice":    {`["\ud83d\ud83d\ude00"]`, with(clean(Array), func(r *Report) { r.LoneSurrogate = 2 })},
		"low alone":     {`["xx\uDE00"]`, with(clean(Array), func(r *Report) { r.LoneSurrogate = 4 })},
		"latin 1":       {"[\"caf\xe9\"]", with(clean(Array), func(r *Report) { r.InvalidUTF8 = 5 })},
		"utf-8 halved":  {"[\"\xe2\x82\"]", with(clean(Array), func(r *Report) { r.InvalidUTF8 = 2 })},
		"surrogate raw": {"[\"\xed\xa0\x80\"]", with(clean(Array), func(r *Report) { r.InvalidUTF8 = 2 })},
		"same key": {`[{"a":1,"a":2}]`, with(clean(Array), func(r *Report) {
			r.Duplicates = []Duplicate{{Path: "/0", Key: "a", Offset: 8}}
		})},
		"same key escaped": {`{"x":[0,{"a/~":{"b":1,"c":2,"\u0062":3}}]}`, with(clean(Object), func(r *Report) {
			r.Members = []Member{{"x", []byte(`[0,{"a/~":{"b":1,"c":2,"\u0062":3}}]`)}}
			r.Duplicates = []Duplicate{{Path: "/x/1/a~1~0", Key: "b", Offset: 28}}
		})},
		"same key three times": {`{"":1,"":2,"":3}`, with(clean(Object), func(r *Report) {
			r.Members = []Member{{"", []byte("1")}, {"", []byte("2")}, {"", []byte("3")}}
			r.Duplicates = []Duplicate{{Offset: 6}, {Offset: 11}}
		})},
		"same key in two objects": {`[{"a":1},{"a":1}]`, clean(Array)},
		"key of the parent":       {`[{"a":{"a":1}}]`, clean(Array)},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Scan([]byte(c.text))); diff != "" {
				t.Errorf("Scan(%s) (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

func TestScanErrors(t *testing.T) {
	for text, want := range map[string]string{
		``:                 "unexpected end of JSON at byte 0",
		` `:                "unexpected end of JSON at byte 1",
		`{`:                "unexpected end of JSON at byte 1",
		`{"a"`:             "unexpected end of JSON at byte 4",
		`{"a":1`:           "unexpected end of JSON at byte 6",
		`[1`:               "unexpected end of JSON at byte 2",
		`"abc`:             "unexpected end of JSON at byte 4",
		`"\u12`:            "unexpected end of JSON at byte 5",
		`{a:1}`:            "no key at byte 1",
		`{"a":1,}`:         "no key at byte 7",
		`[1,]`:             "no JSON value at byte 3",
		`[1 2]`:            "neither a comma nor the end of an array at byte 3",
		`{"a":1 "b"}`:      "neither a comma nor the end of an object at byte 7",
		`{"a" 1}`:          "no colon after a key at byte 5",
		`nul1`:             "no JSON value at byte 3",
		`01`:               "there is more after the value at byte 1",
		`1.x`:              "no digit at byte 2",
		`-x`:               "no digit at byte 1",
		`1e+`:              "unexpected end of JSON at byte 3",
		`{} {}`:            "there is more after the value at byte 3",
		`"\x"`:             "no escape of JSON at byte 2",
		`"\u00g0"`:         "no hexadecimal digit in an escape at byte 5",
		"\"a\nb\"":         "a control character in a string at byte 2",
		"\xef\xbb\xbf{}":   "no JSON value at byte 0",
		"\xff":             "no JSON value at byte 0",
		`<!doctype html>`:  "no JSON value at byte 0",
		`"\ud83d\u12"`:     "no hexadecimal digit in an escape at byte 11",
		"[\"\x00\"]":       "a control character in a string at byte 2",
		`{"a":1,"b":tru}x`: "no JSON value at byte 14",
	} {
		r := Scan([]byte(text))
		if r.Err == nil || r.Err.Error() != want {
			t.Errorf("Scan(%q): %v, want %s", text, r.Err, want)
		}
		if r.Kind != "" {
			t.Errorf("Scan(%q) has kind %s", text, r.Kind)
		}
	}
}

func TestScanDepth(t *testing.T) {
	nested := func(depth int) []byte {
		return []byte(strings.Repeat("[", depth) + strings.Repeat("]", depth))
	}
	if r := Scan(nested(MaxDepth)); r.Err != nil {
		t.Errorf("%d levels: %v", MaxDepth, r.Err)
	}
	if r := Scan(nested(MaxDepth + 1)); !errors.Is(r.Err, ErrTooDeep) {
		t.Errorf("%d levels: %v", MaxDepth+1, r.Err)
	}
	if r := Scan([]byte(strings.Repeat(`{"a":`, 5<<20))); !errors.Is(r.Err, ErrTooDeep) {
		t.Errorf("endless levels: %v", r.Err)
	}
}

// TestScanMemory holds that memory is bounded, whatever the keys are.
func TestScanMemory(t *testing.T) {
	var b strings.Builder
	b.WriteString("{")
	for i := range 2 * maxKeys {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(`"k":0`)
	}
	b.WriteString("}")
	r := Scan([]byte(b.String()))
	if r.Err != nil || !r.ManyKeys || !r.MoreMembers {
		t.Errorf("err %v, many keys %t, more members %t", r.Err, r.ManyKeys, r.MoreMembers)
	}
	if len(r.Duplicates) != maxDuplicates || len(r.Members) != MaxMembers {
		t.Errorf("%d duplicates, %d members", len(r.Duplicates), len(r.Members))
	}
}

func TestGet(t *testing.T) {
	r := Scan([]byte(`{"a":1,"b":2,"a":3}`))
	if v, ok := r.Get("a"); !ok || string(v) != "3" {
		t.Errorf("a: %s, %t", v, ok)
	}
	if _, ok := r.Get("c"); ok {
		t.Error("c is there")
	}
}

// FuzzScan compares with the decoder of the standard library.
func FuzzScan(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-2.5e3,true,false,null,"x\u00e9\ud83d\ude00"]}`, `[]`, `{}`, `{"a":1,"a":2}`, `"\ud800"`, "\"\xff\"",
		`01`, `[1,]`, `{"a"}`, "\xef\xbb\xbf1", `"\ud83d\u`, `1E5`, `-0`, "{\"\xd8\xd8\":0}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := Scan(text)
		if errors.Is(r.Err, ErrTooDeep) {
			return
		}
		if valid := json.Valid(text); valid != (r.Err == nil) {
			t.Fatalf("%q: json.Valid says %t, Scan says %v", text, valid, r.Err)
		}
		if r.Err != nil || r.Kind != Object {
			return
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			t.Fatal(err)
		}
		if r.MoreMembers {
			return
		}
		for key, want := range members {
			if have, ok := r.Get(key); !ok || string(have) != string(want) {
				t.Fatalf("%q: key %q is %q, %t; want %q", text, key, have, ok, want)
			}
		}
		repeated := 0
		for _, d := range r.Duplicates {
			if d.Path == "" {
				repeated++
			}
		}
		if len(r.Duplicates) < maxDuplicates && len(r.Members) != len(members)+repeated {
			t.Fatalf("%q: %d members, %d keys, %d duplicates", text, len(r.Members), len(members), repeated)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	text := []byte(`{"result":{"contents":[{"blob":"` + strings.Repeat("QUJD", 1<<20) + `"}]}}`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Scan(text)
	}
}
