package report

import (
	"io"
	"net/url"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// sarifRoot names the directory that relative URIs start from.
	sarifRoot = "SRCROOT"
	// sarifFingerprint names our way to compute fingerprints.
	sarifFingerprint = "skilltool/v1"
)

// sarifReporter writes SARIF 2.1.0 (OASIS, with errata 01).
type sarifReporter struct{}

// Report writes r as a log of one run.
func (sarifReporter) Report(w io.Writer, r *Report) error {
	c := newSARIFConverter(r)
	run := sarifRun{
		Tool: sarifTool{Driver: sarifDriver{
			Name:           r.Tool.Name,
			Version:        r.Tool.Version,
			InformationURI: "https://github.com/skilltool/skilltool",
			Rules:          convert(r.Rules, newSARIFRule),
		}},
		Invocations: []sarifInvocation{{
			ExecutionSuccessful: len(r.Errors) == 0,
			ExitCode:            r.ExitCode,
			Notifications:       convert(r.Errors, c.notification),
		}},
		ColumnKind: "unicodeCodePoints",
		Results:    append(convert(r.Findings, c.result), convert(r.Suppressed, c.suppressed)...),
	}
	if root := fileURL(strings.TrimSuffix(r.Base, "/") + "/"); root != "" {
		run.OriginalURIBaseIDs = map[string]sarifArtifactLocation{sarifRoot: {URI: root}}
	}
	return writeJSON(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

// sarifConverter turns findings into results.
type sarifConverter struct {
	base string
	// index is the place of each rule in the driver's list.
	index map[string]int
}

func newSARIFConverter(r *Report) sarifConverter {
	c := sarifConverter{base: r.Base, index: make(map[string]int, len(r.Rules))}
	for i, rule := range r.Rules {
		c.index[rule.ID] = i
	}
	return c
}

func newSARIFRule(rule *spec.RuleInfo) sarifRule {
	out := sarifRule{
		ID:                   rule.ID,
		Name:                 pascalCase(rule.ID),
		ShortDescription:     sarifText(rule.Title),
		FullDescription:      sarifText(rule.Why),
		HelpURI:              RuleURL(rule.ID),
		DefaultConfiguration: sarifConfiguration{Level: sarifLevel(rule.Severity)},
		Properties:           sarifRuleProperties{Tags: []string{string(rule.Category)}},
	}
	if rule.Requirement != "" {
		out.Properties.Tags = append(out.Properties.Tags, rule.Requirement)
	}
	if text := strings.TrimSpace(rule.Why + "\n\n" + rule.Mend); text != "" {
		out.Help = &sarifMessage{Text: text, Markdown: text + "\n\n[" + rule.ID + "](" + RuleURL(rule.ID) + ")"}
	}
	return out
}

func (c sarifConverter) result(f *Finding) sarifResult {
	result := sarifResult{
		RuleID:           f.RuleID,
		Level:            sarifLevel(f.Severity),
		Message:          sarifMessage{Text: f.Message},
		Locations:        []sarifLocation{{PhysicalLocation: c.place(f.Skill, f.Path, f.Range)}},
		RelatedLocations: c.related(f),
		Fixes:            c.fixes(f),
		Suppressions:     []sarifSuppression{},
	}
	if f.Help != "" {
		result.Message.Text += "\n" + f.Help
	}
	if region := result.Locations[0].PhysicalLocation.Region; region != nil {
		region.Snippet = sarifText(spanText(f))
	}
	if i, ok := c.index[f.RuleID]; ok {
		result.RuleIndex = &i
	}
	if f.Fingerprint != "" {
		result.PartialFingerprints = map[string]string{sarifFingerprint: f.Fingerprint}
	}
	return result
}

func (c sarifConverter) suppressed(s *Suppressed) sarifResult {
	result := c.result(&s.Finding)
	kind := "external"
	if s.InSource {
		kind = "inSource"
	}
	result.Suppressions = []sarifSuppression{{Kind: kind, Justification: s.By}}
	return result
}

func (c sarifConverter) related(f *Finding) []sarifLocation {
	return convert(f.Related, func(r *spec.Related) sarifLocation {
		return sarifLocation{
			PhysicalLocation: c.place(f.Skill, r.Path, r.Range),
			Message:          sarifText(r.Message),
		}
	})
}

func (c sarifConverter) fixes(f *Finding) []sarifFix {
	fixes := []sarifFix{}
	for _, fix := range f.Fixes {
		if len(fix.Edits) == 0 {
			continue // SARIF has no fix without a change
		}
		fixes = append(fixes, sarifFix{
			Description:     sarifMessage{Text: fix.Title},
			ArtifactChanges: c.changes(f.Skill, fix.Edits),
			Properties:      sarifFixProperties{Safety: fix.Safety},
		})
	}
	return fixes
}

// changes groups edits by file, in the order in which files first appear.
func (c sarifConverter) changes(skill string, edits []spec.Edit) []sarifArtifactChange {
	var changes []sarifArtifactChange
	place := map[string]int{}
	for _, e := range edits {
		i, ok := place[e.Path]
		if !ok {
			i = len(changes)
			place[e.Path] = i
			changes = append(changes, sarifArtifactChange{ArtifactLocation: c.artifact(skill, e.Path)})
		}
		changes[i].Replacements = append(changes[i].Replacements, sarifReplacement{
			DeletedRegion:   newSARIFRegion(e.Range),
			InsertedContent: sarifContent{Text: e.Text},
		})
	}
	return changes
}

func (c sarifConverter) notification(e *Error) sarifNotification {
	n := sarifNotification{Level: "error", Message: sarifMessage{Text: e.Message}}
	if e.Path != "" {
		n.Locations = []sarifLocation{{PhysicalLocation: c.place("", e.Path, spec.Range{})}}
	}
	return n
}

// place gives a location; a whole file has no region.
func (c sarifConverter) place(skill, file string, r spec.Range) *sarifPhysicalLocation {
	p := &sarifPhysicalLocation{ArtifactLocation: c.artifact(skill, file)}
	if !r.IsZero() {
		region := newSARIFRegion(r)
		p.Region = &region
	}
	return p
}

// artifact gives a URI relative to the base, or an absolute one outside it.
// That of a skill's directory ends in a slash.
func (c sarifConverter) artifact(skill, file string) sarifArtifactLocation {
	path := relative(c.base, join(skill, file))
	if file == "." {
		path += "/"
	}
	if absolute := fileURL(path); absolute != "" {
		return sarifArtifactLocation{URI: absolute}
	}
	return sarifArtifactLocation{URI: (&url.URL{Path: path}).String(), URIBaseID: sarifRoot}
}

func newSARIFRegion(r spec.Range) sarifRegion {
	return sarifRegion{
		StartLine:   r.Start.Line,
		StartColumn: r.Start.Column,
		EndLine:     r.End.Line,
		EndColumn:   r.End.Column,
	}
}

// spanText gives the source text of a span within one line; of a longer one a
// report holds only the first line, and so gives nothing.
func spanText(f *Finding) string {
	if f.Range.End.Line != f.Range.Start.Line {
		return ""
	}
	return codePoints(f.sourceLine(), f.Range.Start.Column-1, f.Range.End.Column-1)
}

func sarifLevel(severity spec.Severity) string {
	if severity == spec.Info {
		return "note"
	}
	return severity.String()
}

// sarifText gives nil for no text: SARIF wants such a message left out.
func sarifText(text string) *sarifMessage {
	if text == "" {
		return nil
	}
	return &sarifMessage{Text: text}
}

// pascalCase turns name-charset into NameCharset, as SARIF names its rules.
func pascalCase(id string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(id, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}
