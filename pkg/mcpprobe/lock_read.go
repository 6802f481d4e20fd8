package mcpprobe

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/skilltool/skilltool/internal/jsonscan"
	"github.com/skilltool/skilltool/pkg/digest"
)

// MaxLockBytes bounds the lock files that are read: ten thousand skills of fifty
// files need as much.
const MaxLockBytes = 128 << 20

// ReadLock reads a lock file, strictly: two readers must not take two things
// from it. Keys that are not known or come twice, another version, a digest of
// another form, bytes that are no UTF-8 are errors, which name the line.
func ReadLock(text []byte) (*Lock, error) {
	if len(text) > MaxLockBytes {
		return nil, fmt.Errorf("the lock file is larger than %d bytes", MaxLockBytes)
	}
	r := &lockReader{text: text, decoder: json.NewDecoder(bytes.NewReader(text))}
	r.decoder.UseNumber()
	if err := r.scan(); err != nil {
		return nil, err
	}
	lock := &Lock{servers: map[string]lockedServer{}}
	version, servers := false, false
	err := r.object("the lock file", func(key string) error {
		switch key {
		case "$schema":
			_, err := r.string(key)
			return err
		case "version":
			version = true
			return r.version()
		case "servers":
			servers = true
			return r.servers(lock)
		}
		return r.unknown(key, "$schema, version and servers")
	})
	switch {
	case err != nil:
		return nil, err
	case !version:
		return nil, fmt.Errorf(`the lock file has no "version"; version %d is understood`, lockVersion)
	case !servers:
		return nil, errors.New(`the lock file has no "servers"`)
	}
	return lock, nil
}

// lockReader reads JSON token by token: of a text that is JSON, in a form that
// is known.
type lockReader struct {
	text    []byte
	decoder *json.Decoder
}

// scan refuses what is no JSON, and what a decoder would repair.
func (r *lockReader) scan() error {
	report := jsonscan.Scan(r.text)
	var syntax *jsonscan.SyntaxError
	switch {
	case report.InvalidUTF8 >= 0:
		return r.failAt(report.InvalidUTF8, "the text is no UTF-8")
	case errors.As(report.Err, &syntax):
		return r.failAt(syntax.Offset, "%s", syntax.Message)
	case report.Err != nil:
		return report.Err
	case report.LoneSurrogate >= 0:
		return r.failAt(report.LoneSurrogate, "a string has half a surrogate pair")
	}
	return nil
}

func (r *lockReader) failAt(offset int, format string, args ...any) error {
	line := 1 + bytes.Count(r.text[:min(offset, len(r.text))], []byte("\n"))
	return fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
}

// fail names the line of the token that was read last.
func (r *lockReader) fail(format string, args ...any) error {
	return r.failAt(int(r.decoder.InputOffset()), format, args...)
}

func (r *lockReader) unknown(key, allowed string) error {
	return r.fail("the key %q is not known here; there are %s", clip(key), allowed)
}

// token gives the next token of a text that is JSON.
func (r *lockReader) token() (json.Token, error) {
	token, err := r.decoder.Token()
	if err != nil {
		return nil, r.fail("%v", err)
	}
	return token, nil
}

// object reads an object. member is called for each key, to read its value.
func (r *lockReader) object(what string, member func(key string) error) error {
	if token, err := r.token(); err != nil || token != json.Delim('{') {
		return cmp.Or(err, r.fail("%s is no object", what))
	}
	seen := map[string]bool{}
	for r.decoder.More() {
		token, err := r.token()
		if err != nil {
			return err
		}
		key, _ := token.(string) // in an object every other token is one
		if seen[key] {
			return r.fail("the key %q stands twice in one object", clip(key))
		}
		seen[key] = true
		if err := member(key); err != nil {
			return err
		}
	}
	_, err := r.token()
	return err
}

func (r *lockReader) string(what string) (string, error) {
	token, err := r.token()
	if err != nil {
		return "", err
	}
	text, ok := token.(string)
	if !ok {
		return "", r.fail("%q is no string", what)
	}
	return text, nil
}

func (r *lockReader) version() error {
	token, err := r.token()
	if err != nil {
		return err
	}
	if number, ok := token.(json.Number); !ok || number.String() != strconv.Itoa(lockVersion) {
		return r.fail("the lock file has version %v; version %d is understood", token, lockVersion)
	}
	return nil
}

func (r *lockReader) servers(lock *Lock) error {
	return r.object(`"servers"`, func(label string) error {
		if label == "" {
			return r.fail("the label of a server is empty")
		}
		start := r.decoder.InputOffset()
		server := lockedServer{skills: map[string]LockedSkill{}}
		err := r.object(fmt.Sprintf("the server %q", clip(label)), func(uri string) error {
			skill, err := r.skill(uri)
			server.skills[uri] = skill
			return err
		})
		server.raw = bytes.TrimLeft(r.text[start:r.decoder.InputOffset()], ": \t\r\n")
		lock.servers[label] = server
		return err
	})
}

func (r *lockReader) skill(uri string) (LockedSkill, error) {
	skill := LockedSkill{URI: uri}
	if uri == "" {
		return skill, r.fail("the URI of a skill is empty")
	}
	files := false
	err := r.object(fmt.Sprintf("the skill %q", clip(uri)), func(key string) (err error) {
		switch key {
		case "name":
			skill.Name, err = r.string(key)
			return err
		case "files":
			files = true
			skill.Files, err = r.files()
			return err
		}
		return r.unknown(key, "name and files")
	})
	if err == nil && !files {
		err = r.fail(`the skill %q has no "files"`, clip(uri))
	}
	return skill, err
}

func (r *lockReader) files() ([]Resource, error) {
	if token, err := r.token(); err != nil || token != json.Delim('[') {
		return nil, cmp.Or(err, r.fail(`"files" is no list`))
	}
	files := []Resource{}
	seen := map[string]bool{}
	for r.decoder.More() {
		f, err := r.file()
		if err != nil {
			return nil, err
		}
		if seen[f.URI] {
			return nil, r.fail("the file %q stands twice in one skill", clip(f.URI))
		}
		seen[f.URI] = true
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b Resource) int { return cmp.Compare(a.URI, b.URI) })
	_, err := r.token()
	return files, err
}

func (r *lockReader) file() (Resource, error) {
	f := Resource{Size: -1}
	err := r.object("a file", func(key string) (err error) {
		switch key {
		case "uri":
			f.URI, err = r.string(key)
		case "digest":
			if f.Digest, err = r.string(key); err == nil {
				if _, bad := digest.Parse(f.Digest); bad != nil {
					err = r.fail("%v", bad)
				}
			}
		case "size":
			f.Size, err = r.size()
		default:
			err = r.unknown(key, "uri, digest and size")
		}
		return err
	})
	if err == nil && (f.URI == "" || f.Digest == "" || f.Size < 0) {
		err = r.fail(`a file lacks one of "uri", "digest" and "size"`)
	}
	return f, err
}

func (r *lockReader) size() (int64, error) {
	token, err := r.token()
	if err != nil {
		return 0, err
	}
	number, _ := token.(json.Number)
	size, err := strconv.ParseInt(number.String(), 10, 64)
	if err != nil || size < 0 {
		return 0, r.fail(`"size" is %v; it must be a whole number of bytes`, token)
	}
	return size, nil
}
