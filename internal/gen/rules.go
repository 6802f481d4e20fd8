package gen

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/spec"
)

// RulePage gives docs/rules/<id>.md from a rule and its golden case, a txtar
// archive with a skill below bad/, one below good/, and the wanted report.
func RulePage(rule spec.RuleInfo, golden []byte) (string, error) {
	archive := txtar.Parse(golden)
	var b strings.Builder
	b.WriteString(generated)
	fmt.Fprintf(&b, "# %s\n\n%s.\n\n", rule.ID, markdown(upperFirst(rule.Title)))
	writeFacts(&b, rule)
	fmt.Fprintf(&b, "\n## Why\n\n%s\n", markdown(Wrap(rule.Why)))
	if err := writeSkill(&b, "Bad", "bad", archive); err != nil {
		return "", fmt.Errorf("page of rule %s: %w", rule.ID, err)
	}
	if said := reported(archive); said != "" {
		fmt.Fprintf(&b, "\n## What skilltool says\n\n%s", fence("text", said))
	}
	if err := writeSkill(&b, "Good", "good", archive); err != nil {
		return "", fmt.Errorf("page of rule %s: %w", rule.ID, err)
	}
	fmt.Fprintf(&b, "\n## How to mend\n\n%s\n", markdown(Wrap(rule.Mend)))
	return b.String(), nil
}

func writeFacts(b *strings.Builder, rule spec.RuleInfo) {
	b.WriteString("| severity | category | requirement | since |\n| --- | --- | --- | --- |\n")
	fmt.Fprintf(b, "| %s | %s | %s | %s |\n", rule.Severity, rule.Category, rule.Requirement, rule.Since)
}

// writeSkill shows the skill below dir: its SKILL.md, and the names of other
// files where there are some.
func writeSkill(b *strings.Builder, title, dir string, archive *txtar.Archive) error {
	files := below(dir, archive)
	if len(files) == 0 {
		return fmt.Errorf("the golden case has no files below %s/", dir)
	}
	fmt.Fprintf(b, "\n## %s\n", title)
	shown := slices.IndexFunc(files, isSkillFile)
	if len(files) > 1 || shown < 0 {
		var names strings.Builder
		for _, file := range files {
			fmt.Fprintf(&names, "%s\n", file.Name)
		}
		fmt.Fprintf(b, "\n%s", fence("text", names.String()))
	}
	if shown >= 0 {
		fmt.Fprintf(b, "\n`%s`:\n\n%s", files[shown].Name, fence("markdown", string(files[shown].Data)))
	}
	return nil
}

// below gives the files below dir, sorted, with names relative to it.
func below(dir string, archive *txtar.Archive) []txtar.File {
	var files []txtar.File
	for _, file := range archive.Files {
		if name, ok := strings.CutPrefix(file.Name, dir+"/"); ok {
			files = append(files, txtar.File{Name: name, Data: file.Data})
		}
	}
	slices.SortFunc(files, func(a, b txtar.File) int { return cmp.Compare(a.Name, b.Name) })
	return files
}

// isSkillFile spots SKILL.md, and near misses that a rule is about.
func isSkillFile(file txtar.File) bool {
	return strings.HasPrefix(strings.ToLower(path.Base(file.Name)), "skill")
}

// reported gives the lines of the case's "want" that are about the bad skill.
func reported(archive *txtar.Archive) string {
	for _, file := range archive.Files {
		if file.Name == "want" {
			return strings.ReplaceAll(string(file.Data), "bad/", "")
		}
	}
	return ""
}

// fence puts text into a fenced block. The fence is longer than any in the
// text, and characters that nobody would see are made visible.
func fence(language, text string) string {
	longest, run := 2, 0
	for _, r := range text {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	ticks := strings.Repeat("`", longest+1)
	return ticks + language + "\n" + visible(text) + ticks + "\n"
}

// visible escapes each line of text and ends the last one. Line ends of CR LF
// show as \r.
func visible(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		b.WriteString(term.Escape(line) + "\n")
	}
	return b.String()
}

// RuleIndex gives docs/rules/README.md.
func RuleIndex(rules []spec.RuleInfo) string {
	var b strings.Builder
	b.WriteString(generated)
	b.WriteString("# Rules\n\n")
	b.WriteString("`skilltool rule show ID` prints any of these pages.\n\n")
	b.WriteString(RuleTable(rules, true))
	return b.String()
}

// RuleTable lists rules in a Markdown table, with links to their pages if
// linked.
func RuleTable(rules []spec.RuleInfo, linked bool) string {
	var b strings.Builder
	b.WriteString("| rule | severity | category | requirement | what it demands |\n| --- | --- | --- | --- | --- |\n")
	for _, rule := range rules {
		name := "`" + rule.ID + "`"
		if linked {
			name = fmt.Sprintf("[%s](%s.md)", rule.ID, rule.ID)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n",
			name, rule.Severity, rule.Category, rule.Requirement, cell(rule.Title))
	}
	return b.String()
}
