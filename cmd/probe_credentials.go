package cmd

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/redact"
	"github.com/skilltool/skilltool/internal/servers"
)

// credentialFlags say who asks. None of them takes a secret itself: a command
// line is seen by every user of a machine, and kept in its shell's history.
func credentialFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		&cli.StringSliceFlag{Name: "header", Aliases: []string{"H"}, Usage: "send the header `'NAME: VALUE'`, in which ${VAR} is filled in, or those in @FILE"},
		&cli.StringFlag{Name: "bearer-env", Usage: "send the bearer token in the variable `VAR`"},
		&cli.StringFlag{Name: "bearer-file", Usage: "send the bearer token in `FILE`"},
	}, oauthFlags())
}

// credentials sends requests with the headers of the user, and with a token,
// to the target's origin and to no other.
type credentials struct {
	base http.RoundTripper
	// foreign is the way to other origins: it shows them no certificate, and
	// verifies theirs.
	foreign http.RoundTripper
	target  *url.URL
	header  http.Header
	// secret says that header has a credential, or that oauth is set.
	secret bool
	oauth  *oauth
}

// RoundTrip sends one request. It is one of the target's, or one that a redirect
// led to.
func (c *credentials) RoundTrip(request *http.Request) (*http.Response, error) {
	if !c.trusted(request) {
		return c.plain(request)
	}
	request = request.Clone(request.Context())
	for name, values := range c.header {
		request.Header[name] = values
	}
	if c.oauth == nil {
		return c.base.RoundTrip(request)
	}
	return c.oauth.send(request, c.base)
}

// plain sends a request without credentials.
func (c *credentials) plain(request *http.Request) (*http.Response, error) {
	if sameOrigin(request.URL, c.target) {
		return c.base.RoundTrip(request)
	}
	return c.foreign.RoundTrip(request)
}

// trusted reports whether a request goes to the target's origin and no other
// server had a say in it.
func (c *credentials) trusted(request *http.Request) bool {
	for {
		if !sameOrigin(request.URL, c.target) {
			return false
		}
		if request.Response == nil || request.Response.Request == nil {
			return true
		}
		request = request.Response.Request
	}
}

// CloseIdleConnections is what http.Client asks of its transport.
func (c *credentials) CloseIdleConnections() {
	for _, way := range []http.RoundTripper{c.base, c.foreign} {
		if way, ok := way.(interface{ CloseIdleConnections() }); ok {
			way.CloseIdleConnections()
		}
	}
}

// credentials reads the flags, over the headers of an entry in a file.
func (r *targetResolver) credentials(c *credentials, set *redact.Set, file []servers.Header) error {
	for _, h := range file {
		if err := checkHeader(h.Name, h.Value); err != nil {
			return usagef("a header of the configuration file: %w", err)
		}
		c.add(h.Name, h.Value, set, true)
	}
	if err := r.headerFlags(c, set); err != nil {
		return err
	}
	token, err := r.bearer()
	if err != nil {
		return err
	}
	if c.oauth, err = r.oauth(c, set); err != nil {
		return err
	}
	if token != "" {
		set.Add(token)
		c.add("Authorization", "Bearer "+token, set, true)
	}
	return nil
}

// add sets a header. Its value is a secret if the name says so, or the caller.
func (c *credentials) add(name, value string, set *redact.Set, replace bool) {
	if redact.SecretName(name) {
		c.secret = true
		set.Add(redact.Credential(value)...)
	} else if redact.SecretValue(name, value) {
		set.Add(value)
	}
	if replace {
		c.header.Del(name)
	}
	c.header.Add(name, value)
}

// headerFlags reads -H. It takes the place of the same header in a file;
// several of one name are all sent.
func (r *targetResolver) headerFlags(c *credentials, set *redact.Set) error {
	seen := map[string]bool{}
	for _, text := range r.c.StringSlice("header") {
		lines := []string{text}
		file, fromFile := strings.CutPrefix(text, "@")
		if fromFile {
			var err error
			if lines, err = r.headerFile(file); err != nil {
				return err
			}
		}
		for _, line := range lines {
			name, value, err := r.header(line, fromFile, set)
			if err != nil {
				return err
			}
			name = http.CanonicalHeaderKey(name)
			c.add(name, value, set, !seen[name])
			seen[name] = true
		}
	}
	authorization := []string{"bearer-env", "bearer-file", "oauth-client-id"}
	for _, flag := range authorization {
		if seen["Authorization"] && r.c.IsSet(flag) {
			return usagef("-H Authorization and --%s exclude each other", flag)
		}
	}
	return nil
}

