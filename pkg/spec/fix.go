package spec

import (
	"bytes"
	"slices"
	"strings"
)

// maxFixes bounds the fixes that are applied to one file. It is far above what
// a person leaves behind; it ends a pair of fixes that undo each other.
const maxFixes = 200

// ApplyFixes mends what the safe fixes of rules can mend in the skill's own
// file, one fix after another, reading the result again after each. A fix whose
// result would change anything but the field that its finding is about is
// refused.
//
// It gives the skill with its new Source and the findings that were mended, in
// the order in which they were; without any it gives s itself. Nothing is
// written.
func ApplyFixes(s *Skill, rules ...Rule) (*Skill, []Diagnostic) {
	var mended []Diagnostic
	refused := map[string]bool{}
	for len(mended) < maxFixes {
		next, d := applyNext(s, rules, refused)
		if next == nil {
			break
		}
		s, mended = next, append(mended, d)
	}
	return s, mended
}

// applyNext applies the first safe fix that has not been refused.
func applyNext(s *Skill, rules []Rule, refused map[string]bool) (*Skill, Diagnostic) {
	for _, d := range Validate(s, rules...) {
		for _, fix := range d.Fixes {
			key := d.RuleID + d.Field + d.Message + fix.Title
			if fix.Safety != Safe || refused[key] || !onlyEdits(fix, s.File) {
				continue
			}
			changed := s.WithSource(applyEdits(s.Source, fix.Edits))
			if keepsRest(s, changed, d) {
				return changed, d
			}
			refused[key] = true
		}
	}
	return nil, Diagnostic{}
}

func onlyEdits(fix Fix, file string) bool {
	return !slices.ContainsFunc(fix.Edits, func(e Edit) bool { return e.Path != file && e.Path != SkillFile })
}

// applyEdits replaces each range by its text. The edits do not overlap.
func applyEdits(source []byte, edits []Edit) []byte {
	edits = slices.SortedFunc(slices.Values(edits), func(a, b Edit) int {
		return a.Range.Start.Offset - b.Range.Start.Offset
	})
	var b bytes.Buffer
	at := 0
	for _, e := range edits {
		b.Write(source[at:e.Range.Start.Offset])
		b.WriteString(e.Text)
		at = e.Range.End.Offset
	}
	b.Write(source[at:])
	return b.Bytes()
}

// keepsRest reports whether a fix changed nothing but what its finding is
// about: the body is the same, byte for byte, and so is every other field.
func keepsRest(before, after *Skill, d Diagnostic) bool {
	if !bytes.Equal(before.Split.Body.of(before.Source), after.Split.Body.of(after.Source)) {
		return false
	}
	if before.Split.Closed() != after.Split.Closed() {
		return false
	}
	return sameBut(before.Frontmatter.Root, after.Frontmatter.Root, "", d.Field)
}

// sameBut reports whether two trees have the same values everywhere but at and
// below the pointer except. What could not be read before may be anything now.
func sameBut(a, b *Node, pointer, except string) bool {
	if a == nil || a.Kind == Unknown || except != "" && pointer == except {
		return true
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

func samePairs(a, b *Node, pointer, except string) bool {
	kept := func(n *Node) []Pair {
		return slices.DeleteFunc(slices.Clone(n.Pairs), func(p Pair) bool {
			return except != "" && pointer+"/"+escapePointer(p.Key.Text) == except
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
