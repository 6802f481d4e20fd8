package cmd

import (
	"embed"
	"slices"

	"github.com/urfave/cli/v2"
)

// scripts holds one completion script for each shell. They ask the hidden
// command __complete what fits.
//
//go:embed completions
var scripts embed.FS

// shells are those with a script.
var shells = []string{"bash", "zsh", "fish", "powershell"}

func completionCommand() *command {
	return &command{
		name:    "completion",
		usage:   "SHELL",
		summary: "print a completion script for a shell",
		description: "The script completes commands, flags, their values and paths. " +
			"It runs skilltool to do so, which never starts a command.",
		arguments:   []argument{{"SHELL", orList(shells)}},
		minArgs:     1,
		maxArgs:     1,
		completeArg: words(shells...),
		examples: []example{
			{"bash, in ~/.bashrc", "source <(skilltool completion bash)"},
			{"zsh, into a directory of $fpath", "skilltool completion zsh > ~/.zfunc/_skilltool"},
			{"fish", "skilltool completion fish > ~/.config/fish/completions/skilltool.fish"},
			{"PowerShell, in $PROFILE", "skilltool completion powershell | Out-String | Invoke-Expression"},
		},
		exits:  []exitCode{{exitOK, "the script was printed"}, {exitFailure, "no script for that shell"}},
		action: runCompletion,
	}
}

func runCompletion(_ *cli.Context, e *env) error {
	shell := e.args[0]
	if !slices.Contains(shells, shell) {
		return usagef("there is no script for %q; use %s", shell, orList(shells)).suggest(shell, shells)
	}
	script, err := scripts.ReadFile("completions/" + shell)
	if err != nil {
		return err
	}
	_, err = e.stdout.Write(script)
	return err
}
