package mcpprobe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/skilltool/skilltool/internal/cause"
	"github.com/skilltool/skilltool/pkg/digest"
)

// OriginFile is the name of the file beside a saved skill that says where it
// came from.
const OriginFile = ".skilltool-origin.json"

// maxOriginBytes bounds the origin files that are read: 512 files, the most that
// hosts must accept, need a quarter of one MiB.
const maxOriginBytes = 64 << 20

// Origin says where a saved skill came from (C-5). It holds no time: the same
// skill from the same server gives the same bytes.
type Origin struct {
	// Version is 1.
	Version int `json:"version"`
	// Label is the user's name for the server, and with URI the identity of
	// the skill.
	Label string `json:"label"`
	// Server is the address or the command, without credentials.
	Server string `json:"server"`
	URI    string `json:"uri"`
	// Folder is the name of the skill's folder, beside this file.
	Folder string `json:"folder"`
	// Verified is false for a dynamic skill: no digests were promised (C-4).
	Verified bool `json:"verified"`
	// Complete says that all files of the skill were saved.
	Complete bool `json:"complete"`
	// Files are those that were saved, in the order of their paths.
	Files []SavedFile `json:"files"`
}

// SavedFile is one file of a saved skill.
type SavedFile struct {
	// Path is slash-separated and relative to the skill's folder.
	Path   string        `json:"path"`
	URI    string        `json:"uri"`
	Size   int64         `json:"size"`
	Digest digest.Digest `json:"digest"`
}

// text gives the origin file.
func (o Origin) text() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(o)
	return b.Bytes(), err
}

// readOrigin reads the origin file of a folder, and gives nil where there is
// none.
func readOrigin(root *os.Root, folder string) (*Origin, error) {
	name := folder + "/" + OriginFile
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, cause.Of(err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%q is no regular file", name)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, cause.Of(err)
	}
	defer f.Close()
	decoder := json.NewDecoder(io.LimitReader(f, maxOriginBytes))
	decoder.DisallowUnknownFields()
	var o Origin
	if err := decoder.Decode(&o); err != nil {
		return nil, fmt.Errorf("%q cannot be read: %w", name, err)
	}
	if o.Version != 1 {
		return nil, fmt.Errorf("%q has version %d; version 1 is understood", name, o.Version)
	}
	return &o, nil
}
