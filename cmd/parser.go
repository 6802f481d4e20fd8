package cmd

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
)

// parser reads a command line word by word and knows after each where it
// stands. It comes before urfave/cli, which takes flags behind an argument for
// arguments and prints help for mistakes: here flags may stand anywhere,
// global ones too, up to the first "--".
type parser struct {
	// path leads from the root to the command that was named so far.
	path     []*command
	settings []setting
	args     []string
	// pending is the flag that the next word is the value of, and origin how
	// it was written.
	pending cli.Flag
	origin  string
	// literal says that "--" has come: everything else is an argument, or a
	// word of program.
	literal bool
	program []string
}

// setting is a flag with the value that it was given, in the form that
// urfave/cli reads.
type setting struct {
	flag  cli.Flag
	value string
}

// parse reads a whole command line, without the name of the program. The
// environment's twins of global flags come first, so that flags win.
func parse(root *command, line []string, getenv func(string) string) (*parser, error) {
	p := &parser{path: []*command{root}}
	if err := p.environment(getenv); err != nil {
		return nil, err
	}
	for _, word := range line {
		if err := p.feed(word); err != nil {
			return nil, err
		}
	}
	return p, p.finish()
}

// environment reads the twins of global flags. An empty variable counts as
// unset.
func (p *parser) environment(getenv func(string) string) error {
	for _, flag := range p.path[0].flags {
		name := twin(flag)
		if name == "" || getenv(name) == "" {
			continue
		}
		if err := p.set(flag, name, getenv(name)); err != nil {
			return err
		}
	}
	return nil
}

