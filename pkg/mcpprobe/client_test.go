package mcpprobe

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/pkg/digest"
)

func TestListSkills(t *testing.T) {
	s := weather()
	pages := []m{
		{"skills": []any{s.entries[weatherURI]}, "nextCursor": " 1 "},
		{"skills": []any{nil}, "nextCursor": "2"},
		{"skills": []any{}, "nextCursor": ""},
	}
	s.answer = func(method string, params map[string]any) (any, error) {
		cursor, _ := params["cursor"].(string)
		return pages[slices.Index([]string{"", " 1 ", "2"}, cursor)], nil
	}
	var have []string
	for e, err := range s.client(Options{}).ListSkills(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		have = append(have, fmt.Sprint(e.URI, " ", len(e.Problems)))
	}
	if want := []string{weatherURI + " 0", " 1"}; !slices.Equal(have, want) || s.count(MethodList) != 3 || s.count(MethodRead) != 0 {
		t.Errorf("have %q, requests %q", have, s.requests)
	}
}

func TestListSkillsEnds(t *testing.T) {
	list := func(skills any, cursor any) m {
		result := m{"skills": skills}
		if cursor != nil {
			result["nextCursor"] = cursor
		}
		return result
	}
	n := 0
	tests := map[string]struct {
		answer func() (any, error)
		want   string
	}{
		"an error":          {func() (any, error) { return nil, &RPCError{Code: -32603, Message: "broken"} }, "the server answered with error -32603: broken"},
		"no object":         {func() (any, error) { return []any{}, nil }, "the result of skills/list is an array ([]), not an object"},
		"no array":          {func() (any, error) { return list(nil, nil), nil }, "skills of skills/list is null, not an array"},
		"a repeated cursor": {func() (any, error) { return list([]any{}, "x"), nil }, "skills/list gave the same nextCursor twice, so that the listing never ends"},
		"no text":           {func() (any, error) { return list([]any{}, 1), nil }, "nextCursor of skills/list is a number (1), not a string"},
		"pages for ever":    {func() (any, error) { n++; return list([]any{}, fmt.Sprint(n)), nil }, "skills/list goes on after 3 pages"},
		"too many skills":   {func() (any, error) { return list([]any{1, 2, 3}, nil), nil }, "skills/list goes on after 2 skills"},
		"input":             {func() (any, error) { return m{"resultType": "input_required"}, nil }, "the server wants input before it answers skills/list"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			l := &fakeLink{answer: func(string, map[string]any) (any, error) { return test.answer() }}
			var last error
			for _, err := range l.client(Options{MaxPages: 3, MaxSkills: 2}).ListSkills(context.Background()) {
				if last != nil {
					t.Error("the listing goes on after an error")
				}
				last = err
			}
			if last == nil || last.Error() != test.want {
				t.Errorf("have %v, want %s", last, test.want)
			}
		})
	}
	t.Run("undeclared", func(t *testing.T) {
		l := &fakeLink{}
		c := l.client(Options{})
		c.server.Declared = false
		for _, err := range c.ListSkills(context.Background()) {
			if !errors.Is(err, ErrNotSupported) || len(l.requests) > 0 {
				t.Errorf("have %v, requests %v", err, l.requests)
			}
		}
	})
}

func TestGetSkill(t *testing.T) {
	s := weather()
	c := s.client(Options{})
	e, err := c.GetSkill(context.Background(), weatherURI)
	if err != nil || e.URI != weatherURI || len(e.Resources) != 2 {
		t.Errorf("%+v, %v", e, err)
	}
	var rpc *RPCError
	if _, err := c.GetSkill(context.Background(), "skill://none/SKILL.md"); !errors.As(err, &rpc) || rpc.Code != CodeInvalidParams {
		t.Errorf("have %v", err)
	}
	for want, skill := range map[string]any{
		"skill of skills/get is null, not an object":                                            nil,
		`skills/get was asked for "skill://weather/SKILL.md" and answered with "skill://other"`: m{"uri": "skill://other"},
	} {
		s.lie = func(string, string) (any, error, bool) { return m{"skill": skill}, nil, true }
		if _, err := c.GetSkill(context.Background(), weatherURI); err == nil || err.Error() != want {
			t.Errorf("have %v, want %s", err, want)
		}
	}
}

