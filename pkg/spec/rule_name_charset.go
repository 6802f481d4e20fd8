package spec

import (
	"fmt"
	"strings"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "name-charset",
		Title:       "name has only lower-case letters, digits and hyphens",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-N2",
		Since:       since,
		Why: "The name is a folder, a part of URIs and of commands. Clients refuse other characters, change them, or " +
			"cannot find the folder. A letter that Unicode normalisation (NFKC) would change is another one for a " +
			"reader that normalises.",
		Mend: "Write the name in a-z, 0-9 and single hyphens, and give the folder the same name.",
	},
	Check: stringCheck(FieldName, func(p *Pass, value *Node) {
		name := value.Text
		if isBlank(name) {
			return
		}
		bad := badNameParts(name)
		if len(bad) == 0 {
			return
		}
		d := Diagnostic{
			Message: fmt.Sprintf(`name %q has %s; use a-z, 0-9 and "-"`, clip(name, 64), joinAnd(bad)),
			Fixes:   p.renameFix(value),
		}
		if p.Skill.DirName != "" && p.Skill.DirName != name {
			d.Help = fmt.Sprintf("the directory is called %s", named(p.Skill.DirName))
		}
		p.reportField(FieldName, value, d)
	}),
})

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

// renameFix offers a conforming name. It is safe where it is the folder's name
// already.
func (p *Pass) renameFix(value *Node) []Fix {
	proposal := ProposeName(value.Text)
	if proposal == "" || proposal == value.Text {
		return nil
	}
	safety := Unsafe
	if proposal == p.Skill.DirName {
		safety = Safe
	}
	return p.rewrite(value, "name: "+proposal, safety, proposal)
}
