package report_test

import (
	"fmt"
	"os"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/spec"
)

func ExampleNew() {
	finding := report.Finding{Skill: "/work/pdf-tools", Line: "name: PDF_Tools"}
	finding.Diagnostic = spec.Diagnostic{
		RuleID: "name-charset", Severity: spec.Error, Path: "SKILL.md",
		Range: spec.Range{
			Start: spec.Position{Line: 2, Column: 7, Offset: 10},
			End:   spec.Position{Line: 2, Column: 16, Offset: 19},
		},
		Message: `name "PDF_Tools" has "_" and upper-case letters; use a-z, 0-9 and "-"`,
		Help:    "the directory is called pdf-tools",
		Fixes:   []spec.Fix{{Title: "name: pdf-tools", Safety: spec.Safe}},
	}
	reporter, err := report.New("text", report.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = reporter.Report(os.Stdout, &report.Report{WorkDir: "/work", Findings: []report.Finding{finding}})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// pdf-tools/SKILL.md:2:7: error name-charset: name "PDF_Tools" has "_" and upper-case letters; use a-z, 0-9 and "-"
	//     2 | name: PDF_Tools
	//       |       ^^^^^^^^^
	//   help: the directory is called pdf-tools
	//   fix:  name: pdf-tools (safe, apply with --fix)
}