// TestReadFile: the order of C-3, and what is requested.
func TestReadFile(t *testing.T) {
	content := "Rain, then wind.\n"
	text := func(members m) m {
		return m{"contents": []any{members}}
	}
	tests := map[string]struct {
		uri    string
		entry  func(m)             // changes the resource of the notes
		answer any                 // in the place of the server's
		want   string              // of the error
		part   Part                // of a VerificationError
		check  func(*Entry) *Entry // changes the held entry
		asked  bool
	}{
		"as listed":     {asked: true},
		"not listed":    {uri: "skill://weather/none.md", want: "the file is not listed for the skill; it was not asked for", part: PartURI},
		"another skill": {uri: "skill://other/SKILL.md", want: "the file is not listed for the skill; it was not asked for", part: PartURI},
		"no size":       {entry: func(r m) { delete(r, "size") }, want: "the entry has no size for the file; it was not asked for", part: PartSize},
		"too large":     {entry: func(r m) { r["size"] = 101 }, want: `"skill://weather/notes/day.md" has 101 bytes as listed; at most 100 are read`},
		"no digest": {entry: func(r m) { r["digest"] = strings.ToUpper(r["digest"].(string)) },
			want: "the entry has no digest for the file that could be checked; it was not asked for", part: PartDigest},
		"listed twice": {
			check: func(e *Entry) *Entry {
				e.Resources = append(e.Resources, Resource{notesURI, sum, 4})
				return e
			},
			want: "the file is listed twice, and not alike; it was not asked for", part: PartURI,
		},
		"another size":   {answer: text(m{"uri": notesURI, "text": content + "!"}), want: "17 bytes are listed and 18 are served", part: PartSize, asked: true},
		"another digest": {answer: text(m{"uri": notesURI, "text": "Rain, then wind!\n"}), want: "17 bytes as listed, another digest", part: PartDigest, asked: true},
		"a blob":         {answer: text(m{"uri": notesURI, "blob": base64.StdEncoding.EncodeToString([]byte(content))}), asked: true},
		"a loose blob":   {answer: text(m{"uri": notesURI, "blob": base64.RawStdEncoding.EncodeToString([]byte(content))}), asked: true},
		"another label": {answer: text(m{"uri": "file:///day.md", "text": content}),
			want: `the answer is about "file:///day.md", and not about the URI asked for`, part: PartURI, asked: true},
		"an equivalent label": {answer: text(m{"uri": "SKILL://weather/notes/d%61y.md", "text": content}), asked: true},
		"two items": {answer: m{"contents": []any{m{"uri": notesURI, "text": content}, m{"uri": notesURI, "text": content}}},
			want: "contents of resources/read has 2 items; it must hold one, the file asked for", asked: true},
		"no item":       {answer: m{"contents": []any{}}, want: "contents of resources/read is empty; it must hold the file asked for", asked: true},
		"no array":      {answer: m{}, want: "contents of resources/read is missing, not an array", asked: true},
		"both":          {answer: text(m{"uri": notesURI, "text": content, "blob": ""}), want: "resources/read: the item has both text and blob", asked: true},
		"neither":       {answer: text(m{"uri": notesURI}), want: `resources/read: the item has neither text nor blob; an empty file has text ""`, asked: true},
		"a text of no":  {answer: text(m{"uri": notesURI, "text": nil}), want: "resources/read: text is null; it must be a string", asked: true},
		"a blob of no":  {answer: text(m{"uri": notesURI, "blob": 1}), want: "resources/read: blob is a number (1); it must be a string of base64", asked: true},
		"no base64":     {answer: text(m{"uri": notesURI, "blob": "%%%"}), want: "resources/read: blob is no base64: illegal base64 data at input byte 0", asked: true},
		"input wanted":  {answer: m{"resultType": "input_required", "contents": []any{m{"uri": notesURI, "text": content}}}, want: "the server wants input before it answers resources/read", asked: true},
		"far too long":  {answer: &LimitError{Bound: "max-file-bytes", Message: "long"}, want: "17 bytes are listed, and the answer is far longer; it was not read to its end", part: PartSize, asked: true},
		"too slow":      {answer: &LimitError{Bound: "timeout", Message: "slow"}, want: "slow", asked: true},
		"a dynamic one": {check: func(e *Entry) *Entry { return &Entry{URI: e.URI, Dir: e.Dir, Dynamic: true} }, asked: true},
		"a dynamic one, elsewhere": {uri: "skill://weather/../x", check: func(e *Entry) *Entry { return &Entry{URI: e.URI, Dir: e.Dir, Dynamic: true} },
			want: "the file is not below the skill's directory; it was not asked for", part: PartURI},
		"a dynamic one, too large": {answer: text(m{"uri": notesURI, "text": strings.Repeat("x", 101)}), asked: true,
			check: func(e *Entry) *Entry { return &Entry{URI: e.URI, Dir: e.Dir, Dynamic: true} },
			want:  `"skill://weather/notes/day.md" has 101 bytes as served; at most 100 are read`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := weather()
			if test.entry != nil {
				test.entry(s.resource(weatherURI, notesURI))
			}
			c := s.client(Options{MaxFileBytes: 100})
			e, err := c.GetSkill(context.Background(), weatherURI)
			if err != nil {
				t.Fatal(err)
			}
			if test.check != nil {
				e = test.check(e)
			}
			if test.answer != nil {
				failure, _ := test.answer.(error)
				s.lie = func(string, string) (any, error, bool) { return test.answer, failure, true }
			}
			if test.uri == "" {
				test.uri = notesURI
			}
			f, err := c.ReadFile(context.Background(), e, test.uri)
			if asked := s.count(MethodRead) > 0; asked != test.asked {
				t.Errorf("requests %q", s.requests)
			}
			if test.want == "" {
				if err != nil || string(f.Content) != content || f.URI != notesURI || f.Verified == e.Dynamic {
					t.Errorf("%+v, %v", f, err)
				}
				return
			}
			if f != nil || err == nil || err.Error() != test.want {
				t.Errorf("have %v, %v\nwant %s", f, err, test.want)
			}
			var failed *VerificationError
			if errors.As(err, &failed); (test.part != "") != (failed != nil) || failed != nil && (failed.Part != test.part || failed.Skill != weatherURI || failed.URI != test.uri) {
				t.Errorf("%+v", failed)
			}
		})
	}
}

