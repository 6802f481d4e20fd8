package mcpprobe

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/skilltool/skilltool/pkg/spec"
)

// skillEnd ends the URI of every skill (S-ENT1).
const skillEnd = "/" + spec.SkillFile

// uriParts are a URI in its parts, as RFC 3986 splits it and without any repair. An
// authority is text here and nothing else: it is never resolved (C-9).
type uriParts struct {
	// scheme is "" for a text that is no absolute URI.
	scheme       string
	hasAuthority bool
	authority    string
	path         string
	// query and fragment come with their "?" and "#", so that "" is none.
	query, fragment string
}

// splitURI splits a URI. net/url is not used: it decodes, and refuses
// authorities that are no host names.
func splitURI(text string) uriParts {
	var u uriParts
	scheme, rest, ok := strings.Cut(text, ":")
	if !ok || !isScheme(scheme) {
		return uriParts{path: text}
	}
	u.scheme = scheme
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		rest, u.fragment = rest[:i], rest[i:]
	}
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		rest, u.query = rest[:i], rest[i:]
	}
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		u.hasAuthority = true
		u.authority, rest = after, ""
		if i := strings.IndexByte(after, '/'); i >= 0 {
			u.authority, rest = after[:i], after[i:]
		}
	}
	u.path = rest
	return u
}

func isScheme(text string) bool {
	for i := range len(text) {
		c := text[i] | 0x20
		letter := 'a' <= c && c <= 'z'
		if !letter && (i == 0 || !(('0' <= text[i] && text[i] <= '9') || strings.IndexByte("+-.", text[i]) >= 0)) {
			return false
		}
	}
	return text != ""
}

// segments gives the authority, where there is one, and the segments of the
// path, as they are written.
func (u uriParts) segments() []string {
	var all []string
	if u.hasAuthority {
		all = append(all, u.authority)
	}
	path := strings.TrimPrefix(u.path, "/")
	if path == "" && u.path == "" {
		return all
	}
	return append(all, strings.Split(path, "/")...)
}

// skillDir gives the URI of a skill's directory: that of its SKILL.md without
// the end. ok is false where S-ENT1 is not kept.
func skillDir(text string) (dir string, ok bool) {
	u := splitURI(text)
	dir, ok = strings.CutSuffix(text, skillEnd)
	if !ok || u.scheme == "" || u.query != "" || u.fragment != "" {
		return "", false
	}
	segments := u.segments()
	return dir, len(segments) > 1 && segments[len(segments)-2] != ""
}

// uriName gives the name that a skill's URI ends in: the segment before
// SKILL.md, decoded once. It gives "" where there is none.
func uriName(text string) string {
	dir, ok := skillDir(text)
	if !ok {
		return ""
	}
	segments := splitURI(dir).segments()
	name, err := url.PathUnescape(segments[len(segments)-1])
	if err != nil {
		return segments[len(segments)-1]
	}
	return name
}

// within reports a URI below a directory, by whole segments and by the text as
// it is, where nothing in the rest climbs out of the directory again.
func within(dir, text string) bool {
	rest, ok := strings.CutPrefix(text, dir+"/")
	return ok && rest != "" && climbs(rest) == ""
}

