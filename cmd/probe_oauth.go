package cmd

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/skilltool/skilltool/internal/redact"
	"github.com/skilltool/skilltool/internal/servers"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

const (
	// oauthTimeout bounds each request to an authorization server.
	oauthTimeout = 30 * time.Second
	// maxRenewals is how often a token that the server refuses is replaced by a
	// new one: a server that refuses them all would have two of each request.
	maxRenewals = 3
)

// oauthFlags are about OAuth client credentials (RFC 6749, section 4.4).
func oauthFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "oauth-client-id", Usage: "get a token by OAuth client credentials, as the client `ID`"},
		&cli.StringFlag{Name: "oauth-client-secret-env", Usage: "its secret is in the variable `VAR`"},
		&cli.StringFlag{Name: "oauth-client-secret-file", Usage: "its secret is in `FILE`"},
		&cli.StringFlag{Name: "oauth-token-url", Usage: "get the token at `URL`; without, it is looked up from the server's challenge"},
		&cli.StringFlag{Name: "oauth-issuer", Usage: "trust the authorization server `URL` with the secret, though it is not on the server's own host"},
		&cli.StringSliceFlag{Name: "oauth-scope", Usage: "ask for `SCOPE`, instead of what the server's challenge names"},
		&cli.StringFlag{Name: "oauth-resource", Usage: "ask for a token for `URL`, instead of the server's own"},
	}
}

// oauth gets tokens and sends requests with them.
type oauth struct {
	credentials *credentials
	set         *redact.Set
	// issuer is that of --oauth-issuer, or "".
	issuer   string
	client   *http.Client
	busy     chan struct{} // held by who gets a token
	config   clientcredentials.Config
	resource string
	// resourceGiven says that resource is not to be looked up.
	resourceGiven bool
	token         *oauth2.Token
	renewals      int
}

// oauth reads the flags. It gives nil without them.
func (r *targetResolver) oauth(c *credentials, set *redact.Set) (*oauth, error) {
	id := r.c.String("oauth-client-id")
	if id == "" {
		for _, flag := range oauthFlags() {
			if name := flag.Names()[0]; r.c.IsSet(name) {
				return nil, usagef("--%s goes with --oauth-client-id", name)
			}
		}
		return nil, nil
	}
	secret, err := r.oauthSecret()
	if err != nil {
		return nil, err
	}
	set.Add(secret, id+":"+secret, url.QueryEscape(id)+":"+url.QueryEscape(secret))
	o := &oauth{
		credentials: c, set: set, issuer: r.c.String("oauth-issuer"), busy: make(chan struct{}, 1),
		config:   clientcredentials.Config{ClientID: id, ClientSecret: secret, TokenURL: r.c.String("oauth-token-url")},
		resource: resourceOf(c.target), resourceGiven: r.c.IsSet("oauth-resource"),
	}
	o.client = &http.Client{Transport: roundTrip(c.plain), Timeout: oauthTimeout, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // the secret goes to nobody but who was named
	}}
	if o.resourceGiven {
		o.resource = r.c.String("oauth-resource")
	}
	for _, scope := range r.c.StringSlice("oauth-scope") {
		o.config.Scopes = append(o.config.Scopes, strings.Fields(scope)...)
	}
	for _, name := range []string{"oauth-token-url", "oauth-issuer"} {
		if err := checkAuthority(name, r.c.String(name)); err != nil {
			return nil, err
		}
	}
	c.secret = true
	return o, nil
}

func (r *targetResolver) oauthSecret() (string, error) {
	fromEnv, fromFile := r.c.IsSet("oauth-client-secret-env"), r.c.IsSet("oauth-client-secret-file")
	switch {
	case r.c.IsSet("bearer-env") || r.c.IsSet("bearer-file"):
		return "", usagef("--bearer-env and --bearer-file exclude --oauth-client-id")
	case r.c.IsSet("oauth-token-url") && r.c.IsSet("oauth-issuer"):
		return "", usagef("--oauth-token-url and --oauth-issuer exclude each other")
	case fromEnv == fromFile:
		return "", usagef("--oauth-client-id wants --oauth-client-secret-env or --oauth-client-secret-file, one of them")
	}
	return r.secretOf("oauth-client-secret", "the secret")
}

// checkAuthority wants a URL that a secret can be sent to.
func checkAuthority(flag, text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Fragment != "":
		return usagef("--%s is no URL such as https://auth.example.com/token", flag)
	case u.Scheme != "https" && (u.Scheme != "http" || !servers.Loopback(u)):
		return usagef("--%s: %q is not https", flag, text)
	}
	return nil
}