func TestReadFileFrontmatter(t *testing.T) {
	for _, dynamic := range []bool{false, true} {
		s := weather()
		s.entries[weatherURI]["frontmatter"] = m{"name": "weather", "description": "Other."}
		if dynamic {
			s.entries[weatherURI]["resources"] = "dynamic"
		}
		c := s.client(Options{})
		e, err := c.GetSkill(context.Background(), weatherURI)
		if err != nil {
			t.Fatal(err)
		}
		f, err := c.ReadFile(context.Background(), e, weatherURI)
		var failed *VerificationError
		if !errors.As(err, &failed) || f != nil {
			t.Fatalf("%v, %v", f, err)
		}
		if failed.Part != PartFrontmatter || failed.Message != "description in the listing differs from the served file" || failed.Want != `"Other."` {
			t.Errorf("%+v", failed)
		}
	}
}

func TestReadFileEmpty(t *testing.T) {
	s := fakeSkills(map[string]map[string]string{"x": {"SKILL.md": skillText("x", "Does. Use it."), "empty": ""}})
	c := s.client(Options{})
	e, err := c.GetSkill(context.Background(), "skill://x/SKILL.md")
	if err != nil {
		t.Fatal(err)
	}
	if f, err := c.ReadFile(context.Background(), e, "skill://x/empty"); err != nil || len(f.Content) != 0 || !f.Verified {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestReadLimit(t *testing.T) {
	c := (&fakeLink{}).client(Options{MaxFileBytes: 1 << 62})
	for size, want := range map[int64]int64{-1: 0, 0: 64 << 10, 10: 60 + 64<<10, 1 << 61: 0, 1<<62 + 1: 0} {
		if have := c.readLimit(size); have != want {
			t.Errorf("%d bytes: %d, want %d", size, have, want)
		}
	}
}

func TestReadDirectory(t *testing.T) {
	s := weather()
	c := s.client(Options{})
	var have []Child
	for child, err := range c.ReadDirectory(context.Background(), "skill://weather") {
		if err != nil {
			t.Fatal(err)
		}
		have = append(have, child)
	}
	want := []Child{
		{URI: weatherURI, Name: "SKILL.md", MIMEType: "text/plain", Size: -1},
		{URI: "skill://weather/notes", Name: "notes", MIMEType: directoryType, Size: -1, Dir: true},
	}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("%+v", have)
	}
	for _, err := range c.ReadDirectory(context.Background(), weatherURI) {
		var rpc *RPCError
		if !errors.As(err, &rpc) {
			t.Errorf("have %v", err)
		}
	}
	c.server.DirectoryRead, s.requests = false, nil
	for _, err := range c.ReadDirectory(context.Background(), "skill://weather") {
		if !errors.Is(err, ErrNotSupported) || len(s.requests) > 0 {
			t.Errorf("have %v, requests %v", err, s.requests)
		}
	}
	c.server.DirectoryRead = true
	s.lie = func(string, string) (any, error, bool) { return m{"resources": []any{m{"name": "x"}}}, nil, true }
	for _, err := range c.ReadDirectory(context.Background(), "skill://weather") {
		if err == nil || err.Error() != `a child of "skill://weather" is an object; it must be an object with a uri` {
			t.Errorf("have %v", err)
		}
	}
}

// TestAnswers: input is given where it was asked for, and all of it (C-10).
func TestAnswers(t *testing.T) {
	form := func(properties m, required ...string) m {
		return m{"method": "elicitation/create", "params": m{"message": "?", "requestedSchema": m{"type": "object", "properties": properties, "required": required}}}
	}
	one := m{"agree": m{"type": "boolean"}}
	tests := map[string]struct {
		requests m
		answers  map[string]string
		want     m // of inputResponses, nil for no second request
	}{
		"none given":        {m{"terms": form(one, "agree")}, nil, nil},
		"by the key":        {m{"terms": form(one, "agree")}, map[string]string{"terms": "true"}, m{"terms": m{"agree": true}}},
		"by the field":      {m{"terms": form(one)}, map[string]string{"agree": "no word of truth"}, m{"terms": m{"agree": "no word of truth"}}},
		"by both":           {m{"a": form(one), "b": form(one)}, map[string]string{"a.agree": "true", "b.agree": "false"}, m{"a": m{"agree": true}, "b": m{"agree": false}}},
		"half":              {m{"a": form(one, "agree"), "b": form(one, "agree")}, map[string]string{"a": "true"}, nil},
		"a required field":  {m{"a": form(m{"x": m{"type": "string"}, "y": m{"type": "string"}}, "x", "y")}, map[string]string{"x": "1"}, nil},
		"an optional field": {m{"a": form(m{"x": m{"type": "string"}, "y": m{"type": "integer"}}, "y")}, map[string]string{"y": "7"}, m{"a": m{"y": 7.0}}},
		"no form":           {m{"a": m{"method": "roots/list"}}, map[string]string{"a": "x"}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := weather()
			var given any
			s.answer = func(method string, params map[string]any) (any, error) {
				if given = params["inputResponses"]; given == nil {
					return m{"resultType": "input_required", "inputRequests": test.requests, "requestState": "state"}, nil
				}
				if params["requestState"] != "state" || params["uri"] != weatherURI {
					t.Errorf("asked again with %v", params)
				}
				return s.serve(method, params)
			}
			_, err := s.client(Options{Answers: test.answers}).GetSkill(context.Background(), weatherURI)
			if test.want == nil {
				var input *InputRequiredError
				if !errors.As(err, &input) || !slices.Equal(input.Keys, sortedKeys(test.requests)) || input.URI != weatherURI || len(s.requests) != 1 {
					t.Errorf("have %v after %v", err, s.requests)
				}
				return
			}
			want := m{}
			for key, content := range test.want {
				want[key] = m{"action": "accept", "content": content}
			}
			if err != nil || !reflect.DeepEqual(given, want) {
				t.Errorf("gave %v, want %v; %v", given, want, err)
			}
		})
	}
}

