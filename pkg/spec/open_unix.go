//go:build unix

package spec

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// openChild opens a file that stands in dir itself. One system call does it: the
// kernel is asked not to follow a link, and not to wait for the other end of a
// pipe. A link is then followed within dir.
func openChild(dir, name string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) {
		return os.OpenInRoot(dir, name)
	}
	return f, err
}
