package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// testRoot is a command line with one flag of each kind. Its action prints
// what reached it.
func testRoot() *command {
	root := rootCommand()
	root.subcommands = []*command{
		{
			name: "check", aliases: []string{"ck"}, usage: "[PATH...]", maxArgs: anyArgs,
			flags: []cli.Flag{
				&cli.BoolFlag{Name: "strict", Aliases: []string{"s"}},
				&cli.BoolFlag{Name: "no-fail"},
				&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE`"},
				&cli.StringSliceFlag{Name: "select"},
				&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}},
				&cli.DurationFlag{Name: "timeout"},
				&choiceFlag{
					StringFlag: &cli.StringFlag{Name: "format", Aliases: []string{"f"}, Value: "text"},
					choices:    []string{"text", "json"},
				},
			},
			completeFlag: map[string]completer{"select": words("name-charset", "name-length", "spec")},
			action:       printCall,
		},
		{name: "one", usage: "NAME", minArgs: 1, maxArgs: 1, action: printCall},
		{name: "group", subcommands: []*command{{name: "list", action: printCall}, {name: "show", action: printCall}}},
		{
			name: "open", usage: "TARGET", maxArgs: 1, takesProgram: true, action: printCall,
			flags: []cli.Flag{
				&cli.BoolFlag{Name: "strict"},
				&sizeFlag{&cli.StringFlag{Name: "size"}},
				&cli.Float64Flag{Name: "rate"},
				&cli.BoolFlag{Name: "own"},
			},
			subcommands: []*command{{
				name: "list", usage: "TARGET", maxArgs: 1, takesProgram: true, action: printCall,
				flags: []cli.Flag{&cli.BoolFlag{Name: "strict"}, &sizeFlag{&cli.StringFlag{Name: "size"}}},
			}},
		},
		{name: "boom", action: func(*cli.Context, *env) error { panic("boom\x1b") }},
		{name: "fail", action: func(*cli.Context, *env) error { return errors.New("no luck\nat all") }},
		{name: "stop", action: func(*cli.Context, *env) error { return cli.Exit("stopped", 7) }},
		{name: "findings", action: func(*cli.Context, *env) error { return exitStatus(exitFindings) }},
		completeCommand(),
		helpCommand(),
	}
	return root
}

func printCall(c *cli.Context, e *env) error {
	fmt.Fprintf(e.stdout, "%s", c.Command.Name)
	for _, flag := range c.Command.Flags {
		name := flag.Names()[0]
		if c.IsSet(name) {
			fmt.Fprintf(e.stdout, " %s=%v", name, valueOf(c, flag))
		}
	}
	fmt.Fprintf(e.stdout, " %q", e.args)
	if e.program != nil {
		fmt.Fprintf(e.stdout, " program=%q", e.program)
	}
	if e.quiet {
		fmt.Fprint(e.stdout, " quiet")
	}
	if e.verbose {
		fmt.Fprint(e.stdout, " verbose")
	}
	_, err := fmt.Fprintf(e.stdout, " color=%s\n", e.color)
	return err
}

func valueOf(c *cli.Context, flag cli.Flag) any {
	name := flag.Names()[0]
	if _, ok := flag.(*cli.StringSliceFlag); ok {
		return fmt.Sprintf("%q", c.StringSlice(name))
	}
	return c.Value(name)
}

// call runs a line on testRoot.
func call(environment map[string]string, line ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	e := &env{
		stdin: strings.NewReader(""), stdout: &out, stderr: &errs, color: "auto",
		getenv: func(name string) string { return environment[name] },
		root:   testRoot(),
	}
	ctx := context.Background()
	code = conclude(ctx, e, run(ctx, e, line))
	return out.String(), errs.String(), code
}

func TestLine(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"check", `check [] color=auto`},
		{"ck a", `check ["a"] color=auto`},

		// Flags stand anywhere, in every form.
		{"check a --strict b", `check strict=true ["a" "b"] color=auto`},
		{"check a --output x b", `check output=x ["a" "b"] color=auto`},
		{"check a --output=x b", `check output=x ["a" "b"] color=auto`},
		{"check --output= a", `check output= ["a"] color=auto`},
		{"check -o x -s a", `check strict=true output=x ["a"] color=auto`},
		{"check -so x a", `check strict=true output=x ["a"] color=auto`},
		{"check -sox a", `check strict=true output=x ["a"] color=auto`},
		{"check -so=x a", `check strict=true output=x ["a"] color=auto`},
		{"check a -j2", `check jobs=2 ["a"] color=auto`},
		{"check --strict=false", `check strict=false [] color=auto`},
		{"check -s=false", `check strict=false [] color=auto`},

		// Global flags are hoisted from anywhere.
		{"-q check a", `check ["a"] quiet color=auto`},
		{"check a -q", `check ["a"] quiet color=auto`},
		{"check -qv a", `check ["a"] quiet verbose color=auto`},
		{"check -qs a", `check strict=true ["a"] quiet color=auto`},
		{"--color never check", `check [] color=never`},
		{"check --color=always", `check [] color=always`},
		{"group -q list", `list [] quiet color=auto`},
		{"group list --color never", `list [] color=never`},

		// Subcommands beside arguments, and the command line of a program.
		{"open a", `open ["a"] color=auto`},
		{"open list", `list [] color=auto`},
		{"open list list", `list ["list"] color=auto`},
		{"open a --strict", `open strict=true ["a"] color=auto`},
		{"open --strict --size 4KiB list a", `list strict=true size=4KiB ["a"] color=auto`},
		{"open -- list --strict -q --help", `open [] program=["list" "--strict" "-q" "--help"] color=auto`},
		{"open --strict list -- run --no-such -- x", `list strict=true [] program=["run" "--no-such" "--" "x"] color=auto`},
		{"open list a -- run", `list ["a"] program=["run"] color=auto`},
		{"open --", `open [] program=[] color=auto`},
		{"open --rate 0.5 a", `open rate=0.5 ["a"] color=auto`},

		// Negation, unless a flag is really called so.
		{"check --strict --no-strict", `check strict=false [] color=auto`},
		{"check --no-fail", `check no-fail=true [] color=auto`},
		{"check -q --no-quiet", `check [] color=auto`},

		// The last one wins; lists take each, commas and all.
		{"check --output a --output b", `check output=b [] color=auto`},
		{"check -o a --output b", `check output=b [] color=auto`},
		{"check --color never --color always", `check [] color=always`},
		{"check --select a,b --select c", `check select=["a,b" "c"] [] color=auto`},

		// Values may start with a hyphen, and "-" is an argument.
		{"check --output -", `check output=- [] color=auto`},
		{"check --output -x-", `check output=-x- [] color=auto`},
		{"check --jobs -1", `check jobs=-1 [] color=auto`},
		{"check -", `check ["-"] color=auto`},

		// Numbers are decimal.
		{"check --jobs 010", `check jobs=10 [] color=auto`},

		// Behind the first "--" everything is an argument.
		{"check -- --strict", `check ["--strict"] color=auto`},
		{"check a -- -q -- b", `check ["a" "-q" "--" "b"] color=auto`},
		{"check --", `check [] color=auto`},
		{"check --strict -- strict", `check strict=true ["strict"] color=auto`},
		{"one -- --help", `one ["--help"] color=auto`},

		// Arguments that are called like commands.
		{"check help", `check ["help"] color=auto`},
		{"check h", `check ["h"] color=auto`},
		{"check check", `check ["check"] color=auto`},
		{"one list", `one ["list"] color=auto`},
	} {
		stdout, stderr, code := call(nil, strings.Fields(test.line)...)
		if stdout != test.want+"\n" || stderr != "" || code != exitOK {
			t.Errorf("%s:\n got %s%s (exit %d)\nwant %s", test.line, stdout, stderr, code, test.want)
		}
	}
}

// TestMistakes holds that a mistake prints at most three lines on stderr,
// nothing on stdout, and exits with 2.
func TestMistakes(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"chekc", `"chekc" is no command of skilltool | did you mean "check"? | for help, run: skilltool --help`},
		{"qqqqqq", `"qqqqqq" is no command of skilltool | for help, run: skilltool --help`},
		{"./skills", `"./skills" is no command of skilltool | to check a path: skilltool validate ./skills`},
		{"group lst", `"lst" is no command of group | did you mean "list"? | for help, run: skilltool group --help`},
		{"group help", `"help" is no command of group | for help, run: skilltool group --help`},
		{"group", `group needs a command: list or show | for help, run: skilltool group --help`},
		{"group -- list", `"list" comes before any command; "--" ends commands and flags | for help, run: skilltool group --help`},
		{"-- check", `"check" comes before any command; "--" ends commands and flags | for help, run: skilltool --help`},
		{"check --strcit", `check has no flag "--strcit" | did you mean "--strict"? | for help, run: skilltool check --help`},
		{"check a b --bad", `check has no flag "--bad" | for help, run: skilltool check --help`},
		{"check --bad=secret", `check has no flag "--bad" | for help, run: skilltool check --help`},
		{"check -strict", `check has no flag "-strict" | did you mean "--strict"? | write "--" before arguments that start with "-"`},
		{"check -1", `check has no flag "-1" | write "--" before arguments that start with "-"`},
		{"check --no-output", `check has no flag "--no-output" | did you mean "--output"? | for help, run: skilltool check --help`},
		{"check --no-strict=1", `--no-strict takes no value | for help, run: skilltool check --help`},
		{"check --s", `check has no flag "--s" | for help, run: skilltool check --help`},
		{"check --generate-bash-completion", `check has no flag "--generate-bash-completion" | for help, run: skilltool check --help`},
		{"--strict check", `skilltool has no flag "--strict" | flags of a command stand behind it: skilltool COMMAND --strict`},
		{"check --output", `--output needs a value | for help, run: skilltool check --help`},
		{"check -o", `-o needs a value | for help, run: skilltool check --help`},
		{"check --output --", `--output needs a value | for help, run: skilltool check --help`},
		{"check --output --strict", `--output needs a value | --strict is a flag; write --output=--strict if it is meant as the value`},
		{"check --output -q", `--output needs a value | -q is a flag; write --output=-q if it is meant as the value`},
		{"check --format jsn", `--format "jsn" is not known; use text or json | did you mean "json"?`},
		{"check -f=", `-f "" is not known; use text or json`},
		{"check --jobs two", `--jobs "two" is no whole number`},
		{"check -j 1.5", `-j "1.5" is no whole number`},
		{"check --timeout 5", `--timeout "5" is no duration such as 30s or 5m`},
		{"check --strict=maybe", `--strict "maybe" is neither true nor false`},
		{"--color", `--color needs a value | for help, run: skilltool --help`},
		{"one", `one needs NAME | for help, run: skilltool one --help`},
		{"one a b", `"b" is one argument too many for one NAME | for help, run: skilltool one --help`},
		{"group list a", `group list takes no arguments, "a" is one | for help, run: skilltool group list --help`},
		{"open a b", `"b" is one argument too many for open TARGET | for help, run: skilltool open --help`},
		{"open lst a", `"a" is one argument too many for open TARGET | did you mean "list"? | for help, run: skilltool open --help`},
		{"open --own list a", `open list has no flag "--own" | for help, run: skilltool open list --help`},
		{"open --size 4Q", `--size "4Q" is no size such as 4096, 64KiB, 16MiB or 4GiB`},
		{"open --size 0", `--size "0" is no size such as 4096, 64KiB, 16MiB or 4GiB`},
		{"open --rate fast", `--rate "fast" is no number`},
		{"open --rate NaN", `--rate "NaN" is no number`},
		{"help chekc", `"chekc" is no command of skilltool | did you mean "check"? | for help, run: skilltool --help`},
		{"check -C /no/such/directory", `--chdir: chdir /no/such/directory: no such file or directory`},
	} {
		stdout, stderr, code := call(nil, strings.Fields(test.line)...)
		want := "skilltool: " + strings.ReplaceAll(test.want, " | ", "\n  ") + "\n"
		if stdout != "" || stderr != want || code != exitFailure {
			t.Errorf("%s:\n got %q and %q (exit %d)\nwant %q", test.line, stdout, stderr, code, want)
		}
	}
}

func TestControlCharactersInMistakes(t *testing.T) {
	for _, word := range []string{"\x1b[31m", "--\x1b]0;title\a", "./\u202egpj\n", "\xff"} {
		_, stderr, _ := call(nil, word)
		if strings.ContainsAny(stderr, "\x1b\a\u202e") || !utf8.ValidString(stderr) || strings.Count(stderr, "\n") > 3 {
			t.Errorf("%q reaches the terminal: %q", word, stderr)
		}
	}
}

func TestEnvironment(t *testing.T) {
	for _, test := range []struct {
		environment map[string]string
		line        string
		want        string
	}{
		{map[string]string{"SKILLTOOL_COLOR": "never"}, "check", "check [] color=never\n"},
		{map[string]string{"SKILLTOOL_COLOR": "never"}, "check --color always", "check [] color=always\n"},
		{map[string]string{"SKILLTOOL_COLOR": ""}, "check", "check [] color=auto\n"},
		{map[string]string{"SKILLTOOL_QUIET": "1"}, "check", "check [] quiet color=auto\n"},
		{map[string]string{"SKILLTOOL_QUIET": "1"}, "check --no-quiet", "check [] color=auto\n"},
		{map[string]string{"SKILLTOOL_HELP": "1", "SKILLTOOL_VERSION": "1"}, "check", "check [] color=auto\n"},
		{map[string]string{"SKILLTOOL_COLOR": "nver"}, "check",
			"skilltool: SKILLTOOL_COLOR \"nver\" is not known; use auto, always or never\n  did you mean \"never\"?\n"},
		{map[string]string{"SKILLTOOL_VERBOSE": "2"}, "check",
			"skilltool: SKILLTOOL_VERBOSE \"2\" is neither true nor false\n"},
	} {
		stdout, stderr, _ := call(test.environment, strings.Fields(test.line)...)
		if stdout+stderr != test.want {
			t.Errorf("%v %s:\n got %q\nwant %q", test.environment, test.line, stdout+stderr, test.want)
		}
	}
}

func TestOutcomes(t *testing.T) {
	for _, test := range []struct {
		line   string
		stderr string
		code   int
	}{
		{"findings", "", exitFindings},
		{"fail", "skilltool: no luck\\nat all\n", exitFailure},
		// The library would end the process here.
		{"stop", "skilltool: stopped\n", exitFailure},
		{"boom", "skilltool: internal error: boom\\x1b\n  please report it with the command line: " + issuesURL + "\n", exitFailure},
	} {
		stdout, stderr, code := call(nil, test.line)
		if stdout != "" || stderr != test.stderr || code != test.code {
			t.Errorf("%s: got %q, %q, exit %d", test.line, stdout, stderr, code)
		}
	}
	if _, stderr, _ := call(nil, "boom", "-v"); !strings.Contains(stderr, "parser_test.go") {
		t.Errorf("boom -v prints no stack: %s", stderr)
	}
}

func TestHelpIsTheSameEverywhere(t *testing.T) {
	want, _, code := call(nil, "help", "check")
	if code != exitOK || !strings.HasPrefix(want, "skilltool check") {
		t.Fatalf("help check gives %q, exit %d", want, code)
	}
	for _, line := range []string{"check --help", "check -h", "--help check", "check a -qh", "check a --help b"} {
		if got, _, code := call(nil, strings.Fields(line)...); got != want || code != exitOK {
			t.Errorf("%s: exit %d, got %q, want %q", line, code, got, want)
		}
	}
	if bare, _, code := call(nil); code != exitOK || !strings.HasPrefix(bare, "skilltool - ") {
		t.Errorf("no word at all gives %q, exit %d", bare, code)
	}
	if group, _, code := call(nil, "group", "-h"); code != exitOK || !strings.Contains(group, "list") {
		t.Errorf("group -h gives %q, exit %d", group, code)
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var errs bytes.Buffer
	e := &env{stderr: &errs}
	in := &input{ctx, blockingReader{}}
	time.AfterFunc(time.Millisecond, cancel)
	_, err := in.Read(make([]byte, 1))
	if code := conclude(ctx, e, err); code != exitInterrupted || errs.String() != "skilltool: interrupted\n" {
		t.Errorf("an interrupted read gives exit %d and %q", code, errs.String())
	}
}

type blockingReader struct{}

func (blockingReader) Read([]byte) (int, error) { select {} }

func TestFullDisk(t *testing.T) {
	var errs bytes.Buffer
	code := Main([]string{"skilltool", "version"}, strings.NewReader(""), brokenWriter{}, &errs)
	if code != exitFailure || errs.String() != "skilltool: writing standard output: no space\n" {
		t.Errorf("a failed write gives exit %d and %q", code, errs.String())
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space") }

func FuzzParse(f *testing.F) {
	f.Add("check --strict a\x00-qv\x00--")
	f.Fuzz(func(t *testing.T, joined string) {
		p, err := parse(testRoot(), strings.Split(joined, "\x00"), func(string) string { return "" })
		if err != nil {
			if _, ok := err.(*usageError); !ok || strings.Count(err.(*usageError).lines(), "\n") > 3 {
				t.Fatalf("%q: %v is no short usage error", joined, err)
			}
			return
		}
		if argv := p.argv(); argv[0] != "skilltool" || !slices.Contains(argv, "--") {
			t.Fatalf("%q gives %q", joined, argv)
		}
	})
}
