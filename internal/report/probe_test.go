package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
	"github.com/skilltool/skilltool/pkg/spec"
	"github.com/skilltool/skilltool/schemas"
)

// The checks of the fixtures are made up, so that a change of the real ones
// changes no golden file.
var (
	checkShake  = &mcpprobe.CheckInfo{ID: "sample-handshake", Group: mcpprobe.GroupConnect, Level: mcpprobe.Must, Requirement: "S-CAP4"}
	checkPages  = &mcpprobe.CheckInfo{ID: "sample-pages", Group: mcpprobe.GroupList, Level: mcpprobe.Must, Requirement: "S-LST4"}
	checkNames  = &mcpprobe.CheckInfo{ID: "sample-names", Group: mcpprobe.GroupNames, Level: mcpprobe.Should, Requirement: "S-LST5"}
	checkMatter = &mcpprobe.CheckInfo{ID: "sample-frontmatter", Group: mcpprobe.GroupFrontmatter, Level: mcpprobe.Must, Requirement: "S-RD2"}
	checkDigest = &mcpprobe.CheckInfo{ID: "sample-digest", Group: mcpprobe.GroupIntegrity, Level: mcpprobe.Must, Requirement: "S-RD1, S-ENT7"}
	checkSize   = &mcpprobe.CheckInfo{ID: "sample-size", Group: mcpprobe.GroupIntegrity, Level: mcpprobe.Must, Requirement: "S-RD1"}
	checkDir    = &mcpprobe.CheckInfo{ID: "sample-children", Group: mcpprobe.GroupDirectory, Level: mcpprobe.Must, Requirement: "S-DIR1"}
	checkDirNo  = &mcpprobe.CheckInfo{ID: "sample-unknown", Group: mcpprobe.GroupDirectory, Level: mcpprobe.Must, Requirement: "S-DIR2"}
	checkScheme = &mcpprobe.CheckInfo{ID: "sample-scheme", Group: mcpprobe.GroupURI, Level: mcpprobe.May, Requirement: "S-RD6"}
)

func passes(check *mcpprobe.CheckInfo, n int) mcpprobe.Result {
	return mcpprobe.Result{Check: check, Status: mcpprobe.Pass, Count: n}
}

func result(check *mcpprobe.CheckInfo, status mcpprobe.Status, skill, uri, message string, evidence ...mcpprobe.Evidence) mcpprobe.Result {
	return mcpprobe.Result{Check: check, Status: status, Skill: skill, URI: uri, Message: message, Evidence: evidence, Count: 1}
}

func probeServer() mcpprobe.Server {
	return mcpprobe.Server{
		Label: "demo", Name: "demo", Version: "0.1", Transport: mcpprobe.TransportHTTP, Protocol: "2026-07-28",
		Capabilities: json.RawMessage(`{"resources":{},"extensions":{"io.modelcontextprotocol/skills":{}}}`),
		Connect:      38 * time.Millisecond, Declared: true,
	}
}

func probeOf(audits ...report.ProbeAudit) *report.Probe {
	return &report.Probe{
		Tool:   report.Tool{Name: "skilltool", Version: "0.0.0", Commit: "0123abc"},
		Audits: audits,
	}
}

// cleanAudit is of a server without a fault.
func cleanAudit() report.ProbeAudit {
	return report.ProbeAudit{
		Label: "demo", Address: "https://skills.example.com/mcp", Verdict: mcpprobe.VerdictPass,
		Report: &mcpprobe.Report{
			Server:  probeServer(),
			Results: []mcpprobe.Result{passes(checkShake, 3), passes(checkPages, 6), passes(checkDigest, 4)},
			Skills: []mcpprobe.SkillReport{{
				URI: "skill://map/SKILL.md", Name: "map", Outcome: mcpprobe.OutcomeVerified, Listed: true,
				Files: []mcpprobe.FileReport{{
					URI: "skill://map/SKILL.md", State: mcpprobe.FileVerified,
					Size: 61, Digest: "sha256:aa", HaveSize: 61, HaveDigest: "sha256:aa",
				}},
			}},
			Pages: 1, Elapsed: 90 * time.Millisecond,
			Traffic: mcpprobe.Traffic{
				Requests: 3, BytesSent: 400, BytesReceived: 812,
				Methods: []mcpprobe.MethodStats{{Method: "skills/list", Requests: 3, Bytes: 812, Min: time.Millisecond, Median: 2 * time.Millisecond, P95: 3 * time.Millisecond, Max: 3 * time.Millisecond, Total: 6 * time.Millisecond}},
			},
			GroupElapsed: map[mcpprobe.Group]time.Duration{mcpprobe.GroupList: 61 * time.Millisecond},
		},
		Budget: []report.ProbeBound{{Name: "max-skills", Limit: 10000, Used: 1, Unit: "skills"}, {Name: "timeout", Limit: 30000, Used: -1, Unit: "ms"}},
	}
}

