package spec

import (
	"bytes"
	"math"
	"slices"
	"strings"
)

// maxRounds bounds how often a file is read again to mend more of it. It is far
// above what is needed; it ends a pair of fixes that undo each other.
const maxRounds = 50

// chosen is a fix with the finding that it mends.
type chosen struct {
	finding Diagnostic
	fix     Fix
}

// key tells a fix from others of the same skill.
func (c chosen) key() string {
	return findingKey(c.finding) + "\x00" + c.fix.Title
}

// ApplyFixes mends what the safe fixes of rules can mend in the skill's own
// file, reading the result again after each round. A fix whose result would
// change anything but the field that its finding is about is refused.
//
// It gives the skill with its new Source and the findings that were mended;
// without any it gives s itself. Nothing is written.
func ApplyFixes(s *Skill, rules ...Rule) (*Skill, []Diagnostic) {
	var mended []Diagnostic
	refused := map[string]bool{}
	found := validate(s, rules, math.MaxInt)
	for range maxRounds {
		batch := choose(s, found, refused)
		next, left := applyBatch(s, batch, found, rules)
		for i := 0; next == nil && i < len(batch); i++ {
			// Together they change too much: find one that does not.
			if next, left = applyBatch(s, batch[i:i+1], found, rules); next != nil {
				batch = batch[i : i+1]
				break
			}
			refused[batch[i].key()] = true
		}
		if next == nil {
			break
		}
		s, found = next, left
		for _, c := range batch {
			mended = append(mended, c.finding)
		}
	}
	return s, mended
}

// choose gives the safe fixes of findings that can be applied together: no edit
// of one touches an edit of another.
func choose(s *Skill, found []Diagnostic, refused map[string]bool) []chosen {
	var batch []chosen
	end := -1 // of the edits chosen so far
	for _, d := range found {
		for _, fix := range d.Fixes {
			c := chosen{d, fix}
			if fix.Safety != Safe || len(fix.Edits) == 0 || refused[c.key()] || !onlyEdits(fix, s.File) {
				continue
			}
			first, last := extent(fix.Edits)
			if first <= end {
				continue
			}
			batch, end = append(batch, c), last
			break
		}
	}
	return batch
}

// extent gives the offsets between which a fix edits.
func extent(edits []Edit) (first, last int) {
	first = edits[0].Range.Start.Offset
	for _, e := range edits {
		first, last = min(first, e.Range.Start.Offset), max(last, e.Range.End.Offset)
	}
	return first, last
}

// applyBatch applies fixes together and gives the skill read again with its
// findings. It gives nil if that would change more than the fixes are for, or
// would leave as many of the findings that they are for.
func applyBatch(s *Skill, batch []chosen, found []Diagnostic, rules []Rule) (*Skill, []Diagnostic) {
	if len(batch) == 0 {
		return nil, nil
	}
	var edits []Edit
	fields := map[string]bool{}
	for _, c := range batch {
		edits = append(edits, c.fix.Edits...)
		fields[c.finding.Field] = true
	}
	delete(fields, "")
	changed := s.WithSource(ApplyEdits(s.Source, edits))
	if !keepsRest(s, changed, fields) {
		return nil, nil
	}
	left := validate(changed, rules, math.MaxInt)
	before, after := countFindings(found), countFindings(left)
	for _, c := range batch {
		if key := findingKey(c.finding); after[key] >= before[key] {
			return nil, nil
		}
	}
	return changed, left
}

func findingKey(d Diagnostic) string { return d.RuleID + "\x00" + d.Field + "\x00" + d.Message }

func countFindings(found []Diagnostic) map[string]int {
	counts := make(map[string]int, len(found))
	for _, d := range found {
		counts[findingKey(d)]++
	}
	return counts
}

func onlyEdits(fix Fix, file string) bool {
	return !slices.ContainsFunc(fix.Edits, func(e Edit) bool { return e.Path != file && e.Path != SkillFile })
}

// ApplyEdits gives source with each range replaced by its text, whatever the
// order of edits. Of edits that overlap the first one in the text is made; one
// that ends behind source is left out.
func ApplyEdits(source []byte, edits []Edit) []byte {
	edits = slices.SortedFunc(slices.Values(edits), func(a, b Edit) int {
		return a.Range.Start.Offset - b.Range.Start.Offset
	})
	var b bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.Range.Start.Offset < at || e.Range.End.Offset > len(source) {
			continue
		}
		b.Write(source[at:e.Range.Start.Offset])
		b.WriteString(e.Text)
		at = e.Range.End.Offset
	}
	b.Write(source[at:])
	return b.Bytes()
}

// keepsRest reports whether fixes changed nothing but the fields that they are
// for: the body is the same, byte for byte, and so is every other field.
func keepsRest(before, after *Skill, fields map[string]bool) bool {
	if !bytes.Equal(before.Split.Body.of(before.Source), after.Split.Body.of(after.Source)) {
		return false
	}
	if before.Split.Closed() != after.Split.Closed() || after.Frontmatter.Partial && !before.Frontmatter.Partial {
		return false
	}
	if before.Frontmatter.Root.tooManyAliases() || after.Frontmatter.Root.tooManyAliases() {
		return false // whatever stands behind them may change
	}
	return sameBut(before.Frontmatter.Root, after.Frontmatter.Root, "", fields)
}

// sameBut reports whether two trees have the same values everywhere but at and
// below the pointers of except. What could not be read before may be anything now.
func sameBut(a, b *Node, pointer string, except map[string]bool) bool {
	if a == nil || a.Kind == Unknown || except[pointer] {
		return true
	}
	if a.Kind == Alias && b != nil && !sameBut(a.Target, b.Target, "", nil) {
		return false // what it stands for is another field's value
	}
	if b == nil || a.Kind != b.Kind || a.Text != b.Text || a.Tag != b.Tag || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Items {
		if !sameBut(a.Items[i], b.Items[i], pointer+"/"+itoa(i), except) {
			return false
		}
	}
	return samePairs(a, b, pointer, except)
}

func samePairs(a, b *Node, pointer string, except map[string]bool) bool {
	kept := func(n *Node) []Pair {
		return slices.DeleteFunc(slices.Clone(n.Pairs), func(p Pair) bool {
			return except[pointer+"/"+escapePointer(p.Key.Text)]
		})
	}
	before, after := kept(a), kept(b)
	if len(before) != len(after) {
		return false
	}
	for i := range before {
		at := pointer + "/" + escapePointer(before[i].Key.Text)
		if strings.TrimSpace(before[i].Key.Text) != strings.TrimSpace(after[i].Key.Text) || !sameBut(before[i].Value, after[i].Value, at, except) {
			return false
		}
	}
	return true
}
