//go:build !unix

package cmd

import "io/fs"

// othersRead reports nothing: the mode does not tell who can read a file.
func othersRead(fs.FileInfo) bool { return false }
