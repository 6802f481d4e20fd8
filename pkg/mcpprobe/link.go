package mcpprobe

import (
	"context"
	"encoding/json"
)

// link is an established way to the server. Its methods may be called from
// several goroutines.
type link interface {
	// call sends one request, once, and waits for the answer. It gives an
	// Exchange with Attempts, Duration, Method and URI left to the Client, and
	// says whether the request may be sent again. Where ctx ends, Exchange.Err
	// is the cause of that.
	// limit bounds the message that answers, in bytes.
	call(ctx context.Context, method string, params json.RawMessage, limit int64) (*Exchange, again)
	// notify sends a notification.
	notify(ctx context.Context, method string, params json.RawMessage) error
	// negotiated tells the link the revision, once it is known.
	negotiated(protocol string)
	// close ends the connection and waits until nothing is left of it: no
	// process, no goroutine.
	close() error
}

// wire is what a Client shares with its link.
type wire struct {
	options Options
	meter   *meter
	faults  *faultLog
	trace   *tracer
}

func newWire(o Options) *wire {
	return &wire{options: o, meter: newMeter(o.MaxBytes), faults: &faultLog{}, trace: newTracer(o)}
}

// edge is how much is looked at of the beginning, and of the end, of a message
// that cannot be used. Some servers write the id of an answer first, others
// last.
const edge = 4 << 10

// outside prepares text from outside for a message: one line, without secrets,
// and not long.
func (w *wire) outside(text string) string { return oneLine(w.options.Redact(text)) }

// excerpt does the same with the beginning of what may be very long.
func (w *wire) excerpt(text []byte) string { return w.outside(string(text[:min(len(text), edge)])) }

// quoted does the same with what has to be seen as it is.
func (w *wire) quoted(text []byte) string {
	return shown(w.options.Redact(string(text[:min(len(text), edge)])))
}
