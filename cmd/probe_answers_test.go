package cmd

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

const hostileText = "a\x1b[31m\u202eb\nc\x00\xff\U000e0041"

func plain(text string) bool {
	for _, r := range text {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			return false
		}
	}
	return true
}

// What a server says in answers reaches a terminal as text (C-8), and is JSON.
func TestAnswersAreEscaped(t *testing.T) {
	must := &mcpprobe.CheckInfo{ID: "sample", Level: mcpprobe.Must}
	entry := &mcpprobe.Entry{
		URI: hostileText, Dir: hostileText, Name: hostileText, Description: strings.Repeat(hostileText, 100),
		Raw:       json.RawMessage(`{"uri":"` + "\u202e\x7f" + `"}`),
		Problems:  []mcpprobe.Problem{{Check: must, URI: hostileText, Message: hostileText}},
		Resources: []mcpprobe.Resource{{URI: hostileText, Size: -1}},
	}
	none := func(text string) string { return text }
	for name, a := range map[string]probeAnswer{
		"list": &listing{[]*mcpprobe.Entry{entry, {Dynamic: true}}},
		"get":  &gotten{entry, none},
		"ls":   &directory{[]mcpprobe.Child{{URI: hostileText, Name: hostileText, MIMEType: hostileText, Size: -1}, {URI: "x", Dir: true}}},
		"read": &fileAnswer{entry: entry, file: &mcpprobe.File{URI: hostileText, Content: []byte("a\x1b[2J\tb\n\u202e\n")}, visible: true},
	} {
		var text bytes.Buffer
		if err := a.write(&text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !plain(text.String()) {
			t.Errorf("%s reaches the terminal: %q", name, &text)
		}
		var out bytes.Buffer
		head := report.NewProbeHead(report.Tool{}, "probe "+name, hostileText, hostileText, nil, nil)
		if err := (&asking{e: &env{stdout: &out}}).printJSON(a.document(head)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !plain(out.String()) {
			t.Errorf("%s reaches the terminal: %q", name, &out)
		}
		keepsSchema(t, "probe", "#/$defs/"+name, out.Bytes())
	}
	var errs bytes.Buffer
	(&asking{e: &env{stderr: &errs}}).problems(entry)
	if !plain(errs.String()) || strings.Count(errs.String(), "\n") != 1 {
		t.Errorf("problems reach the terminal: %q", &errs)
	}
}

// A file that goes elsewhere than to a terminal is given byte for byte.
func TestReadGivesBytes(t *testing.T) {
	for _, content := range []string{"a\x1b[2J\n", "\xff\x00", ""} {
		var b bytes.Buffer
		f := &fileAnswer{entry: &mcpprobe.Entry{}, file: &mcpprobe.File{Content: []byte(content)}}
		if err := f.write(&b); err != nil || b.String() != content {
			t.Errorf("%q comes out as %q, %v", content, &b, err)
		}
	}
}

func TestCovers(t *testing.T) {
	listed := &mcpprobe.Entry{Dir: "skill://a", Resources: []mcpprobe.Resource{{URI: "skill://a/x"}}}
	dynamic := &mcpprobe.Entry{Dir: "skill://a", Dynamic: true}
	for _, test := range []struct {
		entry *mcpprobe.Entry
		uri   string
		want  bool
	}{
		{listed, "skill://a/x", true}, {listed, "skill://a/y", false},
		{dynamic, "skill://a/y", true}, {dynamic, "skill://ab/y", false}, {dynamic, "skill://a", false},
		{&mcpprobe.Entry{Dynamic: true}, "/x", false},
	} {
		if got := covers(test.entry, test.uri); got != test.want {
			t.Errorf("%+v covers %q: %v", test.entry, test.uri, got)
		}
	}
}
