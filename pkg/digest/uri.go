package digest

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// DefaultScheme is the scheme that the MCP Skills extension recommends (S-RD6).
const DefaultScheme = "skill"

// Prefix is what the URIs of a server's skills start with: a scheme, and
// segments that organise its skills.
type Prefix struct {
	// Scheme is the URI scheme without its colon; "" stands for DefaultScheme.
	Scheme string
	// Segments are decoded; the first one is the URI's authority.
	Segments []string
}

// ParsePrefix reads a prefix such as "skill://acme/billing". A slash at its end
// counts for nothing. What a canonical skill URI must not have is refused: a
// query, a fragment, user information, a port, and empty, "." and ".."
// segments (S-ENT3).
func ParsePrefix(text string) (Prefix, error) {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return Prefix{}, fmt.Errorf("URI prefix %q has no scheme; write it as skill://acme/billing", clip(text))
	}
	p := Prefix{Scheme: scheme}
	if err := CheckScheme(scheme); err != nil {
		return Prefix{}, err
	}
	rest = strings.TrimSuffix(rest, "/")
	if rest == "" {
		return p, nil
	}
	for i, raw := range strings.Split(rest, "/") {
		segment, err := prefixSegment(raw, i == 0)
		if err != nil {
			return Prefix{}, fmt.Errorf("URI prefix %q: %w", clip(text), err)
		}
		p.Segments = append(p.Segments, segment)
	}
	return p, nil
}

// CheckScheme reports a text that is no URI scheme in lower case (RFC 3986,
// section 3.1).
func CheckScheme(scheme string) error {
	for i, r := range scheme {
		letter := 'a' <= r && r <= 'z'
		if letter || i > 0 && ('0' <= r && r <= '9' || strings.ContainsRune("+-.", r)) {
			continue
		}
		return fmt.Errorf("URI scheme %q has %q; a scheme is a letter and then letters, digits, \"+\", \"-\" and \".\", in lower case", clip(scheme), string(r))
	}
	if scheme == "" {
		return errors.New("the URI scheme is empty")
	}
	return nil
}

// prefixSegment reads one segment as a person types it: percent-encoded where
// that is needed. The first one is the authority, which must be a plain name.
func prefixSegment(raw string, authority bool) (string, error) {
	if i := strings.IndexAny(raw, "@:"); authority && i >= 0 {
		return "", fmt.Errorf("the authority %q has %q; it must be a plain name without user and port", clip(raw), raw[i:i+1])
	}
	segment, err := decodeSegment(raw)
	if err != nil {
		return "", err
	}
	if canonical := encodeSegment(segment, authority); !sameEncoding(raw, canonical) {
		return "", fmt.Errorf("segment %q is not written as in a URI; write %s", clip(raw), clip(canonical))
	}
	return segment, nil
}

// sameEncoding compares encoded segments: it does not matter whether what may
// stand as it is was encoded, nor whether with lower-case digits.
func sameEncoding(raw, canonical string) bool {
	for i := range len(raw) {
		if raw[i] != '%' && !isPathByte(raw[i]) {
			return false
		}
	}
	return len(raw) >= len(canonical)
}

// decodeSegment reads one segment of a URI, which may be percent-encoded.
func decodeSegment(raw string) (string, error) {
	if i := strings.IndexAny(raw, "?#"); i >= 0 {
		return "", fmt.Errorf("segment %q has %q; a skill URI has no query and no fragment", clip(raw), raw[i:i+1])
	}
	segment, err := url.PathUnescape(raw)
	if err != nil {
		return "", fmt.Errorf("segment %q has a %% that starts no percent-encoding", clip(raw))
	}
	return segment, CheckSegment(segment)
}

// CheckSegment reports a name that has no place in a canonical URI.
func CheckSegment(segment string) error {
	switch {
	case segment == "":
		return errors.New("a segment is empty")
	case segment == "." || segment == "..":
		return fmt.Errorf("a segment is %q", segment)
	case strings.ContainsAny(segment, `/\`):
		return fmt.Errorf("segment %q has a slash or a backslash", clip(segment))
	case strings.ContainsFunc(segment, unicode.IsControl):
		return fmt.Errorf("segment %q has a control character", clip(segment))
	case !utf8.ValidString(segment):
		return fmt.Errorf("segment %q is no UTF-8", clip(segment))
	}
	return nil
}

// Dir gives the URI of a directory below the prefix: of a skill, for the
// skill's path. The path is slash-separated and not encoded.
func (p Prefix) Dir(skillPath string) string {
	scheme := p.Scheme
	if scheme == "" {
		scheme = DefaultScheme
	}
	segments := slices.Concat(p.Segments, strings.Split(path.Clean(skillPath), "/"))
	for i := range segments {
		segments[i] = encodeSegment(segments[i], i == 0)
	}
	return scheme + "://" + strings.Join(segments, "/")
}

// FileURI gives the URI of a file of a skill whose directory has the URI dir.
// The path is slash-separated and not encoded.
func FileURI(dir, filePath string) string {
	if isURIPath(filePath) {
		return dir + "/" + filePath
	}
	segments := strings.Split(filePath, "/")
	for i := range segments {
		segments[i] = encodeSegment(segments[i], false)
	}
	return dir + "/" + strings.Join(segments, "/")
}

// encodeSegment percent-encodes the UTF-8 bytes of what may not stand in a
// segment (RFC 3986, section 3.3; a reg-name is narrower). A "%" is always
// encoded: the file "a%20b" and the file "a b" stay two files.
func encodeSegment(segment string, authority bool) string {
	const hexDigits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(segment) {
		c := segment[i]
		if isPathByte(c) && !(authority && (c == ':' || c == '@')) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hexDigits[c>>4])
		b.WriteByte(hexDigits[c&15])
	}
	return b.String()
}

// isURIPath reports a path that stands in a URI as it is.
func isURIPath(name string) bool {
	for i := range len(name) {
		if name[i] != '/' && !isPathByte(name[i]) {
			return false
		}
	}
	return true
}

// isPathByte reports a byte that stands for itself in a segment.
func isPathByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~!$&'()*+,;=:@", c) >= 0
}

// FilePath gives the path of a file within its skill, decoded, from its URI and
// the URI of the skill's directory. It refuses what is not below the directory
// and what does not decode to a plain relative path.
func FilePath(dir, uri string) (string, error) {
	encoded, ok := strings.CutPrefix(uri, dir+"/")
	if !ok {
		return "", fmt.Errorf("%q is not below %q", clip(uri), clip(dir))
	}
	segments := strings.Split(encoded, "/")
	for i, raw := range segments {
		segment, err := decodeSegment(raw)
		if err != nil {
			return "", fmt.Errorf("%q: %w", clip(uri), err)
		}
		segments[i] = segment
	}
	return strings.Join(segments, "/"), nil
}
