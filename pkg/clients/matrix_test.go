package clients_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/pkg/clients"
)

// measured is the file matrix.json: what was seen when the clients were run.
type measured struct {
	Clients []string `json:"clients"`
	Cases   map[string]struct {
		Label string            `json:"label"`
		Cells map[string]string `json:"cells"`
		Seen  map[string]struct {
			Name        string `json:"name"`
			Description string `json:"description"`
		} `json:"seen"`
	} `json:"cases"`
}

// TestMatrix holds the predictions against what was measured. The folder that
// SKILLTOOL_CLIENT_MATRIX names holds matrix.json and, in inputs, the skills.
func TestMatrix(t *testing.T) {
	dir := os.Getenv("SKILLTOOL_CLIENT_MATRIX")
	if dir == "" {
		t.Skip("SKILLTOOL_CLIENT_MATRIX names no folder with matrix.json and inputs")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "matrix.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m measured
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	paths := casePaths(t, filepath.Join(dir, "inputs"))
	var cells, hits, texts, same int
	var misses []string
	for _, id := range m.Clients {
		p, err := clients.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		all, err := clients.PredictAll(context.Background(), os.DirFS(filepath.Join(dir, "inputs")), ".", p)
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range m.Cases {
			cell := c.Cells[id]
			where, ok := pathOf(paths, name)
			if !ok {
				t.Fatalf("no folder of case %s", name)
			}
			got := clients.Prediction{Outcome: clients.Dropped, Told: clients.Silent}
			for _, one := range all.Predictions {
				if one.Path == where {
					got = one
				}
			}
			if !strings.Contains(cell, "?") {
				cells++
				if want := class(cell); want == classOf(got) {
					hits++
				} else {
					misses = append(misses, fmt.Sprintf("%s %s (%s): measured %s, predicted %s %s", name, id, c.Label, cell, classOf(got), reasonsOf(got)))
				}
			}
			if seen, ok := c.Seen[id]; ok && !strings.Contains(cell, "?") {
				texts++
				if shown(seen.Name) == got.Name && shown(seen.Description) == got.Description || shown(seen.Name) == "" && got.Outcome == clients.BreaksOthers {
					same++
				} else {
					misses = append(misses, fmt.Sprintf("%s %s text: measured %q %.120q, predicted %q %.120q %s", name, id, shown(seen.Name), shown(seen.Description), got.Name, got.Description, classOf(got)))
				}
			}
		}
	}
	slices.SortFunc(misses, cmp.Compare[string])
	for _, miss := range misses {
		t.Log(miss)
	}
	t.Logf("outcome: %d of %d cells, %.2f %%", hits, cells, 100*float64(hits)/float64(cells))
	t.Logf("text: %d of %d cells, %.2f %%", same, texts, 100*float64(same)/float64(texts))
	if hits*100 < cells*99 {
		t.Error("fewer than 99 % of the outcomes are predicted")
	}
	if same*100 < texts*98 {
		t.Error("fewer than 98 % of the texts are predicted")
	}
}

// shown gives a captured text without the escapes of the catalogue that it was
// captured from.
func shown(text string) string {
	if text == "None" {
		return ""
	}
	return html.UnescapeString(text)
}

// class gives the class of a measured cell.
func class(cell string) string {
	word, _, _ := strings.Cut(cell, " ")
	return word
}

// classOf writes a prediction as the cells have it.
func classOf(p clients.Prediction) string {
	switch p.Outcome {
	case clients.Loads:
		if p.Warned {
			return "L!"
		}
		return "L"
	case clients.Degrades:
		return "D"
	case clients.Hidden:
		return "hid"
	case clients.BreaksOthers:
		return "B"
	}
	return map[clients.Told]string{clients.OnScreen: "T", clients.InLog: "G", clients.Silent: "X"}[p.Told]
}

func reasonsOf(p clients.Prediction) string {
	var ids []string
	for _, r := range p.Reasons {
		ids = append(ids, fmt.Sprintf("%s %s", r.ID, r.Message))
	}
	return strings.Join(ids, "; ")
}

// casePaths lists the skills of a folder by the part of their name that is the
// number of their case.
func casePaths(t *testing.T, root string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	add := func(p string) {
		name := strings.ToLower(strings.Trim(path.Base(p), "."))
		number, _, _ := strings.Cut(name, "-")
		found[number] = append(found[number], p)
	}
	err := filepath.WalkDir(root, func(p string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case strings.EqualFold(entry.Name(), "SKILL.md"):
			add(path.Dir(rel))
		case path.Ext(rel) == ".md", entry.Type()&os.ModeSymlink != 0:
			add(rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// pathOf gives the skill of a case. A letter behind the number stands for the
// second skill of that number; a case without a folder of its number is the one
// whose folder is a number.
func pathOf(paths map[string][]string, name string) (string, bool) {
	found := paths[name]
	if last := len(name) - 1; len(found) == 0 && name[last] > '9' {
		found = paths[name[:last]]
		if len(found) < 2 {
			return "", false
		}
		return found[1], true
	}
	if len(found) == 0 {
		for key, all := range paths {
			if strings.Trim(key, "0123456789") == "" {
				found = all
			}
		}
	}
	if len(found) == 0 {
		return "", false
	}
	return found[0], true
}
