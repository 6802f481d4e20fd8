package report_test

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/spec"
)

// fixtures are the reports that goldens exist for.
var fixtures = map[string]func() *report.Report{"clean": clean, "rich": rich}

// clean is a report without anything to tell.
func clean() *report.Report {
	return &report.Report{
		Tool:    report.Tool{Name: "skilltool", Version: "v0.1.0", Commit: "0123abc"},
		Command: "validate",
		Base:    "/work/repo",
		WorkDir: "/work/repo/skills",
		Rules:   rules(),
		Skills: []report.Skill{
			{Path: "/work/repo/skills/pdf-tools", Name: "pdf-tools", Status: report.StatusValid, Files: 3, Bytes: 1234},
		},
		Elapsed: 21 * time.Millisecond,
	}
}

func rules() []spec.RuleInfo {
	return []spec.RuleInfo{
		{
			ID: "description-length", Title: "the description has at most 1,024 characters",
			Category: spec.CategorySpec, Severity: spec.Error, Requirement: "AS-D2", Since: "0.1.0",
			Why: "A client shows the description of every skill to its model. It may cut or refuse a longer one.",
		},
		{
			ID: "file-size", Title: "a file is small enough to read",
			Category: spec.CategorySpec, Severity: spec.Warning,
		},
		{
			ID: "name-charset", Title: `the name uses only a-z, 0-9 and "-"`,
			Category: spec.CategorySpec, Severity: spec.Error, Requirement: "AS-N2", Since: "0.1.0",
			Why: "The name is a directory's name, a part of a URI and often what a user types. Clients refuse skills whose " +
				"name has other characters, or find them on one system and not on another.",
			Mend: "Write it in lower case with hyphens between words, and rename the directory the same way.",
		},
		{
			ID: "name-directory", Title: "the name is that of the directory",
			Category: spec.CategorySpec, Severity: spec.Error, Requirement: "AS-N5", Since: "0.1.0",
			Why: "Clients look a skill up by either.", Mend: "Rename one of them.",
		},
		{
			ID: "text-visible", Title: "text holds no invisible characters",
			Category: spec.CategorySecurity, Severity: spec.Info, Requirement: "AS-T1", Since: "0.1.0",
			Why: "A reviewer does not see them & a model <does>.", Mend: "Remove them.",
		},
	}
}

const (
	pdfSource = "---\nname: PDF_Tools\ndescription: Reads PDF files.\nlicense: MIT\nname: PDF_Tools\nmetadata:\n  a: 1\n  b: 2\n---\n"
	// The tab, the wide, the combining and the invisible characters all stand
	// before the place that findings point at.
	wideSource = "---\n# \tグラフ 📊 e\u0301 \x1b[31m\u202e名前 <here>\n---\n"
	evilPath   = "/work/repo/skills/a:1:1: error x: y\n::error::z,file=q%"
)

var longSource = "---\ndescription: " + strings.Repeat("many words ", 60) + "MIDDLE" + strings.Repeat(" and words", 60) + "\n---\n"

// rich is a report with every kind of content, much of it hostile.
func rich() *report.Report {
	r := clean()
	r.Skills = []report.Skill{
		{Path: evilPath, Status: report.StatusInvalid, Files: 1, Bytes: 10},
		{Path: "/work/repo/skills/broken", Status: report.StatusError},
		{Path: "/work/repo/skills/pdf-tools", Name: "PDF_Tools", Status: report.StatusInvalid, Files: 3, Bytes: 1234},
		{Path: "/work/repo/skills/グラフ tools", Name: "名前", Status: report.StatusValid, Files: 12, Bytes: 1 << 33},
		{Path: "/srv/other", Name: "other", Status: report.StatusInvalid, Files: 1, Bytes: 900},
	}
	for _, list := range [][]report.Finding{evilFindings(), pdfFindings(), wideFindings(), longFindings()} {
		r.Findings = append(r.Findings, list...)
	}
	for i := range r.Findings {
		r.Findings[i].Fingerprint = fmt.Sprintf("%064x", i+1)
	}
	r.Suppressed = []report.Suppressed{
		{Finding: find("/work/repo/skills/pdf-tools", "name-charset", pdfSource, "PDF_Tools", "old finding"), By: "baseline"},
		{Finding: find("/work/repo/skills/pdf-tools", "text-visible", pdfSource, "MIT", "odd licence"), By: "SKILL.md:4: tested elsewhere", InSource: true},
	}
	r.Errors = []report.Error{
		{Path: "/work/repo/skills/broken/SKILL.md", Message: "open SKILL.md: permission denied"},
		{Path: "/work/repo/nowhere", Message: "no such file or directory"},
		{Message: "the baseline cannot be read:\n\x1b[2Jgone"},
	}
	r.Notes = []string{"2 rules are left out by --ignore"}
	r.Fixed, r.ExitCode = 2, 2
	return r
}

