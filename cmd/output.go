package cmd

import (
	"bytes"
	"fmt"
	"io"

	"github.com/skilltool/skilltool/internal/report"
)

// writeReport writes a report to its file, or to standard output.
func (e *env) writeReport(r *report.Report, file reportFile) error {
	return e.writeFormatted(file.path, func(w io.Writer, o report.Options) error {
		reporter, err := report.New(file.format, o)
		if err != nil {
			return err
		}
		return reporter.Report(w, r)
	})
}

// writeFormatted lets write write a report to a file, in one step, or to
// standard output for "". It gets what the place can show.
func (e *env) writeFormatted(path string, write func(io.Writer, report.Options) error) error {
	if path == "" {
		return write(e.stdout, e.options(e.stdout))
	}
	var b bytes.Buffer
	if err := write(&b, report.Options{}); err != nil {
		return err
	}
	if err := writeAtomic(path, b.Bytes()); err != nil {
		return fmt.Errorf("the report cannot be written to %q: %w", path, plainError(err))
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
