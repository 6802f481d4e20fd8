package gen

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/spec"
)

// RulePage gives docs/rules/<id>.md from a rule and its golden case, a txtar
// archive with a skill below bad/, one below good/, and the wanted report. A
// rule about more than a skill alone, such as a manifest, has no golden case
// (nil), and its page no examples.
func RulePage(rule spec.RuleInfo, golden []byte) (string, error) {
	archive := txtar.Parse(golden)
	var b strings.Builder
	b.WriteString(generated)
	fmt.Fprintf(&b, "# %s\n\n%s.\n\n", rule.ID, markdown(upperFirst(rule.Title)))
	if prose := strings.TrimSpace(string(archive.Comment)); prose != "" {
		fmt.Fprintf(&b, "%s\n\n", markdown(Wrap(strings.Join(strings.Fields(prose), " "))))
	}
	writeFacts(&b, rule)
	fmt.Fprintf(&b, "\n## Why\n\n%s\n", markdown(Wrap(rule.Why)))
	if golden != nil {
		if err := writeCase(&b, archive); err != nil {
			return "", fmt.Errorf("page of rule %s: %w", rule.ID, err)
		}
	}
	fmt.Fprintf(&b, "\n## How to mend\n\n%s\n", markdown(Wrap(rule.Mend)))
	return b.String(), nil
}

// writeCase shows the skills of a golden case and what is reported of them.
func writeCase(b *strings.Builder, archive *txtar.Archive) error {
	if err := writeSkill(b, "Bad", "bad", archive); err != nil {
		return err
	}
	if said := reported(archive); said != "" {
		fmt.Fprintf(b, "\n## What skilltool says\n\n%s", fence("text", said))
	}
	return writeSkill(b, "Good", "good", archive)
}

func writeFacts(b *strings.Builder, rule spec.RuleInfo) {
	b.WriteString("| severity | category | requirement | since |\n| --- | --- | --- | --- |\n")
	fmt.Fprintf(b, "| %s | %s | %s | %s |\n", rule.Severity, rule.Category, rule.Requirement, rule.Since)
}

// writeSkill shows the skill below dir: its SKILL.md, and the names of other
// files where there are some.
func writeSkill(b *strings.Builder, title, dir string, archive *txtar.Archive) error {
	files := below(dir, archive)
	if len(files) == 0 && len(setUp(dir, archive)) == 0 {
		return fmt.Errorf("the golden case has no files below %s/", dir)
	}
	fmt.Fprintf(b, "\n## %s\n", title)
	for _, line := range setUp(dir, archive) {
		fmt.Fprintf(b, "\n%s\n", line)
	}
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

// setUp tells, a sentence each, what the case's "setup" makes of the files below
// dir that a text archive cannot hold.
func setUp(dir string, archive *txtar.Archive) []string {
	var sentences []string
	for _, file := range archive.Files {
		if file.Name != "setup" {
			continue
		}
		for line := range strings.Lines(string(file.Data)) {
			words := strings.Fields(line)
			if len(words) < 2 || !strings.HasPrefix(words[1], dir+"/") {
				continue
			}
			if sentence := sentenceOf(words, dir); sentence != "" {
				sentences = append(sentences, sentence)
			}
		}
	}
	return sentences
}

func sentenceOf(words []string, dir string) string {
	name := strings.TrimPrefix(words[1], dir+"/")
	switch words[0] {
	case "symlink":
		return fmt.Sprintf("`%s` is a symbolic link to `%s`.", name, words[2])
	case "fifo":
		return fmt.Sprintf("`%s` is a named pipe.", name)
	case "mkdir":
		return fmt.Sprintf("`%s` is a folder.", name)
	case "rename":
		return fmt.Sprintf("`%s` is really called `%s`.", name, strings.TrimPrefix(words[2], dir+"/"))
	case "escape":
		return fmt.Sprintf("In `%s` escapes such as `\\r` and `\\xff` stand for the bytes that they name.", name)
	case "repeat":
		return fmt.Sprintf("In `%s` the mark `@@` stands for %s times `%s`.", name, words[3], words[2])
	}
	return ""
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

// Golden cases hold the end of each place, and every edit of a fix.
var (
	endOfPlace = regexp.MustCompile(`(?m)^(\S.*?:\d+:\d+)-[\d:]+: `)
	fixLine    = regexp.MustCompile(`(?m)^  fix \((\w+)\): (.*?), \d+:\d+-\d+:\d+ -> .*$`)
)

// reported gives the lines of the case's "want" that are about the bad skill, as
// the tool prints them.
func reported(archive *txtar.Archive) string {
	for _, file := range archive.Files {
		if file.Name == "want" {
			text := strings.ReplaceAll(string(file.Data), "bad/", "")
			text = endOfPlace.ReplaceAllString(text, "$1: ")
			return fixLine.ReplaceAllString(text, "  fix:  $2 ($1)")
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
