package cmd

import (
	"context"
	"io"
)

// output is standard output. It keeps the first error, so that a full disk is
// never taken for success, whoever was writing.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// Fd gives the descriptor below, so that the stream can be asked about its
// terminal, or one that is never valid.
func (o *output) Fd() uintptr {
	if f, ok := o.Writer.(interface{ Fd() uintptr }); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

// input is standard input. A read that waits ends when the context does.
type input struct {
	ctx    context.Context
	reader io.Reader
}

func (i *input) Read(p []byte) (int, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		// The buffer is the goroutine's own: after a cancelled read it may still
		// be written to.
		data := make([]byte, len(p))
		n, err := i.reader.Read(data)
		done <- result{data[:n], err}
	}()
	select {
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	case r := <-done:
		return copy(p, r.data), r.err
	}
}
