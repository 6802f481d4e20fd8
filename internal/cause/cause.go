// Package cause reduces errors of the file system to what a message needs.
package cause

import (
	"errors"
	"io/fs"
)

// Of gives the cause of an error of the file system. Its own text may hold paths
// of this machine, and differs from system to system.
func Of(err error) error {
	for _, known := range []error{fs.ErrPermission, fs.ErrNotExist, fs.ErrInvalid} {
		if errors.Is(err, known) {
			return known
		}
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
