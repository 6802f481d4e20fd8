package clients

import (
	"unicode/utf8"
)

// Shown says how much of a skill a catalogue shows.
type Shown string

// What a catalogue shows of a skill.
const (
	// Whole: name and description.
	Whole Shown = "whole"
	// Shortened: the name and the start of the description.
	Shortened Shown = "cut"
	// Named: the name alone.
	Named Shown = "name"
	// LeftOut: nothing.
	LeftOut Shown = "none"
)

// Entry is one skill in the catalogue that a model gets.
type Entry struct {
	Name        string
	Description string
	Shown       Shown
}

// Catalogue says what is left of the skills that a client shows its model, in
// their order, once its budget is spent. Skills that are not shown at all, such
// as those that are hidden or dropped, are left out beforehand. window is the
// size of the model's context in tokens; 0 stands for one that is not known.
//
// Which descriptions a client gives up first can depend on what was used
// lately; here it is the last ones.
func Catalogue(skills []Prediction, p *Profile, window int) []Entry {
	b := &p.Catalogue
	var entries []Entry
	for _, s := range skills {
		if s.Outcome == Loads || s.Outcome == Degrades {
			entries = append(entries, Entry{Name: s.Name, Description: s.Description, Shown: Whole})
		}
	}
	for i := range entries {
		if b.Most > 0 && i >= b.Most {
			entries[i].cut(0, LeftOut)
		}
	}
	most := b.chars(window)
	if most == 0 || b.size(entries) <= most {
		return entries
	}
	switch b.Overflow {
	case "even":
		b.even(entries, most)
	case "descriptions":
		b.fill(entries, most, Named)
	case "names":
		b.fill(entries, most, Named)
	default:
		b.fill(entries, most, LeftOut)
	}
	return entries
}

// chars gives the budget in characters; 0 is none.
func (b *Budget) chars(window int) int {
	if b.Share > 0 && window > 0 {
		return int(float64(window) * b.Share / 100 * float64(b.CharsPerToken))
	}
	return b.Chars
}

// weight is what an entry takes.
func (b *Budget) weight(e *Entry) int {
	if b.Overflow == "descriptions" {
		return utf8.RuneCountInString(e.Description) // the names are always there
	}
	return b.Each + utf8.RuneCountInString(e.Name) + utf8.RuneCountInString(e.Description)
}

func (b *Budget) size(entries []Entry) int {
	total := 0
	for i := range entries {
		if entries[i].Shown != LeftOut {
			total += b.weight(&entries[i])
		}
	}
	return total
}

// fill keeps whole entries from the front while they fit; of the others rest is
// shown.
func (b *Budget) fill(entries []Entry, most int, rest Shown) {
	used, full := 0, false
	for i := range entries {
		if entries[i].Shown == LeftOut {
			continue
		}
		w := b.weight(&entries[i])
		if full = full || used+w > most; full {
			entries[i].cut(0, rest)
			continue
		}
		used += w
	}
}

// even cuts every description to the length at which all fit, then shows names
// alone, then leaves out what is too much.
func (b *Budget) even(entries []Entry, most int) {
	low, high := 0, most
	cutSize := func(length int) int {
		total := 0
		for i := range entries {
			total += b.Each + utf8.RuneCountInString(entries[i].Name) + min(length, utf8.RuneCountInString(entries[i].Description))
		}
		return total
	}
	for low < high {
		if middle := (low + high + 1) / 2; cutSize(middle) <= most {
			low = middle
		} else {
			high = middle - 1
		}
	}
	used := 0
	for i := range entries {
		switch n := utf8.RuneCountInString(entries[i].Description); {
		case low == 0:
			entries[i].cut(0, Named)
		case n > low:
			entries[i].cut(low, Shortened)
		}
		if used += b.weight(&entries[i]); used > most {
			entries[i].cut(0, LeftOut)
		}
	}
}

// cut shortens the description of an entry.
func (e *Entry) cut(length int, shown Shown) {
	e.Shown = shown
	e.Description = string([]rune(e.Description)[:min(length, utf8.RuneCountInString(e.Description))])
	if shown == LeftOut {
		e.Name = ""
	}
}
