package report

import (
	"cmp"

	"github.com/skilltool/skilltool/pkg/spec"
)

// SchemaURL names the JSON Schema of the json and jsonl formats.
const SchemaURL = "https://github.com/skilltool/skilltool/schemas/report.schema.json"

// jsonVersion is that of the JSON report. Fields may be added to a version;
// none is taken away and none changes its meaning.
const jsonVersion = 1

// The types below are the JSON report, schemas/report.schema.json describes
// their fields, and a test holds the two together.
type (
	jsonDocument struct {
		Schema      string           `json:"$schema"`
		Version     int              `json:"version"`
		Tool        jsonTool         `json:"tool"`
		Command     string           `json:"command"`
		Summary     jsonSummary      `json:"summary"`
		Base        string           `json:"base"`
		Skills      []jsonSkill      `json:"skills"`
		Diagnostics []jsonDiagnostic `json:"diagnostics"`
		Suppressed  []jsonSuppressed `json:"suppressed"`
		Errors      []jsonError      `json:"errors"`
		Verdicts    []jsonVerdict    `json:"verdicts,omitempty"`
		Timings     *jsonTimings     `json:"timings,omitempty"`
	}

	jsonTool struct {
		Name    string `json:"name"`
		Version string `json:"version"`
		Commit  string `json:"commit"`
	}

	jsonSummary struct {
		Skills     int `json:"skills"`
		Files      int `json:"files"`
		Errors     int `json:"errors"`
		Warnings   int `json:"warnings"`
		Infos      int `json:"infos"`
		Suppressed int `json:"suppressed"`
		Fixable    int `json:"fixable"`
		Fixed      int `json:"fixed"`
		ExitCode   int `json:"exit_code"`
	}

	jsonSkill struct {
		Path   string `json:"path"`
		Name   string `json:"name"`
		Status Status `json:"status"`
		Files  int    `json:"files"`
		Bytes  int64  `json:"bytes"`
	}

	jsonDiagnostic struct {
		Rule        string        `json:"rule"`
		Category    spec.Category `json:"category"`
		Severity    string        `json:"severity"`
		Message     string        `json:"message"`
		Path        string        `json:"path"`
		Skill       string        `json:"skill"`
		Field       string        `json:"field"`
		Range       *spec.Range   `json:"range"`
		Help        string        `json:"help"`
		URL         string        `json:"url"`
		Requirement string        `json:"requirement"`
		Fixes       []jsonFix     `json:"fixes"`
		Related     []jsonRelated `json:"related"`
		Fingerprint string        `json:"fingerprint"`
	}

	jsonSuppressed struct {
		jsonDiagnostic
		By string `json:"by"`
	}

	jsonFix struct {
		Title  string      `json:"title"`
		Safety spec.Safety `json:"safety"`
		Edits  []jsonEdit  `json:"edits"`
	}

	jsonEdit struct {
		Path  string        `json:"path"`
		Start spec.Position `json:"start"`
		End   spec.Position `json:"end"`
		Text  string        `json:"text"`
	}

	jsonRelated struct {
		Path    string      `json:"path"`
		Range   *spec.Range `json:"range"`
		Message string      `json:"message"`
	}

	jsonError struct {
		Path    string `json:"path"`
		Message string `json:"message"`
	}

	jsonVerdict struct {
		Skill string            `json:"skill"`
		State string            `json:"state"`
		Note  string            `json:"note"`
		Files []jsonFileVerdict `json:"files"`
	}

	jsonFileVerdict struct {
		Path         string `json:"path"`
		State        string `json:"state"`
		Message      string `json:"message"`
		Explained    string `json:"explained"`
		Unverifiable string `json:"unverifiable"`
	}

	jsonTimings struct {
		Elapsed float64      `json:"elapsed_ms"`
		Parts   []jsonTiming `json:"parts"`
	}

	jsonTiming struct {
		Name    string  `json:"name"`
		Elapsed float64 `json:"elapsed_ms"`
	}
)

