package servers

import (
	"errors"
	"net/url"
	"strings"
	"testing"
)

func TestEndpoint(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"https://skills.example.com/mcp", "https://skills.example.com/mcp"},
		{"HTTPS://Skills.Example.com:443/Mcp?a=B", "https://skills.example.com/Mcp?a=B"},
		{"http://skills.example.com:80", "http://skills.example.com/"},
		{"http://skills.example.com:443/", "http://skills.example.com:443/"},
		{"skills.example.com", "https://skills.example.com/"},
		{"skills.example.com/mcp", "https://skills.example.com/mcp"},
		{"skills.example.com:8443/mcp?x=1", "https://skills.example.com:8443/mcp?x=1"},
		{"localhost:8080/mcp", "http://localhost:8080/mcp"},
		{"LOCALHOST", "http://localhost/"},
		{"api.localhost/mcp", "http://api.localhost/mcp"},
		{"127.0.0.1:9", "http://127.0.0.1:9/"},
		{"127.1.2.3", "http://127.1.2.3/"},
		{"[::1]:9/mcp", "http://[::1]:9/mcp"},
		{"[::1]", "http://[::1]/"},
		{"[::ffff:127.0.0.1]:9", "http://[::ffff:127.0.0.1]:9/"},
		{"[2001:DB8::1]/mcp", "https://[2001:db8::1]/mcp"},
		{"10.0.0.1/mcp", "https://10.0.0.1/mcp"},
		{"0.0.0.0:9", "https://0.0.0.0:9/"},
		{"localhost.example.com", "https://localhost.example.com/"},
		{"example.com/a@b", "https://example.com/a@b"},
		{"https://xn--bcher-kva.example/mcp", "https://xn--bcher-kva.example/mcp"},
	} {
		u, err := Endpoint(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if have, err := url.PathUnescape(u.String()); err != nil || have != test.want {
			t.Errorf("%s: %s, want %s", test.text, have, test.want)
		}
	}
}

func TestEndpointMistakes(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"https://me:hunter2@example.com/mcp", `a URL with user information ("…@" before "example.com") is refused: it would end up in logs`},
		{"me@example.com", `a URL with user information ("…@" before "example.com") is refused: it would end up in logs`},
		{"https://example.com/mcp#part", `"https://example.com/mcp#part" has a fragment, which is never sent to a server`},
		{"skill://acme/pdf/SKILL.md", "an authority in a skill:// URI is never dialled"},
		{"SKILL://acme", "an authority in a skill:// URI is never dialled"},
		{"ftp://example.com", `the scheme "ftp" is not known; use https or http`},
		{"stdio://server", `the scheme "stdio" is not known; use https or http`},
		{"https://", `"https://" has no host`},
		{"https:///mcp", `"https:///mcp" has no host`},
		{"", `"" has no host`},
		{"example.com:", `"example.com:" has the port ""; use a number from 1 to 65535`},
		{"example.com:0", `"example.com:0" has the port "0"; use a number from 1 to 65535`},
		{"example.com:65536", `"example.com:65536" has the port "65536"; use a number from 1 to 65535`},
		{"example.com:http", `"example.com:http" has the port "http"; use a number from 1 to 65535`},
		{"::1", `"::1" has the host "::1", which is neither a name in ASCII nor an address (IPv6 stands in brackets)`},
		{"a b.example.com", `"a b.example.com" has the host "a b.example.com", which is neither a name in ASCII nor an address (IPv6 stands in brackets)`},
		{"https://exa\x1bmple.com", `"https://exa\x1bmple.com" has the host "exa\x1bmple.com", which is neither a name in ASCII nor an address (IPv6 stands in brackets)`},
		{"https://example.com/%zz", `"https://example.com/%zz" is no URL: invalid URL escape "%zz"`},
		{"bücher.example", `"bücher.example" has the host "bücher.example", which is neither a name in ASCII nor an address (IPv6 stands in brackets)`},
		{"[::1", `"[::1" has the host "[::1", which is neither a name in ASCII nor an address (IPv6 stands in brackets)`},
	} {
		_, err := Endpoint(test.text)
		var m *Mistake
		switch {
		case !errors.As(err, &m):
			t.Errorf("%s: %v, want a mistake", test.text, err)
		case m.Message != test.want:
			t.Errorf("%s: %s\nwant %s", test.text, m.Message, test.want)
		case strings.Contains(m.Message+m.Hint, "hunter2"):
			t.Errorf("%s: the password is in the message", test.text)
		}
	}
}

func FuzzEndpoint(f *testing.F) {
	for _, text := range []string{"https://example.com/mcp", "localhost:80", "[::1]:9/x", "a@b", "skill://x", "http://a:1/?q#f"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := Endpoint(text)
		if err != nil {
			return
		}
		if u.Host == "" || u.User != nil || u.Fragment != "" || u.Scheme != "http" && u.Scheme != "https" {
			t.Errorf("%q gives %#v", text, u)
		}
		again, err := Endpoint(u.String())
		if err != nil || again.String() != u.String() {
			t.Errorf("%q gives %s, and that %v, %v", text, u, again, err)
		}
	})
}
