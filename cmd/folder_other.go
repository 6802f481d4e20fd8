//go:build !unix

package cmd

// nonBlocking has no meaning here.
const nonBlocking = 0
