package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/skilltool/skilltool/cmd"
	"github.com/skilltool/skilltool/internal/mcptest"
)

var update = flag.Bool("update", false, "rewrite the wanted output in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"skilltool":   func() { os.Exit(cmd.Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) },
		"mcp-fixture": func() { os.Exit(mcptest.Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) },
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
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "scrub": scrub, "port": port, "gone": gone},
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

// durations are the times that reports for people hold.
var durations = regexp.MustCompile(`<1 ms|\b\d+ ms\b|\b\d+\.\d s\b`)

// scrub writes the last standard output to a file, with /work for the folder
// that the script runs in, and T for durations: "scrub FILE".
func scrub(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: scrub FILE")
	}
	work, err := filepath.EvalSymlinks(ts.Getenv("WORK"))
	ts.Check(err)
	text := strings.ReplaceAll(ts.ReadFile("stdout"), filepath.ToSlash(work), "/work")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), durations.ReplaceAll([]byte(text), []byte("T")), 0o666))
}

// port waits for a server that runs in the background to write its port, and
// keeps it in a variable: "port FILE VARIABLE".
func port(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: port FILE VARIABLE")
	}
	for end := time.Now().Add(portWait); ; time.Sleep(5 * time.Millisecond) {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil {
			ts.Setenv(args[1], string(text))
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("no server has written %s: %v", args[0], err)
		}
	}
}

// gone wants none of the processes to live that a server has written to a file,
// one number on each line: "gone FILE".
func gone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone FILE")
	}
	numbers := strings.Fields(ts.ReadFile(args[0]))
	if len(numbers) == 0 {
		ts.Fatalf("%s names no process", args[0])
	}
	for _, number := range numbers {
		pid, err := strconv.Atoi(number)
		ts.Check(err)
		for end := time.Now().Add(killWait); isAlive(pid); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				ts.Fatalf("the process %d is still there", pid)
			}
		}
	}
}

// killWait is how long a process that was killed may take to end: nobody waits
// for one whose parent is gone.
const killWait = 5 * time.Second

func isAlive(pid int) bool {
	process, err := os.FindProcess(pid)
	return err == nil && process.Signal(syscall.Signal(0)) == nil && !isZombie(pid)
}

// isZombie reports a process that has ended and is kept for a parent that does
// not ask: some machines have an init that does not.
func isZombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err == nil && strings.HasPrefix(state, "Z")
}

// portWait is how long a server may take to start on a machine that is busy.
const portWait = 20 * time.Second
