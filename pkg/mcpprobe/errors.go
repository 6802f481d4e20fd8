package mcpprobe

import (
	"encoding/json"
	"errors"
	"fmt"
)

// The kinds of ConnectError.
var (
	// ErrUnreachable: nothing answers there, or what answered went away
	// before the handshake was done.
	ErrUnreachable = errors.New("the server cannot be reached")
	// ErrNotMCP: something answers, and it does not speak MCP.
	ErrNotMCP = errors.New("the peer does not speak MCP")
	// ErrRevision: the server speaks MCP, but no revision that was asked for.
	ErrRevision = errors.New("the server does not speak the revision asked for")
	// ErrCredentials: the server wants credentials, or refused those given.
	ErrCredentials = errors.New("the server wants credentials")
)

// ConnectError says why Connect gave no Client. errors.Is tells its kind:
// ErrUnreachable, ErrNotMCP, ErrRevision or ErrCredentials.
type ConnectError struct {
	Kind error
	// Message is one line for people.
	Message string
	// Challenge is the WWW-Authenticate header of a server that wants
	// credentials, or "".
	Challenge string
	// Stderr is the end of what a started server wrote to standard error.
	Stderr string
	// Err is the cause, or nil.
	Err error
}

func (e *ConnectError) Error() string { return e.Message }

func (e *ConnectError) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// ErrNotSupported is what an UnsupportedError is.
var ErrNotSupported = errors.New("not declared by the server")

// UnsupportedError says that the server has not declared what was asked for.
// Nothing was sent (C-1).
type UnsupportedError struct {
	// Feature is Extension or "directoryRead".
	Feature string
	// Message says what was seen instead.
	Message string
}

func (e *UnsupportedError) Error() string { return e.Message }

// Is reports ErrNotSupported.
func (e *UnsupportedError) Is(target error) bool { return target == ErrNotSupported }

// RPCError is an error that the server answered with.
type RPCError struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *RPCError) Error() string {
	return fmt.Sprintf("the server answered with error %d: %s", e.Code, oneLine(e.Message))
}

// The error codes that checks look at.
const (
	CodeInvalidParams    = -32602
	CodeMethodNotFound   = -32601
	CodeInternalError    = -32603
	CodeResourceNotFound = -32002 // before 2026-07-28
)

// Part says what of a file did not verify.
type Part string

// The parts, in the order in which they are checked (C-3).
const (
	PartURI         Part = "uri"
	PartSize        Part = "size"
	PartDigest      Part = "digest"
	PartFrontmatter Part = "frontmatter"
)

// VerificationError says that content is not what the held entry promised. The
// content is not given to anybody (C-3).
type VerificationError struct {
	Skill string // the skill's URI
	URI   string // the file's
	Part  Part
	// Want is what the entry has, Have what was seen.
	Want, Have string
	// Explanation names the harmless reason that fits, or is "".
	Explanation string
	Message     string
}

func (e *VerificationError) Error() string { return e.Message }

// InputRequiredError says that the server wants input before it answers (C-10).
type InputRequiredError struct {
	Method, URI string
	// Requests is what it asks for, as sent.
	Requests json.RawMessage
	// Keys are the keys of Requests, sorted.
	Keys []string
}

func (e *InputRequiredError) Error() string {
	return fmt.Sprintf("the server wants input before it answers %s", e.Method)
}

// LimitError says that a bound of Options ended something (C-11).
type LimitError struct {
	// Bound is the name of the bound, as the flag of the command line has it:
	// timeout, max-time, max-skills, max-pages, max-bytes, max-file-bytes.
	Bound string
	// Message says what was bounded, the bound, and what was seen.
	Message string
}

func (e *LimitError) Error() string { return e.Message }

// ClosedError says that the connection ended before the answer came.
type ClosedError struct {
	Message string
	// Stderr is the end of what a started server wrote to standard error.
	Stderr string
}

func (e *ClosedError) Error() string { return e.Message }

// MalformedError says that an answer is none of JSON-RPC, or cannot be read.
type MalformedError struct{ Message string }

func (e *MalformedError) Error() string { return e.Message }