// newDocument turns a report into its JSON form.
func newDocument(r *Report) jsonDocument {
	c := converter{base: r.Base, rules: r.rulesByID()}
	return jsonDocument{
		Schema:      SchemaURL,
		Version:     jsonVersion,
		Tool:        jsonTool(r.Tool),
		Command:     r.Command,
		Summary:     newSummary(r),
		Base:        r.Base,
		Skills:      convert(r.Skills, c.skill),
		Diagnostics: convert(r.Findings, c.diagnostic),
		Suppressed:  convert(r.Suppressed, c.suppressed),
		Errors:      convert(r.Errors, c.error),
		Verdicts:    convert(r.Verdicts, c.verdict),
		Timings:     newTimings(r),
	}
}

func newSummary(r *Report) jsonSummary {
	return jsonSummary{
		Skills:     len(r.Skills),
		Files:      r.Files(),
		Errors:     r.Count(spec.Error),
		Warnings:   r.Count(spec.Warning),
		Infos:      r.Count(spec.Info),
		Suppressed: len(r.Suppressed),
		Fixable:    r.Fixable(),
		Fixed:      r.Fixed,
		ExitCode:   r.ExitCode,
	}
}

// newTimings gives nil unless durations were asked for.
func newTimings(r *Report) *jsonTimings {
	if r.Timings == nil {
		return nil
	}
	return &jsonTimings{
		Elapsed: milliseconds(r.Elapsed),
		Parts: convert(r.Timings, func(t *Timing) jsonTiming {
			return jsonTiming{Name: t.Name, Elapsed: milliseconds(t.Duration)}
		}),
	}
}

// converter makes paths relative and adds what only the rule knows.
type converter struct {
	base  string
	rules map[string]*spec.RuleInfo
}

func (c converter) path(skill, file string) string { return relative(c.base, join(skill, file)) }

func (c converter) skill(s *Skill) jsonSkill {
	return jsonSkill{Path: relative(c.base, s.Path), Name: s.Name, Status: s.Status, Files: s.Files, Bytes: s.Bytes}
}

func (c converter) diagnostic(f *Finding) jsonDiagnostic {
	rule := cmp.Or(c.rules[f.RuleID], &spec.RuleInfo{})
	return jsonDiagnostic{
		Rule:        f.RuleID,
		Category:    rule.Category,
		Severity:    f.Severity.String(),
		Message:     f.Message,
		Path:        c.path(f.Skill, f.Path),
		Skill:       relative(c.base, f.Skill),
		Field:       f.Field,
		Range:       rangeOrNil(f.Range),
		Help:        f.Help,
		URL:         RuleURL(f.RuleID),
		Requirement: rule.Requirement,
		Fixes:       convert(f.Fixes, func(fix *spec.Fix) jsonFix { return c.fix(f.Skill, fix) }),
		Related:     convert(f.Related, func(r *spec.Related) jsonRelated { return c.related(f.Skill, r) }),
		Fingerprint: f.Fingerprint,
	}
}

func (c converter) suppressed(s *Suppressed) jsonSuppressed {
	return jsonSuppressed{jsonDiagnostic: c.diagnostic(&s.Finding), By: s.By}
}

func (c converter) fix(skill string, fix *spec.Fix) jsonFix {
	return jsonFix{
		Title:  fix.Title,
		Safety: fix.Safety,
		Edits: convert(fix.Edits, func(e *spec.Edit) jsonEdit {
			return jsonEdit{Path: c.path(skill, e.Path), Start: e.Range.Start, End: e.Range.End, Text: e.Text}
		}),
	}
}

func (c converter) related(skill string, r *spec.Related) jsonRelated {
	return jsonRelated{Path: c.path(skill, r.Path), Range: rangeOrNil(r.Range), Message: r.Message}
}

func (c converter) error(e *Error) jsonError {
	return jsonError{Path: relative(c.base, e.Path), Message: e.Message}
}

func (c converter) verdict(v *Verdict) jsonVerdict {
	return jsonVerdict{
		Skill: relative(c.base, v.Skill), State: v.State, Note: v.Note,
		Files: convert(v.Files, func(f *FileVerdict) jsonFileVerdict {
			return jsonFileVerdict{c.path(v.Skill, f.Path), f.State, f.Message, f.Explained, f.Unverifiable}
		}),
	}
}

// convert maps a slice; the result is never nil, so that JSON has no null.
func convert[From, To any](in []From, f func(*From) To) []To {
	out := make([]To, len(in))
	for i := range in {
		out[i] = f(&in[i])
	}
	return out
}

func rangeOrNil(r spec.Range) *spec.Range {
	if r.IsZero() {
		return nil
	}
	return &r
}