func TestAnswersEnd(t *testing.T) {
	l := &fakeLink{answer: func(string, map[string]any) (any, error) {
		return m{"inputRequests": m{"a": m{"method": "elicitation/create", "params": m{"requestedSchema": m{"properties": m{"x": m{}}}}}}}, nil
	}}
	_, err := l.client(Options{Answers: map[string]string{"a": "1"}}).GetSkill(context.Background(), weatherURI)
	var input *InputRequiredError
	if !errors.As(err, &input) || len(l.requests) != maxInputRounds+1 {
		t.Errorf("have %v after %d requests", err, len(l.requests))
	}
}

func TestDecodeBase64(t *testing.T) {
	for blob, want := range map[string]struct{ content, loose string }{
		"":         {"", ""},
		"YQ==":     {"a", ""},
		"YQ":       {"a", "blob has the wrong padding"},
		"YQ=":      {"a", "blob has the wrong padding"},
		"YR==":     {"a", "blob has bits behind its last byte that are not zero"},
		"YWJj\r\n": {"abc", "blob has line ends or blanks"},
		"YWI\n":    {"ab", "blob has line ends or blanks and has the wrong padding"},
	} {
		content, undecodable, loose := decodeBase64(blob)
		if string(content) != want.content || undecodable != "" || loose != want.loose {
			t.Errorf("%q: %q, %q, %q", blob, content, undecodable, loose)
		}
	}
	for _, blob := range []string{"Y", "ab*d", "YQ==YQ==", "_-8="} {
		if _, undecodable, _ := decodeBase64(blob); undecodable == "" {
			t.Errorf("%q is base64", blob)
		}
	}
}

