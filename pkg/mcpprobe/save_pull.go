package mcpprobe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/skilltool/skilltool/pkg/digest"
)

// Pulled says what came of a skill that was pulled.
type Pulled struct {
	Saved
	// Entry is the one that the files were verified against.
	Entry *Entry
	// Refetched says that the entry was stale, and was fetched again (C-12).
	Refetched bool
}

// Pull reads a skill and saves it as a whole. It asks for as little as it can:
// first for SKILL.md, and for nothing else of a skill whose SKILL.md does not
// verify. An entry that breaks a MUST is not read at all. Where a file does not
// fit its entry, the entry is fetched again, once, and if it changed everything
// begins anew with that (C-12).
//
// approve, where it is not nil, refuses entries before anything is asked for.
// The errors are those of ReadFile, of Saver, and of approve. A skill that was
// not saved leaves nothing behind.
func (c *Client) Pull(ctx context.Context, s *Saver, e *Entry, approve func(*Entry) error) (*Pulled, error) {
	pulled, err := c.pullOnce(ctx, s, e, approve)
	if !maybeStale(err) {
		return pulled, err
	}
	fresh, getErr := c.GetSkill(ctx, e.URI)
	if getErr != nil || sameEntry(e, fresh) {
		return nil, err
	}
	if pulled, err = c.pullOnce(ctx, s, fresh, approve); err != nil {
		return nil, fmt.Errorf("its entry has changed since it was listed: %w", err)
	}
	pulled.Refetched = true
	return pulled, nil
}

// maybeStale reports an error that an entry gives which does not hold any more.
func maybeStale(err error) bool {
	var verification *VerificationError
	var rpc *RPCError
	return errors.As(err, &rpc) || errors.As(err, &verification) && verification.Part != PartURI
}

// sameEntry reports whether two entries promise the same.
func sameEntry(a, b *Entry) bool {
	return a.Dynamic == b.Dynamic && len(compareSets(a.Resources, b.Resources)) == 0 &&
		bytes.Equal(a.Frontmatter, b.Frontmatter)
}

// pullOnce pulls with one entry.
func (c *Client) pullOnce(ctx context.Context, s *Saver, e *Entry, approve func(*Entry) error) (*Pulled, error) {
	for _, p := range e.Problems {
		if p.Check.Level == Must {
			return nil, fmt.Errorf("its entry breaks the specification (%s): %s", p.Check.ID, p.Message)
		}
	}
	if approve != nil {
		if err := approve(e); err != nil {
			return nil, err
		}
	}
	s.Discard(e.URI)
	_, err := s.skill(e) // what cannot be saved is not asked for
	if err == nil {
		err = c.pullFile(ctx, s, e, e.URI)
	}
	if err == nil {
		err = c.pullRest(ctx, s, e)
	}
	var saved *Saved
	if err == nil {
		saved, err = s.Commit(e.URI)
	}
	if err != nil {
		s.Discard(e.URI)
		return nil, err
	}
	return &Pulled{Saved: *saved, Entry: e}, nil
}

func (c *Client) pullFile(ctx context.Context, s *Saver, e *Entry, uri string) error {
	file, err := c.readNamed(ctx, e, uri)
	if err != nil {
		return err
	}
	return s.Add(e, uri, file.Content)
}

// readNamed is ReadFile, with errors about one file that say which one.
func (c *Client) readNamed(ctx context.Context, e *Entry, uri string) (*File, error) {
	file, err := c.ReadFile(ctx, e, uri)
	var verification *VerificationError
	var rpc *RPCError
	var malformed *MalformedError
	if errors.As(err, &verification) || errors.As(err, &rpc) || errors.As(err, &malformed) {
		err = fmt.Errorf("%s: %w", clip(uri), err)
	}
	return file, err
}

// pullRest reads the files besides SKILL.md.
func (c *Client) pullRest(ctx context.Context, s *Saver, e *Entry) error {
	if e.Dynamic {
		return c.pullDynamic(ctx, s, e)
	}
	var uris []string
	for _, r := range e.Resources {
		if r.URI != e.URI {
			uris = append(uris, r.URI)
		}
	}
	return c.pullFiles(ctx, s, e, uris)
}

// pullFiles reads files, several at a time. Files are begun in their order, none
// after one has failed, and those that were begun are waited for: so the error
// is that of the first file that fails, whichever answer comes first.
func (c *Client) pullFiles(ctx context.Context, s *Saver, e *Entry, uris []string) error {
	var (
		group  sync.WaitGroup
		mu     sync.Mutex
		next   int
		failed = make([]error, len(uris))
		stop   bool
	)
	begin := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		if stop || next == len(uris) {
			return 0, false
		}
		next++
		return next - 1, true
	}
	for range min(max(c.options.Concurrency, 1), len(uris)) {
		group.Go(func() {
			for i, ok := begin(); ok; i, ok = begin() {
				if err := c.pullFile(ctx, s, e, uris[i]); err != nil {
					mu.Lock()
					failed[i], stop = err, true
					mu.Unlock()
				}
			}
		})
	}
	group.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// pullDynamic reads the files of a dynamic skill that its directories show,
// where the server declares that they can be read. They are bounded by what a
// host must accept of one skill.
func (c *Client) pullDynamic(ctx context.Context, s *Saver, e *Entry) error {
	if !c.server.DirectoryRead {
		return nil
	}
	uris, err := c.walkDynamic(ctx, e)
	if err != nil {
		return err
	}
	var total int64
	for _, uri := range uris {
		file, err := c.readNamed(ctx, e, uri)
		if err != nil {
			return err
		}
		if total += int64(len(file.Content)); total > digest.MaxBytes {
			return fmt.Errorf("the dynamic skill has more than %s bytes", thousands(digest.MaxBytes))
		}
		if err := s.Add(e, uri, file.Content); err != nil {
			return err
		}
	}
	return nil
}

// walkDynamic gives the files below the directory of a dynamic skill, besides
// SKILL.md.
func (c *Client) walkDynamic(ctx context.Context, e *Entry) ([]string, error) {
	var files []string
	seen := map[string]bool{e.Dir: true, e.URI: true}
	for dirs := []string{e.Dir}; len(dirs) > 0; dirs = dirs[1:] {
		for child, err := range c.ReadDirectory(ctx, dirs[0]) {
			if err != nil {
				return nil, err
			}
			if seen[child.URI] {
				continue
			}
			seen[child.URI] = true
			if len(seen) > digest.MaxResources+2 {
				return nil, fmt.Errorf("the dynamic skill has more than %d files and folders", digest.MaxResources)
			}
			if child.Dir && within(e.Dir, child.URI) {
				dirs = append(dirs, child.URI)
			} else if !child.Dir {
				files = append(files, child.URI)
			}
		}
	}
	return files, nil
}