// twin gives the environment variable of a global flag, or "" for one that
// asks for a thing rather than setting one.
func twin(flag cli.Flag) string {
	name := flag.Names()[0]
	if name == "help" || name == "version" {
		return ""
	}
	return "SKILLTOOL_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// feed takes the next word.
func (p *parser) feed(word string) error {
	switch {
	case p.literal && p.command().takesProgram:
		p.program = append(p.program, word)
		return nil
	case p.literal:
		p.args = append(p.args, word)
		return nil
	case p.pending != nil:
		return p.value(word)
	case word == "--":
		p.literal = true
		if p.command().takesProgram {
			p.program = []string{}
		}
		return nil
	case strings.HasPrefix(word, "--"):
		return p.long(word)
	case strings.HasPrefix(word, "-") && word != "-":
		return p.short(word)
	}
	return p.plain(word)
}

// value takes the value of the pending flag. It may start with "-", but a word
// that is a flag itself shows that the value was forgotten.
func (p *parser) value(word string) error {
	if word == "--" {
		return p.missingValue()
	}
	if name, _, _ := strings.Cut(word, "="); p.knows(name) {
		return p.missingValue().hintf("%s is a flag; write %s=%s if it is meant as the value", name, p.origin, word)
	}
	flag := p.pending
	p.pending = nil
	return p.set(flag, p.origin, word)
}

func (p *parser) missingValue() *usageError {
	return usagef("%s needs a value", p.origin).hintf("%s", p.helpHint())
}

// knows reports whether word is a flag's name with its hyphens.
func (p *parser) knows(word string) bool {
	return strings.HasPrefix(word, "--") && p.flag(word[2:]) != nil ||
		len(word) == 2 && word[0] == '-' && p.flag(word[1:]) != nil
}

// long takes --name, --name=value or --no-name.
func (p *parser) long(word string) error {
	name, value, hasValue := strings.Cut(word[2:], "=")
	flag := p.flag(name)
	if len(name) < 2 || flag == nil {
		return p.negated(word, name, hasValue)
	}
	switch {
	case hasValue:
		return p.set(flag, "--"+name, value)
	case takesValue(flag):
		p.pending, p.origin = flag, "--"+name
		return nil
	}
	return p.set(flag, "--"+name, "true")
}

// negated takes --no-name for a flag that is on or off.
func (p *parser) negated(word, name string, hasValue bool) error {
	positive, ok := strings.CutPrefix(name, "no-")
	flag := p.flag(positive)
	if !ok || len(positive) < 2 || flag == nil || takesValue(flag) {
		return p.unknownFlag(word, name)
	}
	if hasValue {
		return usagef("--%s takes no value", name).hintf("%s", p.helpHint())
	}
	return p.set(flag, "--"+name, "false")
}

// short takes -x, several as in -xyz, and a last one with its value as in
// -xVALUE and -x=VALUE.
func (p *parser) short(word string) error {
	for i, letter := range word {
		if i == 0 {
			continue
		}
		flag := p.flag(string(letter))
		if flag == nil {
			return p.unknownFlag(word, word[1:])
		}
		origin, rest := "-"+string(letter), word[i+len(string(letter)):]
		value, hasValue := strings.CutPrefix(rest, "=")
		switch {
		case hasValue, takesValue(flag) && rest != "":
			return p.set(flag, origin, value)
		case takesValue(flag):
			p.pending, p.origin = flag, origin
			return nil
		}
		if err := p.set(flag, origin, "true"); err != nil {
			return err
		}
	}
	return nil
}

// plain takes the name of a command or an argument.
func (p *parser) plain(word string) error {
	current := p.command()
	sub := current.find(word)
	switch {
	case sub != nil && len(p.args) == 0:
		p.path = append(p.path, sub)
		return p.carry()
	case current.takesArgs():
		p.args = append(p.args, word)
		return nil
	}
	return p.unknownCommand(word)
}

// carry holds flags that stood before the name of a subcommand to be flags of
// it too: that is the one that runs.
func (p *parser) carry() error {
	for i, s := range p.settings {
		name := s.flag.Names()[0]
		if slices.Contains(p.path[0].flags, s.flag) {
			continue
		}
		if p.settings[i].flag = p.flag(name); p.settings[i].flag == nil {
			return p.unknownFlag("--"+name, name)
		}
	}
	return nil
}

// set notes a flag's value after checking it. Origin is where it comes from,
// for messages.
func (p *parser) set(flag cli.Flag, origin, value string) error {
	value, err := canonical(flag, origin, value)
	if err != nil {
		return err
	}
	p.settings = append(p.settings, setting{flag, value})
	return nil
}

// canonical checks a value and writes it the way that urfave/cli reads it
// without surprise: it would take 010 for eight.
func canonical(flag cli.Flag, origin, value string) (string, error) {
	switch flag := flag.(type) {
	case *choiceFlag:
		if !slices.Contains(flag.choices, value) {
			return "", usagef("%s %q is not known; use %s", origin, value, orList(flag.choices)).suggest(value, flag.choices)
		}
	case *cli.BoolFlag:
		on, err := strconv.ParseBool(value)
		if err != nil {
			return "", usagef("%s %q is neither true nor false", origin, value)
		}
		return strconv.FormatBool(on), nil
	case *sizeFlag:
		if _, err := parseSize(value); err != nil {
			return "", usagef("%s %q %w", origin, value, err)
		}
	case *cli.Float64Flag:
		n, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return "", usagef("%s %q is no number", origin, value)
		}
	case *cli.IntFlag:
		n, err := strconv.Atoi(value)
		if err != nil {
			return "", usagef("%s %q is no whole number", origin, value)
		}
		return strconv.Itoa(n), nil
	case *cli.DurationFlag:
		if _, err := time.ParseDuration(value); err != nil {
			return "", usagef("%s %q is no duration such as 30s or 5m", origin, value)
		}
	}
	return value, nil
}

// finish judges the line once its last word was read.
func (p *parser) finish() error {
	current := p.command()
	switch {
	case p.pending != nil:
		return p.missingValue()
	case p.on("help") || p.on("version"):
		return nil
	case !current.takesArgs() && len(current.subcommands) > 0 && len(p.args) > 0:
		return usagef("%q comes before any command; \"--\" ends commands and flags", p.args[0]).hintf("%s", p.helpHint())
	case !current.takesArgs() && len(p.path) > 1 && len(current.subcommands) > 0:
		return usagef("%s needs a command: %s", p.name(), orList(names(current.visible()))).hintf("%s", p.helpHint())
	}
	return p.countArgs()
}