// TestExplain: the one explanation that fits is named.
func TestExplain(t *testing.T) {
	hash := func(content string) string { return digest.Of([]byte(content)).String() }
	b64 := base64.StdEncoding.EncodeToString
	tests := []struct {
		served, blob string
		digest       string
		size         int64
		want         string
	}{
		{served: "a\r\nb\r\n", digest: hash("a\nb\n"), size: 4, want: "the listed digest fits the same text with LF line ends"},
		{served: "a\nb\n", digest: hash("a\r\nb\r\n"), size: 6, want: "the listed digest fits the same text with CRLF line ends"},
		{served: "a", digest: hash("a\n"), size: 2, want: "the listed digest fits the same text with a final line end"},
		{served: "a\n", digest: hash("a"), size: 1, want: "the listed digest fits the same text without its final line end"},
		{served: "\ufeffa", digest: hash("a"), size: 1, want: "the listed digest fits the same text without its byte order mark"},
		{served: "a", digest: hash("\ufeffa"), size: 4, want: "the listed digest fits the same text with a byte order mark"},
		{served: "Zoë", digest: hash("Zoe\u0308"), size: 5, want: "the listed digest fits the same text in Unicode normalisation form D"},
		{served: "Zoe\u0308", digest: hash("Zoë"), size: 4, want: "the listed digest fits the same text in Unicode normalisation form C"},
		{served: "  a \n\n", digest: hash("a"), size: 1, want: "the listed digest fits the same text without the blanks and line ends around it"},
		{served: " a \n\n", digest: hash(" a"), size: 2, want: "the listed digest fits the same text without the blanks and line ends behind it"},
		{served: "Zoë", digest: hash("Zo\xeb"), size: 3, want: "the listed digest fits the same text in Latin-1"},
		{blob: b64([]byte{0, 1, 2}), digest: hash(b64([]byte{0, 1, 2})), size: 4, want: "the listed digest is over the base64 text, instead of the bytes that it stands for"},
		{served: "abc", digest: hash(b64([]byte("abc"))), size: 4, want: "the listed digest is over the base64 form of the file, instead of its bytes"},
		{served: b64([]byte("abcd")), digest: hash("abcd"), size: 4, want: "the listed digest fits what is served once it is decoded from base64 again: it was encoded twice"},
		{served: "a\\n\nb\\u00fc", digest: hash("a\n\nbü"), size: 6, want: `the listed digest fits the same text with its escapes, such as \n, read: it was escaped twice`},
		{served: "other", digest: sum, size: 9, want: `these are the bytes that are listed for "skill://x/other"`},
		{served: "a\ufffdb", digest: sum, size: 3, want: "the text has U+FFFD, which stands where bytes were no UTF-8; serve such a file as blob"},
		{served: "\U0001f600ü", digest: hash("\U0001f600ü"), size: 2, want: "the listed size is the number of code points, instead of bytes"},
		{served: "\U0001f600ü", digest: hash("\U0001f600ü"), size: 3, want: "the listed size is the number of UTF-16 units, instead of bytes"},
		{blob: b64([]byte{0, 1, 2}), digest: hash("\x00\x01\x02"), size: 4, want: "the listed size is the length of the base64 text"},
		{served: "abc", digest: hash("abc"), size: 9, want: ""},
		{served: "abc", digest: hash("something else"), size: 3, want: ""},
		{served: strings.Repeat("a", maxExplained+1), digest: hash(""), size: 0, want: ""},
	}
	for _, test := range tests {
		e := &Entry{Resources: []Resource{{"skill://x/a", test.digest, test.size}, {"skill://x/other", hash("other"), 5}}}
		members := map[string]any{"text": test.served}
		if test.blob != "" {
			members = map[string]any{"blob": test.blob}
		}
		raw, err := encode(members)
		if err != nil {
			t.Fatal(err)
		}
		parsed, _ := object(raw)
		if have := explain(e, &e.Resources[0], readItem(parsed)); have != test.want {
			t.Errorf("%.40q %q: %q, want %q", test.served, test.blob, have, test.want)
		}
	}
}

