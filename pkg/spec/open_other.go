//go:build !unix

package spec

import "os"

// openWithin opens a file below dir, and nothing outside of it.
func openWithin(dir, name string) (*os.File, error) { return os.OpenInRoot(dir, name) }
