package spec

import "fmt"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "name-directory-form",
		Title:       "name and folder are spelt with the same code points",
		Category:    CategorySpec,
		Severity:    Warning,
		Requirement: "AS-N3",
		Since:       since,
		Why: "An accented letter can be written as one code point or as two. The two look alike and are equal only " +
			"after Unicode normalisation (NFC), which not every client does. Some disks change the form.",
		Mend: "Rename the folder, or write the name in ASCII.",
	},
	Check: nameCheck(nameDiffersInForm, func(p *Pass, value *Node) {
		p.reportField(FieldName, value, Diagnostic{
			Message: fmt.Sprintf("name %+q and directory %+q are equal only after Unicode normalisation", value.Text, p.Skill.DirName),
		})
	}),
})
