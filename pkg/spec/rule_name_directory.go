package spec

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "name-directory",
		Title:       "name equals the name of the folder",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-N3",
		Since:       since,
		Why: "Some clients show the folder's name, others the field, and others drop a skill whose two names differ. " +
			"Where the folder was given through a link, its real name counts.",
		Mend: "Rename the folder or change the name.",
	},
	Check: nameCheck(nameDiffers, func(p *Pass, value *Node) {
		d := Diagnostic{
			Message: fmt.Sprintf("name is %q and the directory is called %q; they must be equal", clip(value.Text, 64), p.Skill.DirName),
		}
		if len(CheckName(p.Skill.DirName)) == 0 && p.Skill.DirName != ProposeName(value.Text) {
			d.Fixes = p.rewrite(value, "name: "+p.Skill.DirName, Unsafe, p.Skill.DirName)
		}
		p.reportField(FieldName, value, d)
	}),
})

// nameRelation is how name and folder compare.
type nameRelation int

const (
	nameEquals nameRelation = iota
	// nameDiffersInForm: equal after NFC normalisation only.
	nameDiffersInForm
	// nameDiffersAtRoot: different, in a folder that whoever cloned it named.
	nameDiffersAtRoot
	nameDiffers
)

// nameCheck gives the Check of a rule about one relation of name and folder.
func nameCheck(relation nameRelation, check func(p *Pass, value *Node)) func(*Pass) {
	return stringCheck(FieldName, func(p *Pass, value *Node) {
		if !isBlank(value.Text) && compareName(p.Skill, strings.TrimSpace(value.Text)) == relation {
			check(p, value)
		}
	})
}

func compareName(s *Skill, name string) nameRelation {
	switch {
	case s.DirName == "" || name == s.DirName:
		return nameEquals
	case norm.NFC.String(name) == norm.NFC.String(s.DirName):
		return nameDiffersInForm
	case s.RepositoryRoot:
		return nameDiffersAtRoot
	}
	return nameDiffers
}
