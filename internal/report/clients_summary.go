package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/spec"
)

// ClientsSummary gives the one line that ends a run of clients, without a line
// end. opts are those of the stream it goes to.
func ClientsSummary(c *Clients, opts Options) string {
	s := newStyle(io.Discard, opts)
	var parts []string
	for _, outcome := range clientOutcomes {
		n := c.Count(outcome)
		if n == 0 {
			continue
		}
		text := fmt.Sprintf("%d %s", n, outcome)
		if outcome == clients.Loads {
			text = s.fix.Render(text)
		} else {
			text = s.severity[OutcomeSeverity(outcome)].Render(text)
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		parts = append(parts, "nothing to predict")
	}
	line := fmt.Sprintf("%s in %s predicted in %s: %s", count(len(c.Rows), "skill"), count(len(c.Profiles), "client"),
		duration(c.Elapsed), strings.Join(parts, ", "))
	if missing := unexamined(&c.Report); missing != "" {
		line += "; " + s.severity[spec.Error].Render("no verdict") + ": " + missing
	}
	return line
}
