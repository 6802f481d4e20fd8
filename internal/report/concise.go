package report

import (
	"bufio"
	"io"

	"github.com/skilltool/skilltool/internal/term"
)

// conciseReporter writes one line for each finding.
type conciseReporter struct{ options Options }

// Report writes "PATH:LINE:COLUMN: SEVERITY RULE: MESSAGE [fix: TITLE]" lines.
func (c conciseReporter) Report(w io.Writer, r *Report) error {
	p := &printer{Writer: bufio.NewWriter(w), style: newStyle(w, c.options), base: r.WorkDir}
	for i := range r.Findings {
		f := &r.Findings[i]
		p.headline(f)
		if fix := f.bestFix(); fix != nil {
			p.printf(" [fix: %s]", term.Escape(fix.Title))
		}
		p.printf("\n")
	}
	return p.Flush()
}