// climbs says what in a path below a directory could lead out of it, or gives
// "": dot segments, plain or encoded, and encoded or wrong slashes.
func climbs(rest string) string {
	for segment := range strings.SplitSeq(rest, "/") {
		decoded := segment
		if d, err := url.PathUnescape(segment); err == nil {
			decoded = d
		}
		switch {
		case decoded == "." || decoded == "..":
			return fmt.Sprintf("the segment %q", segment)
		case strings.Contains(decoded, "/"):
			return fmt.Sprintf("an encoded slash in %q", segment)
		case strings.Contains(decoded, `\`):
			return fmt.Sprintf("a backslash in %q", segment)
		}
	}
	return ""
}

// uriProblem says what of a URI is not canonical (S-ENT3), or gives "".
func uriProblem(text string) string {
	u := splitURI(text)
	switch {
	case u.query != "":
		return fmt.Sprintf("the query %q", clipTo(u.query, 80))
	case u.fragment != "":
		return fmt.Sprintf("the fragment %q", clipTo(u.fragment, 80))
	case strings.Contains(u.authority, "@"):
		return "user information in the authority"
	case hasPort(u.authority):
		return fmt.Sprintf("the port %q", u.authority[strings.LastIndexByte(u.authority, ':'):])
	case strings.HasSuffix(text, "/"):
		return "a slash at its end"
	}
	for _, segment := range u.segments() {
		if segment == "" {
			return "an empty segment"
		}
		if problem := climbs(segment); problem != "" {
			return problem
		}
	}
	return ""
}

func hasPort(authority string) bool {
	i := strings.LastIndexByte(authority, ':')
	return i >= 0 && !strings.HasPrefix(authority, "[") && strings.Trim(authority[i+1:], "0123456789") == ""
}

// encodingProblem says what is wrong with the percent-encoding of a URI, or
// gives "".
func encodingProblem(text string) string {
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			continue
		}
		if i+2 >= len(text) || !isHex(text[i+1]) || !isHex(text[i+2]) {
			return fmt.Sprintf("a %% that starts no percent-encoding: %q", clipTo(text[i:], 3))
		}
		code := text[i : i+3]
		if strings.ContainsAny(code, "abcdef") {
			return fmt.Sprintf("%q with lower-case digits; write %s", code, strings.ToUpper(code))
		}
		if c := unhex(text[i+1])<<4 | unhex(text[i+2]); isUnreserved(c) {
			return fmt.Sprintf("%q, which needs no encoding; write %s", code, string(c))
		}
		i += 2
	}
	return ""
}

// authorityProblem says why an authority is no reg-name of RFC 3986, or gives
// "".
func authorityProblem(u uriParts) string {
	if !u.hasAuthority {
		return ""
	}
	return badBytes(u.authority, "!$&'()*+,;=")
}

// segmentProblem says why a segment of a path is none of RFC 3986, or gives "".
func segmentProblem(segment string) string { return badBytes(segment, "!$&'()*+,;=:@") }

// badBytes names the first character that is neither unreserved, nor among the
// others allowed, nor part of a percent-encoding.
func badBytes(text, allowed string) string {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		c := text[i]
		if size > 1 || r == utf8.RuneError || !isUnreserved(c) && c != '%' && strings.IndexByte(allowed, c) < 0 {
			return fmt.Sprintf("%q", text[i:i+size])
		}
		i += size
	}
	return ""
}

// normalURI writes a URI so that URIs that RFC 3986 calls equivalent are equal
// text: the scheme in lower case, percent-encodings in upper case and only where
// they are needed.
func normalURI(text string) string {
	if !strings.Contains(text, "%") && strings.ToLower(text) == text {
		return text
	}
	scheme, rest, ok := strings.Cut(text, ":")
	if !ok || !isScheme(scheme) {
		return text
	}
	var b strings.Builder
	b.WriteString(strings.ToLower(scheme))
	b.WriteByte(':')
	for i := 0; i < len(rest); i++ {
		if rest[i] != '%' || i+2 >= len(rest) || !isHex(rest[i+1]) || !isHex(rest[i+2]) {
			b.WriteByte(rest[i])
			continue
		}
		if c := unhex(rest[i+1])<<4 | unhex(rest[i+2]); isUnreserved(c) {
			b.WriteByte(c)
		} else {
			b.WriteString(strings.ToUpper(rest[i : i+3]))
		}
		i += 2
	}
	return b.String()
}

func isUnreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return (c | 0x20 - 'a') + 10
}

// parentDirs calls visit for each directory above a URI within dir, the nearest
// first, and for dir itself.
func parentDirs(dir, text string, visit func(parent string)) {
	for {
		i := strings.LastIndexByte(text, '/')
		if i < len(dir) {
			return
		}
		text = text[:i]
		visit(text)
	}
}