// richAudit has one of everything.
func richAudit() report.ProbeAudit {
	const bad, good = "skill://bad/SKILL.md", "skill://good/SKILL.md"
	a := cleanAudit()
	a.Verdict, a.ExitCode = mcpprobe.VerdictFail, 1
	a.Notes = []string{"started: server --stdio"}
	expected := result(checkSize, mcpprobe.Fail, bad, "skill://bad/references/a.md", "13 bytes, 12 as listed")
	expected.Expected = true
	a.Report.Results = []mcpprobe.Result{
		passes(checkShake, 3),
		passes(checkPages, 6),
		result(checkScheme, mcpprobe.Info, "github://x/SKILL.md", "", "a scheme of the server's own"),
		passes(checkMatter, 5),
		result(checkMatter, mcpprobe.Fail, bad, bad, "description in the listing differs from the served file",
			mcpprobe.Evidence{Label: "listing", Text: `"Other text."`}, mcpprobe.Evidence{Label: "served", Text: `"Does bad things. Use when asked."`}),
		passes(checkDigest, 2),
		result(checkDigest, mcpprobe.Fail, bad, "skill://bad/references/a.md", "12 bytes as listed, another digest; the listed digest fits the same text with CRLF line ends"),
		result(checkDigest, mcpprobe.Skip, "skill://dyn/SKILL.md", "", "the skill is dynamic"),
		result(checkDigest, mcpprobe.Skip, "skill://dyn2/SKILL.md", "", "the skill is dynamic"),
		expected,
		result(checkDir, mcpprobe.Skip, "", "", "directoryRead is not declared"),
		result(checkDirNo, mcpprobe.Skip, "", "", "directoryRead is not declared"),
		result(checkNames, mcpprobe.Warn, "", "", `2 skills are called "good"`),
		result(checkNames, mcpprobe.Error, good, "", "the file cannot be saved: disk full"),
	}
	a.Report.Skills = append([]mcpprobe.SkillReport{
		{URI: bad, Name: "bad", Outcome: mcpprobe.OutcomeFailed, Listed: true, Files: []mcpprobe.FileReport{{
			URI: "skill://bad/references/a.md", State: mcpprobe.FileMismatch, Size: 12, Digest: "sha256:bb", HaveSize: -1, Message: "another digest",
		}}, Diagnostics: []spec.Diagnostic{{RuleID: "name-charset", Severity: spec.Error, Path: "SKILL.md", Message: "bad name"}}},
		{URI: "skill://dyn/SKILL.md", Name: "dyn", Outcome: mcpprobe.OutcomeUnverifiable, Dynamic: true, Listed: true},
		{URI: "skill://half/SKILL.md", Name: "half", Outcome: mcpprobe.OutcomeIncomplete},
	}, a.Report.Skills...)
	a.Report.Traffic.Faults = []mcpprobe.WireFault{{Kind: mcpprobe.FaultNoise, Message: "a line that is no message"}}
	a.Budget[0].Ended = "the listing has more than 10000 entries"
	return a
}

// lostAudit is of a server that was not reached.
func lostAudit() report.ProbeAudit {
	return report.ProbeAudit{
		Label: "lost", Address: "https://lost.example.com/", Verdict: mcpprobe.VerdictIncomplete, ExitCode: 4,
		Errors: []report.ProbeError{{Kind: "credentials", Message: "the server wants credentials", Challenge: "Bearer", Stderr: "x\ny", Requests: []byte(`{"a":1}`)}},
	}
}

var probes = map[string]func() *report.Probe{
	"clean": func() *report.Probe { return probeOf(cleanAudit()) },
	"rich":  func() *report.Probe { return probeOf(richAudit()) },
	"lost":  func() *report.Probe { return probeOf(lostAudit()) },
	"several": func() *report.Probe {
		p := probeOf(cleanAudit(), richAudit(), lostAudit())
		p.Several, p.Strict, p.ExitCode = true, true, 1
		return p
	},
}

