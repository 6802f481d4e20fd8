package clients

import (
	"github.com/skilltool/skilltool/pkg/spec"
)

// Outcome is what becomes of a skill in a client.
type Outcome string

// The outcomes, from the best to the worst.
const (
	// Loads: as written, but for blanks around a text.
	Loads Outcome = "load"
	// Degrades: it loads, and the model sees another name or description, or
	// none.
	Degrades Outcome = "degrade"
	// Hidden: the user can call it, and the model does not see it.
	Hidden Outcome = "hidden"
	// Dropped: it is not loaded, or not found.
	Dropped Outcome = "drop"
	// BreaksOthers: it stops the load of all skills beside it.
	BreaksOthers Outcome = "breaks"
)

var outcomeOrder = map[Outcome]int{Loads: 0, Degrades: 1, Hidden: 2, Dropped: 3, BreaksOthers: 4}

// Worse reports whether o is worse than other.
func (o Outcome) Worse(other Outcome) bool { return outcomeOrder[o] > outcomeOrder[other] }

// Prediction is what one client does with one skill.
type Prediction struct {
	// Client and Version are those of the profile.
	Client, Version string
	// Path is the skill's folder, or the flat file, relative to the root; "" for
	// a skill without a place.
	Path    string
	Outcome Outcome
	// Told says what the user learns of a skill that is not loaded; it is ""
	// for one that is.
	Told Told
	// Warned says that the user sees a warning about a skill that is loaded.
	Warned bool
	// Name and Description are what the model sees, or the user of a hidden
	// skill. They are "" for a skill that is not loaded, and Description for one
	// that has none.
	Name, Description string
	// Body is the text that the model gets when it reads the skill.
	Body spec.Range
	// Reasons say why, the heaviest first.
	Reasons []Reason
	// Certainty says what the prediction rests on.
	Certainty Certainty
}

// Place is where a skill stands.
type Place struct {
	// Dir is the name of its folder; "" where nobody knows it, and then no name
	// is compared with it.
	Dir string
	// Path is its folder relative to the root, slash-separated; "" stands for
	// Dir.
	Path string
}

// PlaceOf gives the place that a skill was read from.
func PlaceOf(s *spec.Skill) Place { return Place{Dir: s.DirName} }

// Predict says what a client does with a skill that it finds at a place. It
// looks at the content of the skill's own file alone; see PredictAll for what
// depends on other files and folders.
func Predict(s *spec.Skill, place Place, p *Profile) Prediction {
	return NewDocument(s, place).Predict(p)
}
