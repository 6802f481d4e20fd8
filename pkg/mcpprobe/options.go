package mcpprobe

import (
	"io"
	"time"
)

// Options bound what a Client does and waits for (C-11). The zero value of each
// field stands for its default, which accepts what every host must: 512 files
// and 16 MiB for each skill.
type Options struct {
	// Protocol is ProtocolAuto, a revision from 2026-07-28 on, or
	// ProtocolLegacy, which asks for the handshake of older revisions.
	Protocol string
	// ConnectTimeout bounds the handshake, DefaultConnectTimeout long.
	ConnectTimeout time.Duration
	// Timeout bounds each request, DefaultTimeout long.
	Timeout time.Duration
	// Retries is how often a request is sent again that reached no server, or
	// that the server refused for now (HTTP 429, 502, 503, 504). Zero stands
	// for DefaultRetries, a negative number for none.
	Retries int
	// Concurrency is the number of requests in flight, DefaultConcurrency.
	Concurrency int
	// Rate is the number of requests a second; zero is no bound.
	Rate float64
	// MaxSkills bounds the entries of one listing, DefaultMaxSkills.
	MaxSkills int
	// MaxPages bounds the pages of one listing, DefaultMaxPages.
	MaxPages int
	// MaxBytes bounds what all answers together may have, in bytes on the
	// wire, DefaultMaxBytes.
	MaxBytes int64
	// MaxFileBytes bounds one file, in bytes, DefaultMaxFileBytes.
	MaxFileBytes int64
	// Answers are given to a server that asks for input before it answers
	// (C-10), by the key of what it asks for. Without any, an InputRequiredError
	// is the outcome.
	Answers map[string]string
	// Trace gets a line of JSON for each message and each answer, without
	// credentials; nil for none. Its writes are whole lines, one at a time.
	Trace io.Writer
	// Redact hides secrets in whatever becomes an error message or a line of
	// the trace; nil hides nothing.
	Redact func(string) string
	// Version is that of the program, which the server is told.
	Version string
}

// The protocols that can be asked for, beside a revision.
const (
	ProtocolAuto   = "auto"
	ProtocolLegacy = "legacy"
	// ProtocolModern is the first revision that the extension is written for.
	ProtocolModern = "2026-07-28"
)

// The defaults of Options.
const (
	DefaultConnectTimeout = 10 * time.Second
	DefaultTimeout        = 30 * time.Second
	DefaultRetries        = 2
	DefaultConcurrency    = 4
	DefaultMaxSkills      = 10_000
	DefaultMaxPages       = 1_000
	DefaultMaxBytes       = 4 << 30
	DefaultMaxFileBytes   = 16 << 20
)

// withDefaults fills in the defaults.
func (o Options) withDefaults() Options {
	if o.Protocol == "" {
		o.Protocol = ProtocolAuto
	}
	setDefault(&o.ConnectTimeout, DefaultConnectTimeout)
	setDefault(&o.Timeout, DefaultTimeout)
	setDefault(&o.Retries, DefaultRetries)
	setDefault(&o.Concurrency, DefaultConcurrency)
	o.Concurrency = max(o.Concurrency, 1)
	setDefault(&o.MaxSkills, DefaultMaxSkills)
	setDefault(&o.MaxPages, DefaultMaxPages)
	setDefault(&o.MaxBytes, DefaultMaxBytes)
	setDefault(&o.MaxFileBytes, DefaultMaxFileBytes)
	if o.Redact == nil {
		o.Redact = func(text string) string { return text }
	}
	return o
}

func setDefault[T comparable](value *T, standard T) {
	var zero T
	if *value == zero {
		*value = standard
	}
}

// forcedRevision is the revision that the server has to speak, or "".
func (o Options) forcedRevision() string {
	if o.Protocol == ProtocolAuto || o.Protocol == ProtocolLegacy {
		return ""
	}
	return o.Protocol
}

// answerLimit bounds an answer of which nothing is known: the largest file as
// JSON text in which each byte may be an escape. An escape has six bytes for
// one character, "\u0041", but JSON encoders write so only what has at least
// two bytes of UTF-8, or is rare.
func (o Options) answerLimit() int64 { return 3*o.MaxFileBytes + answerOverhead }

// answerOverhead is what an answer may have around the content of a file.
const answerOverhead = 1 << 20
