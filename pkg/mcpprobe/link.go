package mcpprobe

import (
	"context"
	"encoding/json"
)

// link is an established connection. Its methods may be called from several
// goroutines.
type link interface {
	// call sends one request, once, and waits for the answer. It gives an
	// Exchange with Attempts, Duration, Method and URI left to the Client.
	// limit bounds the message that answers, in bytes.
	call(ctx context.Context, method string, params json.RawMessage, limit int64) *Exchange
	// faults gives what was seen outside of exchanges since the last call.
	faults() []WireFault
	// close ends the connection and waits until nothing is left of it: no
	// process, no goroutine.
	close() error
}
