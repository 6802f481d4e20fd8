package clients

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"

	"github.com/skilltool/skilltool/pkg/spec"
)

// Collection is what a client makes of all skills in one root.
type Collection struct {
	// Predictions are sorted by path. Each says what becomes of the skill if no
	// other one breaks the load.
	Predictions []Prediction
	// Breaks are the paths of the skills that stop the load of all others.
	Breaks []string
}

// PredictAll says what a client makes of every skill below the folder root of
// fsys: what it finds, what it does with the content, and which of two skills
// with one name is kept. It fails only if ctx ends or root cannot be listed.
func PredictAll(ctx context.Context, fsys fs.FS, root string, p *Profile) (*Collection, error) {
	all, err := PredictMany(ctx, fsys, root, []*Profile{p})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// PredictMany is PredictAll for many clients, in their order; every file is read
// once.
func PredictMany(ctx context.Context, fsys fs.FS, root string, profiles []*Profile) ([]*Collection, error) {
	t, err := walkTree(ctx, fsys, root)
	if err != nil {
		return nil, err
	}
	documents := make(map[string]*Document, len(t.entries))
	for i := range t.entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e := &t.entries[i]
		documents[path.Join(e.dir, e.file)] = readDocument(fsys, root, e)
	}
	collections := make([]*Collection, len(profiles))
	for i, p := range profiles {
		collections[i] = collect(t.finds(p), documents, p)
	}
	return collections, nil
}

// readDocument reads one file; one that cannot be read counts as empty.
func readDocument(fsys fs.FS, root string, e *treeEntry) *Document {
	source, err := readFile(fsys, path.Join(root, e.dir, e.file))
	if err != nil {
		source = nil
	}
	s := spec.Parse(source)
	s.File = e.file
	at := Place{Dir: path.Base(e.dir), Path: e.dir}
	if e.depth == 0 {
		at = Place{Dir: rootName(root), Path: path.Join(e.dir, e.file)}
	}
	return NewDocument(s, at)
}

// rootName gives the name of a root. A root without one is called as roots are.
func rootName(root string) string {
	if name := path.Base(root); name != "." {
		return name
	}
	return "skills"
}

// readFile reads a file up to one byte more than spec.MaxSkillFileBytes.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, spec.MaxSkillFileBytes+1))
}

// collect makes a client's collection of what it finds.
func collect(finds []Find, documents map[string]*Document, p *Profile) *Collection {
	c := &Collection{Predictions: make([]Prediction, 0, len(finds))}
	for _, f := range finds {
		c.Predictions = append(c.Predictions, predictFind(f, documents[f.join()], p))
	}
	c.sameNames(p)
	loaded := 0
	for i := range c.Predictions {
		one := &c.Predictions[i]
		if one.Outcome == BreaksOthers {
			c.Breaks = append(c.Breaks, one.Path)
		}
		if one.Outcome != Dropped && one.Outcome != BreaksOthers {
			if loaded++; p.Walk.Most > 0 && loaded > p.Walk.Most {
				one.drop(p, "folder-depth", fmt.Sprintf("the client loads no more than %d skills of one root", p.Walk.Most))
			}
		}
	}
	slices.SortStableFunc(c.Predictions, func(a, b Prediction) int { return cmp.Compare(a.Path, b.Path) })
	return c
}

// predictFind says what becomes of one thing that was found, or was not.
func predictFind(f Find, d *Document, p *Profile) Prediction {
	out := Prediction{Client: p.ID, Version: p.Version, Path: f.Path(), Outcome: Dropped, Certainty: p.Certainty}
	switch {
	case f.Missed != nil:
		out.Told = Silent
		if told, ok := p.Tells[f.Missed.ID[len(idPrefix):]]; ok {
			out.Told = told
		}
		out.Reasons = []Reason{*f.Missed}
	case f.Context:
		out.Outcome = Degrades
		out.Reasons = []Reason{{ID: idPrefix + "flat-file", Effect: Changed, Path: f.File, Message: "the file is no skill here; the model sees all of it at all times"}}
	default:
		out = d.Predict(p)
		out.Path = f.Path()
	}
	return out
}

// drop makes a prediction one of a skill that is not loaded.
func (out *Prediction) drop(p *Profile, id, message string) {
	out.Outcome, out.Told, out.Warned = Dropped, p.tells(id), false
	out.Name, out.Description, out.Body = "", "", spec.Range{}
	out.Reasons = append([]Reason{{ID: idPrefix + id, Effect: Drops, Message: message, Path: spec.SkillFile}}, out.Reasons...)
}

// sameNames drops all but one of the skills with one name, where the client
// keeps only one.
func (c *Collection) sameNames(p *Profile) {
	if p.Walk.SameName == "" || p.Walk.SameName == "all" {
		return
	}
	kept := map[string]int{}
	for i := range c.Predictions {
		one := &c.Predictions[i]
		if one.Outcome == Dropped || one.Outcome == BreaksOthers {
			continue
		}
		first, twice := kept[one.Name]
		if !twice {
			kept[one.Name] = i
			continue
		}
		loser, winner := i, first
		if p.Walk.SameName == "last" {
			loser, winner = first, i
			kept[one.Name] = i
		}
		name := one.Name
		c.Predictions[loser].drop(p, "same-name", fmt.Sprintf("%q has the name %q as well, and only that one is kept", clip(c.Predictions[winner].Path, 80), clip(name, 80)))
	}
}
