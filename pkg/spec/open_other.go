//go:build !unix

package spec

import "os"

// openChild opens a file that stands in dir itself.
func openChild(dir, name string) (*os.File, error) { return os.OpenInRoot(dir, name) }
