package cmd

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/clients"
)

// runCatalogue says what is left of the descriptions of a collection. Without
// --client it is about the clients that have a budget.
func runCatalogue(c *cli.Context, e *env, chosen *chosenProfiles, reports []reportFile) error {
	profiles := chosen.profiles
	if chosen.named == nil {
		profiles = nil
		for _, p := range chosen.profiles {
			if p.Catalogue.Overflow != "" || p.Catalogue.Most > 0 {
				profiles = append(profiles, p)
			}
		}
	}
	found, err := predictArguments(c, e, profiles)
	if err != nil {
		return err
	}
	all := &report.Catalogues{Window: c.Int("window"), All: c.Bool("all")}
	all.Base, all.Errors = filepath.ToSlash(found.targets.base), found.errors
	all.Notes = append(chosen.notes, found.targets.notes...)
	if err := describeRun(c, &all.Report); err != nil {
		return err
	}
	for j, p := range profiles {
		one, notes := found.catalogue(j, p, all.Window)
		all.Each, all.Notes = append(all.Each, one), append(all.Notes, notes...)
	}
	for _, file := range reports {
		if err := e.writeFormatted(file.path, func(w io.Writer, o report.Options) error {
			return report.WriteCatalogues(w, file.format, o, all)
		}); err != nil {
			return err
		}
	}
	e.commentClients(&all.Report, "")
	if len(all.Errors) > 0 {
		return exitStatus(exitFailure)
	}
	return nil
}

// catalogue gives what one client shows of all skills together.
func (p *predicted) catalogue(j int, profile *clients.Profile, window int) (report.Catalogue, []string) {
	one := report.Catalogue{Profile: profile}
	var notes []string
	broken := map[string]bool{}
	for _, root := range p.targets.roots {
		if slash := filepath.ToSlash(root.dir); p.breaks[slash][j] {
			broken[slash] = true
			notes = append(notes, fmt.Sprintf("%s shows nothing of %s: a skill in it stops the load of all others",
				profile.ID, displayPath(p.targets.base, slash)))
		}
	}
	var predictions []clients.Prediction
	for i := range p.rows {
		prediction := p.rows[i].Cells[j]
		shown := prediction.Outcome == clients.Loads || prediction.Outcome == clients.Degrades
		if !shown || broken[p.rootOf(p.rows[i].Path)] {
			one.Missing++
			continue
		}
		predictions = append(predictions, prediction)
		one.Entries = append(one.Entries, report.CatalogueEntry{Path: p.rows[i].Path, Before: prediction.Description})
	}
	for i, entry := range clients.Catalogue(predictions, profile, window) {
		one.Entries[i].Entry = entry
		one.Entries[i].Name = cmp.Or(entry.Name, predictions[i].Name)
	}
	return one, notes
}

// rootOf gives the root that a row comes from, the innermost of several.
func (p *predicted) rootOf(path string) string {
	found := ""
	for _, root := range p.targets.roots {
		if slash := filepath.ToSlash(root.dir); len(slash) >= len(found) && contains(root.dir, filepath.FromSlash(path)) {
			found = slash
		}
	}
	return found
}