// headerFile gives the lines of a file of headers.
func (r *targetResolver) headerFile(name string) ([]string, error) {
	text, err := readSecret(name)
	if err != nil {
		return nil, usagef("--header: %q: %w", name, err)
	}
	r.warnReadable(name)
	var lines []string
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// header reads "Name: value". A secret may stand in a file, but on the command
// line only as ${VAR}.
func (r *targetResolver) header(line string, fromFile bool, set *redact.Set) (name, value string, err error) {
	name, text, ok := strings.Cut(line, ":")
	if name = strings.TrimSpace(name); !ok || name == "" {
		return "", "", usagef(`--header takes 'NAME: VALUE' or @FILE; there is no ":"`)
	}
	if err := checkHeaderName(name); err != nil {
		return "", "", usagef("--header: %w", err)
	}
	value, variables, err := servers.ExpandEnvironment(strings.TrimSpace(text), r.lookup)
	switch {
	case err != nil:
		return "", "", usagef("--header %s: %w", name, err)
	case !fromFile && redact.SecretName(name) && len(variables) == 0:
		return "", "", usagef("--header: the value of %s is a secret, and the command line is no place for one", name).
			hintf("name a variable of the environment, in single quotes: -H '%s: ${VAR}'", name)
	}
	set.Add(variables...)
	if err := checkHeader(name, value); err != nil {
		return "", "", usagef("--header: %w", err)
	}
	return name, value, nil
}

// headerName is the token of RFC 9110.
var headerName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
})

// ownHeaders are set by HTTP and by MCP; anything else in them would be another
// request.
var ownHeaders = []string{
	"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade", "Host", "Content-Length", "Content-Type", "Content-Encoding", "Accept",
	"Accept-Encoding", "Expect", "Last-Event-Id",
}

func checkHeaderName(name string) error {
	canonical := http.CanonicalHeaderKey(name)
	switch {
	case !headerName().MatchString(name):
		return fmt.Errorf("%q is no name of a header", name)
	case slices.Contains(ownHeaders, canonical), strings.HasPrefix(canonical, "Mcp-"):
		return fmt.Errorf("the header %s is set by the protocol", canonical)
	}
	return nil
}

// checkHeader refuses what cannot be sent. It never shows the value.
func checkHeader(name, value string) error {
	if err := checkHeaderName(name); err != nil {
		return err
	}
	canonical := http.CanonicalHeaderKey(name)
	switch {
	case value == "":
		return fmt.Errorf("the header %s has no value", canonical)
	case strings.ContainsFunc(value, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }):
		return fmt.Errorf("the value of the header %s has a control character or a line break", canonical)
	}
	return nil
}

// bearer gives the token of --bearer-env or --bearer-file, or "".
func (r *targetResolver) bearer() (string, error) {
	variable, file := r.c.String("bearer-env"), r.c.String("bearer-file")
	switch {
	case variable != "" && file != "":
		return "", usagef("--bearer-env and --bearer-file exclude each other")
	case variable == "" && file == "":
		return "", nil
	}
	return r.secretOf("bearer", "the token")
}

// secretOf gives the secret that --NAME-env or --NAME-file leads to. what names
// it in messages.
func (r *targetResolver) secretOf(name, what string) (string, error) {
	origin, text := "", ""
	if variable := r.c.String(name + "-env"); variable != "" {
		origin = fmt.Sprintf("--%s-env: %s in the variable %s", name, what, variable)
		if text = r.e.getenv(variable); text == "" {
			return "", usagef("--%s-env: the variable %s is not set", name, variable)
		}
	} else {
		file := r.c.String(name + "-file")
		origin = fmt.Sprintf("--%s-file: %s in %s", name, what, file)
		raw, err := readSecret(file)
		if err != nil {
			return "", usagef("--%s-file %q: %w", name, file, err)
		}
		text = string(raw)
		r.warnReadable(file)
	}
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", usagef("%s is blank", origin)
	case strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c >= 0x7f }):
		return "", usagef("%s has a blank, or a character that is not ASCII", origin).hintf("it is sent as it is, behind a word such as Bearer")
	}
	return text, nil
}

// drain reads what is left of a body, so that its connection can be used again.
func drain(response *http.Response) {
	const most = 64 << 10
	_, _ = io.CopyN(io.Discard, response.Body, most)
	_ = response.Body.Close()
}
