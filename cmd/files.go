package cmd

import (
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/skilltool/skilltool/pkg/digest"
)

// writeAtomic writes a file in one step: whoever reads it sees the old content
// or the new one. An existing file keeps its owner and mode.
func writeAtomic(name string, content []byte) error {
	var old fs.FileInfo
	if info, err := os.Stat(name); err == nil {
		if !info.Mode().IsRegular() {
			return writeStream(name, content)
		}
		old = info
		if real, err := filepath.EvalSymlinks(name); err == nil {
			name = real
		}
	}
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer root.Close()
	base := filepath.Base(name)
	temporary := temporaryName(base)
	if err := writeNew(root, temporary, old, content); err != nil {
		return err
	}
	if err := root.Rename(temporary, base); err != nil {
		_ = root.Remove(temporary)
		return err
	}
	return nil
}

// writeStream writes to what is no regular file, such as /dev/stdout.
func writeStream(name string, content []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// temporaryName is a name beside the file base that nothing else has.
func temporaryName(base string) string { return fmt.Sprintf(".%s.%s.tmp", base, rand.Text()[:8]) }

// writeNew writes a file that must not exist yet, and leaves nothing behind if
// it fails. Where it takes the place of another file it gets that one's owner and
// mode.
func writeNew(root *os.Root, name string, old fs.FileInfo, content []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil && old != nil {
		if err = keepOwner(f, old); err == nil {
			err = f.Chmod(old.Mode().Perm())
		}
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = root.Remove(name)
	}
	return err
}

// readInput reads a file, or standard input for "-", that is not larger than
// what is taken for a manifest.
func (e *env) readInput(file string) ([]byte, error) {
	if file == "-" {
		return readBounded(e.stdin)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readBounded(f)
}

func readBounded(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, digest.MaxManifestBytes+1))
	if err == nil && len(text) > digest.MaxManifestBytes {
		err = fmt.Errorf("it is larger than %d bytes", digest.MaxManifestBytes)
	}
	return text, err
}