// resourceOf is the identifier of the server as a resource (RFC 8707).
func resourceOf(target *url.URL) string {
	u := url.URL{Scheme: target.Scheme, Host: target.Host, Path: strings.TrimSuffix(target.Path, "/")}
	return u.String()
}

// roundTrip is a function as a transport.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// send sends a request with a token. Where the server refuses it, a new token is
// got, once, and the request sent again. Without a token's URL the first request
// goes without, for the challenge.
func (o *oauth) send(request *http.Request, base http.RoundTripper) (*http.Response, error) {
	used, err := o.held(request.Context())
	if err != nil {
		closeBody(request)
		return nil, err
	}
	withToken(request, used)
	response, err := base.RoundTrip(request)
	if err != nil || response.StatusCode != http.StatusUnauthorized || request.Body != nil && request.GetBody == nil {
		return response, err
	}
	fresh, err := o.renew(request.Context(), used, response)
	if fresh == "" && err == nil {
		return response, nil
	}
	drain(response)
	if err != nil {
		return nil, err
	}
	again := request.Clone(request.Context())
	if request.GetBody != nil {
		if again.Body, err = request.GetBody(); err != nil {
			return nil, err
		}
	}
	withToken(again, fresh)
	return base.RoundTrip(again)
}

func withToken(request *http.Request, token string) {
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
}

func closeBody(request *http.Request) {
	if request.Body != nil {
		_ = request.Body.Close()
	}
}

// lock waits for its turn to get a token.
func (o *oauth) lock(ctx context.Context) error {
	select {
	case o.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (o *oauth) unlock() { <-o.busy }

// held gives the token, got anew where it has run out, or "" while nobody knows
// where to get one.
func (o *oauth) held(ctx context.Context) (string, error) {
	if err := o.lock(ctx); err != nil {
		return "", err
	}
	defer o.unlock()
	switch {
	case o.token.Valid():
		return o.token.AccessToken, nil
	case o.config.TokenURL == "":
		return "", nil
	}
	return o.get(ctx, "")
}

// renew gives another token than the one that the server refused, or "" where
// there have been enough of them.
func (o *oauth) renew(ctx context.Context, refused string, response *http.Response) (string, error) {
	if err := o.lock(ctx); err != nil {
		return "", err
	}
	defer o.unlock()
	if o.token.Valid() && o.token.AccessToken != refused {
		return o.token.AccessToken, nil // another request got it meanwhile
	}
	if o.renewals++; o.renewals > maxRenewals {
		return "", nil
	}
	challenge := strings.Join(response.Header.Values("WWW-Authenticate"), ", ")
	if o.config.TokenURL == "" {
		if err := o.discover(ctx, response.Header.Values("WWW-Authenticate")); err != nil {
			return "", o.failed(err, challenge)
		}
	}
	return o.get(ctx, challenge)
}

// get asks for a token.
func (o *oauth) get(ctx context.Context, challenge string) (string, error) {
	if o.resource != "" {
		o.config.EndpointParams = url.Values{"resource": {o.resource}}
	}
	token, err := o.config.Token(context.WithValue(ctx, oauth2.HTTPClient, o.client))
	if err != nil {
		return "", o.failed(fmt.Errorf("%s gave no token: %s", o.config.TokenURL, tokenReason(err)), challenge)
	}
	o.set.Add(token.AccessToken, token.RefreshToken)
	if !strings.EqualFold(token.Type(), "Bearer") {
		return "", o.failed(fmt.Errorf("%s gave a token of the type %q; only bearer tokens can be sent", o.config.TokenURL, token.Type()), challenge)
	}
	if strings.ContainsFunc(token.AccessToken, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
		return "", o.failed(fmt.Errorf("%s gave a token that cannot be sent in a header", o.config.TokenURL), challenge)
	}
	o.token = token
	return token.AccessToken, nil
}

// failed is the error of an authorization that did not come about.
func (o *oauth) failed(err error, challenge string) error {
	return &mcpprobe.ConnectError{
		Kind: mcpprobe.ErrCredentials, Message: o.set.Redact("OAuth: " + err.Error()), Challenge: o.set.Redact(challenge),
	}
}

// tokenReason says why an authorization server gave no token.
func tokenReason(err error) string {
	var refused *oauth2.RetrieveError
	var network *url.Error
	switch {
	case errors.As(err, &refused):
		parts := []string{"HTTP " + refused.Response.Status, refused.ErrorCode, refused.ErrorDescription}
		return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
	case errors.As(err, &network):
		return network.Err.Error()
	}
	return strings.TrimPrefix(err.Error(), "oauth2: ")
}
