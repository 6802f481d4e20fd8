package cmd

import (
	"fmt"
	"strings"

	"github.com/skilltool/skilltool/internal/near"
	"github.com/skilltool/skilltool/internal/term"
)

// The exit codes that all commands share.
const (
	exitOK          = 0
	exitFindings    = 1
	exitFailure     = 2
	exitInterrupted = 130
)

// exitStatus is the error of an action that has said all there is to say and
// wants this exit code.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// usageError is a mistake on the command line. It comes out as at most three
// lines on stderr, and exit code 2.
type usageError struct {
	err error
	// suggestion is the word that was probably meant, or "".
	suggestion string
	// hint says where to read more, or how to write it; it may be empty.
	hint string
}

// usagef makes a usageError.
func usagef(format string, args ...any) *usageError {
	return &usageError{err: fmt.Errorf(format, args...)}
}

// suggest adds the candidate that is nearest to word, if any is near.
func (u *usageError) suggest(word string, candidates []string) *usageError {
	u.suggestion = near.Word(word, candidates)
	return u
}

// hintf adds a hint.
func (u *usageError) hintf(format string, args ...any) *usageError {
	u.hint = fmt.Sprintf(format, args...)
	return u
}

func (u *usageError) Error() string { return u.err.Error() }

func (u *usageError) Unwrap() error { return u.err }

// lines gives the whole message.
func (u *usageError) lines() string {
	var b strings.Builder
	fmt.Fprintf(&b, "skilltool: %s\n", term.Escape(u.Error()))
	if u.suggestion != "" {
		fmt.Fprintf(&b, "  did you mean %q?\n", u.suggestion)
	}
	if u.hint != "" {
		fmt.Fprintf(&b, "  %s\n", term.Escape(u.hint))
	}
	return b.String()
}

// internalError is a panic: a fault of the tool.
type internalError struct {
	fault any
	stack []byte
}

func (i *internalError) Error() string { return fmt.Sprint(i.fault) }

// lines gives the message, with the stack if verbose.
func (i *internalError) lines(verbose bool) string {
	text := fmt.Sprintf("skilltool: internal error: %s\n  please report it with the command line: %s\n",
		term.Escape(i.Error()), issuesURL)
	if verbose {
		text += string(i.stack)
	}
	return text
}
