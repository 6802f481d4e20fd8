// Package servers knows the MCP servers that a person can name: by a URL, or by
// the name that a configuration file of an MCP client gives them. It reads files
// and starts nothing.
package servers
