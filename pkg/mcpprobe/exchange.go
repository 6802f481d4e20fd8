package mcpprobe

import (
	"encoding/json"
	"net/http"
	"time"
)

// Exchange is one request and what came back, as it was on the wire. Exactly
// one of Result, RPC and Err is set.
type Exchange struct {
	Method string
	// URI is the uri parameter of the request, or "".
	URI string
	// Result is the result, byte for byte.
	Result json.RawMessage
	// RPC is the error that the server answered with.
	RPC *RPCError
	// Err is why there is no answer: a *LimitError, *ClosedError,
	// *MalformedError (an HTTP status without a message of MCP too),
	// *ConnectError (credentials were refused), *UnsupportedError (nothing was
	// sent), or the error of the context.
	Err error
	// Bytes is the length of the answer's message on the wire.
	Bytes int64
	// Duration is from the first attempt to the end of the answer, without the
	// wait for a free place among the requests in flight.
	Duration time.Duration
	// Attempts counts how often the request was sent.
	Attempts int
	// Faults are what is wrong with the message around the result: duplicate
	// keys anywhere in it, invalid UTF-8, lone surrogates, a missing "jsonrpc".
	Faults []WireFault
	// Status and Header are those of the HTTP answer; zero elsewhere.
	Status int
	Header http.Header
}

// Error gives RPC or Err, or nil.
func (x *Exchange) Error() error {
	if x.RPC != nil {
		return x.RPC
	}
	return x.Err
}

// WireFault is something wrong with a message that could be read all the same.
type WireFault struct {
	Kind FaultKind
	// Message says what was seen, in one line.
	Message string
}

// FaultKind names a kind of WireFault.
type FaultKind string

// The kinds of faults of messages.
const (
	FaultDuplicateKey  FaultKind = "duplicate-key"
	FaultUTF8          FaultKind = "invalid-utf8"
	FaultSurrogate     FaultKind = "lone-surrogate"
	FaultEnvelope      FaultKind = "envelope"       // no "jsonrpc": "2.0", both result and error, …
	FaultUnknownID     FaultKind = "unknown-id"     // an answer to what was never asked
	FaultNoise         FaultKind = "noise"          // a line on standard output that is no message
	FaultServerRequest FaultKind = "server-request" // the server asked something of the client
	FaultNotification  FaultKind = "notification"   // list_changed and the like: no fault, worth a note
	FaultHTTP          FaultKind = "http"           // a content type or status that does not fit
)

// Server is what the handshake told.
type Server struct {
	Label     string
	Name      string
	Version   string
	Transport Transport
	// Protocol is the revision that was negotiated.
	Protocol string
	// Capabilities and Handshake are the raw JSON of the capabilities and of
	// the whole result.
	Capabilities json.RawMessage
	Handshake    json.RawMessage
	// Instructions are the server's own words for a model.
	Instructions string
	// Connect is how long the handshake took.
	Connect time.Duration
	// Declared says that the extension is declared as S-CAP1 asks.
	Declared bool
	// DirectoryRead is the setting, true only for a JSON true (S-CAP3).
	DirectoryRead bool
	// Authenticated says that credentials were sent.
	Authenticated bool
}

// Modern reports a revision from 2026-07-28 on (S-CAP4).
func (s Server) Modern() bool { return s.Protocol >= ProtocolModern }

// MethodStats sums up the exchanges of one method.
type MethodStats struct {
	Method   string
	Requests int
	Errors   int
	// Bytes is that of all answers on the wire.
	Bytes int64
	// Min, Median, P95, Max are of the durations, Total is their sum.
	Min, Median, P95, Max, Total time.Duration
}

// Traffic sums up what a Client has sent and got.
type Traffic struct {
	Requests      int
	BytesSent     int64
	BytesReceived int64
	Methods       []MethodStats // sorted by Method
	// Faults are those of messages that belong to no Exchange, at most
	// maxFaults of them, sorted.
	Faults []WireFault
	// MoreFaults counts the rest.
	MoreFaults int
}

// maxFaults bounds Traffic.Faults.
const maxFaults = 100
