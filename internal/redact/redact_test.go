package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/skilltool/skilltool/internal/redact"
)

func set(secrets ...string) *redact.Set {
	s := &redact.Set{}
	s.Add(secrets...)
	return s
}

func TestRedact(t *testing.T) {
	for _, test := range []struct {
		name, text, want string
		secrets          []string
	}{
		{"none", "a text", "a text", nil},
		{"as it is", "token s3cr3t!", "token [redacted]", []string{"s3cr3t!"}},
		{"within a word", "xs3cr3ty", "x[redacted]y", []string{"s3cr3t"}},
		{"twice in a row", "s3cr3ts3cr3t.", "[redacted].", []string{"s3cr3t"}},
		{"an empty one is none", "a b", "a b", []string{"", "  "}},
		{"a short one as a word", "ab cab (ab) ab_c", "[redacted] cab ([redacted]) ab_c", []string{"ab"}},
		{"a short one beside letters of any script", "éab ab", "éab [redacted]", []string{"ab"}},
		{"the longer one first", "tokenlong token", "[redacted] [redacted]", []string{"token", "tokenlong"}},
		{"overlapping ones leave nothing", "abcdefgh.", "[redacted].", []string{"abcdef", "cdefgh"}},
		{"one that repeats itself", "aaaaaaa.", "[redacted].", []string{"aaaa"}},
		{"one with a line end", "one is s3cr3t, all", "one is [redacted], all", []string{"s3cr3t\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if have := set(test.secrets...).Redact(test.text); have != test.want {
				t.Errorf("have %q, want %q", have, test.want)
			}
		})
	}
}

// TestSpellings sends secrets back in the ways that servers and programs write
// strings.
func TestSpellings(t *testing.T) {
	for _, secret := range []string{
		"plain-token-1234", `with"quote\and/slash`, "with <html> & 'more'", "line\nbreak\ttab", "ünïcödé-𝄞-token", "a+b c/d=e?f&g", "ab+/cd==",
	} {
		marshalled, err := json.Marshal(secret)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{
			"raw":                secret,
			"JSON":               string(marshalled),
			"JSON, slashes":      strings.ReplaceAll(string(marshalled), "/", `\/`),
			"JSON within JSON":   mustJSON(t, string(marshalled)),
			"query":              url.QueryEscape(secret),
			"path":               url.PathEscape(secret),
			"lower query":        lowerHex(url.QueryEscape(secret)),
			"Go":                 strconv.Quote(secret),
			"Go, ASCII":          strconv.QuoteToASCII(secret),
			"hex":                hex.EncodeToString([]byte(secret)),
			"HEX":                strings.ToUpper(hex.EncodeToString([]byte(secret))),
			"base64":             base64.StdEncoding.EncodeToString([]byte(secret)),
			"base64, URL":        base64.RawURLEncoding.EncodeToString([]byte(secret)),
			"base64 of a pair":   base64.StdEncoding.EncodeToString([]byte("user:" + secret)),
			"base64 of a pair 2": base64.StdEncoding.EncodeToString([]byte("user1:" + secret + ":x")),
			"base64 of a pair 3": base64.URLEncoding.EncodeToString([]byte("user22:" + secret)),
		} {
			have := set(secret).Redact("<" + text + ">")
			if !strings.Contains(have, redact.Mark) {
				t.Errorf("%q as %s is not hidden: %s", secret, name, have)
			}
			if len(have) > len(redact.Mark)+12 && !strings.Contains(name, "pair") {
				t.Errorf("%q as %s leaves too much: %s", secret, name, have)
			}
		}
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func lowerHex(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' {
			b.WriteString(strings.ToLower(s[i : i+3]))
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// TestConcurrent is for the race detector: tokens are learnt while others
// redact.
func TestConcurrent(t *testing.T) {
	s := set("first-secret")
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() { s.Add(fmt.Sprintf("secret-number-%d", i)) })
		group.Go(func() {
			if have := s.Redact("a first-secret"); have != "a [redacted]" {
				t.Errorf("have %q", have)
			}
		})
	}
	group.Wait()
	if have := s.Redact("secret-number-7"); have != redact.Mark {
		t.Errorf("have %q", have)
	}
}

func TestSecretValue(t *testing.T) {
	for _, test := range []struct {
		name, value string
		want        bool
	}{
		{"API_KEY", "abc", true},
		{"GITHUB_TOKEN", "x", true},
		{"Authorization", "Basic eA==", true},
		{"X-Api-Key", "1234", true},
		{"DB_PASS", "hunter2", true},
		{"USE_AUTH", "true", false},
		{"DEBUG", "1", false},
		{"NODE_ENV", "production", false},
		{"LANG", "en_GB.UTF-8", false},
		{"ROOT", "/srv/skills/of ours", false},
		{"ROOT", `C:\Users\me`, false},
		{"PORT", "8080", false},
		{"URL", "https://example.com/mcp", false},
		{"URL", "postgres://me:pw@db/x", true},
		{"HARMLESS", "8f3a9c1d77be4e02", true},
		{"MONKEY", "banana", false},
		{"MAX_TOKENS", "100", false},
		{"AUTHOR", "ann", false},
		{"AUTH", "x", true},
		{"Proxy-Authorization", "x", true},
		{"OAUTH_CLIENT", "x", true},
		{"COMPASS", "north", false},
	} {
		if have := redact.SecretValue(test.name, test.value); have != test.want {
			t.Errorf("%s=%s: %v, want %v", test.name, test.value, have, test.want)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, test := range []struct {
		line string
		want string
	}{
		{"npx -y @example/server --port 8080", ""},
		{"server --token abc --verbose", "abc"},
		{"server --token=abc", "abc"},
		{"server --api-key --verbose", ""},
		{"docker run -e API_KEY=abcd image", "abcd"},
		{"server https://me:pw99@example.com/x", "pw99"},
		{"server https://example.com/x?a=1&api_key=a%2Fb", "a%2Fb a/b"},
		{"server sk-0123456789abcdefghij", "sk-0123456789abcdefghij"},
		{"remote -H Authorization:Bearer", "Bearer"},
	} {
		have := strings.Join(redact.Arguments(strings.Fields(test.line)), " ")
		if have != test.want {
			t.Errorf("%s: %q, want %q", test.line, have, test.want)
		}
	}
	have := redact.Arguments([]string{"remote", "--header", "Authorization: Bearer abc123"})
	if strings.Join(have, "|") != "Bearer abc123|abc123" {
		t.Errorf("a header gives %q", have)
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("s3cr3t", "a text with s3cr3t")
	f.Add("aaaa", "aaaaaaaaa")
	f.Add("é\x00\"", `{"a":"\u00e9"}`)
	f.Fuzz(func(t *testing.T, secret, text string) {
		s := set(secret)
		have := s.Redact(text + secret + text)
		if len(secret) >= 4 && strings.TrimSpace(secret) != "" && !strings.Contains(redact.Mark, secret) {
			if strings.Contains(strings.ReplaceAll(have, redact.Mark, "\x00\xff"), secret) && !strings.Contains("\x00\xff", secret) {
				t.Errorf("%q is left in %q", secret, have)
			}
		}
	})
}
