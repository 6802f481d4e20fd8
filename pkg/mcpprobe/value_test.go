package mcpprobe

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
)

func TestInteger(t *testing.T) {
	for raw, want := range map[string]struct {
		value   int64
		plain   bool
		problem string
	}{
		"0": {0, true, ""}, " 12 ": {12, true, ""}, "12.0": {12, false, ""}, "1e3": {1000, false, ""}, "120E-1": {12, false, ""}, "-0": {0, false, ""},
		"9007199254740991": {9007199254740991, true, ""},
		"9007199254740992": {0, false, "the number 9007199254740992, which is over 9,007,199,254,740,991, the largest integer that every reader of JSON keeps"},
		"1e999999999":      {0, false, "the number 1e999999999, which is out of range"},
		"1e-999999999":     {0, false, "the number 1e-999999999, which is out of range"},
		"0.5":              {0, false, "the number 0.5, which is no integer"},
		"-1":               {0, false, "the number -1, which is negative"},
		`"1"`:              {0, false, `a string ("1")`},
		"null":             {0, false, "null"},
		"":                 {0, false, "missing"},
		"true":             {0, false, "a boolean (true)"},
		"[1]":              {0, false, "an array"},
		"{}":               {0, false, "an object ({})"},
	} {
		n, problem := integer(json.RawMessage(raw))
		if n.value != want.value || n.plain != want.plain || problem != want.problem {
			t.Errorf("%s: %d, %v, %q; want %+v", raw, n.value, n.plain, problem, want)
		}
	}
}

func TestReadJSON(t *testing.T) {
	if _, ok := object(json.RawMessage("null")); ok {
		t.Error("null is an object")
	}
	if _, ok := array(json.RawMessage("null")); ok {
		t.Error("null is an array")
	}
	if _, ok := text(json.RawMessage("null")); ok {
		t.Error("null is a string")
	}
	if s, ok := text(json.RawMessage(` ""`)); !ok || s != "" {
		t.Error("an empty string is none")
	}
	if _, ok := object(json.RawMessage(`{"a"`)); ok {
		t.Error("half an object is one")
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 16777216: "16,777,216", -1234: "-1,234", -9223372036854775808: "-9,223,372,036,854,775,808"} {
		if have := thousands(n); have != want {
			t.Errorf("%d: %s", n, have)
		}
	}
}

func TestForEachString(t *testing.T) {
	var have []string
	forEachString(json.RawMessage(`{"b":["x",1,{"c/d":"y"}],"a":null}`), func(pointer, text string) bool {
		have = append(have, pointer+"="+text)
		return text != "y"
	})
	if want := []string{"=a", "=b", "/b=x", "/b=c/d", "/b/c~1d=y"}; !slices.Equal(have, want) {
		t.Errorf("%q", have)
	}
}

// FuzzObject: objects and arrays are read as the standard library reads them.
func FuzzObject(f *testing.F) {
	f.Add([]byte(` {"a" : [1, "}\\\"]", {"b":null}] , "a":-1.5e3,"\u0063":{"d":"\\"}} `))
	f.Add([]byte(`[ "x,]" ,[[]],{"a":[{}]}, true,1 ]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			object(raw)
			array(raw)
			return
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil {
			members = nil
		}
		if have, ok := object(raw); ok != (members != nil) || ok && !reflect.DeepEqual(have, members) {
			t.Errorf("object %s, want %s", have, members)
		}
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			items = nil
		}
		if have, ok := array(raw); ok != (items != nil) || ok && !reflect.DeepEqual(have, items) {
			t.Errorf("array %s, want %s", have, items)
		}
	})
}
