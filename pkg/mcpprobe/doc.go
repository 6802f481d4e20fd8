// Package mcpprobe is a client of the MCP Skills extension
// (io.modelcontextprotocol/skills, SEP-2640) and an auditor of servers that
// declare it.
//
// Connect reaches a server. The Client that it gives lists skills, gets
// entries, reads files, each verified against the entry that was held, and
// reads directories. Audit holds everything that a server serves against the
// specification, one Check after the other.
//
// The Go SDK of MCP negotiates the protocol, over a connection that this package
// gives it. What follows is sent and read here, byte for byte: every judgement is
// made on the JSON that the server sent, never on decoded types of the SDK, and
// no answer comes from a cache.
//
// A server is untrusted: each wait, size, count and depth has a bound (Options),
// what a server says is data and never a path or a command, and an authority in
// a skill:// URI is never resolved or dialled (C-8, C-9, C-11).
package mcpprobe