// writeProbe gives what a format makes of the outcome of probe.
func writeProbe(t testing.TB, format string, opts report.Options, p *report.Probe) string {
	t.Helper()
	reporter, err := report.NewProbe(format, opts)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := reporter.ReportProbe(&b, p); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.String()
}

// goldenFormats leaves out SARIF, which lists every real check.
func goldenFormats() []string {
	return slices.DeleteFunc(report.ProbeNames(), func(name string) bool { return name == "sarif" })
}

func TestProbeFormats(t *testing.T) {
	for name, fixture := range probes {
		for _, format := range goldenFormats() {
			t.Run(name+"/"+format, func(t *testing.T) {
				got := writeProbe(t, format, report.Options{}, fixture())
				golden(t, "probe."+name+"."+format, got)
				if again := writeProbe(t, format, report.Options{}, fixture()); again != got {
					t.Error("the same report gives other bytes the second time")
				}
			})
		}
	}
}

func TestProbeTerminal(t *testing.T) {
	p := probes["several"]()
	opts := report.Options{Color: true, Links: true, Width: 72, Verbose: true}
	golden(t, "probe.terminal.text", strings.ReplaceAll(writeProbe(t, "text", opts, p), "\x1b", "ESC"))
	for _, format := range []string{"text", "concise"} {
		colored := writeProbe(t, format, report.Options{Color: true, Links: true}, p)
		if diff := cmp.Diff(writeProbe(t, format, report.Options{}, p), stripEscapes(colored)); diff != "" {
			t.Errorf("%s (-plain +coloured):\n%s", format, diff)
		}
	}
}

func TestProbeMachineFormatsIgnoreOptions(t *testing.T) {
	for _, format := range []string{"json", "jsonl", "sarif", "junit", "github", "markdown"} {
		opts := report.Options{Color: true, Links: true, Width: 40, Verbose: true}
		if writeProbe(t, format, opts, probes["several"]()) != writeProbe(t, format, report.Options{}, probes["several"]()) {
			t.Errorf("%s depends on the terminal", format)
		}
	}
}

