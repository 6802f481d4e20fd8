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
	severity                   map[spec.Severity]paint
	path, rule, dim, help, fix paint
	links                      bool
}

// paint is one colour, or none: a style without an effect still takes most of
// the time of a report to render.
type paint struct {
	style lipgloss.Style
	on    bool
}

// Render gives text in the colour.
func (p paint) Render(text string) string {
	if !p.on {
		return text
	}
	return p.style.Render(text)
}

// newStyle binds the sixteen colours, or none, to one stream. The profile is
// given, so nothing asks the terminal.
func newStyle(w io.Writer, opts Options) style {
	renderer := lipgloss.NewRenderer(w, termenv.WithProfile(termenv.ANSI))
	renderer.SetColorProfile(termenv.ANSI)
	bold := func(s lipgloss.Style) paint { return paint{s.Bold(true), opts.Color} }
	color := func(name string) lipgloss.Style {
		return renderer.NewStyle().Foreground(lipgloss.Color(name))
	}
	return style{
		severity: map[spec.Severity]paint{
			spec.Error:   bold(color("1")),
			spec.Warning: bold(color("3")),
			spec.Info:    bold(color("4")),
		},
		path:  bold(renderer.NewStyle()),
		rule:  paint{color("5"), opts.Color},
		dim:   paint{color("8"), opts.Color},
		help:  paint{color("6"), opts.Color},
		fix:   paint{color("2"), opts.Color},
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
