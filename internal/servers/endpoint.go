package servers

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Mistake is something that a person wrote and that cannot be meant.
type Mistake struct {
	Message string
	// Hint says what to write instead, or is "".
	Hint string
}

func (m *Mistake) Error() string { return m.Message }

func mistakef(format string, args ...any) *Mistake {
	return &Mistake{Message: fmt.Sprintf(format, args...)}
}

func (m *Mistake) hintf(format string, args ...any) *Mistake {
	m.Hint = fmt.Sprintf(format, args...)
	return m
}

// hostName is what the part of a URL before its path must be made of: a name in
// ASCII, an IPv4 address or an IPv6 address in brackets. Names in other scripts
// have a form in ASCII; without it two that look alike are told apart by nobody.
var hostName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+(?:%[0-9A-Za-z._~-]+)?\])$`)
})

// Endpoint reads the URL of a server. Without a scheme it is https, or http
// for this machine. The host is in lower case and a port that goes without
// saying is dropped. The error is a *Mistake; it shows nothing of user
// information, which may be a password.
func Endpoint(text string) (*url.URL, error) {
	scheme, rest, explicit := strings.Cut(text, "://")
	if !explicit {
		scheme, rest = "", text
	}
	if err := checkEndpoint(text, strings.ToLower(scheme), rest, explicit); err != nil {
		return nil, err
	}
	if !explicit {
		scheme = "https"
		if authority, _ := cutAuthority(rest); loopbackHost(hostOf(authority)) {
			scheme = "http"
		}
	}
	u, err := url.Parse(strings.ToLower(scheme) + "://" + rest)
	if err != nil {
		return nil, mistakef("%q is no URL: %v", text, urlReason(err))
	}
	u.Host = canonicalHost(u)
	if u.Path == "" {
		u.Path = "/"
	}
	return u, nil
}

// checkEndpoint refuses what url.Parse would take, or would explain badly.
func checkEndpoint(text, scheme, rest string, explicit bool) *Mistake {
	authority, tail := cutAuthority(rest)
	host := hostOf(authority)
	switch {
	case strings.Contains(authority, "@"):
		return mistakef("a URL with user information (%q before %q) is refused: it would end up in logs", "…@", hostOf(authority[strings.LastIndex(authority, "@")+1:])).
			hintf("for credentials use -H or --bearer-env")
	case explicit && scheme == "skill":
		return mistakef("an authority in a skill:// URI is never dialled").
			hintf("name the server by its http or https URL, and the skill with --skill or --uri")
	case explicit && scheme != "http" && scheme != "https":
		return mistakef("the scheme %q is not known; use https or http", scheme)
	case strings.Contains(tail, "#"):
		return mistakef("%q has a fragment, which is never sent to a server", text)
	case host == "":
		return mistakef("%q has no host", text)
	case !hostName().MatchString(host):
		return mistakef("%q has the host %q, which is neither a name in ASCII nor an address (IPv6 stands in brackets)", text, host)
	}
	return checkPort(text, strings.TrimPrefix(authority, host))
}

func checkPort(text, port string) *Mistake {
	if port == "" {
		return nil
	}
	if n, err := strconv.ParseUint(port[1:], 10, 16); err != nil || n == 0 {
		return mistakef("%q has the port %q; use a number from 1 to 65535", text, port[1:])
	}
	return nil
}

// cutAuthority divides what follows the scheme into host with port, and the
// rest.
func cutAuthority(rest string) (authority, tail string) {
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		return rest[:i], rest[i:]
	}
	return rest, ""
}

// hostOf gives an authority without its port.
func hostOf(authority string) string {
	if end := strings.LastIndexByte(authority, ']'); end >= 0 {
		return authority[:end+1]
	}
	if i := strings.LastIndexByte(authority, ':'); i >= 0 && strings.Count(authority, ":") == 1 {
		return authority[:i]
	}
	return authority
}

// canonicalHost gives host and port as two spellings of one server share them.
func canonicalHost(u *url.URL) string {
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if port == map[string]string{"https": "443", "http": "80"}[u.Scheme] {
		port = ""
	}
	switch {
	case port != "":
		return net.JoinHostPort(host, port)
	case strings.Contains(host, ":"):
		return "[" + host + "]"
	}
	return host
}

// Loopback reports whether u leads to this machine, whatever a name server
// says.
func Loopback(u *url.URL) bool { return loopbackHost(u.Hostname()) }

func loopbackHost(host string) bool {
	host = strings.ToLower(strings.Trim(host, "[]"))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}

// urlReason gives what is wrong, without the URL in it.
func urlReason(err error) error {
	if e, ok := err.(*url.Error); ok {
		return e.Err
	}
	return err
}