// TestCompareFrontmatter: what is equal, and in which words the rest differs.
func TestCompareFrontmatter(t *testing.T) {
	tests := []struct{ listing, yaml, want string }{
		{`{"b":"2","a":1}`, "a: 1\nb: \"2\"", ""},
		{`{"a":1.0}`, "a: 1", "form a"},
		{`{"a":1e3}`, "a: 1000", "form a"},
		{`{"a":12345678901234567890123}`, "a: 12345678901234567890123", ""},
		{`{"a":12345678901234567890123}`, "a: 12345678901234567890124", "a in the listing differs from the served file"},
		{`{"a":"1"}`, "a: 1", "a in the listing differs from the served file; one of the two was quoted, or read by a YAML 1.1 loader"},
		{`{"a":true}`, "a: yes", `a in the listing differs from the served file; YAML 1.1 typing is the reason: "yes" is a string in YAML 1.2 and the boolean true in YAML 1.1; quote it`},
		{`{"a":"x\n"}`, "a: x", "a in the listing differs from the served file; only the blanks and line ends around it differ: a block scalar keeps its last line end"},
		{`{"a":"x y"}`, "a: |-\n  x\n  y", "a in the listing differs from the served file; only blanks and line ends differ"},
		{`{"a":"Zoë"}`, "a: Zoe\u0308", "a in the listing differs from the served file; only the Unicode normalisation differs"},
		{`{"a":{"b c":"x"}}`, "a:\n  b c: z", `"a.b c" in the listing differs from the served file`},
		{`{}`, "a: x", "a is in the served file and not in the listing; every field that the author wrote has to pass through"},
		{`{"a":null}`, "b: x", "a is in the listing and not in the served file\nb is in the served file and not in the listing; every field that the author wrote has to pass through"},
		{``, "a: x", "the frontmatter of the served file cannot be compared: the entry has none"},
		{`{}`, "a: [", "the frontmatter of the served file cannot be compared: "},
	}
	for _, test := range tests {
		c := compareFrontmatter([]byte(test.listing), parseServed(&Entry{URI: weatherURI}, []byte("---\n"+test.yaml+"\n---\n")))
		var have []string
		if c.unreadable != "" {
			have = append(have, c.first().message())
		}
		for _, d := range c.fields {
			have = append(have, d.message())
		}
		for _, d := range c.forms {
			have = append(have, "form "+d.name())
		}
		if text := strings.Join(have, "\n"); text != test.want && (c.unreadable == "" || !strings.HasPrefix(text, test.want)) || c.equal() != (c.unreadable == "" && len(c.fields) == 0) {
			t.Errorf("%s against %q\nhave %s\nwant %s", test.listing, test.yaml, text, test.want)
		}
	}
}
