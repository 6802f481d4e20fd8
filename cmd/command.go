// Package cmd is the command line of skilltool: it reads arguments, files and
// the environment, calls the packages below pkg/, prints, and chooses the exit
// code.
//
// Each command is one file with a constructor that gives a *command and a run
// function:
//
//	func fooCommand() *command {
//		return &command{
//			name: "foo", usage: "[PATH...]", summary: "does foo to skills",
//			flags:  []cli.Flag{&cli.BoolFlag{Name: "strict", Usage: "fail on warnings"}},
//			exits:  []exitCode{{0, "done"}, {2, "usage or I/O error"}},
//			action: runFoo,
//		}
//	}
//
//	func runFoo(c *cli.Context, e *env) error
//
// The action finds its flags in c (which is also the context.Context that an
// interrupt cancels) and its arguments, streams and surroundings in e. It
// returns nil for exit code 0, an exitStatus for another code without a
// message, a *usageError (from usagef) for a mistake on the command line, and
// any other error for a failure, which is printed and exits with 2.
package cmd

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"
)

// command is one command of the tool. Running, help, completion, the man page
// and docs/cli.md all read this one definition.
type command struct {
	name    string
	aliases []string
	// usage is what follows the name, such as "[PATH...]". A word in it that
	// is in capitals names an argument; PATH and FILE complete to files, DIR to
	// directories.
	usage string
	// summary is one line, lower case and without a full stop.
	summary string
	// description is whole sentences, in paragraphs separated by blank lines.
	// Lines that start with a blank stay as they are, all others are wrapped.
	description string
	// arguments explains the words of usage that want it.
	arguments []argument
	// flags are of urfave/cli's types Bool, String, StringSlice, Int, Float64
	// and Duration, or a *choiceFlag or *sizeFlag. A placeholder stands in backquotes in Usage;
	// FILE, PATH and DIR complete as above. Lists split at commas only where
	// the action calls splitList.
	flags    []cli.Flag
	examples []example
	exits    []exitCode
	// minArgs and maxArgs bound the number of arguments, anyArgs does not.
	minArgs, maxArgs int
	// takesProgram says that the words behind "--" are the command line of
	// another program: they come in env.program and are no arguments.
	takesProgram bool
	// completeArg and completeFlag offer words for arguments and, by the name
	// of a flag, for its value. A choiceFlag needs none.
	completeArg  completer
	completeFlag map[string]completer
	// hidden commands run and are mentioned nowhere.
	hidden bool
	// subcommands with an action and arguments beside them are a choice: the
	// first word is the name of one, or an argument.
	subcommands []*command
	action      func(c *cli.Context, e *env) error
}

// anyArgs as maxArgs lets a command take any number of arguments.
const anyArgs = -1

// argument explains one argument of a command.
type argument struct{ name, text string }

// example is a command line and what it is good for.
type example struct{ text, line string }

// exitCode is one exit code and what it means.
type exitCode struct {
	code int
	text string
}

// completer gives the words that fit a place of the command line, in the order
// to show them.
type completer func() []candidate

// candidate is one word that completion offers.
type candidate struct{ word, text string }

// words is a completer for a fixed list without explanations.
func words(list ...string) completer {
	return func() []candidate {
		candidates := make([]candidate, len(list))
		for i, word := range list {
			candidates[i] = candidate{word: word}
		}
		return candidates
	}
}

// choiceFlag is a flag whose value is one of a few words. The command line is
// refused when it is another one, so that an action need not check.
type choiceFlag struct {
	*cli.StringFlag
	choices []string
}

// sizeFlag is a flag whose value is a number of bytes, such as 16MiB. The action
// reads it with sizeFlagValue.
type sizeFlag struct{ *cli.StringFlag }

// find gives the subcommand called name, or nil.
func (c *command) find(name string) *command {
	for _, sub := range c.subcommands {
		if sub.name == name || slices.Contains(sub.aliases, name) {
			return sub
		}
	}
	return nil
}

// takesArgs reports whether the command takes arguments of its own. A command
// with subcommands mostly does not.
func (c *command) takesArgs() bool { return len(c.subcommands) == 0 || c.maxArgs != 0 }

// visible gives the subcommands that help mentions, in order.
func (c *command) visible() []*command {
	return slices.DeleteFunc(slices.Clone(c.subcommands), func(sub *command) bool { return sub.hidden })
}

// cli gives the command as urfave/cli wants it. Everything of that library
// that prints, exits or guesses is switched off: the parser has seen the line
// before, and has dealt with help and with every mistake.
func (c *command) cli(e *env) *cli.Command {
	converted := &cli.Command{
		Name:            c.name,
		Flags:           c.flags,
		HideHelp:        true,
		HideHelpCommand: true,
		OnUsageError:    onUsageError,
		Action:          func(ctx *cli.Context) error { return c.run(ctx, e) },
	}
	for _, sub := range c.subcommands {
		converted.Subcommands = append(converted.Subcommands, sub.cli(e))
	}
	return converted
}

func (c *command) run(ctx *cli.Context, e *env) error {
	if c.action == nil {
		return fmt.Errorf("command %s has no action", c.name)
	}
	return c.action(ctx, e)
}

// onUsageError hands errors of urfave/cli's own parser to Main instead of
// printing help on standard output.
func onUsageError(_ *cli.Context, err error, _ bool) error {
	return usagef("%w", err)
}
