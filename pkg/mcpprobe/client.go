package mcpprobe

import (
	"context"
	"errors"
	"iter"
)

// ListSkills asks for the entries of all skills, page by page, and reads no
// file (C-2). It ends at the first error: an *RPCError, *UnsupportedError,
// *InputRequiredError, *LimitError, *ClosedError or *MalformedError. Entries
// with problems are given like all others; what is not even an object is an
// Entry with a Problem.
func (c *Client) ListSkills(ctx context.Context) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) { yield(nil, errors.New("not there yet")) }
}

// GetSkill asks for the entry of one skill, listed or not, by the URI of its
// SKILL.md. The errors are those of ListSkills.
func (c *Client) GetSkill(ctx context.Context, uri string) (*Entry, error) {
	return nil, errors.New("not there yet")
}

// File is a file that was read.
type File struct {
	URI      string
	MIMEType string
	Content  []byte
	// Verified is false for a file of a dynamic skill (C-4).
	Verified bool
}

// ReadFile reads a file of a skill and verifies it against the entry, in the
// order of C-3: the URI is listed and the size within bounds, or nothing is
// requested; then size, digest, and for SKILL.md the frontmatter. What fails is
// a *VerificationError without content. A file of a dynamic skill comes with
// Verified false. The other errors are those of ListSkills.
func (c *Client) ReadFile(ctx context.Context, e *Entry, uri string) (*File, error) {
	return nil, errors.New("not there yet")
}

// Child is a direct child of a directory.
type Child struct {
	URI, Name, MIMEType string
	// Size is -1 where the server gives none.
	Size int64
	// Dir says that the child is a directory.
	Dir bool
}

// ReadDirectory asks for the children of a directory, page by page. Without
// directoryRead nothing is sent, and the error is an *UnsupportedError (C-1).
func (c *Client) ReadDirectory(ctx context.Context, uri string) iter.Seq2[Child, error] {
	return func(yield func(Child, error) bool) { yield(Child{}, errors.New("not there yet")) }
}
