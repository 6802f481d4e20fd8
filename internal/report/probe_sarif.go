package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"

	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// probeSARIF writes SARIF 2.1.0: a run for each server, with logical locations,
// since a resource of a server is no file.
type probeSARIF struct{}

// ReportProbe writes p as one log. Passes and skips are no results of SARIF.
func (probeSARIF) ReportProbe(w io.Writer, p *Probe) error {
	log := sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{}}
	checks := mcpprobe.Checks()
	index := make(map[string]int, len(checks))
	rules := make([]sarifRule, len(checks))
	for i, check := range checks {
		index[check.ID], rules[i] = i, newSARIFCheck(check)
	}
	for i := range p.Audits {
		a := &p.Audits[i]
		run := sarifRun{
			Tool: sarifTool{Driver: sarifDriver{
				Name: p.Tool.Name, Version: p.Tool.Version, InformationURI: "https://github.com/skilltool/skilltool", Rules: rules,
			}},
			AutomationDetails: &sarifAutomation{ID: "probe/" + a.name() + "/"},
			Invocations: []sarifInvocation{{
				ExecutionSuccessful: len(a.Errors) == 0,
				ExitCode:            a.ExitCode,
				Notifications: convert(a.Errors, func(e *ProbeError) sarifNotification {
					return sarifNotification{Level: "error", Message: sarifMessage{Text: e.Message}}
				}),
			}},
			ColumnKind: "unicodeCodePoints",
			Results:    []sarifResult{},
		}
		for j := range a.results() {
			if r := &a.Report.Results[j]; r.Status != mcpprobe.Pass && r.Status != mcpprobe.Skip {
				run.Results = append(run.Results, newSARIFProbeResult(a, r, index))
			}
		}
		log.Runs = append(log.Runs, run)
	}
	return writeJSON(w, log)
}

func newSARIFCheck(check *mcpprobe.CheckInfo) sarifRule {
	level := map[mcpprobe.Level]string{mcpprobe.Must: "error", mcpprobe.Should: "warning", mcpprobe.May: "note"}[check.Level]
	rule := sarifRule{
		ID:                   check.ID,
		Name:                 pascalCase(check.ID),
		ShortDescription:     sarifText(check.Title),
		FullDescription:      sarifText(check.Doc),
		HelpURI:              CheckURL(check.ID),
		DefaultConfiguration: sarifConfiguration{Level: level},
		Properties:           sarifRuleProperties{Tags: []string{string(check.Group)}},
	}
	for requirement := range strings.SplitSeq(check.Requirement, ", ") {
		if requirement != "" {
			rule.Properties.Tags = append(rule.Properties.Tags, requirement)
		}
	}
	if check.Doc != "" {
		rule.Help = &sarifMessage{Text: check.Doc, Markdown: check.Doc + "\n\n[" + check.ID + "](" + CheckURL(check.ID) + ")"}
	}
	return rule
}

func newSARIFProbeResult(a *ProbeAudit, r *mcpprobe.Result, index map[string]int) sarifResult {
	result := sarifResult{
		RuleID:              r.Check.ID,
		Level:               map[mcpprobe.Status]string{mcpprobe.Fail: "error", mcpprobe.Error: "error", mcpprobe.Warn: "warning", mcpprobe.Info: "note"}[r.Status],
		Message:             sarifMessage{Text: r.Message},
		Locations:           []sarifLocation{{LogicalLocations: sarifResources(a, r)}},
		RelatedLocations:    []sarifLocation{},
		Fixes:               []sarifFix{},
		Suppressions:        []sarifSuppression{},
		PartialFingerprints: map[string]string{sarifFingerprint: probeFingerprint(a, r)},
	}
	for _, e := range r.Evidence {
		result.Message.Text += "\n" + e.Label + " " + e.Text
	}
	if i, ok := index[r.Check.ID]; ok {
		result.RuleIndex = &i
	}
	if r.Expected {
		result.Suppressions = []sarifSuppression{{Kind: "external", Justification: "listed in the file of expected failures"}}
	}
	return result
}

// sarifResources names what a result is about: the file, the skill, else the
// server.
func sarifResources(a *ProbeAudit, r *mcpprobe.Result) []sarifLogicalLocation {
	var list []sarifLogicalLocation
	if r.URI != "" {
		list = append(list, sarifLogicalLocation{r.URI, "resource"})
	}
	if r.Skill != "" && r.Skill != r.URI {
		list = append(list, sarifLogicalLocation{r.Skill, "skill"})
	}
	if list == nil {
		list = append(list, sarifLogicalLocation{a.name(), "server"})
	}
	return list
}

// probeFingerprint stays the same while the same check finds fault with the
// same thing of the same server.
func probeFingerprint(a *ProbeAudit, r *mcpprobe.Result) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{a.name(), r.Check.ID, r.Skill, r.URI, r.Message}, "\x00")))
	return hex.EncodeToString(sum[:16])
}
