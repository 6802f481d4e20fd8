package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/spec"
)

// Summary gives the one line that ends a run, without a line end: what was
// looked at, what was found, and whether that is a verdict. opts are those of
// the stream it goes to.
func Summary(r *Report, opts Options) string {
	s := newStyle(io.Discard, opts)
	line := fmt.Sprintf("%s, %s checked in %s: %s", count(len(r.Skills), "skill"), count(r.Files(), "file"),
		duration(r.Elapsed), strings.Join(outcome(r, s), ", "))
	if missing := unexamined(r); missing != "" {
		line += "; " + s.severity[spec.Error].Render("no verdict") + ": " + missing
	}
	return line
}

// outcome lists the counts that are not zero.
func outcome(r *Report, s style) []string {
	var parts []string
	for _, severity := range []spec.Severity{spec.Error, spec.Warning, spec.Info} {
		if n := r.Count(severity); n > 0 {
			parts = append(parts, s.severity[severity].Render(count(n, severity.String())))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, s.fix.Render("no findings"))
	}
	if n := r.Fixable(); n > 0 {
		parts[len(parts)-1] += fmt.Sprintf(" (%d fixable with --fix)", n)
	}
	if r.Fixed > 0 {
		parts = append(parts, fmt.Sprintf("%d fixed", r.Fixed))
	}
	if n := len(r.Suppressed); n > 0 {
		parts = append(parts, fmt.Sprintf("%d suppressed", n))
	}
	return parts
}

// unexamined says what the run could not look at, or "".
func unexamined(r *Report) string {
	skills, places, other := 0, 0, 0
	var broken []string
	for _, s := range r.Skills {
		if s.Status == StatusError {
			broken = append(broken, s.Path)
			skills++
		}
	}
	for _, e := range r.Errors {
		switch {
		case e.Path == "":
			other++
		case owner(broken, e.Path) == "":
			places++
		}
	}
	var parts []string
	if skills > 0 {
		parts = append(parts, count(skills, "skill")+" could not be examined")
	}
	if places > 0 {
		parts = append(parts, count(places, "path")+" could not be examined")
	}
	if other > 0 {
		parts = append(parts, count(other, "failure"))
	}
	return strings.Join(parts, ", ")
}

// owner gives the one of skills that path belongs to, the innermost of
// several, or "".
func owner(skills []string, path string) string {
	found := ""
	for _, skill := range skills {
		if len(skill) >= len(found) && (path == skill || relative(skill, path) != path) {
			found = skill
		}
	}
	return found
}

// ErrorLines gives a line "PATH: error: MESSAGE" for each thing that could not
// be examined, for standard error; "" without any.
func ErrorLines(r *Report, opts Options) string {
	s := newStyle(io.Discard, opts)
	var b strings.Builder
	for _, e := range r.Errors {
		if e.Path != "" {
			b.WriteString(s.path.Render(showPath(relative(r.WorkDir, e.Path))) + ": ")
		}
		b.WriteString(s.severity[spec.Error].Render("error") + ": " + term.Escape(e.Message) + "\n")
	}
	return b.String()
}

// NoteLines gives a line "note: TEXT" for each note; "" without any.
func NoteLines(r *Report, opts Options) string {
	s := newStyle(io.Discard, opts)
	var b strings.Builder
	for _, note := range r.Notes {
		b.WriteString(s.help.Render("note:") + " " + term.Escape(note) + "\n")
	}
	return b.String()
}

// TimingTable gives a line for each timing, in their order; "" without any.
func TimingTable(r *Report) string {
	width := 0
	for _, t := range r.Timings {
		width = max(width, len(t.Name))
	}
	var b strings.Builder
	for _, t := range r.Timings {
		fmt.Fprintf(&b, "%-*s %10.3f ms\n", width, t.Name, milliseconds(t.Duration))
	}
	return b.String()
}

// count gives "1 skill" or "2 skills".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// duration gives a time as people say it: "<1 ms", "21 ms", "1.4 s".
func duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "<1 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// milliseconds gives a time with the precision of a microsecond.
func milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}