func (p *parser) countArgs() error {
	current := p.command()
	switch {
	case len(p.args) < current.minArgs:
		return usagef("%s needs %s", p.name(), current.usage).hintf("%s", p.helpHint())
	case current.maxArgs == anyArgs || len(p.args) <= current.maxArgs:
		return nil
	case len(current.subcommands) > 0:
		return p.extraArg().suggest(p.args[0], names(current.visible()))
	case current.maxArgs == 0:
		return usagef("%s takes no arguments, %q is one", p.name(), p.args[0]).hintf("%s", p.helpHint())
	}
	return p.extraArg()
}

func (p *parser) extraArg() *usageError {
	current := p.command()
	return usagef("%q is one argument too many for %s %s", p.args[current.maxArgs], p.name(), current.usage).
		hintf("%s", p.helpHint())
}

// command gives the command that was named.
func (p *parser) command() *command { return p.path[len(p.path)-1] }

// line gives the words that name the command: "skilltool rule list".
func (p *parser) line() string { return strings.Join(names(p.path), " ") }

// name gives them as a message names the command, behind the program's name.
func (p *parser) name() string { return strings.Join(names(p.path[min(1, len(p.path)-1):]), " ") }

// flag finds a flag of the command or a global one by one of its names.
func (p *parser) flag(name string) cli.Flag {
	for _, flag := range p.flags() {
		if slices.Contains(flag.Names(), name) {
			return flag
		}
	}
	return nil
}

// flags gives the flags that may stand here.
func (p *parser) flags() []cli.Flag {
	if len(p.path) == 1 {
		return p.path[0].flags
	}
	return slices.Concat(p.command().flags, p.path[0].flags)
}

// on reports whether the flag, one that is on or off, is on.
func (p *parser) on(name string) bool { return p.last(name) == "true" }

// last gives the value that the flag was given last, or "".
func (p *parser) last(name string) string {
	for _, s := range slices.Backward(p.settings) {
		if s.flag.Names()[0] == name {
			return s.value
		}
	}
	return ""
}

// argv gives the line for urfave/cli: commands and each flag in its long form.
// Global flags and arguments are not in it, they go into env; an argument could
// be taken for the name of a subcommand.
func (p *parser) argv() []string {
	argv := names(p.path)
	for _, s := range p.settings {
		if !slices.Contains(p.path[0].flags, s.flag) {
			argv = append(argv, "--"+s.flag.Names()[0]+"="+s.value)
		}
	}
	return argv
}

func (p *parser) unknownCommand(word string) error {
	candidates := names(p.command().visible())
	err := usagef("%q is no command of %s", word, p.name()).suggest(word, candidates)
	if strings.ContainsAny(word, `./\`) {
		return err.hintf("to check a path: skilltool validate %s", word)
	}
	return err.hintf("%s", p.helpHint())
}

// unknownFlag reports a flag that does not exist here. A short word such as -1
// may be meant as an argument.
func (p *parser) unknownFlag(word, name string) error {
	written, _, _ := strings.Cut(word, "=")
	err := usagef("%s has no flag %q", p.name(), written).suggest("--"+name, p.longNames())
	switch {
	case len(p.path) == 1:
		return err.hintf("flags of a command stand behind it: skilltool COMMAND %s", written)
	case strings.HasPrefix(word, "--"):
		return err.hintf("%s", p.helpHint())
	}
	return err.hintf(`write "--" before arguments that start with "-"`)
}

func (p *parser) longNames() []string {
	var long []string
	for _, flag := range p.flags() {
		for _, name := range flag.Names() {
			if len(name) > 1 {
				long = append(long, "--"+name)
			}
		}
	}
	return long
}

func (p *parser) helpHint() string {
	return "for help, run: " + p.line() + " --help"
}

// takesValue reports whether flag wants a word behind it.
func takesValue(flag cli.Flag) bool {
	documented, ok := flag.(cli.DocGenerationFlag)
	return ok && documented.TakesValue()
}

func names(commands []*command) []string {
	list := make([]string, len(commands))
	for i, c := range commands {
		list[i] = c.name
	}
	return list
}

// orList joins words as in "a, b or c".
func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
