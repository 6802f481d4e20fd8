package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"github.com/skilltool/skilltool/internal/servers"
)

// maxMetadataBytes bounds a metadata document; real ones have a few KiB.
const maxMetadataBytes = 256 << 10

// resourceMetadata is what a server says about itself as a resource (RFC 9728).
type resourceMetadata struct {
	Resource             string   `json:"resource"`
	AuthorizationServers []string `json:"authorization_servers"`
	ScopesSupported      []string `json:"scopes_supported"`
}

// issuerMetadata is what an authorization server says about itself (RFC 8414).
type issuerMetadata struct {
	Issuer        string   `json:"issuer"`
	TokenEndpoint string   `json:"token_endpoint"`
	AuthMethods   []string `json:"token_endpoint_auth_methods_supported"`
}

// discover finds where to get a token: from the server's challenge to its
// metadata, from there to the authorization server and to its metadata.
func (o *oauth) discover(ctx context.Context, challenges []string) error {
	bearer := bearerChallenge(challenges)
	issuer := o.issuer
	if issuer == "" {
		resource, err := o.describeResource(ctx, bearer["resource_metadata"])
		if err != nil {
			return err
		}
		if issuer, err = o.chooseIssuer(resource); err != nil {
			return err
		}
		if !o.resourceGiven {
			o.resource = resource.Resource
		}
		if bearer["scope"] == "" {
			bearer["scope"] = strings.Join(resource.ScopesSupported, " ")
		}
	}
	about, err := o.describeIssuer(ctx, issuer)
	if err != nil {
		return err
	}
	if len(o.config.Scopes) == 0 {
		o.config.Scopes = strings.Fields(bearer["scope"])
	}
	o.config.TokenURL = about.TokenEndpoint
	switch {
	case slices.Contains(about.AuthMethods, "client_secret_basic"):
		o.config.AuthStyle = oauth2.AuthStyleInHeader
	case slices.Contains(about.AuthMethods, "client_secret_post"):
		o.config.AuthStyle = oauth2.AuthStyleInParams
	}
	return nil
}

// bearerChallenge gives the parameters of the challenge that wants a bearer
// token. A header that cannot be read has none.
func bearerChallenge(headers []string) map[string]string {
	challenges, err := oauthex.ParseWWWAuthenticate(headers)
	if err == nil {
		for _, c := range challenges {
			if c.Scheme == "bearer" && c.Params != nil {
				return c.Params
			}
		}
	}
	return map[string]string{}
}

// describeResource gets the metadata of the server, from where its challenge
// says, or else from the well-known places. Without any the server's own origin
// is its authorization server.
func (o *oauth) describeResource(ctx context.Context, at string) (resourceMetadata, error) {
	target := o.credentials.target
	places := []string{at}
	if at == "" {
		const known = "/.well-known/oauth-protected-resource"
		origin := originOf(target)
		places = slices.Compact([]string{origin + known + strings.TrimSuffix(target.EscapedPath(), "/"), origin + known})
	}
	var about resourceMetadata
	found, err := o.first(ctx, places, &about)
	switch {
	case err != nil:
		return about, err
	case found == "" && at != "":
		return about, fmt.Errorf("there is no metadata at %s, which the server's challenge names", at)
	case found == "":
		return resourceMetadata{Resource: o.resource, AuthorizationServers: []string{originOf(target)}}, nil
	case !resourceCovers(about.Resource, target):
		return about, fmt.Errorf("%s is about the resource %q, not about %s", found, about.Resource, resourceOf(target))
	case len(about.AuthorizationServers) == 0:
		return about, fmt.Errorf("%s names no authorization server", found)
	}
	return about, nil
}

// resourceCovers reports whether a resource is the target, or something that
// the target is part of.
func resourceCovers(resource string, target *url.URL) bool {
	u, err := url.Parse(resource)
	if err != nil || !sameOrigin(u, target) {
		return false
	}
	path := strings.TrimSuffix(u.Path, "/")
	return strings.TrimSuffix(target.Path, "/") == path || strings.HasPrefix(target.Path, path+"/")
}

