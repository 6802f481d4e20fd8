package report

import (
	"bufio"
	"cmp"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/clients"
)

// Catalogues say what is left of the descriptions of a collection once clients
// have spent their budgets.
type Catalogues struct {
	Report
	// Window is the size of the model's context in tokens; 0 is not known.
	Window int
	// Each is about one client, sorted by id.
	Each []Catalogue
	// All says that whole entries are shown to people too.
	All bool
}

// Catalogue is what one client shows its model.
type Catalogue struct {
	Profile *clients.Profile
	// Entries are the skills that the client shows, in order.
	Entries []CatalogueEntry
	// Missing is the number of skills that are dropped or hidden, whatever the
	// budget.
	Missing int
}

// CatalogueEntry is one skill in a catalogue.
type CatalogueEntry struct {
	// Path is the skill, absolute and slash-separated.
	Path string
	clients.Entry
	// Before is the description that the client would show without a budget.
	Before string
}

// CataloguesNames gives the names of the formats of catalogues.
func CataloguesNames() []string { return []string{"text", "json"} }

// WriteCatalogues writes c in one of the formats that CataloguesNames lists.
func WriteCatalogues(w io.Writer, format string, opts Options, c *Catalogues) error {
	switch format {
	case "text":
		return c.text(w, opts)
	case "json":
		return c.json(w)
	}
	return unknownFormat(format, CataloguesNames())
}

// Shown gives the number of entries of which so much is shown.
func (c *Catalogue) Shown(s clients.Shown) int {
	n := 0
	for i := range c.Entries {
		if c.Entries[i].Shown == s {
			n++
		}
	}
	return n
}

// characters gives the length of all descriptions before and after.
func (c *Catalogue) characters() (before, after int) {
	for i := range c.Entries {
		before += utf8.RuneCountInString(c.Entries[i].Before)
		after += utf8.RuneCountInString(c.Entries[i].Description)
	}
	return before, after
}

// shownWords say how much of a skill is shown.
var shownWords = map[clients.Shown]string{
	clients.Whole: "whole", clients.Shortened: "cut", clients.Named: "name only", clients.LeftOut: "left out",
}

var shownOrder = []clients.Shown{clients.Whole, clients.Shortened, clients.Named, clients.LeftOut}

// text writes the totals of each client, and the skills that lose something.
func (c *Catalogues) text(w io.Writer, opts Options) error {
	p := &matrixPrinter{printer: &printer{
		Writer: bufio.NewWriter(w),
		style:  newStyle(w, opts),
		width:  max(minWidth, cmp.Or(opts.Width, defaultWidth)),
		base:   c.WorkDir,
	}}
	for i := range c.Each {
		if i > 0 {
			p.printf("\n")
		}
		c.one(p, &c.Each[i])
	}
	return p.Flush()
}

func (c *Catalogues) one(p *matrixPrinter, one *Catalogue) {
	p.printf("%s: %s\n", p.style.path.Render(term.Escape(titleVersion(one.Profile))), counted(len(one.Entries), "skill in the catalogue", "skills in the catalogue"))
	before, after := one.characters()
	var parts []string
	for _, shown := range shownOrder {
		if n := one.Shown(shown); n > 0 {
			parts = append(parts, counted(n, shownWords[shown], shownWords[shown]))
		}
	}
	if len(parts) > 0 {
		p.printf("  %s; %d of %s of description reach the model\n", strings.Join(parts, ", "), after, counted(before, "character", "characters"))
	}
	if one.Missing > 0 {
		p.printf("  %s not shown whatever the budget: dropped or hidden\n", counted(one.Missing, "skill is", "skills are"))
	}
	if one.Profile.Catalogue.Overflow == "" && one.Profile.Catalogue.Most == 0 {
		p.printf("  no budget is known\n")
	}
	for i := range one.Entries {
		e := &one.Entries[i]
		if e.Shown == clients.Whole && !c.All {
			continue
		}
		length := utf8.RuneCountInString(e.Before)
		p.printf("  %-9s  %5d of %5d  %s\n", shownWords[e.Shown], utf8.RuneCountInString(e.Description), length,
			p.style.path.Render(showPath(relative(p.base, e.Path))))
	}
}

type (
	jsonCatalogue struct {
		Client     string               `json:"client"`
		Version    string               `json:"version"`
		Evidence   clients.Certainty    `json:"evidence"`
		Whole      int                  `json:"whole"`
		Cut        int                  `json:"cut"`
		Named      int                  `json:"named"`
		LeftOut    int                  `json:"left_out"`
		NotShown   int                  `json:"not_shown"`
		Characters int                  `json:"characters"`
		Written    int                  `json:"characters_before"`
		Entries    []jsonCatalogueEntry `json:"entries"`
	}

	jsonCatalogueEntry struct {
		Skill       string        `json:"skill"`
		Name        string        `json:"name"`
		Description string        `json:"description"`
		Shown       clients.Shown `json:"shown"`
		Characters  int           `json:"characters"`
		Before      int           `json:"characters_before"`
	}
)

// json writes one document.
func (c *Catalogues) json(w io.Writer) error {
	j := &jsonStream{w: bufio.NewWriter(w)}
	paths := converter{base: c.Base}
	j.head(&c.Report)
	j.field("base", c.Base)
	j.field("window", c.Window)
	j.field("catalogues", convert(c.Each, func(one *Catalogue) jsonCatalogue {
		before, after := one.characters()
		return jsonCatalogue{
			Client: one.Profile.ID, Version: one.Profile.Version, Evidence: one.Profile.Certainty,
			Whole: one.Shown(clients.Whole), Cut: one.Shown(clients.Shortened), Named: one.Shown(clients.Named),
			LeftOut: one.Shown(clients.LeftOut), NotShown: one.Missing, Characters: after, Written: before,
			Entries: convert(one.Entries, func(e *CatalogueEntry) jsonCatalogueEntry {
				return jsonCatalogueEntry{
					relative(c.Base, e.Path), e.Name, e.Description, e.Shown,
					utf8.RuneCountInString(e.Description), utf8.RuneCountInString(e.Before),
				}
			}),
		}
	}))
	j.field("errors", convert(c.Errors, paths.error))
	j.field("notes", append([]string{}, c.Notes...))
	return j.end()
}
