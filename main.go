// Command skilltool checks, packages and probes Agent Skills: directories with
// a SKILL.md that an agent loads when it needs them.
//
// Build it with
//
//	go build -trimpath .
//
// or install it with
//
//	go install github.com/skilltool/skilltool@latest
//
// "skilltool help" lists the commands; docs/cli.md holds the same text.
package main

//go:generate go test ./cmd -run TestGenerated -update

import (
	"os"

	"github.com/skilltool/skilltool/cmd"
)

func main() { os.Exit(cmd.Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) }
