package report

import (
	"bufio"
	"cmp"
	"io"
	"strings"

	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// probeConcise writes one line for each result that is no pass.
type probeConcise struct{ options Options }

// ReportProbe writes "TARGET: STATUS CHECK SUBJECT: MESSAGE" lines.
func (c probeConcise) ReportProbe(w io.Writer, p *Probe) error {
	out := &probePrinter{printer: printer{Writer: bufio.NewWriter(w), style: newStyle(w, c.options)}}
	for i := range p.Audits {
		a := &p.Audits[i]
		label := out.style.path.Render(strings.ReplaceAll(show(a.name(), maxShownURI), ": ", `:\x20`))
		for _, e := range a.Errors {
			out.printf("%s: %s: %s\n", label, out.status(mcpprobe.Error, "error", 0), show(e.Message, maxShownMessage))
		}
		for j := range a.results() {
			out.conciseResult(label, &a.Report.Results[j])
		}
	}
	return out.Flush()
}

func (p *probePrinter) conciseResult(label string, r *mcpprobe.Result) {
	if r.Status == mcpprobe.Pass {
		return
	}
	p.printf("%s: %s %s", label, p.status(r.Status, statusOf(r), 0), r.Check.ID)
	if about := subject(r); about != "" {
		p.printf(" %s", show(about, maxShownURI))
	}
	p.printf(": %s\n", show(r.Message, maxShownMessage))
}

// statusOf is the status of a result in a line.
func statusOf(r *mcpprobe.Result) string {
	if r.Expected {
		return "expected-" + string(r.Status)
	}
	return string(r.Status)
}

// name is what the server is called in lines about it.
func (a *ProbeAudit) name() string { return cmp.Or(a.Label, a.Address) }