func TestProbeReportsWriteError(t *testing.T) {
	for _, format := range report.ProbeNames() {
		reporter, err := report.NewProbe(format, report.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := reporter.ReportProbe(brokenWriter{}, probes["rich"]()); !errors.Is(err, errBroken) {
			t.Errorf("%s gives %v, want the error of the writer", format, err)
		}
	}
}

func TestNewProbeUnknown(t *testing.T) {
	const want = "output format \"jsno\" is not known; did you mean \"json\"?\nformats: text, concise, json, jsonl, sarif, junit, github, markdown"
	if _, err := report.NewProbe("jsno", report.Options{}); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func probeSchema(t testing.TB, ref string) *jsonschema.Schema {
	t.Helper()
	text, err := schemas.Get("probe")
	if err != nil {
		t.Fatal(err)
	}
	return compile(t, text, ref)
}

func TestProbeJSONConforms(t *testing.T) {
	schema, record := probeSchema(t, ""), probeSchema(t, "#/$defs/record")
	for name, fixture := range probes {
		for _, timings := range []bool{false, true} {
			p := fixture()
			p.Timings = timings
			text := writeProbe(t, "json", report.Options{}, p)
			validate(t, schema, text)
			if got := strings.Contains(text, "_ms\""); got != (timings && p.Audits[0].Report != nil) {
				t.Errorf("%s, timings %v: durations %v", name, timings, got)
			}
			var types []string
			for line := range strings.Lines(writeProbe(t, "jsonl", report.Options{}, p)) {
				validate(t, record, line)
				types = append(types, decode(t, line).(map[string]any)["type"].(string))
			}
			if types[0] != "header" || types[1] != "server" || types[len(types)-1] != "summary" {
				t.Errorf("%s has records %v", name, types)
			}
		}
	}
}

// The schema must not be one that everything passes.
func TestProbeSchemaRefuses(t *testing.T) {
	schema := probeSchema(t, "")
	good := writeProbe(t, "json", report.Options{}, probes["several"]())
	for old, bad := range map[string]string{
		`"version": 1`:               `"version": 2`,
		`"verdict": "fail"`:          `"verdict": "bad"`,
		`"level": "MUST"`:            `"level": "must"`,
		`"status": "skip"`:           `"status": "skipped"`,
		`"outcome": "verified"`:      `"outcome": "fine"`,
		`"expected": true`:           `"expected": 1`,
		`"size": 61`:                 `"size": "61"`,
		`"used": null`:               `"used": -1`,
		`"evidence": []`:             `"evidence": null`,
		`"reports": [`:               `"report": [`,
		`"kind": "credentials"`:      `"type": "credentials"`,
		`"ended": true`:              `"ended": "yes"`,
		`"rule": "name-charset"`:     `"id": "name-charset"`,
		`"requests": 3`:              `"requests": -3`,
		`"declared": true`:           `"declares": true`,
		`"label": "lost"`:            `"name": "lost"`,
		`"unit": "skills",`:          ``,
		`"have_digest": ""`:          `"have_digest": null`,
		`"url": "https://github.com`: `"link": "https://github.com`,
	} {
		if !strings.Contains(good, old) {
			t.Errorf("%s is not in the report", old)
		}
		if schema.Validate(decode(t, strings.Replace(good, old, bad, 1))) == nil {
			t.Errorf("the schema accepts %s in place of %s", bad, old)
		}
	}
}

func TestProbeSARIFConforms(t *testing.T) {
	schema := sarifSchema(t)
	for _, fixture := range probes {
		validate(t, schema, writeProbe(t, "sarif", report.Options{}, fixture()))
	}
}

// What SARIF says of results; its list of rules is that of all checks.
func TestProbeSARIFResults(t *testing.T) {
	var log struct {
		Runs []struct {
			AutomationDetails, Invocations, Results any
		}
	}
	if err := json.Unmarshal([]byte(writeProbe(t, "sarif", report.Options{}, probes["several"]())), &log); err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(log.Runs, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "probe.several.sarif", string(text)+"\n")
}

func TestProbeJUnitConforms(t *testing.T) {
	schema := readXSD(t)
	for name, fixture := range probes {
		suites := parseXML(t, writeProbe(t, "junit", report.Options{}, fixture()))
		if problems := schema.check(suites); problems != nil {
			t.Errorf("%s: %s", name, strings.Join(problems, "\n"))
		}
		checkCounts(t, suites)
	}
}

// A warning fails the run with --strict only, and so does its case.
func TestProbeJUnitStrict(t *testing.T) {
	for _, strict := range []bool{false, true} {
		p := probeOf(cleanAudit())
		p.Strict = strict
		p.Audits[0].Report.Results = []mcpprobe.Result{result(checkNames, mcpprobe.Warn, "", "", "twice")}
		if got := strings.Contains(writeProbe(t, "junit", report.Options{}, p), "<failure"); got != strict {
			t.Errorf("strict %v: a failure %v", strict, got)
		}
	}
}

// Many results of one check are folded, and the report says how many; -v shows
// all.
func TestProbeTextFolds(t *testing.T) {
	a := cleanAudit()
	a.Report.Results = nil
	for i := range 25 {
		a.Report.Results = append(a.Report.Results, result(checkSize, mcpprobe.Fail, "", "skill://map/"+strings.Repeat("x", i+1), "too large"))
	}
	folded := writeProbe(t, "text", report.Options{}, probeOf(a))
	if got := strings.Count(folded, "too large"); got != 10 || !strings.Contains(folded, "sample-size 15 more of these; -v shows all\n") {
		t.Errorf("%d results are shown:\n%s", got, folded)
	}
	if got := strings.Count(writeProbe(t, "text", report.Options{Verbose: true}, probeOf(a)), "too large"); got != 25 {
		t.Errorf("-v shows %d results", got)
	}
}

// hostileProbe puts strings of a stranger everywhere.
func hostileProbe(text string) *report.Probe {
	a := richAudit()
	a.Label, a.Address = text, text
	s := &a.Report.Server
	s.Name, s.Version, s.Protocol, s.Instructions, s.Capabilities = text, text, text, text, json.RawMessage(text)
	for i := range a.Report.Results {
		r := &a.Report.Results[i]
		r.Skill, r.URI, r.Message = text, text, text
		r.Evidence = []mcpprobe.Evidence{{Label: text, Text: text}}
	}
	for i := range a.Report.Skills {
		sk := &a.Report.Skills[i]
		sk.URI, sk.Name = text, text
		for j := range sk.Files {
			f := &sk.Files[j]
			f.URI, f.Digest, f.HaveDigest, f.Message = text, text, text, text
		}
		for j := range sk.Diagnostics {
			sk.Diagnostics[j].Message, sk.Diagnostics[j].Path = text, text
		}
	}
	a.Report.Traffic.Faults = []mcpprobe.WireFault{{Kind: mcpprobe.FaultNoise, Message: text}}
	a.Errors = []report.ProbeError{{Kind: "closed", Message: text, Challenge: text, Stderr: text, Requests: []byte(text)}}
	a.Notes = []string{text}
	a.Budget[0].Ended = text
	return probeOf(a)
}

// FuzzProbeFormats holds every format against hostile text in every place that
// a server can fill.
func FuzzProbeFormats(f *testing.F) {
	for _, seed := range []string{
		"text", "a\r\n::error::x\x00%0A", "]]>&<\xff\ufffe\U000e0041", "\u202e\x1b[31m\u2028", "| a | <b> [x](y) `z` @me #1 https://e.example www.e.example",
		`{"a":[1,"\u202e"]}`, strings.Repeat("[", 100) + strings.Repeat("]", 100), strings.Repeat("x", 5000),
	} {
		f.Add(seed)
	}
	schema, record, sarif, xsd := probeSchema(f, ""), probeSchema(f, "#/$defs/record"), sarifSchema(f), readXSD(f)
	f.Fuzz(func(t *testing.T, text string) {
		p := hostileProbe(text)
		validate(t, schema, writeProbe(t, "json", report.Options{}, p))
		validate(t, sarif, writeProbe(t, "sarif", report.Options{}, p))
		for line := range strings.Lines(writeProbe(t, "jsonl", report.Options{}, p)) {
			validate(t, record, line)
		}
		suites := parseXML(t, writeProbe(t, "junit", report.Options{}, p))
		if problems := xsd.check(suites); problems != nil {
			t.Errorf("junit: %s", strings.Join(problems, "\n"))
		}
		checkCounts(t, suites)
		for _, format := range []string{"text", "concise", "github", "markdown"} {
			checkPlain(t, format, writeProbe(t, format, report.Options{}, p))
		}
		problems := 0
		for _, r := range p.Audits[0].Report.Results {
			if r.Status != mcpprobe.Pass {
				problems++
			}
		}
		if got := strings.Count(writeProbe(t, "concise", report.Options{}, p), "\n"); got != problems+1 {
			t.Errorf("concise has %d lines, want %d", got, problems+1)
		}
		for line := range strings.Lines(writeProbe(t, "github", report.Options{}, p)) {
			if !strings.HasPrefix(line, "::error title=") && !strings.HasPrefix(line, "::warning title=") && !strings.HasPrefix(line, "::notice title=") {
				t.Errorf("a line of github is no command of ours: %q", line)
			}
		}
	})
}

// Markdown must show text of a server as text.
func TestProbeMarkdownEscapes(t *testing.T) {
	const hostile = "a|b <img src=x> [x](https://evil.example) `c` **d** @team #7777 www.evil.example"
	got := writeProbe(t, "markdown", report.Options{}, hostileProbe(hostile))
	for _, bad := range []string{"<img", "](https://evil", "`c`", "**d**", "@team", "#7777", "www.evil", "a|b"} {
		if strings.Contains(got, bad) {
			t.Errorf("markdown holds %q:\n%s", bad, got)
		}
	}
}

func TestIndentJSON(t *testing.T) {
	deep := strings.Repeat("[", 9000) + strings.Repeat("1,", 9000) + "1" + strings.Repeat("]", 9000)
	for _, test := range []struct{ raw, want string }{
		{"{\"a\":[1,\"\\u202e\u202e\"]}", "{\n  \"a\": [\n    1,\n    \"\\u202e\\u202e\"\n  ]\n}\n"},
		{`{"a":`, "null\n"},
		{"", "null\n"},
		{deep, deep + "\n"},
		{`"[\"[["`, `"[\"[["` + "\n"},
	} {
		if got := string(report.IndentJSON([]byte(test.raw))); got != test.want {
			t.Errorf("%.60s gives %.200s", test.raw, got)
		}
	}
}

// The capabilities of a server have a bound.
func TestProbeCapabilitiesBound(t *testing.T) {
	for raw, want := range map[string]bool{
		`{"a":1}`: true, `{`: false, "": false,
		strings.Repeat("[", 64) + strings.Repeat("]", 64): true,
		strings.Repeat("[", 65) + strings.Repeat("]", 65): false,
		`"` + strings.Repeat("x", 64<<10) + `"`:           false,
	} {
		a := cleanAudit()
		a.Report.Server.Capabilities = json.RawMessage(raw)
		if got := !strings.Contains(writeProbe(t, "json", report.Options{}, probeOf(a)), `"capabilities": null`); got != want {
			t.Errorf("%.20s…: kept %v", raw, got)
		}
	}
}
