package mcpprobe

import "fmt"

var checkNamesUnique = register(CheckInfo{
	ID: "names-unique", Group: GroupNames, Level: Should, Requirement: "S-LST5",
	Title: "the names in one listing are unique",
	Doc: "A name is a label and no identifier, and two skills at different paths may have one. Hosts then have to show both with " +
		"what tells them apart; users and models still take one for the other.\n\n" +
		"Give each skill a name of its own, such as `billing-refunds` and `support-refunds`.",
	Example: "skill://acme/billing/refunds/SKILL.md\nskill://acme/support/refunds/SKILL.md",
	Good:    "skill://acme/billing/billing-refunds/SKILL.md\nskill://acme/support/support-refunds/SKILL.md",
})

// judgeNames judges the names of the listed skills together.
func (a *auditor) judgeNames() {
	first := map[string]*skillAudit{}
	for _, s := range a.skills {
		if !s.listed || s.entry.Name == "" {
			continue
		}
		before := first[s.entry.Name]
		if before == nil {
			first[s.entry.Name] = s
			a.pass(checkNamesUnique, 1)
			continue
		}
		a.fault(checkNamesUnique, subject{skill: s.entry.URI}, fmt.Sprintf("%q has the name %q too", clip(before.entry.URI), clipTo(s.entry.Name, 80)))
	}
}
