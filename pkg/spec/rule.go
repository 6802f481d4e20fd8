package spec

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
)

// Category groups rules.
type Category string

// The categories of rules.
const (
	CategorySpec        Category = "spec"
	CategoryDiscovery   Category = "discovery"
	CategoryQuality     Category = "quality"
	CategorySecurity    Category = "security"
	CategoryPortability Category = "portability"
	CategoryPackaging   Category = "packaging"
	CategoryMCP         Category = "mcp"
	CategoryConfig      Category = "config"
)

// RuleInfo describes a rule to a person.
type RuleInfo struct {
	// ID is a kebab-case name that explains itself. It is never reused.
	ID string
	// Title says in one line, lower case and without a full stop, what the
	// rule demands.
	Title    string
	Category Category
	// Severity is that of every finding of the rule.
	Severity Severity
	// Requirement is the number of the requirement that the rule enforces,
	// such as AS-N2.
	Requirement string
	// Why says in whole sentences what goes wrong when the rule is broken.
	Why string
	// Mend says in whole sentences how to put it right.
	Mend string
	// Since is the version of skilltool that brought the rule.
	Since string
}

// Rule is one check. Check is stateless, reads nothing but the Pass, and
// reports what it finds there.
type Rule struct {
	RuleInfo
	Check func(*Pass)
}

// Pass is one rule at work on one skill.
type Pass struct {
	// Skill is what the rule looks at; it must not change it.
	Skill  *Skill
	rule   *Rule
	report func(Diagnostic)
}

// Report takes a finding. The rule's id and severity are filled in, and
// SKILL.md (as the file is really called) stands in for an empty Path.
func (p *Pass) Report(d Diagnostic) {
	d.RuleID, d.Severity = p.rule.ID, p.rule.Severity
	if d.Path == "" {
		d.Path = p.Skill.File
	}
	p.report(d)
}

// registry holds the rules of this package; init-time calls of register fill
// it and nothing changes it afterwards.
var registry = map[string]*Rule{}

// register adds a rule at init time: every rule_*.go file has one such call.
func register(r Rule) struct{} {
	if registry[r.ID] != nil {
		panic(fmt.Sprintf("rule %s is registered twice", r.ID))
	}
	registry[r.ID] = &r
	return struct{}{}
}

// Rules gives the rules of the specification, sorted by id.
func Rules() []Rule { return slices.Clone(sortedRules()) }

var sortedRules = sync.OnceValue(func() []Rule {
	rules := make([]Rule, 0, len(registry))
	for _, r := range registry {
		rules = append(rules, *r)
	}
	slices.SortFunc(rules, func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
	return rules
})

// Validate runs rules on a skill and gives all findings, sorted. Without rules
// it runs those of Rules(). Of a rule with more than MaxFindings findings the
// rest is counted in one more: nobody reads them, and a hostile file could ask
// for millions.
func Validate(s *Skill, rules ...Rule) []Diagnostic { return validate(s, rules, MaxFindings) }

// validate is Validate with another bound on the findings of one rule.
func validate(s *Skill, rules []Rule, most int) []Diagnostic {
	if len(rules) == 0 {
		rules = sortedRules()
	}
	var found []Diagnostic
	p := &Pass{Skill: s}
	for i := range rules {
		p.rule = &rules[i]
		n := 0
		p.report = func(d Diagnostic) {
			if n++; n <= most {
				found = append(found, d)
			}
		}
		rules[i].Check(p)
		if more := n - most; more > 0 {
			last := found[len(found)-1]
			found = append(found, Diagnostic{
				RuleID: last.RuleID, Severity: last.Severity, Path: last.Path, Range: last.Range,
				Message: fmt.Sprintf("there are more findings of this rule: %d beyond this one", more),
			})
		}
	}
	SortDiagnostics(found)
	return found
}
