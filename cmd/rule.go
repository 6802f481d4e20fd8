package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/docs"
	"github.com/skilltool/skilltool/internal/gen"
	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/spec"
)

func ruleCommand() *command {
	return &command{
		name:    "rule",
		summary: "the catalogue of rules",
		exits:   []exitCode{{exitOK, "done"}, {exitFailure, "usage error"}},
		examples: []example{
			{"all rules", "skilltool rule list"},
		},
		subcommands: []*command{
			{
				name:    "list",
				summary: "list the rules",
				flags: []cli.Flag{
					ruleFormatFlag(),
					&choiceFlag{
						StringFlag: &cli.StringFlag{Name: "category", Usage: "only rules of `CATEGORY`"},
						choices:    categories(),
					},
				},
				examples: []example{
					{"all rules", "skilltool rule list"},
					{"their ids, one a line", "skilltool rule list -f json | jq -r '.[].id'"},
				},
				exits:  []exitCode{{exitOK, "the rules were listed"}, {exitFailure, "usage error"}},
				action: runRuleList,
			},
			ruleShowCommand("show", "skilltool rule show"),
		},
	}
}

// explainCommand is rule show by a shorter name.
func explainCommand() *command { return ruleShowCommand("explain", "skilltool explain") }

func ruleShowCommand(name, line string) *command {
	return &command{
		name:        name,
		usage:       "ID",
		summary:     "explain a rule, or a check of probe, with examples where there are some",
		arguments:   []argument{{"ID", "the rule or check, as reports name it"}},
		minArgs:     1,
		maxArgs:     1,
		completeArg: catalogueIDs,
		flags:       []cli.Flag{ruleFormatFlag()},
		examples: []example{
			{"what a finding is about", line + " name-charset"},
		},
		exits:  []exitCode{{exitOK, "it was explained"}, {exitFailure, "there is no such rule or check"}},
		action: runRuleShow,
	}
}

func ruleFormatFlag() cli.Flag {
	return &choiceFlag{
		StringFlag: &cli.StringFlag{
			Name: "output-format", Aliases: []string{"f"}, Value: "text", Usage: "print as `FORMAT`",
		},
		choices: []string{"text", "json", "markdown"},
	}
}

