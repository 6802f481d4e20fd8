package mcpprobe

import (
	"context"
	"fmt"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

var checkSkillMDFrontmatter = register(CheckInfo{
	ID: "skill-md-frontmatter", Group: GroupFrontmatter, Level: Must, Requirement: "S-ENT4, S-RD2",
	Title: "each SKILL.md that is served has frontmatter that can be read",
	Doc: "SKILL.md begins with YAML between two lines of `---`. A host parses it and compares it with the entry before it loads " +
		"the skill; where it cannot be parsed the skill is not loaded, whatever the entry says.\n\n" +
		"Run `skilltool validate` on the skill before it is published, also where the frontmatter of the entry comes from " +
		"somewhere else.",
	Example: "# Weather report\n\nBegin with rain.",
	Good:    "---\nname: weather-report\ndescription: Writes the weather report. Use each morning.\n---\n\n# Weather report",
})

var checkFrontmatterIdentical = register(CheckInfo{
	ID: "frontmatter-identical", Group: GroupFrontmatter, Level: Must, Requirement: "S-RD2",
	Title: "the frontmatter of each entry equals that of the served SKILL.md, field by field",
	Doc: "What a user approves from the entry has to be what the model receives, so that hosts compare the two and refuse the " +
		"skill where a field differs, is missing or is added. By a decision of this project both are compared as JSON " +
		"values, with the YAML read by the core schema of YAML 1.2: dates are text, only `true` and `false` are " +
		"booleans, numbers are compared by value, the order of keys does not count, and null is not the same as " +
		"nothing.\n\n" +
		"Render all fields as they are. Where YAML 1.1 typing is the reason the message says so: it is a failure all the " +
		"same, and quoting the value in SKILL.md makes all parsers agree.",
	Example: "listing \"Other text.\"\nserved  \"Does bad things. Use when asked.\"",
	Good:    "listing \"Writes the weather report.\"\nserved  \"Writes the weather report.\"",
})

var checkNumberForm = register(CheckInfo{
	ID: "frontmatter-number-form", Group: GroupFrontmatter, Level: Should, Requirement: "S-RD2",
	Title: "numbers in an entry are written as in the served SKILL.md",
	Doc: "`1.0` and `1` have one value, and by a decision of this project they are equal. Hosts that compare text or types " +
		"see a difference, and a version `1.10` that became `1.1` is another version to its reader.\n\n" +
		"Quote what is no quantity, such as a version.",
	Example: "listing 1\nserved  1.0",
	Good:    "listing \"1.0\"\nserved  \"1.0\"",
})

var checkConforms = register(CheckInfo{
	ID: "skill-conforms", Group: GroupFrontmatter, Level: Must, Requirement: "S-ENT4",
	Title: "each SKILL.md keeps the Agent Skills specification",
	Doc: "A skill that is served over MCP conforms to the Agent Skills specification. The rules of `skilltool validate` are run on " +
		"SKILL.md as it is served, with the last segment of its path as the name of its folder. The rule is named in the " +
		"message and has a page of its own.\n\n" +
		"Run `skilltool validate` on the skill before it is published; `--content` shows all findings, with their places.",
})

var checkConformsDecision = register(CheckInfo{
	ID: "skill-conforms-decisions", Group: GroupFrontmatter, Level: Should, Requirement: "S-ENT4",
	Title: "each SKILL.md keeps what this project reads into the Agent Skills specification",
	Doc: "Some rules of `skilltool validate` rest on a decision of this project where the specification is silent: a byte order " +
		"mark or a blank line before the frontmatter, other encodings than UTF-8, bounds on its size, rare parts of YAML. " +
		"They are warnings here, since a server that keeps the letter of the specification may break them. Several " +
		"clients see no frontmatter at all in such a file.\n\n" +
		"Run `skilltool validate --fix` on the skill.",
})

var checkPortable = register(CheckInfo{
	ID: "frontmatter-portable", Group: GroupFrontmatter, Level: Should, Requirement: "S-RD2",
	Title: "every YAML parser reads the frontmatter alike",
	Doc: "Two hosts with two YAML parsers see two frontmatters where a value is `yes`, `012` or a plain date, a key comes " +
		"twice, or anchors, merge keys and tags are used. Each is then right to refuse the skill, and a difference between " +
		"parsers can carry content past a review. That this is a warning is a decision of this project.\n\n" +
		"Quote such values, and write YAML without anchors and tags.",
	Example: "metadata:\n  released: 2026-01-31",
	Good:    "metadata:\n  released: \"2026-01-31\"",
})

// portableRules are the rules about what parsers of YAML read in two ways.
var portableRules = map[string]bool{
	"ambiguous-scalar": true, "duplicate-key": true, "yaml-anchor": true, "yaml-merge-key": true, "yaml-tag": true,
}

// decidedRequirements are those of the Agent Skills format that rest on a
// decision of this project alone.
var decidedRequirements = map[string]bool{"AS-F2": true, "AS-F4": true, "AS-F5": true, "AS-F6": true, "AS-F9": true, "AS-Y1": true}

// judgeSkillMD judges the frontmatter of SKILL.md as it was served.
func (s *skillAudit) judgeSkillMD(ctx context.Context) {
	if s.skillMD == nil {
		return
	}
	served := parseServed(s.entry, s.skillMD)
	about := s.about("")
	unreadable := ""
	if _, err := served.Frontmatter.JSON(); err != nil {
		unreadable = whyUnreadable(served, err)
		s.fault(checkSkillMDFrontmatter, about, "the frontmatter of the served SKILL.md cannot be read: "+unreadable)
	} else {
		s.pass(checkSkillMDFrontmatter, 1)
		s.compare(ctx, served, about)
	}
	s.judgeConformity(served, unreadable, about)
}

// compare compares the frontmatter with that of the entry; where they differ,
// the entry may have changed in the meantime (C-12).
func (s *skillAudit) compare(ctx context.Context, served *spec.Skill, about subject) {
	if s.entry.Frontmatter == nil {
		return
	}
	compared := compareFrontmatter(s.entry.Frontmatter, served)
	if !compared.equal() {
		if now := s.refresh(ctx); now != nil && now != s.entry {
			compared = compareFrontmatter(now.Frontmatter, served)
		}
	}
	if compared.equal() {
		s.pass(checkFrontmatterIdentical, 1)
	}
	for i, d := range compared.fields {
		if i == maxProblems {
			s.fault(checkFrontmatterIdentical, about, fmt.Sprintf("%s more differ", plural(len(compared.fields)-i, "field", "fields")))
			break
		}
		s.fault(checkFrontmatterIdentical, about, d.message(), quoted("listing", d.listing), quoted("served", d.served))
	}
	if len(compared.forms) == 0 {
		s.pass(checkNumberForm, 1)
	}
	for _, d := range compared.forms[:min(len(compared.forms), maxProblems)] {
		s.fault(checkNumberForm, about, fmt.Sprintf("%s has the same value in another form", d.name()), quoted("listing", d.listing), quoted("served", d.served))
	}
}

// judgeConformity runs the rules of the Agent Skills specification.
func (s *skillAudit) judgeConformity(served *spec.Skill, unreadable string, about subject) {
	requirements := ruleRequirements()
	found := map[*CheckInfo]int{}
	for _, d := range spec.Validate(served) {
		check := checkConforms
		switch {
		case d.Message == unreadable:
			continue
		case portableRules[d.RuleID]:
			check = checkPortable
		case d.Severity != spec.Error:
			continue
		case decidedRequirements[requirements[d.RuleID]]:
			check = checkConformsDecision
		}
		if found[check]++; found[check] <= maxProblems {
			s.fault(check, about, fmt.Sprintf("%s: %s", d.RuleID, d.Message))
		}
	}
	for _, check := range []*CheckInfo{checkConforms, checkConformsDecision, checkPortable} {
		if found[check] == 0 && (unreadable == "" || check != checkConforms) {
			s.pass(check, 1)
		}
	}
}

// ruleRequirements maps the rules to the requirements that they enforce.
func ruleRequirements() map[string]string {
	all := map[string]string{}
	for _, rule := range spec.Rules() {
		all[rule.ID], _, _ = strings.Cut(rule.Requirement, ",")
	}
	return all
}
