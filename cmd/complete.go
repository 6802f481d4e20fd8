package cmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/term"
)

// The last line of an answer says what the shell adds of its own.
const (
	completeNothing     = ":none"
	completeFiles       = ":files"
	completeDirectories = ":dirs"
)

// completeCommand answers completion scripts. Its arguments are the words
// behind the program's name, the last being the one at the cursor. The answer
// is one candidate a line, a tab and an explanation behind it where there is
// one, and a last line with one of the words above.
func completeCommand() *command {
	return &command{
		name:    "__complete",
		usage:   "-- WORD...",
		summary: "answer a completion script",
		maxArgs: anyArgs,
		hidden:  true,
		exits:   []exitCode{{exitOK, "always"}},
		action:  runComplete,
	}
}

func runComplete(_ *cli.Context, e *env) error {
	if len(e.args) == 0 {
		return nil
	}
	before, word := e.args[:len(e.args)-1], e.args[len(e.args)-1]
	if word == `""` {
		// Some versions of PowerShell drop an empty argument, others quote it.
		word = ""
	}
	p := &parser{path: []*command{e.root}}
	for _, given := range before {
		// A mistake earlier on the line does not keep the rest from completing.
		_ = p.feed(given)
	}
	candidates, rest := p.complete(word)
	for _, c := range candidates {
		if c.text == "" {
			fmt.Fprintln(e.stdout, c.word)
			continue
		}
		fmt.Fprintf(e.stdout, "%s\t%s\n", c.word, term.Escape(c.text))
	}
	_, err := fmt.Fprintln(e.stdout, rest)
	return err
}

// complete gives what fits at word, where the parser stands, and what the
// shell adds.
func (p *parser) complete(word string) ([]candidate, string) {
	name, value, hasValue := strings.Cut(word, "=")
	switch {
	case p.literal:
		return p.completeArg(word)
	case p.pending != nil:
		return p.completeValue(p.pending, word)
	case hasValue && strings.HasPrefix(word, "--") && p.flag(name[2:]) != nil:
		candidates, rest := p.completeValue(p.flag(name[2:]), value)
		return prefixed(name+"=", candidates), rest
	case strings.HasPrefix(word, "-"):
		return matching(word, p.flagCandidates()), completeNothing
	case len(p.command().subcommands) > 0 && len(p.args) == 0:
		return matching(word, commandCandidates(p.command())), completeNothing
	}
	return p.completeArg(word)
}

func (p *parser) completeArg(word string) ([]candidate, string) {
	current := p.command()
	switch {
	case current.maxArgs != anyArgs && len(p.args) >= current.maxArgs:
		return nil, completeNothing
	case current.completeArg != nil:
		return matching(word, current.completeArg()), completeNothing
	}
	return nil, shellPart(current.usage)
}

// completeValue completes the value of a flag; for a list, the part behind the
// last comma.
func (p *parser) completeValue(flag cli.Flag, word string) ([]candidate, string) {
	if choice, ok := flag.(*choiceFlag); ok {
		return matching(word, words(choice.choices...)()), completeNothing
	}
	complete := p.command().completeFlag[flag.Names()[0]]
	if complete == nil {
		return nil, valuePart(flag)
	}
	if _, ok := flag.(*cli.StringSliceFlag); !ok {
		return matching(word, complete()), completeNothing
	}
	start := strings.LastIndex(word, ",") + 1
	return prefixed(word[:start], matching(word[start:], complete())), completeNothing
}

// valuePart says what a shell adds for a flag's value.
func valuePart(flag cli.Flag) string {
	documented, ok := flag.(cli.DocGenerationFlag)
	if !ok {
		return completeNothing
	}
	placeholder, _ := splitUsage(documented.GetUsage())
	return shellPart(placeholder)
}

// shellPart reads a placeholder: does it stand for files or directories?
func shellPart(placeholder string) string {
	switch {
	case strings.Contains(placeholder, "PATH"), strings.Contains(placeholder, "FILE"):
		return completeFiles
	case strings.Contains(placeholder, "DIR"):
		return completeDirectories
	}
	return completeNothing
}

// flagCandidates gives the long names of all flags that may stand here.
func (p *parser) flagCandidates() []candidate {
	var list []candidate
	for _, flag := range p.flags() {
		documented, ok := flag.(cli.DocGenerationFlag)
		if !ok {
			continue
		}
		_, text := splitUsage(documented.GetUsage())
		list = append(list, candidate{"--" + flag.Names()[0], text})
	}
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Compare(a.word, b.word) })
	return list
}

// commandCandidates gives the visible commands below c, with their aliases.
func commandCandidates(c *command) []candidate {
	var list []candidate
	for _, sub := range c.visible() {
		for _, name := range append([]string{sub.name}, sub.aliases...) {
			list = append(list, candidate{name, sub.summary})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Compare(a.word, b.word) })
	return list
}

func matching(prefix string, candidates []candidate) []candidate {
	var list []candidate
	for _, c := range candidates {
		if strings.HasPrefix(c.word, prefix) {
			list = append(list, c)
		}
	}
	return list
}

func prefixed(prefix string, candidates []candidate) []candidate {
	list := slices.Clone(candidates)
	for i := range list {
		list[i].word = prefix + list[i].word
	}
	return list
}
