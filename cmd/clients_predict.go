package cmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/spec"
)

// predicted is what clients do with the skills that arguments stand for.
type predicted struct {
	targets  *clientTargets
	profiles []*clients.Profile
	// rows are sorted by path.
	rows []report.ClientRow
	// breaks are the roots that a client loads nothing of, by its place among the
	// profiles.
	breaks map[string][]bool
	errors []report.Error
	// input is the skill from standard input, if that is the only one.
	input *spec.Skill
}

// predictArguments finds the skills, and asks all profiles about them.
func predictArguments(c *cli.Context, e *env, profiles []*clients.Profile) (*predicted, error) {
	s, err := newSearch(c)
	if err != nil {
		return nil, err
	}
	if input, err := readInputSkill(c, e, fixOffer); err != nil {
		return nil, err
	} else if input != nil {
		return input.predict(profiles), nil
	}
	t, err := resolveRoots(c.Context, s, e.args)
	if err != nil {
		return nil, err
	}
	p := &predicted{targets: t, profiles: profiles, breaks: map[string][]bool{}, errors: t.errors}
	shown := e.startProgress("roots")
	defer shown.end()
	results := make([]rootResult, len(t.roots))
	err = parallel(c.Context, c.Int("jobs"), len(t.roots), func(i int) {
		results[i] = predictRoot(c.Context, t.roots[i], profiles)
		shown.done.Add(1)
	})
	if err != nil {
		return nil, err
	}
	for i, result := range results {
		p.rows = append(p.rows, result.rows...)
		p.errors = append(p.errors, result.errors...)
		p.breaks[filepath.ToSlash(t.roots[i].dir)] = result.breaks
	}
	slices.SortStableFunc(p.rows, func(a, b report.ClientRow) int { return strings.Compare(a.Path, b.Path) })
	return p, c.Context.Err()
}

// rootResult is what clients make of one root.
type rootResult struct {
	rows   []report.ClientRow
	breaks []bool
	errors []report.Error
}

// predictRoot asks all profiles about one root. A fault of the tool over one
// root must not hide what is found in others.
func predictRoot(ctx context.Context, root clientRoot, profiles []*clients.Profile) (result rootResult) {
	slash := filepath.ToSlash(root.dir)
	defer func() {
		if fault := recover(); fault != nil {
			message := fmt.Sprintf("internal error: %v; please report it with these skills: %s", fault, issuesURL)
			result = rootResult{errors: []report.Error{{Path: slash, Message: message}}, breaks: make([]bool, len(profiles))}
		}
	}()
	fsys := newRootFS(root)
	result.breaks = make([]bool, len(profiles))
	collections, err := clients.PredictMany(ctx, fsys, fsys.name(), profiles)
	result.errors = fsys.errors
	if err != nil {
		if len(result.errors) == 0 && ctx.Err() == nil {
			result.errors = []report.Error{{Path: slash, Message: plainError(err).Error()}}
		}
		return result
	}
	for j, collection := range collections {
		result.breaks[j] = len(collection.Breaks) > 0
		for i, prediction := range collection.Predictions {
			if j == 0 {
				result.rows = append(result.rows, newClientRow(root.dir, prediction.Path))
			}
			result.rows[i].Cells = append(result.rows[i].Cells, prediction)
		}
	}
	nameFiles(result.rows)
	return result
}

// newClientRow makes the row of a skill by its path below the root.
func newClientRow(root, below string) report.ClientRow {
	name := filepath.Join(root, filepath.FromSlash(below))
	row := report.ClientRow{Path: filepath.ToSlash(name), Dir: filepath.ToSlash(name)}
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		row.Dir, row.File = filepath.ToSlash(filepath.Dir(name)), filepath.Base(name)
	}
	return row
}

// nameFiles finds the file of each folder. Where case counts, one may hold both
// SKILL.md and skill.md, which come one behind the other.
func nameFiles(rows []report.ClientRow) {
	for i := range rows {
		row := &rows[i]
		if row.File != "" {
			continue
		}
		entries, err := os.ReadDir(filepath.FromSlash(row.Dir))
		if err != nil {
			row.File = spec.SkillFile
			continue
		}
		var names []string
		for _, entry := range entries {
			if strings.EqualFold(entry.Name(), spec.SkillFile) {
				names = append(names, entry.Name())
			}
		}
		same := 0
		for same < i && rows[i-1-same].Path == row.Path {
			same++
		}
		row.File = spec.SkillFile
		if same < len(names) {
			row.File = names[same]
		}
	}
}

// fill puts everything into a report.
func (p *predicted) fill(ctx context.Context, m *report.Clients, jobs int) error {
	m.Base = filepath.ToSlash(p.targets.base)
	m.Rows, m.Errors, m.Notes = p.rows, p.errors, p.targets.notes
	m.FailLevel = spec.Error
	for _, root := range p.targets.roots {
		readers := readersOf(filepath.ToSlash(root.dir), p.profiles)
		m.Roots = append(m.Roots, report.ClientRoot{Path: filepath.ToSlash(root.dir), Readers: readers})
		if note := rootNote(displayPath(p.targets.base, filepath.ToSlash(root.dir)), readers, p.profiles); note != "" {
			m.Notes = append(m.Notes, note)
		}
	}
	m.Rules = clients.Rules()
	labels, parts := m.Labels(), make([]rowFindings, len(m.Rows))
	err := parallel(ctx, jobs, len(m.Rows), func(i int) {
		s := p.input
		if s == nil {
			s = readRow(&m.Rows[i])
		}
		parts[i] = findingsOf(&m.Rows[i], s, labels, m.All)
	})
	if err != nil {
		return err
	}
	for i, part := range parts {
		m.Findings = append(m.Findings, part.findings...)
		m.Impacts = append(m.Impacts, part.impacts...)
		m.Skills = append(m.Skills, report.Skill{Path: m.Rows[i].Path, Name: m.Rows[i].Name, Status: part.status, Files: 1, Bytes: part.bytes})
	}
	fingerprint(&m.Report)
	return nil
}

