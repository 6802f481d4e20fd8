package mcpprobe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"
)

// exitTime is how long the end of a server's output waits for the server's own
// end, which says more.
const exitTime = 500 * time.Millisecond

// stdio carries messages over the standard streams of a process: a message is a
// line.
type stdio struct {
	*wire
	process *process
	writing chan struct{} // holds the right to write
}

func openStdio(w *wire, c Command) (link, error) {
	p, err := startProcess(c)
	if err != nil {
		return nil, err
	}
	d := &stdio{wire: w, process: p, writing: make(chan struct{}, 1)}
	return openStream(w, d, "line on standard output"), nil
}

func (d *stdio) send(ctx context.Context, raw json.RawMessage) (again, error) {
	select {
	case d.writing <- struct{}{}:
		defer func() { <-d.writing }()
	case <-ctx.Done():
		return again{}, ctx.Err()
	}
	if _, err := d.process.stdin.Write(append(raw, '\n')); err != nil {
		return again{}, d.ended("the server reads no more of its standard input", "")
	}
	return again{}, nil
}

func (d *stdio) run(s *stream) error {
	unfinished, err := readLines(d.process.stdout, s)
	var limit *LimitError
	switch {
	case errors.As(err, &limit):
		return err
	case unfinished:
		return d.ended("the server closed its standard output in the middle of a message", " in the middle of a message")
	}
	return d.ended("the server closed its standard output", "")
}

// ended says what is known of the end: message, or how and when the process
// ended.
func (d *stdio) ended(message, when string) *ClosedError {
	select {
	case <-d.process.done:
		message = "the server ended" + when + ": " + d.process.state()
	case <-time.After(exitTime):
	}
	return &ClosedError{Message: message, Stderr: d.options.Redact(d.stderrTail())}
}

func (d *stdio) stderrTail() string { return d.process.stderrTail() }

func (d *stdio) close() error { return d.process.stop() }

// readLines gives each line of r to s, without ever holding more than what may
// be an answer. It tells whether the last line had no end.
func readLines(r io.Reader, s *stream) (unfinished bool, err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	l := line{stream: s}
	for {
		part, err := in.ReadSlice('\n')
		if err := s.meter.spent(len(part)); err != nil {
			return false, err
		}
		l.add(part)
		switch {
		case err == nil:
			l.end()
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			return l.last(), err
		}
	}
}

// line gathers a line.
type line struct {
	stream *stream
	text   []byte
	// Of a line that is too long there is only the beginning in text, and the
	// end here.
	cut  bool
	told bool // who waits for it knows
	tail []byte
}

func (l *line) add(part []byte) {
	if !l.cut && int64(len(l.text)+len(part)) > l.stream.longest() {
		l.cut = true
		l.tail = slices.Clone(l.text[max(0, len(l.text)-edge):])
		l.text = slices.Clone(l.text[:min(len(l.text), edge)])
		l.told = l.stream.tooLong(l.text, nil)
	}
	if l.cut {
		l.tail = append(l.tail, part...)
		if len(l.tail) > 16*edge {
			l.tail = append(l.tail[:0], l.tail[len(l.tail)-edge:]...)
		}
		return
	}
	l.text = appendWithin(l.text, part, l.stream.longest())
}

func (l *line) end() {
	switch {
	case !l.cut:
		if text := bytes.TrimSpace(fitted(l.text)); len(text) > 0 {
			l.stream.frame(text)
		}
	case !l.told && !l.stream.tooLong(nil, l.tail):
		l.stream.faults.add(FaultNoise, "a %s is longer than any answer may be: %s", l.stream.what, l.stream.quoted(l.text))
	}
	*l = line{stream: l.stream}
}

// last takes what came after the last line, and reports whether that is a
// message that was not finished.
func (l *line) last() bool {
	if l.cut {
		return true
	}
	if _, err := parseMessage(l.text); err != nil && bytes.HasPrefix(bytes.TrimSpace(l.text), []byte("{")) {
		return true
	}
	l.end()
	return false
}
