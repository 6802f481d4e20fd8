package report_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/spec"
)

func sarifSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	return compile(t, text, "")
}

func TestSARIFConforms(t *testing.T) {
	schema := sarifSchema(t)
	for _, r := range []*report.Report{clean(), rich(), {Tool: report.Tool{Name: "skilltool"}}} {
		validate(t, schema, write(t, "sarif", report.Options{}, r))
	}
	good := write(t, "sarif", report.Options{}, rich())
	for old, bad := range map[string]string{
		`"level": "note"`:          `"level": "info"`,
		`"startLine": 2`:           `"startLine": 0`,
		`"executionSuccessful": `:  `"successful": `,
		`"uriBaseId": `:            `"base": `,
		`"kind": "inSource"`:       `"kind": "comment"`,
		`"uri": "skills/pdf-tools`: `"uri": "skills/%zz-pdf-tools`,
	} {
		if schema.Validate(decode(t, strings.Replace(good, old, bad, 1))) == nil {
			t.Errorf("the schema accepts %s in place of %s", bad, old)
		}
	}
}

// sarifLog is what the tests read of a log.
type sarifLog struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct{ ID string }
			}
		}
		OriginalURIBaseIDs map[string]struct{ URI string }
		Results            []struct {
			RuleID    string
			RuleIndex *int
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI, URIBaseID string }
					Region           *struct{ Snippet struct{ Text string } }
				}
			}
		}
	}
}

func readSARIF(t testing.TB, r *report.Report) sarifLog {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal([]byte(write(t, "sarif", report.Options{}, r)), &log); err != nil {
		t.Fatal(err)
	}
	return log
}

func TestSARIFRuleIndex(t *testing.T) {
	run := readSARIF(t, rich()).Runs[0]
	for _, result := range run.Results {
		switch {
		case result.RuleIndex == nil:
			if result.RuleID != "unlisted-rule" {
				t.Errorf("%s has no index", result.RuleID)
			}
		case run.Tool.Driver.Rules[*result.RuleIndex].ID != result.RuleID:
			t.Errorf("the index of %s leads to another rule", result.RuleID)
		}
	}
}

func TestSARIFLocations(t *testing.T) {
	for _, test := range []struct{ base, skill, file, root, uri, id string }{
		{"/b", "/b/s", "SKILL.md", "file:///b/", "s/SKILL.md", "SRCROOT"},
		{"/b c", "/b c/s", "d e/ü%?#.md", "file:///b%20c/", "s/d%20e/%C3%BC%25%3F%23.md", "SRCROOT"},
		{"/b", "/b/s", ".", "file:///b/", "s/", "SRCROOT"},
		{"/b", "/b", ".", "file:///b/", "./", "SRCROOT"},
		{"/b", "/b", "a:b.md", "file:///b/", "./a:b.md", "SRCROOT"},
		{"/b", "/c/s", "SKILL.md", "file:///b/", "file:///c/s/SKILL.md", ""},
		{"/", "/s", "SKILL.md", "file:///", "s/SKILL.md", "SRCROOT"},
		{"C:/b", "C:/b/s", "SKILL.md", "file:///C:/b/", "s/SKILL.md", "SRCROOT"},
		{"C:/b", "D:/s", "SKILL.md", "file:///C:/b/", "file:///D:/s/SKILL.md", ""},
		{"//host/share", "//host/other", "SKILL.md", "file://host/share/", "file://host/other/SKILL.md", ""},
	} {
		r := clean()
		f := find(test.skill, "name-charset", "", "", "m")
		f.Path = test.file
		r.Base, r.Findings = test.base, []report.Finding{f}
		run := readSARIF(t, r).Runs[0]
		place := run.Results[0].Locations[0].PhysicalLocation
		if got := run.OriginalURIBaseIDs["SRCROOT"].URI; got != test.root {
			t.Errorf("%s: root %s, want %s", test.base, got, test.root)
		}
		if got := place.ArtifactLocation; got.URI != test.uri || got.URIBaseID != test.id {
			t.Errorf("%s in %s: %+v, want %s from %q", test.file, test.skill, got, test.uri, test.id)
		}
		if place.Region != nil {
			t.Errorf("a whole file has a region")
		}
	}
}

func TestSARIFSnippet(t *testing.T) {
	r := onLine("e\u0301日本\t\x1b", 3, 5)
	region := readSARIF(t, r).Runs[0].Results[0].Locations[0].PhysicalLocation.Region
	if got := region.Snippet.Text; got != "日本" {
		t.Errorf("the snippet is %q", got)
	}
	r.Findings[0].Range.End = spec.Position{Line: 9, Column: 2}
	region = readSARIF(t, r).Runs[0].Results[0].Locations[0].PhysicalLocation.Region
	if got := region.Snippet.Text; got != "" {
		t.Errorf("the snippet of a span over lines is %q", got)
	}
}
