// Package mcptest is a server of the MCP Skills extension for tests. It is
// honest unless it is told to lie, and then it lies in one way at a time.
//
// It is written on JSON-RPC itself and not on an SDK, so that it can lie on the
// wire as well. New makes a server, Handler and Serve are for tests in the same
// process, and Main is the program mcp-fixture for scripts.
package mcptest