// chooseIssuer gives the authorization server on the server's own host. Any
// other gets the secret only if the user names it: the server that is probed may
// be nobody's friend.
func (o *oauth) chooseIssuer(about resourceMetadata) (string, error) {
	for _, text := range about.AuthorizationServers {
		if u, err := url.Parse(text); err == nil && strings.EqualFold(u.Hostname(), o.credentials.target.Hostname()) {
			return text, nil
		}
	}
	other := about.AuthorizationServers[0]
	return "", fmt.Errorf("the server names the authorization server %s; to trust it with the secret, give --oauth-issuer %s", other, other)
}

// describeIssuer gets the metadata of an authorization server.
func (o *oauth) describeIssuer(ctx context.Context, issuer string) (issuerMetadata, error) {
	var about issuerMetadata
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" {
		return about, fmt.Errorf("the authorization server %q is no URL", issuer)
	}
	path, origin := strings.TrimSuffix(u.EscapedPath(), "/"), originOf(u)
	found, err := o.first(ctx, slices.Compact([]string{
		origin + "/.well-known/oauth-authorization-server" + path,
		origin + "/.well-known/openid-configuration" + path,
		origin + path + "/.well-known/openid-configuration",
	}), &about)
	switch {
	case err != nil:
		return about, err
	case found == "":
		return about, fmt.Errorf("the authorization server %s has no metadata; give --oauth-token-url", issuer)
	case strings.TrimSuffix(about.Issuer, "/") != strings.TrimSuffix(issuer, "/"):
		return about, fmt.Errorf("%s is about the authorization server %q, not about %s", found, about.Issuer, issuer)
	}
	return about, o.allowed(about.TokenEndpoint)
}

// first gets the first document that is there, and gives its place, or "".
func (o *oauth) first(ctx context.Context, places []string, into any) (string, error) {
	for _, place := range places {
		found, err := o.document(ctx, place, into)
		if err != nil || found {
			return place, err
		}
	}
	return "", nil
}

// document gets a metadata document. It is not there for any status of 4xx.
func (o *oauth) document(ctx context.Context, place string, into any) (found bool, err error) {
	if err := o.allowed(place); err != nil {
		return false, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, place, nil)
	if err != nil {
		return false, err
	}
	request.Header.Set("Accept", "application/json")
	response, err := o.client.Do(request)
	if err != nil {
		return false, fmt.Errorf("%s: %s", place, tokenReason(err))
	}
	defer drain(response)
	switch {
	case response.StatusCode >= 400 && response.StatusCode < 500:
		return false, nil
	case response.StatusCode != http.StatusOK:
		return false, fmt.Errorf("%s answers with HTTP %s", place, response.Status)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxMetadataBytes+1))
	switch {
	case err != nil:
		return false, fmt.Errorf("%s: %w", place, err)
	case len(text) > maxMetadataBytes:
		return false, fmt.Errorf("%s has more than %d bytes", place, maxMetadataBytes)
	case json.Unmarshal(text, into) != nil:
		return false, fmt.Errorf("%s is no metadata in JSON", place)
	}
	return true, nil
}

// allowed refuses a place that the server must not choose: one without TLS, and
// one on this machine, unless the server is on it too.
func (o *oauth) allowed(place string) error {
	u, err := url.Parse(place)
	local := servers.Loopback(o.credentials.target)
	switch {
	case place == "":
		return errors.New("the authorization server names no token endpoint")
	case err != nil || u.Host == "" || u.User != nil:
		return fmt.Errorf("%q is no URL that can be asked", place)
	case servers.Loopback(u) && !local:
		return fmt.Errorf("%s is on this machine, and the server is not", place)
	case u.Scheme != "https" && (u.Scheme != "http" || !servers.Loopback(u)):
		return fmt.Errorf("%s is not https", place)
	}
	return nil
}

func originOf(u *url.URL) string { return u.Scheme + "://" + u.Host }