func evilFindings() []report.Finding {
	directory := find(evilPath, "name-directory", "", "", "the directory has the name \"a:1\"")
	directory.Path = "."
	forged := find(evilPath, "unlisted-rule", "---\n", "---", "100%\r\n::error::forged\x00 \xff <b>&amp;</b> ]]>")
	forged.Path = "x:9:9: error.md\nforged"
	forged.Severity = spec.Warning
	forged.Help = "line one\nline two, with a comma: and a colon"
	return []report.Finding{directory, forged}
}

func pdfFindings() []report.Finding {
	const skill = "/work/repo/skills/pdf-tools"
	charset := find(skill, "name-charset", pdfSource, "PDF_Tools",
		`name "PDF_Tools" has "_" and upper-case letters; use a-z, 0-9 and "-"`)
	charset.Field, charset.Help = "/name", "the directory is called pdf-tools"
	charset.Fixes = []spec.Fix{
		{Title: "remove the name", Safety: spec.Unsafe, Edits: []spec.Edit{
			{Path: "SKILL.md", Range: span(pdfSource, "name: PDF_Tools\n")},
			{Path: "README.md", Range: span("PDF_Tools\n", "PDF_Tools"), Text: "pdf-tools"},
			{Path: "SKILL.md", Range: span(pdfSource, "license: MIT\n")},
		}},
		{Title: "name: pdf-tools", Safety: spec.Safe, Edits: []spec.Edit{
			{Path: "SKILL.md", Range: span(pdfSource, "PDF_Tools"), Text: "pdf-tools"},
		}},
	}
	block := find(skill, "name-directory", pdfSource, "metadata:\n  a: 1\n  b: 2", "a span of three lines")
	block.Related = []spec.Related{
		{Path: "SKILL.md", Range: span(pdfSource, "name"), Message: "the first name is here"},
		{Path: "references", Message: "as a whole"},
	}
	block.Fixes = []spec.Fix{{Title: "rename the directory", Safety: spec.Unsafe}}
	point := find(skill, "description-length", pdfSource, "", "an empty place at the end of the line")
	point.Range.Start = spec.Position{Line: 4, Column: 13, Offset: 61}
	point.Range.End, point.Line = point.Range.Start, "license: MIT"
	whole := find(skill, "file-size", "", "", "the file has 12,345,678 bytes; keep it below 1 MiB")
	whole.Path = "references/big file.md"
	return []report.Finding{charset, point, block, whole}
}

func wideFindings() []report.Finding {
	const skill = "/work/repo/skills/グラフ tools"
	return []report.Finding{
		find(skill, "text-visible", wideSource, "<here>", "behind wide characters"),
		find(skill, "text-visible", wideSource, "名前", "under wide characters"),
		find(skill, "text-visible", wideSource, "\u0301", "a combining \u0301 mark"),
		find(skill, "text-visible", wideSource, "\u202e", "U+202E turns text \u202earound"),
	}
}

func longFindings() []report.Finding {
	all, _, _ := strings.Cut(strings.TrimPrefix(longSource, "---\ndescription: "), "\n")
	return []report.Finding{
		find("/srv/other", "description-length", longSource, all, "the description has 1,266 characters; use at most 1,024"),
		find("/srv/other", "name-charset", longSource, "MIDDLE", "in the middle of a long line"),
	}
}

// find makes a finding about the first place of text in source.
func find(skill, rule, source, text, message string) report.Finding {
	f := report.Finding{Skill: skill}
	f.RuleID, f.Path, f.Message, f.Severity = rule, "SKILL.md", message, spec.Error
	for _, info := range rules() {
		if info.ID == rule {
			f.Severity = info.Severity
		}
	}
	if text != "" {
		f.Range = span(source, text)
		f.Line = strings.Split(source, "\n")[f.Range.Start.Line-1]
	}
	return f
}

// span finds the first place of text in source.
func span(source, text string) spec.Range {
	offset := strings.Index(source, text)
	return spec.Range{Start: position(source, offset), End: position(source, offset+len(text))}
}

func position(source string, offset int) spec.Position {
	before := source[:offset]
	return spec.Position{
		Line:   strings.Count(before, "\n") + 1,
		Column: utf8.RuneCountInString(before[strings.LastIndex(before, "\n")+1:]) + 1,
		Offset: offset,
	}
}
