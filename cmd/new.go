package cmd

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/spec"
)

func newCommand() *command {
	return &command{
		name:    "new",
		usage:   "NAME",
		summary: "write a new skill",
		description: "Writes the directory NAME with a SKILL.md that conforms to the specification, " +
			"and whatever else the template holds. Files that exist are never overwritten without --force. " +
			"On an error nothing is written.\n\n" +
			"On a terminal the description is asked for when --description is missing; elsewhere, " +
			"and with --yes, a general one is made of the name.",
		arguments: []argument{{"NAME", "the skill's name, of a-z, 0-9 and \"-\"; its directory is called the same"}},
		minArgs:   1,
		maxArgs:   1,
		// There is nothing to complete: the name is new.
		completeArg: words(),
		flags: []cli.Flag{
			&choiceFlag{
				StringFlag: &cli.StringFlag{Name: "template", Value: "minimal", Usage: "start from `TEMPLATE`"},
				choices:    templates(),
			},
			&cli.StringFlag{Name: "description", Usage: "what the skill does and when to use it, as `TEXT`"},
			&cli.StringFlag{Name: "license", Usage: "the license as `TEXT`, such as MIT"},
			&cli.StringFlag{Name: "dir", Value: ".", Usage: "write it below `DIR`"},
			&cli.BoolFlag{Name: "force", Usage: "overwrite files that exist"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "ask nothing"},
			&cli.BoolFlag{Name: "dry-run", Usage: "say what would be written, and write nothing"},
		},
		examples: []example{
			{"a skill in ./pdf-tools", `skilltool new pdf-tools --description "Reads PDF files. Use for PDF files."`},
			{"one with a script, among the skills of a project", "skilltool new log-reader --template script --dir .agents/skills"},
		},
		exits: []exitCode{
			{exitOK, "the skill was written"},
			{exitFailure, "a name or text that is not allowed, files in the way, or an I/O error"},
		},
		action: runNew,
	}
}

func runNew(c *cli.Context, e *env) error {
	name := e.args[0]
	if err := checkNewName(name); err != nil {
		return err
	}
	description, err := newDescription(c, e, name)
	if err != nil {
		return err
	}
	license, err := cleanText(c.String("license"))
	if err != nil {
		return usagef("--license %w", err)
	}
	files, err := render(c.String("template"), newSkill(name, description, license))
	if err != nil {
		return err
	}
	s := &scaffold{
		parent: c.String("dir"), name: name, files: files,
		force: c.Bool("force"), dryRun: c.Bool("dry-run"),
	}
	replaced, err := s.write()
	if err != nil {
		return fmt.Errorf("new %s: %w", name, err)
	}
	s.summarize(e, replaced)
	return nil
}

// checkNewName refuses a name that would not pass validate --strict: beside
// what CheckName says, it has to be ASCII.
func checkNewName(name string) error {
	reasons := spec.CheckName(name)
	if len(reasons) == 0 && strings.IndexFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
		reasons = []string{`has letters outside ASCII, which most clients refuse; use a-z, 0-9 and "-"`}
	}
	if len(reasons) == 0 {
		return nil
	}
	err := usagef("name %q %s", name, strings.Join(reasons, " and "))
	dir, base := filepath.Split(filepath.Clean(name))
	if dir != "" && len(spec.CheckName(base)) == 0 {
		return err.hintf("to write it elsewhere: skilltool new %s --dir %s", base, filepath.Clean(dir))
	}
	err.suggestion = spec.ProposeName(name)
	return err
}

// newDescription takes the description from the flag, from the person at the
// terminal, or makes one of the name.
func newDescription(c *cli.Context, e *env, name string) (string, error) {
	switch {
	case c.IsSet("description"):
		description, err := cleanDescription(c.String("description"))
		if err != nil {
			return "", usagef("--description %w", err)
		}
		return description, nil
	case e.interactive && !c.Bool("yes") && !c.Bool("dry-run"):
		return askDescription(e, name)
	}
	return defaultDescription(name), nil
}

// askDescription asks until the answer can be used. No answer stands for the
// default.
func askDescription(e *env, name string) (string, error) {
	answers := bufio.NewScanner(e.stdin)
	for {
		fmt.Fprintf(e.stderr, "What does %s do, and when should an agent use it?\n[%s]\n> ", name, defaultDescription(name))
		if !answers.Scan() {
			return "", cmp.Or(answers.Err(), errors.New("no answer; give --description or --yes"))
		}
		if strings.TrimSpace(answers.Text()) == "" {
			return defaultDescription(name), nil
		}
		description, err := cleanDescription(answers.Text())
		if err == nil {
			return description, nil
		}
		fmt.Fprintf(e.stderr, "the description %s\n", term.Escape(err.Error()))
	}
}

// defaultDescription says as much about a skill as its name does.
func defaultDescription(name string) string {
	topic := topic(name)
	return fmt.Sprintf("Helps with %s. Use when a task is about %s.", topic, topic)
}

func topic(name string) string { return strings.ReplaceAll(name, "-", " ") }

// cleanDescription trims a description and refuses what the specification does
// not allow (AS-D1).
func cleanDescription(text string) (string, error) {
	text, err := cleanText(text)
	switch n := utf8.RuneCountInString(text); {
	case err != nil:
		return "", err
	case n == 0:
		return "", errors.New("is blank")
	case n > spec.MaxDescriptionLength:
		return "", fmt.Errorf("has %d characters; at most %d are allowed", n, spec.MaxDescriptionLength)
	}
	return text, nil
}

// cleanText trims a text and refuses what cannot stand in one quoted line of
// YAML as it is.
func cleanText(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !utf8.ValidString(text) {
		return "", errors.New("is not UTF-8")
	}
	for _, r := range text {
		if unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp) || r == '\uFEFF' || r == '\uFFFE' || r == '\uFFFF' {
			return "", fmt.Errorf("has the character U+%04X; line breaks and control characters are not allowed", r)
		}
	}
	return text, nil
}

// quoteYAML writes a clean text as a YAML string on one line, in double quotes
// where nothing in it wants an escape.
func quoteYAML(text string) string {
	if strings.ContainsAny(text, `"\`) {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return `"` + text + `"`
}

// ambiguousNames are names that YAML would take for a boolean or nothing.
var ambiguousNames = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

// quoteName writes a name plain, as is usual, unless some YAML loader would
// read a number, date or boolean (AS-Y2).
func quoteName(name string) string {
	if name[0] <= '9' || slices.Contains(ambiguousNames, name) {
		return quoteYAML(name)
	}
	return name
}
