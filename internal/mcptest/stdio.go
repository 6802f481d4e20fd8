package mcptest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// maxLine bounds one message of a client, in bytes.
const maxLine = 4 << 20

// Serve serves one client over a pair of streams, a message on each line, until
// the client's stream ends, or ctx does. It panics at options that are wrong.
func Serve(ctx context.Context, o Options, r io.Reader, w io.Writer) error {
	return mustNew(o).Serve(ctx, r, w)
}

func mustNew(o Options) *Server {
	s, err := New(o)
	if err != nil {
		panic(err)
	}
	return s
}

// Serve is what the function Serve does.
func (s *Server) Serve(ctx context.Context, r io.Reader, w io.Writer) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	lines := readLines(ctx, r)
	out := &lineSink{w: w}
	n := &session{}
	var work sync.WaitGroup
	defer work.Wait()
	for {
		select {
		case <-ctx.Done():
			return cause(ctx)
		case line, ok := <-lines:
			if !ok {
				// What was asked for is still answered, but not waited for.
				defer time.AfterFunc(grace, func() { stop(nil) }).Stop()
				work.Wait()
				return cause(ctx)
			}
			work.Go(func() {
				if err := s.line(ctx, n, line, out); err != nil && !errors.Is(err, errSilence) {
					stop(err)
				}
			})
		}
	}
}

// grace is how long answers may take once nobody asks any more.
const grace = 300 * time.Millisecond

// cause gives the error that ended a server, nil for its client or its caller.
func cause(ctx context.Context) error {
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// line answers one message. Nothing else is written while its answer is, and
// nothing any more once the server has died in the middle of it.
func (s *Server) line(ctx context.Context, n *session, line []byte, out *lineSink) (err error) {
	held := false
	defer func() {
		if held {
			out.dead = out.dead || errors.Is(err, errDeath)
			out.mu.Unlock()
		}
	}()
	return s.reply(ctx, n, line, func(*call, error) sink {
		out.mu.Lock()
		held = true
		return out
	})
}

// lineSink writes each message as a line.
type lineSink struct {
	mu   sync.Mutex
	w    io.Writer
	dead bool
}

func (l *lineSink) write(p []byte) error {
	if l.dead {
		return errDeath
	}
	_, err := l.w.Write(p)
	return err
}

func (l *lineSink) several() bool { return true }

func (l *lineSink) end() error { return l.write([]byte("\n")) }

// readLines reads messages until the stream ends.
func readLines(ctx context.Context, r io.Reader) <-chan []byte {
	lines := make(chan []byte)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(r)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			select {
			case lines <- bytes.Clone(scanner.Bytes()):
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}
