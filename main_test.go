package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/skilltool/skilltool/cmd"
)

var update = flag.Bool("update", false, "rewrite the wanted output in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"skilltool": func() { os.Exit(cmd.Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the tool as a user does: every script in testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			// Scripts see neither the colours nor the settings of whoever runs them.
			e.Setenv("NO_COLOR", "1")
			// Under the race detector each process would wait a second at its end.
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			// The language of scripts has no line break.
			e.Setenv("TWO_LINES", "one\ntwo")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "scrub": scrub},
	})
}

// exits runs a program that has to end with an exit code: "exits 2 skilltool x".
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARGUMENT...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if exit, ok := err.(*exec.ExitError); ok {
		code = strconv.Itoa(exit.ExitCode())
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// scrub writes the last standard output to a file, with /work for the folder
// that the script runs in: "scrub FILE".
func scrub(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: scrub FILE")
	}
	work, err := filepath.EvalSymlinks(ts.Getenv("WORK"))
	ts.Check(err)
	text := strings.ReplaceAll(ts.ReadFile("stdout"), filepath.ToSlash(work), "/work")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}
