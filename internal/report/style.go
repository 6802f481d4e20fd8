package report

import (
	"io"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"github.com/skilltool/skilltool/pkg/spec"
)

// style colours parts of a line. Colour only repeats what words say.
type style struct {
	severity                   map[spec.Severity]lipgloss.Style
	path, rule, dim, help, fix lipgloss.Style
	links                      bool
}

// newStyle binds the sixteen colours, or none, to one stream. The profile is
// given, so nothing asks the terminal.
func newStyle(w io.Writer, opts Options) style {
	profile := termenv.Ascii
	if opts.Color {
		profile = termenv.ANSI
	}
	renderer := lipgloss.NewRenderer(w, termenv.WithProfile(profile))
	renderer.SetColorProfile(profile)
	color := func(name string) lipgloss.Style {
		return renderer.NewStyle().Foreground(lipgloss.Color(name))
	}
	return style{
		severity: map[spec.Severity]lipgloss.Style{
			spec.Error:   color("1").Bold(true),
			spec.Warning: color("3").Bold(true),
			spec.Info:    color("4").Bold(true),
		},
		path:  renderer.NewStyle().Bold(true),
		rule:  color("5"),
		dim:   color("8"),
		help:  color("6"),
		fix:   color("2"),
		links: opts.Links,
	}
}

// link makes text a hyperlink where links are wanted and url is not empty.
func (s style) link(url, text string) string {
	if !s.links || url == "" {
		return text
	}
	return ansi.SetHyperlink(url) + text + ansi.ResetHyperlink()
}
