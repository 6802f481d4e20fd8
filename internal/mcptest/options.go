package mcptest

import "time"

// Options say what a server serves and how. The zero value serves the built-in
// collection honestly, in both eras of the protocol.
type Options struct {
	// Dir is a skill, or a folder with skills below it; "" stands for the
	// built-in collection.
	Dir string
	// Files are served instead, by their slash-separated paths; nil stands for
	// Dir.
	Files map[string][]byte
	// Lies are the names of what the server lies about, each one of Lies.
	Lies []string
	// Protocol is ProtocolModern, ProtocolLegacy, or "" for both.
	Protocol string
	// NoDirectory leaves out directoryRead, and the method.
	NoDirectory bool
	// PageSize is the number of items of one page; zero stands for
	// defaultPageSize, a negative number for one page with everything.
	PageSize int
	// Blobs serves everything as base64.
	Blobs bool
	// Stateful gives HTTP sessions, which only the older handshake has.
	Stateful bool
	// Events answers HTTP requests with streams of events.
	Events bool
	// Token is the bearer token that HTTP requests need; "" is none.
	Token string
	// Latency is how long each answer takes, the handshake's included.
	Latency time.Duration
}

// The eras of Options.Protocol.
const (
	ProtocolModern = "modern"
	ProtocolLegacy = "legacy"
	ProtocolBoth   = "both"
)

// The revisions of the protocol, newest first.
var (
	modernRevisions = []string{"2026-07-28"}
	legacyRevisions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
)

// defaultPageSize makes the built-in collection take more than one page.
const defaultPageSize = 2

func (o Options) pageSize() int {
	if o.PageSize == 0 {
		return defaultPageSize
	}
	return o.PageSize
}

func (o Options) modern() bool { return o.Protocol != ProtocolLegacy }

func (o Options) legacy() bool { return o.Protocol != ProtocolModern }

func (o Options) revisions() []string {
	var all []string
	if o.modern() {
		all = append(all, modernRevisions...)
	}
	if o.legacy() {
		all = append(all, legacyRevisions...)
	}
	return all
}
