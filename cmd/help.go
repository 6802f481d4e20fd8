package cmd

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/gen"
)

// globalFlags is the title of their section.
const globalFlags = "Global flags"

func helpCommand() *command {
	return &command{
		name:    "help",
		usage:   "[COMMAND...]",
		summary: "print help, for the tool or for one command",
		description: "The same text comes from --help or -h, which may stand anywhere on the line. " +
			"Without a command, and without any word at all, the commands are listed.",
		maxArgs:     anyArgs,
		completeArg: commandNames,
		examples: []example{
			{"list the commands", "skilltool help"},
			{"all about one of them", "skilltool help rule show"},
		},
		exits:  []exitCode{{exitOK, "help was printed"}, {exitFailure, "there is no such command"}},
		action: runHelp,
	}
}

func runHelp(_ *cli.Context, e *env) error {
	p := &parser{path: []*command{e.root}}
	for _, word := range e.args {
		sub := p.command().find(word)
		if sub == nil {
			return p.unknownCommand(word)
		}
		p.path = append(p.path, sub)
	}
	return printHelp(e.stdout, p.path)
}

// commandNames completes the argument of help.
func commandNames() []candidate {
	return commandCandidates(rootCommand())
}

// printHelp writes the help of the last command of path.
func printHelp(w io.Writer, path []*command) error {
	_, err := io.WriteString(w, gen.Help(page(path)))
	return err
}

// page describes the last command of path for people.
func page(path []*command) gen.Page {
	c := path[len(path)-1]
	p := gen.Page{
		Name:        strings.Join(names(path), " "),
		Summary:     c.summary,
		Synopsis:    synopsis(path),
		Description: c.description,
	}
	p.Add("Commands", commandRows(c))
	p.Add("Arguments", argumentRows(c))
	if len(path) > 1 {
		p.Add("Flags", flagRows(c.flags, false))
	}
	p.Add(globalFlags, flagRows(path[0].flags, true))
	p.Add("Exit codes", exitRows(c))
	for _, example := range c.examples {
		p.Examples = append(p.Examples, gen.Row{Term: example.line, Text: example.text})
	}
	return p
}

func synopsis(path []*command) string {
	c := path[len(path)-1]
	parts := names(path)
	if len(c.flags) > 0 {
		parts = append(parts, "[FLAG...]")
	}
	if !c.takesArgs() {
		parts = append(parts, "COMMAND")
	}
	return strings.TrimSpace(strings.Join(append(parts, c.usage), " "))
}

func commandRows(c *command) []gen.Row {
	var rows []gen.Row
	for _, sub := range c.visible() {
		rows = append(rows, gen.Row{Term: strings.Join(append([]string{sub.name}, sub.aliases...), ", "), Text: sub.summary})
	}
	return rows
}

func argumentRows(c *command) []gen.Row {
	var rows []gen.Row
	for _, argument := range c.arguments {
		rows = append(rows, gen.Row{Term: argument.name, Text: argument.text})
	}
	return rows
}

// flagRows describes flags; global ones have a twin in the environment.
func flagRows(flags []cli.Flag, global bool) []gen.Row {
	var rows []gen.Row
	for _, flag := range flags {
		documented, ok := flag.(cli.DocGenerationFlag)
		if !ok {
			continue
		}
		placeholder, text := flagUsage(documented)
		if global && twin(flag) != "" {
			text += " [$" + twin(flag) + "]"
		}
		rows = append(rows, gen.Row{Term: flagTerm(flag.Names(), placeholder), Text: text})
	}
	return rows
}

// flagTerm writes the names of a flag, short ones first: "-f, --format NAME".
func flagTerm(names []string, placeholder string) string {
	var short, long []string
	for _, name := range names {
		if len(name) == 1 {
			short = append(short, "-"+name)
		} else {
			long = append(long, "--"+name)
		}
	}
	return strings.TrimSpace(strings.Join(append(short, long...), ", ") + " " + placeholder)
}

// flagUsage gives a flag's placeholder, and its text with choices and default.
func flagUsage(flag cli.DocGenerationFlag) (placeholder, text string) {
	placeholder, text = splitUsage(flag.GetUsage())
	if choice, ok := flag.(*choiceFlag); ok {
		text += ": " + orList(choice.choices)
	}
	if slice, ok := flag.(cli.DocGenerationSliceFlag); ok && slice.IsSliceFlag() {
		text += " (repeatable)"
	}
	if !flag.TakesValue() {
		return "", text
	}
	if placeholder == "" {
		placeholder = "VALUE"
	}
	if value := defaultText(flag); value != "" {
		text += " (default: " + value + ")"
	}
	return placeholder, text
}

// splitUsage takes the placeholder out of a usage text, where it stands in
// backquotes.
func splitUsage(usage string) (placeholder, text string) {
	before, rest, found := strings.Cut(usage, "`")
	if !found {
		return "", usage
	}
	placeholder, after, _ := strings.Cut(rest, "`")
	return placeholder, before + placeholder + after
}

// defaultText gives a default as a person would type it. A number that is 0
// stands for "not set".
func defaultText(flag cli.DocGenerationFlag) string {
	value := flag.GetDefaultText()
	if unquoted, err := strconv.Unquote(value); err == nil {
		value = unquoted
	}
	if value == "0" || value == "0s" {
		return ""
	}
	return value
}

func exitRows(c *command) []gen.Row {
	var rows []gen.Row
	for _, exit := range c.exits {
		rows = append(rows, gen.Row{Term: fmt.Sprint(exit.code), Text: exit.text})
	}
	return rows
}
