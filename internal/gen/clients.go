package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/clients"
)

// ClientIndex gives docs/clients/README.md.
func ClientIndex(profiles []*clients.Profile) string {
	var b strings.Builder
	b.WriteString(generated)
	b.WriteString("# Clients\n\n")
	b.WriteString("What `skilltool clients` knows of each client: where it looks for skills, how it reads them, and what it tells its\n" +
		"user. `skilltool clients show NAME` prints any of these pages, and [clients.md](../clients.md) starts from symptoms.\n\n" +
		"A client that was run, or whose loader was, is surer than one whose source was read.\n\n")
	b.WriteString(ClientTable(profiles, true))
	return b.String()
}

// ClientTable lists clients in a Markdown table, with links to their pages if
// linked.
func ClientTable(profiles []*clients.Profile, linked bool) string {
	var b strings.Builder
	b.WriteString("| client | title | kind | version | certainty | a skill that is not loaded |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, p := range profiles {
		name := "`" + markdown(p.ID) + "`"
		if linked {
			name = fmt.Sprintf("[%s](%s.md)", p.ID, p.ID)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", name, cell(p.Title), cell(p.Kind), cell(p.Version), p.Certainty, toldText[p.Told])
	}
	return b.String()
}

var toldText = map[clients.Told]string{
	clients.OnScreen: "the user is told", clients.InLog: "a log says so", clients.Silent: "nothing says so",
}

// ClientPage gives docs/clients/<id>.md. older are the profiles of its earlier
// versions, the newest first.
func ClientPage(p *clients.Profile, older []*clients.Profile) string {
	return generated + ClientMarkdown(p, older)
}

// ClientMarkdown is ClientPage for any profile, which need have no page.
func ClientMarkdown(p *clients.Profile, older []*clients.Profile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", markdown(p.Title))
	b.WriteString("| id | kind | version | certainty |\n| --- | --- | --- | --- |\n")
	fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", p.ID, cell(p.Kind), cell(p.Version), p.Certainty)
	for _, section := range ClientSections(p, older) {
		fmt.Fprintf(&b, "\n## %s\n\n", markdown(section.Title))
		for _, line := range section.Lines {
			fmt.Fprintf(&b, "%s\n", hang("- ", markdown(term.Escape(line)), 2))
		}
	}
	return b.String()
}

// ClientText gives the same as text for people.
func ClientText(p *clients.Profile, older []*clients.Profile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", term.Escape(p.ID), term.Escape(p.Title))
	fmt.Fprintf(&b, "%s\n", term.Escape(strings.Join(slices.DeleteFunc([]string{p.Kind, "version " + p.Version, certaintyText[p.Certainty]},
		func(s string) bool { return s == "" || s == "version " }), ", ")))
	for _, section := range ClientSections(p, older) {
		fmt.Fprintf(&b, "\n%s\n", term.Escape(section.Title))
		for _, line := range section.Lines {
			fmt.Fprintf(&b, "%s\n", hang("  ", term.Escape(line), 4))
		}
	}
	return b.String()
}

var certaintyText = map[clients.Certainty]string{
	clients.Run: "the client was run", clients.Read: "its source was read", clients.Inferred: "inferred",
}

// ClientSection is a part of a profile in words: sentences in lower case without
// a full stop.
type ClientSection struct {
	Title string   `json:"title"`
	Lines []string `json:"lines"`
}

// ClientSections says in words what a profile holds.
func ClientSections(p *clients.Profile, older []*clients.Profile) []ClientSection {
	sections := clientRules(p)
	for _, old := range older {
		sections = append(sections, ClientSection{olderTitle(old), difference(clientRules(p), clientRules(old))})
	}
	var evidence []string
	for _, e := range p.Evidence {
		evidence = append(evidence, fmt.Sprintf("%s, %s: %s", e.Date, map[clients.Certainty]string{clients.Run: "run", clients.Read: "read"}[e.How], e.What))
	}
	notes := make([]string, len(p.Notes))
	for i, note := range p.Notes {
		notes[i] = strings.TrimSuffix(note, ".")
	}
	sections = append(sections, ClientSection{"Evidence", evidence}, ClientSection{"Notes", notes})
	return slices.DeleteFunc(sections, func(s ClientSection) bool { return len(s.Lines) == 0 })
}

// olderTitle says which versions a profile of an earlier version is about.
func olderTitle(old *clients.Profile) string {
	if old.Before != "" {
		return "Before version " + old.Before
	}
	return "Version " + old.Version
}

// difference gives the lines that an older version has and the latest has not,
// and those that it lacks.
func difference(now, old []ClientSection) []string {
	var lines []string
	for i := range old {
		for _, line := range old[i].Lines {
			if !slices.Contains(now[i].Lines, line) {
				lines = append(lines, line)
			}
		}
		for _, line := range now[i].Lines {
			if !slices.Contains(old[i].Lines, line) {
				lines = append(lines, "this did not hold: "+line)
			}
		}
	}
	if lines == nil {
		lines = []string{"nothing above was different"}
	}
	return lines
}

// clientRules are the sections that profiles have in common, in one order.
func clientRules(p *clients.Profile) []ClientSection {
	return []ClientSection{
		{"Where it looks", rootLines(&p.Roots)},
		{"What it finds there", walkLines(&p.Walk)},
		{"How it reads the file", slices.Concat(fileLines(&p.File), fenceLines(&p.Fences), yamlLines(&p.YAML))},
		{"What it makes of the fields", fieldsLines(p)},
		{"What the model sees", shownLines(p)},
		{"What the user is told", toldLines(p)},
	}
}

func rootLines(r *clients.Roots) []string {
	var lines []string
	if len(r.Project) > 0 {
		from := map[string]string{
			"repository": "from the current folder up to the repository's root",
			"root":       "at the repository's root",
		}[r.Climb]
		if from == "" {
			from = "in the current folder"
		}
		lines = append(lines, fmt.Sprintf("for a project: %s, %s", list(r.Project), from))
	}
	if len(r.Home) > 0 {
		lines = append(lines, "in the user's home: "+list(r.Home))
	}
	return lines
}

func list(words []string) string { return strings.Join(words, ", ") }

func walkLines(w *clients.Walk) []string {
	var lines []string
	switch w.Depth {
	case 0:
		lines = append(lines, "skills at any depth below the root")
	case 1:
		lines = append(lines, "only folders directly in the root")
	default:
		lines = append(lines, fmt.Sprintf("folders up to %d levels below the root", w.Depth))
	}
	lines = append(lines,
		choose(w.Nested, "a skill within a skill is one of its own", "a skill within a skill is not found"),
		choose(w.Hidden, "folders that start with a dot are searched", "folders that start with a dot are not searched"),
		choose(w.FolderLinks == "skip", "links to folders are not followed", "links to folders are followed"))
	if w.Root {
		lines = append(lines, "a SKILL.md in the root itself is a skill")
	}
	if len(w.Ignored) > 0 {
		lines = append(lines, "not entered: "+list(w.Ignored))
	}
	if w.FileLinks == "skip" {
		lines = append(lines, "a SKILL.md that is a link is skipped")
	}
	switch w.FileName {
	case "lower":
		lines = append(lines, "the file may be called skill.md too")
	case "any":
		lines = append(lines, "the file may be called SKILL.md in any case")
	}
	switch w.Flat {
	case "skill":
		lines = append(lines, "a Markdown file in the root is a skill")
	case "context":
		lines = append(lines, "a Markdown file in the root is always shown to the model")
	}
	switch w.SameName {
	case "first", "last":
		lines = append(lines, fmt.Sprintf("of two skills with one name the %s is kept", w.SameName))
	case "all":
		lines = append(lines, "two skills with one name are both kept")
	}
	if w.Most > 0 {
		lines = append(lines, fmt.Sprintf("at most %d skills of one root", w.Most))
	}
	return lines
}

func choose(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

func fileLines(f *clients.File) []string {
	var lines []string
	if f.Max > 0 {
		lines = append(lines, fmt.Sprintf("a file of more than %d bytes is skipped", f.Max))
	}
	lines = append(lines, "bytes that are no UTF-8 "+map[string]string{
		"replace": "are replaced", "keep": "stay", "drop": "drop the skill", "break": "stop the load of all skills",
	}[f.Invalid])
	return append(lines, choose(f.BOM == "strip", "a byte order mark is taken off", "a byte order mark counts as text"))
}

// fenceForms say what a line must be for a fence, by the word of a profile.
var fenceForms = map[string]string{
	"anywhere": "the first three hyphens, wherever they stand",
	"prefix":   "a line that starts with three hyphens",
	"language": "a line that starts with three hyphens",
	"hyphens":  "a line of three or more hyphens",
	"exact":    "a line of exactly three hyphens",
	"blanks":   "a line of three hyphens, with or without blanks behind them",
	"trimmed":  "a line of three hyphens, with or without blanks around them, also in an indented block",
}

func fenceLines(f *clients.Fences) []string {
	before := map[string]string{
		"nothing": "at the very start of the file", "blanks": "with nothing but blanks in front of it", "text": "with any text in front of it",
	}[f.Before]
	lines := []string{
		fmt.Sprintf("the frontmatter opens with %s, %s", strings.TrimSuffix(fenceForms[f.Opener], ", also in an indented block"), before),
		"it ends at " + fenceForms[f.Closer],
	}
	if f.After {
		lines = append(lines, "a line end must follow the closing fence")
	}
	if f.Fit {
		lines = append(lines, "where the text before a closing fence is no YAML, the next one is tried")
	}
	if f.Unclosed == "end" {
		lines = append(lines, "without a closing fence all of the file is frontmatter")
	}
	return append(lines, "a file without frontmatter "+failText(f.Missing, "counts as one without fields"))
}

// failText says what a fault of the whole file means.
func failText(a clients.Action, empty string) string {
	switch a {
	case clients.Break:
		return "stops the load of all skills"
	case clients.Empty:
		return empty
	}
	return "drops the skill"
}

var readerTexts = map[string]string{
	"yaml": "a YAML 1.2 parser of JavaScript", "core": "js-yaml with the core schema", "js-yaml": "js-yaml 4",
	"js-yaml-3": "gray-matter with js-yaml 3", "tolerant": "a tolerant YAML 1.2 parser that takes keys twice and tabs",
	"serde": "a YAML parser of Rust, into typed fields", "go": "yaml.v3 of Go, into typed fields", "pyyaml": "PyYAML, which is YAML 1.1",
}

var repairTexts = map[string]string{
	"quote-marks":  "values with characters that mean something in YAML are put in quotes",
	"quote-plain":  "unquoted values are put in quotes",
	"block-colons": "values with a colon become block text",
	"quote-colons": "values with a colon are put in quotes",
}

func yamlLines(y *clients.YAML) []string {
	reader, ok := readerTexts[y.Reader]
	if !ok {
		reader = "a scanner that goes by lines, and is no YAML parser"
	}
	lines := []string{"the frontmatter is read by " + reader}
	if text := repairTexts[y.Repair]; text != "" {
		lines = append(lines, "where that fails, "+text+" and it is read again")
	}
	if y.Fallback != "" {
		lines = append(lines, "where that fails, or name or description is no text, lines are scanned for both")
	}
	if len(y.Known) > 0 {
		lines = append(lines, "these keys must not be written twice: "+list(y.Known))
	}
	if y.FoldCase {
		lines = append(lines, "keys may be written in any case")
	}
	return append(lines, "text that cannot be read "+failText(y.Invalid, "counts as frontmatter without fields"))
}

// fieldsLines takes name and description first, then the others.
func fieldsLines(p *clients.Profile) []string {
	keys := make([]string, 0, len(p.Fields))
	for key := range p.Fields {
		keys = append(keys, key)
	}
	rank := map[string]int{"name": -2, "description": -1}
	slices.SortFunc(keys, func(a, b string) int {
		if rank[a] != rank[b] {
			return rank[a] - rank[b]
		}
		return strings.Compare(a, b)
	})
	var lines []string
	for _, key := range keys {
		f := p.Fields[key]
		lines = append(lines, fieldLines(key, &f)...)
	}
	return lines
}

var unitTexts = map[string]string{"bytes": "bytes", "utf16": "units of UTF-16", "codepoints": "code points"}

func fieldLines(key string, f *clients.Field) []string {
	var lines []string
	add := func(what string, a clients.Action) {
		if text := actionText(a); text != "" {
			lines = append(lines, key+", "+what+": "+text)
		}
	}
	add("without one", f.Missing)
	if f.Blank != f.Missing {
		add("an empty one", f.Blank)
	}
	if len(f.Types) > 0 && f.Wrong != "" && f.Wrong != clients.Ignore {
		add("a value that is no "+strings.Join(f.Types, " or "), f.Wrong)
	}
	if len(f.Values) > 0 {
		add("an entry that is no "+strings.Join(f.Values, " or "), f.Wrong)
	}
	if f.Max > 0 {
		add(fmt.Sprintf("more than %d %s", f.Max, unitTexts[f.Unit]), f.Over)
	}
	if f.Pattern != "" {
		add("a text that does not match "+f.Pattern, f.Bad)
	}
	if f.Folder != "" {
		add("a name that is not the folder's", f.Folder)
	}
	if f.Replace != "" {
		lines = append(lines, fmt.Sprintf("%s: what matches %s is replaced by %q", key, f.Replace, f.By))
	}
	if f.Tags {
		lines = append(lines, key+": tags of HTML are taken out")
	}
	switch f.Spaces {
	case "lines":
		lines = append(lines, key+": line ends become blanks")
	case "collapse":
		lines = append(lines, key+": each run of blanks and line ends becomes one blank")
	}
	return lines
}

// actionText says what becomes of a skill with an unexpected field.
func actionText(a clients.Action) string {
	return map[clients.Action]string{
		clients.Warn:    "the skill loads with a warning",
		clients.Note:    "the skill loads, and a log says so",
		clients.Cut:     "the text is cut",
		clients.Missing: "it counts as missing",
		clients.Folder:  "the folder's name stands in",
		clients.StandIn: "something stands in",
		clients.Hide:    "the model does not see the skill",
		clients.Drop:    "the skill is dropped",
		clients.Break:   "nothing of the same root is loaded",
	}[a]
}

func shownLines(p *clients.Profile) []string {
	var lines []string
	switch p.Fields["name"].Shown {
	case "folder":
		lines = append(lines, "the folder's name, whatever the field says")
	case "path":
		lines = append(lines, "the skill's path as its name")
	}
	if text := map[string]string{
		"line": "the first line of the body", "title": "the first line of the body without the marks of a heading",
		"paragraph": "the first paragraph of the body", "block": "the body up to the first empty line", "name": "the name",
	}[p.Stand.Take]; text != "" {
		if p.Stand.Max > 0 {
			text += fmt.Sprintf(", up to %d units of UTF-16", p.Stand.Max)
		}
		if p.Stand.Text != "" {
			text += fmt.Sprintf(", or %q", p.Stand.Text)
		}
		lines = append(lines, "in place of a missing description "+text)
	}
	if p.Body == clients.Drop {
		lines = append(lines, "a skill without a body is dropped")
	}
	for _, flag := range p.Hides {
		lines = append(lines, fmt.Sprintf("%s: %s hides the skill", flag.Field, strings.Join(flag.When, " or ")))
	}
	return append(lines, budgetLines(&p.Catalogue)...)
}

func budgetLines(c *clients.Budget) []string {
	var lines []string
	if form := map[string]string{"lines": "plain lines", "markdown": "a list in Markdown", "xml": "XML"}[c.Form]; form != "" {
		lines = append(lines, "the catalogue of skills is "+form)
	}
	var bound string
	switch {
	case c.Share > 0 && c.Chars > 0:
		bound = fmt.Sprintf("%g %% of the window at %d characters for each token, or %d characters where the window is not known", c.Share, c.CharsPerToken, c.Chars)
	case c.Share > 0:
		bound = fmt.Sprintf("%g %% of the window at %d characters for each token", c.Share, c.CharsPerToken)
	case c.Chars > 0:
		bound = fmt.Sprintf("%d characters", c.Chars)
	}
	if bound != "" {
		lines = append(lines, "it is bounded by "+bound)
	}
	if c.Most > 0 {
		lines = append(lines, fmt.Sprintf("it has at most %d skills", c.Most))
	}
	if text := map[string]string{
		"descriptions": "whole descriptions go, and the names stay",
		"names":        "the rest is only named",
		"even":         "every description is cut alike, then names stay, then skills are left out",
		"skills":       "the rest is left out",
	}[c.Overflow]; text != "" && (bound != "" || c.Most > 0) {
		lines = append(lines, "where that is too little, "+text+choose(c.Told != "", "; "+toldText[c.Told], ""))
	}
	return lines
}

func toldLines(p *clients.Profile) []string {
	lines := []string{"of a skill that is not loaded: " + toldText[p.Told]}
	ids := make([]string, 0, len(p.Tells))
	for id := range p.Tells {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		lines = append(lines, fmt.Sprintf("where the reason is client-%s: %s", id, toldText[p.Tells[id]]))
	}
	return lines
}
