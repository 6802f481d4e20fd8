//go:build !unix

package spec_test

import "errors"

func mkfifo(string) error { return errors.ErrUnsupported }