// rootNote says who looks into a root that is one of some client, if not all do.
func rootNote(root string, readers []string, profiles []*clients.Profile) string {
	if len(readers) == 0 || len(readers) == len(profiles) {
		return ""
	}
	const most = 8
	names := strings.Join(readers[:min(most, len(readers))], ", ")
	if n := len(readers) - most; n > 0 {
		names += fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%s is a root of %d of %d clients: %s; the others look elsewhere", root, len(readers), len(profiles), names)
}

// rowFindings are the reasons about one skill, with the clients they matter to.
type rowFindings struct {
	findings []report.Finding
	impacts  [][]report.ClientImpact
	status   report.Status
	bytes    int64
}

// reasonKey tells reasons apart that clients have in common.
type reasonKey struct {
	id, message, path, field string
	at                       spec.Range
}

// readRow reads the file of a row. One that cannot be read was reported by the
// one who read it first, and counts as empty.
func readRow(row *report.ClientRow) *spec.Skill {
	source, err := readSkillFile(filepath.FromSlash(row.Dir + "/" + row.File))
	if err != nil {
		source = nil
	}
	s := spec.Parse(source)
	s.File = row.File
	return s
}

// findingsOf brings the reasons of all clients together, and notes what is
// written. With all, reasons that change nothing count too.
func findingsOf(row *report.ClientRow, s *spec.Skill, labels []string, all bool) rowFindings {
	out := rowFindings{status: report.StatusValid, bytes: int64(len(s.Source))}
	row.Name, row.Description = writtenText(s, spec.FieldName), writtenText(s, spec.FieldDescription)
	index := map[reasonKey]int{}
	for k := range row.Cells {
		p := &row.Cells[k]
		for n := range p.Reasons {
			reason := &p.Reasons[n]
			if !matters(p, reason, all) {
				continue
			}
			key := reasonKey{reason.ID, reason.Message, reason.Path, reason.Field, reason.Range}
			i, known := index[key]
			if !known {
				i = len(out.findings)
				index[key] = i
				out.findings = append(out.findings, finding(row.Dir, s, reason.Diagnostic()))
				out.impacts = append(out.impacts, nil)
				out.findings[i].Severity = spec.Info
			}
			f := &out.findings[i]
			f.Severity = max(f.Severity, severityIn(p))
			if len(f.Fixes) == 0 {
				f.Fixes = reason.Fixes
			}
			out.impacts[i] = addImpact(out.impacts[i], p, labels[k])
		}
	}
	out.sort()
	for i := range out.findings {
		if out.findings[i].Severity == spec.Error && out.status == report.StatusValid {
			out.status = report.StatusInvalid
		}
	}
	return out
}

// writtenText gives what an author wrote for a field: its text, or its source
// where it is no text, or no YAML.
func writtenText(s *spec.Skill, field string) string {
	n := s.Frontmatter.Root.Get(field).Resolve()
	switch {
	case n == nil || n.Kind == spec.Null:
		return ""
	case n.Kind == spec.String:
		return n.Text
	}
	return string(s.Source[n.Range.Start.Offset:n.Range.End.Offset])
}

// severityIn gives the severity of a reason by what the client does.
func severityIn(p *clients.Prediction) spec.Severity {
	if p.Outcome == clients.Loads && p.Warned {
		return spec.Warning
	}
	return report.OutcomeSeverity(p.Outcome)
}

// matters reports whether a reason has to do with the outcome: of one that loads
// as written only what the user is warned of, and of one that is not loaded all
// but what the model would see otherwise.
func matters(p *clients.Prediction, reason *clients.Reason, all bool) bool {
	switch p.Outcome {
	case clients.Loads:
		return all || reason.Effect == clients.Warned
	case clients.Degrades:
		return true
	}
	// A note may be the cause of all: frontmatter that could not be read.
	return reason.Effect != clients.Warned && reason.Effect != clients.Changed
}

// addImpact adds a client to those with its outcome.
func addImpact(list []report.ClientImpact, p *clients.Prediction, id string) []report.ClientImpact {
	i := slices.IndexFunc(list, func(impact report.ClientImpact) bool { return impact.Outcome == p.Outcome && impact.Told == p.Told })
	if i < 0 {
		return append(list, report.ClientImpact{Outcome: p.Outcome, Told: p.Told, IDs: []string{id}})
	}
	if !slices.Contains(list[i].IDs, id) {
		list[i].IDs = append(list[i].IDs, id)
		slices.Sort(list[i].IDs)
	}
	return list
}

// sort puts findings in the order of a report, and impacts with the worst in
// front.
func (r *rowFindings) sort() {
	order := make([]int, len(r.findings))
	for i := range order {
		order[i] = i
		slices.SortStableFunc(r.impacts[i], func(a, b report.ClientImpact) int {
			switch {
			case a.Outcome.Worse(b.Outcome):
				return -1
			case b.Outcome.Worse(a.Outcome):
				return 1
			}
			return strings.Compare(string(b.Told), string(a.Told)) // told, silent, log
		})
	}
	slices.SortStableFunc(order, func(a, b int) int { return comparePlaces(r.findings[a], r.findings[b]) })
	findings, impacts := make([]report.Finding, len(order)), make([][]report.ClientImpact, len(order))
	for n, i := range order {
		findings[n], impacts[n] = r.findings[i], r.impacts[i]
	}
	r.findings, r.impacts = findings, impacts
}
