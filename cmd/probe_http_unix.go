//go:build unix

package cmd

import "io/fs"

// othersRead reports whether more than the owner can read a file.
func othersRead(info fs.FileInfo) bool {
	return info.Mode().IsRegular() && info.Mode().Perm()&0o044 != 0
}
