package report_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/schemas"
)

// compile makes a validator of a schema text; ref is "" or a fragment of it.
func compile(t testing.TB, text []byte, ref string) *jsonschema.Schema {
	t.Helper()
	const address = "https://schema.invalid/schema.json"
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	if err := c.AddResource(address, bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(address + ref)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func reportSchema(t testing.TB, ref string) *jsonschema.Schema {
	t.Helper()
	text, err := schemas.Get("report")
	if err != nil {
		t.Fatal(err)
	}
	return compile(t, text, ref)
}

// decode reads exactly one JSON value.
func decode(t testing.TB, text string) any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	if decoder.More() {
		t.Fatalf("there is more than one value in:\n%s", text)
	}
	return value
}

// validate checks a JSON text against a schema.
func validate(t testing.TB, schema *jsonschema.Schema, text string) {
	t.Helper()
	if err := schema.Validate(decode(t, text)); err != nil {
		t.Errorf("%#v in:\n%s", err, text)
	}
}

// timed is the rich report with durations.
func timed() *report.Report {
	r := rich()
	r.Elapsed = 21*time.Millisecond + 345678*time.Nanosecond
	r.Timings = []report.Timing{{Name: "find", Duration: 1500 * time.Microsecond}}
	return r
}

func TestJSONConforms(t *testing.T) {
	schema := reportSchema(t, "")
	for _, r := range []*report.Report{clean(), rich(), timed(), {}} {
		validate(t, schema, write(t, "json", report.Options{}, r))
	}
}

// The schema must not be one that everything passes.
func TestSchemaRefuses(t *testing.T) {
	schema := reportSchema(t, "")
	good := write(t, "json", report.Options{}, rich())
	for old, bad := range map[string]string{
		`"version": 1`:          `"version": 2`,
		`"severity": "error"`:   `"severity": "fatal"`,
		`"status": "valid"`:     `"status": "fine"`,
		`"safety": "safe"`:      `"safety": "sure"`,
		`"range": null`:         `"range": {}`,
		`"by": "baseline"`:      `"with": "baseline"`,
		`"line": 2`:             `"line": 0`,
		`"related": []`:         `"related": null`,
		`"exit_code": 2`:        `"exit_code": "2"`,
		`"path": "/srv/other"`:  `"path": 1`,
		`"diagnostics": [`:      `"findings": [`,
		`"rule": "file-size"`:   `"id": "file-size"`,
		`"text": "pdf-tools"`:   `"text": null`,
		`"commit": "0123abc"`:   `"commit": 1`,
		`"base": "/work/repo",`: ``,
	} {
		if !strings.Contains(good, old) {
			t.Errorf("%s is not in the report", old)
		}
		if schema.Validate(decode(t, strings.Replace(good, old, bad, 1))) == nil {
			t.Errorf("the schema accepts %s in place of %s", bad, old)
		}
	}
}

func TestJSONText(t *testing.T) {
	for _, format := range []string{"json", "jsonl", "sarif"} {
		got := write(t, format, report.Options{}, rich())
		if !strings.Contains(got, "<b>&amp;</b>") {
			t.Errorf("%s escapes HTML", format)
		}
		if strings.ContainsAny(got, "\x1b\u202e\x7f\u009b") {
			t.Errorf("%s holds characters that steer a terminal", format)
		}
		if !strings.HasSuffix(got, "\n") || strings.HasSuffix(got, "\n\n") {
			t.Errorf("%s does not end in one line end", format)
		}
	}
}

// Escapes must give back the characters that they stand for.
func TestJSONKeepsInvisibleCharacters(t *testing.T) {
	const message = "\u202e\u200d\x7f\u009b\U000e0041\u2028日本📊\ufffd"
	r := clean()
	r.Findings = []report.Finding{find("", "name-charset", "", "", message)}
	document := decode(t, write(t, "json", report.Options{}, r)).(map[string]any)
	if got := document["diagnostics"].([]any)[0].(map[string]any)["message"]; got != message {
		t.Errorf("got %q, want %q", got, message)
	}
}

func TestJSONDurations(t *testing.T) {
	if strings.Contains(write(t, "json", report.Options{}, rich()), "elapsed") {
		t.Error("durations are written though nobody asked")
	}
	golden(t, "timed.jsonl", write(t, "jsonl", report.Options{}, timed()))
}

func TestJSONLConforms(t *testing.T) {
	record, timing := reportSchema(t, "#/$defs/record"), reportSchema(t, "#/$defs/timings")
	for name, r := range map[string]*report.Report{"clean": clean(), "rich": rich(), "timed": timed()} {
		var types []string
		for line := range strings.Lines(write(t, "jsonl", report.Options{}, r)) {
			validate(t, record, line)
			kind := decode(t, line).(map[string]any)["type"].(string)
			if kind == "timings" {
				validate(t, timing, line)
			}
			types = append(types, kind)
		}
		if types[0] != "header" || types[len(types)-1] != "summary" || slices.Contains(types[1:], "header") {
			t.Errorf("%s has records %v", name, types)
		}
		if want := 2 + len(r.Skills) + len(r.Findings) + len(r.Suppressed) + len(r.Errors) + min(1, len(r.Timings)); len(types) != want {
			t.Errorf("%s has %d records, want %d", name, len(types), want)
		}
	}
}
