package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// probeGitHub writes workflow commands, which GitHub Actions shows as
// annotations of the run: what a server serves has no file in the repository.
type probeGitHub struct{}

// ReportProbe writes one command on a line for each error, and for each result
// that is neither a pass nor a skip.
func (probeGitHub) ReportProbe(w io.Writer, p *Probe) error {
	b := bufio.NewWriter(w)
	for i := range p.Audits {
		a := &p.Audits[i]
		for _, e := range a.Errors {
			githubCommand(b, "error", a.name(), show(e.Message, maxShownMessage))
		}
		for j := range a.results() {
			r := &a.Report.Results[j]
			if r.Status == mcpprobe.Pass || r.Status == mcpprobe.Skip {
				continue
			}
			message := show(r.Message, maxShownMessage)
			if about := subject(r); about != "" {
				message = show(about, maxShownURI) + ": " + message
			}
			for _, e := range r.Evidence {
				message += "\n" + show(e.Label, maxShownName) + " " + show(e.Text, maxShownMessage)
			}
			githubCommand(b, githubProbeLevel(r), a.name()+" "+r.Check.ID, message)
		}
	}
	return b.Flush()
}

func githubCommand(w io.Writer, level, title, message string) {
	fmt.Fprintf(w, "::%s title=%s::%s\n", level, githubProperty.Replace(show(title, maxShownURI)), githubData.Replace(message))
}

func githubProbeLevel(r *mcpprobe.Result) string {
	switch {
	case r.Expected, r.Status == mcpprobe.Info:
		return "notice"
	case r.Status == mcpprobe.Warn:
		return "warning"
	}
	return "error"
}
