package report_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/skilltool/skilltool/internal/report"
)

// many is a report of 2,000 findings in 500 skills.
func many() *report.Report {
	r := clean()
	r.Skills = nil
	for i := range 500 {
		skill := fmt.Sprintf("/work/repo/skills/skill-%03d", i)
		r.Skills = append(r.Skills, report.Skill{Path: skill, Name: "x", Status: report.StatusInvalid, Files: 3, Bytes: 1000})
		for _, f := range pdfFindings() {
			f.Skill, f.Fingerprint = skill, fmt.Sprintf("%064x", i)
			r.Findings = append(r.Findings, f)
		}
	}
	return r
}

func BenchmarkReport(b *testing.B) {
	r := many()
	if len(r.Findings) != 2000 {
		b.Fatalf("the report has %d findings", len(r.Findings))
	}
	for _, format := range report.Names() {
		b.Run(format, func(b *testing.B) {
			reporter, err := report.New(format, report.Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := reporter.Report(io.Discard, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
