package clients

import (
	"slices"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// maxTriedFixes bounds the fixes of one skill that are offered: each is tried on
// all clients, over the whole text. The next look offers the next ones.
const maxTriedFixes = 64

// keepHarmless takes fixes away that change a prediction for the worse.
func (c *core) keepHarmless(profiles []*Profile) {
	var before []Prediction
	tried := 0
	for i := range c.found {
		c.found[i].Fixes = slices.DeleteFunc(c.found[i].Fixes, func(fix spec.Fix) bool {
			if tried++; fix.Safety != spec.Safe || tried > maxTriedFixes {
				return true
			}
			if before == nil {
				before = predictions(c.s, c.place, profiles)
			}
			return c.harms(fix, before, profiles)
		})
	}
}

// harms reports whether a client does worse with a fix than without.
func (c *core) harms(fix spec.Fix, before []Prediction, profiles []*Profile) bool {
	fixed := c.s.WithSource(spec.ApplyEdits(c.s.Source, fix.Edits))
	for i, after := range predictions(fixed, c.place, profiles) {
		if Worse(before[i], after) {
			return true
		}
	}
	return false
}

func predictions(s *spec.Skill, place Place, profiles []*Profile) []Prediction {
	d := NewDocument(s, place)
	all := make([]Prediction, len(profiles))
	for i, p := range profiles {
		all[i] = d.Predict(p)
	}
	return all
}

// Worse reports whether a client does worse with a skill after a change than
// before it: its outcome is worse, it warns where it did not, or a skill that
// was shown as it is written is shown otherwise.
func Worse(before, after Prediction) bool {
	if after.Outcome != before.Outcome {
		return after.Outcome.Worse(before.Outcome)
	}
	if after.Warned && !before.Warned {
		return true
	}
	return before.Outcome == Loads && (!sameText(before.Name, after.Name) || !sameWords(before.Description, after.Description))
}

// sameWords compares texts but for line ends and runs of blanks.
func sameWords(a, b string) bool {
	return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}