// catalogue gives all rules, of whatever command, sorted by id.
func catalogue() []spec.RuleInfo {
	all := append(digest.Rules(), clients.Rules()...)
	for _, rule := range spec.Rules() {
		all = append(all, rule.RuleInfo)
	}
	slices.SortFunc(all, func(a, b spec.RuleInfo) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// catalogueIDs completes the ids of all rules, and of all checks of probe.
func catalogueIDs() []candidate {
	var list []candidate
	for _, rule := range catalogue() {
		list = append(list, candidate{rule.ID, rule.Title})
	}
	return append(list, checkIDs()...)
}

// ruleIDs completes the ids of rules that can be selected.
func ruleIDs() []candidate {
	var list []candidate
	for _, rule := range spec.Rules() {
		list = append(list, candidate{rule.ID, rule.Title})
	}
	return list
}

// categories gives those that have a rule, sorted.
func categories() []string {
	var list []string
	for _, rule := range catalogue() {
		list = append(list, string(rule.Category))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// ruleDocument is a rule in JSON. Bad and Good are Markdown, and only there
// when one rule is shown.
type ruleDocument struct {
	ID          string        `json:"id"`
	Title       string        `json:"title"`
	Category    spec.Category `json:"category"`
	Severity    spec.Severity `json:"severity"`
	Requirement string        `json:"requirement"`
	Since       string        `json:"since"`
	Why         string        `json:"why"`
	Mend        string        `json:"mend"`
	URL         string        `json:"url"`
	Bad         string        `json:"bad,omitempty"`
	Good        string        `json:"good,omitempty"`
}

func newRuleDocument(rule spec.RuleInfo) ruleDocument {
	return ruleDocument{
		ID: rule.ID, Title: rule.Title, Category: rule.Category, Severity: rule.Severity,
		Requirement: rule.Requirement, Since: rule.Since, Why: rule.Why, Mend: rule.Mend,
		URL: report.RuleURL(rule.ID),
	}
}

func runRuleList(c *cli.Context, e *env) error {
	var rules []spec.RuleInfo
	for _, rule := range catalogue() {
		if category := c.String("category"); category == "" || category == string(rule.Category) {
			rules = append(rules, rule)
		}
	}
	switch c.String("output-format") {
	case "json":
		documents := make([]ruleDocument, len(rules))
		for i, rule := range rules {
			documents[i] = newRuleDocument(rule)
		}
		return printJSON(e.stdout, documents)
	case "markdown":
		_, err := io.WriteString(e.stdout, gen.RuleTable(rules, false))
		return err
	}
	_, err := io.WriteString(e.stdout, ruleTable(rules))
	return err
}

// ruleTable lists rules for people, in columns.
func ruleTable(rules []spec.RuleInfo) string {
	widest := 0
	for _, rule := range rules {
		widest = max(widest, len(rule.ID))
	}
	var b strings.Builder
	for _, rule := range rules {
		fmt.Fprintf(&b, "%-*s  %-7s  %s\n", widest, rule.ID, rule.Severity, rule.Title)
	}
	return b.String()
}

func runRuleShow(c *cli.Context, e *env) error {
	id := e.args[0]
	rules := catalogue()
	at := slices.IndexFunc(rules, func(rule spec.RuleInfo) bool { return rule.ID == id })
	if at < 0 {
		if check := findCheck(id); check != nil {
			return showCheck(c, e, check)
		}
		return unknownID(id)
	}
	rule := rules[at]
	page, ok := docs.Rule(id)
	if !ok {
		return fmt.Errorf("rule %s has no page", id)
	}
	switch c.String("output-format") {
	case "json":
		document := newRuleDocument(rule)
		document.Bad, document.Good = docs.Section(page, "Bad"), docs.Section(page, "Good")
		return printJSON(e.stdout, document)
	case "markdown":
		_, err := io.WriteString(e.stdout, page)
		return err
	}
	_, err := io.WriteString(e.stdout, explain(rule, page))
	return err
}

// unknownRule is the error for a rule that does not exist.
func unknownRule(id string) *usageError {
	var ids []string
	for _, rule := range catalogue() {
		ids = append(ids, rule.ID)
	}
	return usagef("there is no rule %q", id).suggest(id, ids).hintf("for all rules, run: skilltool rule list")
}

// unknownID is the error for what is neither a rule nor a check.
func unknownID(id string) *usageError {
	var ids []string
	for _, known := range catalogueIDs() {
		ids = append(ids, known.word)
	}
	return usagef("there is no rule or check %q", id).suggest(id, ids).
		hintf("for all rules, run: skilltool rule list; for all checks: skilltool probe --list-checks")
}

// explain gives a rule as text for people; the examples come from its page.
func explain(rule spec.RuleInfo, page string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", rule.ID, rule.Title)
	fmt.Fprintf(&b, "%s, category %s, requirement %s, since %s\n",
		rule.Severity, rule.Category, rule.Requirement, rule.Since)
	for _, section := range []struct{ title, text string }{
		{"Why", gen.Wrap(rule.Why)},
		{"Bad", docs.Section(page, "Bad")},
		{"What skilltool says", docs.Section(page, "What skilltool says")},
		{"Good", docs.Section(page, "Good")},
		{"How to mend", gen.Wrap(rule.Mend)},
	} {
		if section.text != "" {
			fmt.Fprintf(&b, "\n%s\n%s", section.title, indentBlock(section.text))
		}
	}
	return b.String()
}

// indentBlock moves text to the right and drops Markdown's marks of code.
func indentBlock(text string) string {
	var b strings.Builder
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case fence == "" && strings.HasPrefix(line, "```"):
			fence = line[:len(line)-len(strings.TrimLeft(line, "`"))]
		case fence != "" && line == fence:
			fence = ""
		case line == "":
			b.WriteString("\n")
		case fence == "":
			b.WriteString("  " + strings.ReplaceAll(line, "`", "") + "\n")
		default:
			b.WriteString("  " + line + "\n")
		}
	}
	return b.String()
}
