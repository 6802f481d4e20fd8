package mcpprobe

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
)

// ListSkills asks for the entries of all skills, page by page, and reads no
// file (C-2). It ends at the first error: an *RPCError, *UnsupportedError,
// *InputRequiredError, *LimitError, *ClosedError or *MalformedError. Entries
// with problems are given like all others; what is not even an object is an
// Entry with a Problem.
func (c *Client) ListSkills(ctx context.Context) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		n := 0
		for item, err := range c.items(ctx, c.asker().pager(MethodList, "skills", nil)) {
			if err == nil && n == c.options.MaxSkills {
				err = &LimitError{Bound: "max-skills", Message: fmt.Sprintf("%s goes on after %s", MethodList, plural(n, "skill", "skills"))}
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if n++; !yield(ParseEntry(item), nil) {
				return
			}
		}
	}
}

// items gives the items of all pages. It ends at the first error.
func (c *Client) items(ctx context.Context, p *pager) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		for {
			found, err := p.next(ctx)
			if err != nil {
				yield(nil, err)
				return
			}
			if found == nil {
				return
			}
			for _, item := range found.items {
				if !yield(item, nil) {
					return
				}
			}
			if err := p.problem(found); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// asker gives an asker that takes no result of a type that the protocol does
// not know.
func (c *Client) asker() asker { return asker{client: c, strict: true} }

// GetSkill asks for the entry of one skill, listed or not, by the URI of its
// SKILL.md. The errors are those of ListSkills.
func (c *Client) GetSkill(ctx context.Context, uri string) (*Entry, error) {
	answer, err := c.asker().ask(ctx, MethodGet, map[string]any{"uri": uri}, maxPageBytes)
	if err != nil {
		return nil, err
	}
	raw := answer.members["skill"]
	if _, ok := object(raw); !ok {
		return nil, malformed("skill of %s is %s, not an object", MethodGet, described(raw))
	}
	e := ParseEntry(raw)
	if e.URI != uri {
		return nil, malformed("%s was asked for %q and answered with %q", MethodGet, clip(uri), clip(e.URI))
	}
	return e, nil
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
	want, err := c.admit(e, uri)
	if err != nil {
		return nil, err
	}
	answer, err := c.asker().ask(ctx, MethodRead, map[string]any{"uri": uri}, c.readLimit(want.Size))
	if err != nil {
		return nil, oversize(e, want, err)
	}
	contents := readContents(answer.members["contents"], uri)
	if err := contents.problem(e, uri); err != nil {
		return nil, err
	}
	item := contents.item
	if err := c.verifyFile(e, want, item); err != nil {
		return nil, err
	}
	return &File{URI: uri, MIMEType: item.mimeType, Content: item.content, Verified: !e.Dynamic}, nil
}

// Child is a direct child of a directory.
type Child struct {
	URI, Name, MIMEType string
	// Size is -1 where the server gives none.
	Size int64
	// Dir says that the child is a directory.
	Dir bool
}

// directoryType is the mimeType of directories (S-DIR1).
const directoryType = "inode/directory"

// ReadDirectory asks for the children of a directory, page by page. Without
// directoryRead nothing is sent, and the error is an *UnsupportedError (C-1).
func (c *Client) ReadDirectory(ctx context.Context, uri string) iter.Seq2[Child, error] {
	return func(yield func(Child, error) bool) {
		pages := c.asker().pager(MethodDirectory, "resources", map[string]any{"uri": uri})
		for item, err := range c.items(ctx, pages) {
			if err != nil {
				yield(Child{}, err)
				return
			}
			child, ok := readChild(item)
			if !ok {
				yield(Child{}, malformed("a child of %q is %s; it must be an object with a uri", clip(uri), described(item)))
				return
			}
			if !yield(child, nil) {
				return
			}
		}
	}
}

// readChild reads one child of a directory. ok is false where it has no URI.
func readChild(raw json.RawMessage) (child Child, ok bool) {
	members, _ := object(raw)
	child.Size = -1
	child.URI, _ = text(members["uri"])
	child.Name, _ = text(members["name"])
	child.MIMEType, _ = text(members["mimeType"])
	if n, problem := integer(members["size"]); problem == "" {
		child.Size = n.value
	}
	child.Dir = child.MIMEType == directoryType
	return child, child.URI != ""
}

// mediaType gives a MIME type without its parameters, in lower case.
func mediaType(mimeType string) string {
	essence, _, _ := strings.Cut(mimeType, ";")
	return strings.ToLower(strings.TrimSpace(essence))
}
