package cmd

import (
	"bytes"
	"fmt"

	"github.com/skilltool/skilltool/internal/report"
)

// writeReport writes a report to its file, or to standard output.
func (e *env) writeReport(r *report.Report, file reportFile) error {
	if file.path == "" {
		reporter, err := report.New(file.format, e.options(e.stdout))
		if err != nil {
			return err
		}
		return reporter.Report(e.stdout, r)
	}
	reporter, err := report.New(file.format, report.Options{})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := reporter.Report(&b, r); err != nil {
		return err
	}
	if err := writeAtomic(file.path, b.Bytes()); err != nil {
		return fmt.Errorf("the report cannot be written to %q: %w", file.path, plainError(err))
	}
	return nil
}

// comment says on standard error how the run went.
func (e *env) comment(r *report.Report) {
	options := e.options(e.stderr)
	fmt.Fprint(e.stderr, report.ErrorLines(r, options))
	if e.quiet {
		return
	}
	fmt.Fprint(e.stderr, report.NoteLines(r, options))
	fmt.Fprint(e.stderr, report.TimingTable(r))
	fmt.Fprintln(e.stderr, report.Summary(r, options))
}
