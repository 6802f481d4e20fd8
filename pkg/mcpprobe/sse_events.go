package mcpprobe

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// sseEvent is one event of a text/event-stream.
type sseEvent struct {
	name string
	id   string
	data []byte
}

// errEventTooLong ends a stream with an event that is longer than allowed.
var errEventTooLong = errors.New("the event is too long")

// sseReader reads the events of a stream, as the HTML standard defines them
// (section 9.2.6).
type sseReader struct {
	in *bufio.Reader
	// limit gives how long an event may be; grow is called before one takes
	// much memory, and may be nil.
	limit func() int64
	grow  func() error

	started bool
	afterCR bool // the line ended with CR, so that a LF is the rest of its end
}

func newSSEReader(r io.Reader, limit func() int64, grow func() error) *sseReader {
	return &sseReader{in: bufio.NewReaderSize(r, 32<<10), limit: limit, grow: grow}
}

// next gives the next event with data, id or name. An event that the end of the
// stream cuts off is none.
func (r *sseReader) next() (sseEvent, error) {
	var event sseEvent
	seen := false
	for {
		line, err := r.line(len(event.data))
		if err != nil {
			return sseEvent{}, err
		}
		if len(line) == 0 {
			if seen {
				return event, nil
			}
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "data":
			if event.data == nil {
				event.data = value[:len(value):len(value)]
			} else {
				event.data = append(append(event.data, '\n'), value...)
			}
			seen = true
		case "event":
			event.name, seen = string(value), true
		case "id":
			event.id, seen = string(value), true
		}
	}
}

// line reads a line, which ends with LF, CR or CRLF. held is what the event has
// already.
func (r *sseReader) line(held int) ([]byte, error) {
	if !r.started {
		r.started = true
		if bom, _ := r.in.Peek(3); string(bom) == "\xEF\xBB\xBF" {
			_, _ = r.in.Discard(len(bom)) // it is in the buffer
		}
	}
	var line []byte
	grown := false
	for {
		if _, err := r.in.Peek(1); err != nil {
			return nil, err
		}
		part, _ := r.in.Peek(r.in.Buffered())
		if r.afterCR {
			r.afterCR = false
			if part[0] == '\n' {
				_, _ = r.in.Discard(1)
				continue
			}
		}
		end := bytes.IndexAny(part, "\r\n")
		take := end
		if end < 0 {
			take = len(part)
		}
		size := int64(held + len(line) + take)
		if size > r.limit() {
			return nil, errEventTooLong
		}
		if size > answerOverhead && !grown && r.grow != nil {
			grown = true
			if err := r.grow(); err != nil {
				return nil, err
			}
		}
		line = appendWithin(line, part[:take], r.limit())
		if end >= 0 {
			r.afterCR = part[end] == '\r'
			_, _ = r.in.Discard(end + 1)
			return fitted(line), nil
		}
		_, _ = r.in.Discard(take)
	}
}
