//go:build unix

package spec_test

import "syscall"

func mkfifo(name string) error { return syscall.Mkfifo(name, 0o666) }
