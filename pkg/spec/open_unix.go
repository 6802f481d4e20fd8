//go:build unix

package spec

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// openWithin opens a file below dir, and nothing outside of it. The kernel is
// asked not to wait for the other end of a pipe. For a file that stands in dir
// itself one system call does, if the kernel is asked not to follow a link
// either.
func openWithin(dir, name string) (*os.File, error) {
	if !strings.Contains(name, "/") {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
		if !errors.Is(err, syscall.ELOOP) {
			return f, err
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
