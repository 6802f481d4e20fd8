package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// authServer is a resource server and its authorization server in one, and can
// be told to misbehave.
type authServer struct {
	*httptest.Server
	mu sync.Mutex
	// tokens counts those that were given out; the last one is valid.
	tokens int
	forms  []url.Values
	asked  []string
	// documents are answers by path, in place of the honest ones; "" is 404.
	documents map[string]string
	challenge string
	token     func(w http.ResponseWriter, form url.Values)
	refuseAll bool
}

const oauthSecret = "cl13nt/s3cret+x"

func newAuthServer(t *testing.T) *authServer {
	t.Helper()
	s := &authServer{documents: map[string]string{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	s.challenge = `Bearer error="invalid_token", resource_metadata="` + s.URL + `/meta", scope="skills:read"`
	s.documents["/meta"] = s.metadata("/mcp", s.URL)
	s.documents["/.well-known/oauth-authorization-server"] = s.issuer(s.URL, s.URL+"/token")
	return s
}

func (s *authServer) metadata(resource string, servers ...string) string {
	text, _ := json.Marshal(map[string]any{"resource": s.URL + resource, "authorization_servers": servers, "scopes_supported": []string{"all"}})
	return string(text)
}

func (s *authServer) issuer(issuer, token string) string {
	text, _ := json.Marshal(map[string]any{
		"issuer": issuer, "token_endpoint": token, "token_endpoint_auth_methods_supported": []string{"client_secret_basic"},
	})
	return string(text)
}

func (s *authServer) serve(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	switch document := s.documents[r.URL.Path]; {
	case r.URL.Path == "/mcp" && !s.refuseAll && r.Header.Get("Authorization") == fmt.Sprintf("Bearer access-token-%d", s.tokens):
		fmt.Fprint(w, "fine")
	case r.URL.Path == "/mcp":
		w.Header().Set("WWW-Authenticate", s.challenge)
		w.WriteHeader(http.StatusUnauthorized)
	case r.URL.Path == "/token" && s.token != nil:
		s.token(w, r.PostForm)
	case r.URL.Path == "/token":
		s.giveToken(w, r)
	case document == "":
		http.NotFound(w, r)
	default:
		fmt.Fprint(w, document)
	}
}

func (s *authServer) giveToken(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	id, secret, _ := r.BasicAuth()
	id, _ = url.QueryUnescape(id)
	if secret, _ = url.QueryUnescape(secret); id != "me" || secret != oauthSecret {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error": "invalid_client", "error_description": "%s is not the secret of %s"}`, secret, id)
		return
	}
	s.tokens++
	s.forms = append(s.forms, r.PostForm)
	fmt.Fprintf(w, `{"access_token": "access-token-%d", "token_type": "bearer", "expires_in": 3600}`, s.tokens)
}

// probe resolves the server as a target of the client "me".
func (s *authServer) probe(t *testing.T, flags ...string) resolved {
	t.Helper()
	return mustResolve(t, []string{"SECRET", oauthSecret, "WRONG", "wr0ng/secret+y"},
		append([]string{s.URL + "/mcp", "--oauth-client-id", "me", "--oauth-client-secret-env", "SECRET"}, flags...)...)
}

func TestOAuthDiscovery(t *testing.T) {
	folder(t)
	s := newAuthServer(t)
	target := s.probe(t)
	for range 3 {
		if status, text, err := target.post(t, `{"id": 1}`); err != nil || status != 200 || text != "fine" {
			t.Fatalf("%d %q, %v", status, text, err)
		}
	}
	wantForm := url.Values{"grant_type": {"client_credentials"}, "resource": {s.URL + "/mcp"}, "scope": {"skills:read"}}
	want := "POST /mcp, GET /meta, GET /.well-known/oauth-authorization-server, POST /token, POST /mcp, POST /mcp, POST /mcp"
	if have := strings.Join(s.asked, ", "); have != want {
		t.Errorf("asked %s\nwant  %s", have, want)
	}
	if form := s.forms[0].Encode(); form != wantForm.Encode() {
		t.Errorf("the token was asked for with %s", form)
	}
	if have := target.Redact("bad token access-token-1 of " + oauthSecret); have != "bad token [redacted] of [redacted]" {
		t.Errorf("redacted: %s", have)
	}
	if !target.Target.Authenticated {
		t.Error("the target does not say that it is authenticated")
	}
}

// TestOAuthPlaces: metadata is looked for at the well-known places, in order.
func TestOAuthPlaces(t *testing.T) {
	folder(t)
	for name, test := range map[string]struct {
		change func(s *authServer)
		want   string
	}{
		"below the path": {func(s *authServer) {
			s.challenge = "Bearer"
			s.documents["/.well-known/oauth-protected-resource/mcp"] = s.documents["/meta"]
		}, "GET /.well-known/oauth-protected-resource/mcp, GET /.well-known/oauth-authorization-server"},
		"at the root": {func(s *authServer) {
			s.challenge = ""
			s.documents["/.well-known/oauth-protected-resource"] = s.metadata("", s.URL+"/tenant")
			s.documents["/tenant/.well-known/openid-configuration"] = s.issuer(s.URL+"/tenant", s.URL+"/token")
		}, "GET /.well-known/oauth-protected-resource/mcp, GET /.well-known/oauth-protected-resource, " +
			"GET /.well-known/oauth-authorization-server/tenant, GET /.well-known/openid-configuration/tenant, GET /tenant/.well-known/openid-configuration"},
		"nowhere": {func(s *authServer) { s.challenge = "Bearer" },
			"GET /.well-known/oauth-protected-resource/mcp, GET /.well-known/oauth-protected-resource, GET /.well-known/oauth-authorization-server"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newAuthServer(t)
			test.change(s)
			if _, text, err := s.probe(t).post(t, "{}"); err != nil || text != "fine" {
				t.Errorf("%q, %v", text, err)
			}
			if have := strings.Join(s.asked, ", "); have != "POST /mcp, "+test.want+", POST /token, POST /mcp" {
				t.Errorf("asked %s\nwant  POST /mcp, %s, POST /token, POST /mcp", have, test.want)
			}
		})
	}
}

func TestOAuthTokenURL(t *testing.T) {
	folder(t)
	s := newAuthServer(t)
	target := s.probe(t, "--oauth-token-url", s.URL+"/token", "--oauth-scope", "a b", "--oauth-scope", "c", "--oauth-resource", "https://r.example")
	if _, text, err := target.post(t, "{}"); err != nil || text != "fine" {
		t.Fatalf("%q, %v", text, err)
	}
	if have := strings.Join(s.asked, ", "); have != "POST /token, POST /mcp" {
		t.Errorf("asked %s", have)
	}
	if scope, resource := s.forms[0].Get("scope"), s.forms[0].Get("resource"); scope != "a b c" || resource != "https://r.example" {
		t.Errorf("scope %q, resource %q", scope, resource)
	}
	target = s.probe(t, "--oauth-token-url", s.URL+"/token", "--oauth-resource", "")
	if _, _, err := target.post(t, "{}"); err != nil || s.forms[1].Has("resource") {
		t.Errorf("%v, with the resource %q", err, s.forms[1]["resource"])
	}
}

// TestOAuthRenewal: a token that is refused is replaced, and not for ever.
func TestOAuthRenewal(t *testing.T) {
	folder(t)
	s := newAuthServer(t)
	target := s.probe(t)
	if _, _, err := target.post(t, "{}"); err != nil {
		t.Fatal(err)
	}
	s.tokens++ // the token is revoked
	if status, text, err := target.post(t, "{}"); err != nil || text != "fine" {
		t.Errorf("after the token was revoked: %d %q, %v", status, text, err)
	}
	s.refuseAll = true
	before := s.tokens
	for range 10 {
		if status, _, err := target.post(t, "{}"); err != nil || status != http.StatusUnauthorized {
			t.Errorf("a server that refuses all tokens: %d, %v", status, err)
		}
	}
	if got := s.tokens - before; got > maxRenewals {
		t.Errorf("%d tokens were got for it, want at most %d", got, maxRenewals)
	}
}

// TestOAuthTogether: requests in flight share one token.
func TestOAuthTogether(t *testing.T) {
	folder(t)
	s := newAuthServer(t)
	target := s.probe(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if _, text, err := target.post(t, "{}"); err != nil || text != "fine" {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
	group.Wait()
	if s.tokens != 1 {
		t.Errorf("%d tokens were got", s.tokens)
	}
}

// TestOAuthRefused: every way in which authorization fails is one clear line,
// of the kind that asks for credentials, and without the secret.
func TestOAuthRefused(t *testing.T) {
	folder(t)
	other := newAuthServer(t)
	for name, test := range map[string]struct {
		change func(s *authServer)
		flags  []string
		want   string
	}{
		"wrong secret": {nil, []string{"--oauth-client-secret-env", "WRONG"},
			"OAuth: $URL/token gave no token: HTTP 401 Unauthorized, invalid_client, [redacted] is not the secret of me"},
		"no metadata": {func(s *authServer) { s.documents["/meta"] = "" }, nil,
			"OAuth: there is no metadata at $URL/meta, which the server's challenge names"},
		"metadata is no JSON": {func(s *authServer) { s.documents["/meta"] = "<html>" }, nil, "OAuth: $URL/meta is no metadata in JSON"},
		"metadata is huge": {func(s *authServer) { s.documents["/meta"] = strings.Repeat(" ", maxMetadataBytes+1) }, nil,
			"OAuth: $URL/meta has more than 262144 bytes"},
		"another resource": {func(s *authServer) { s.documents["/meta"] = s.metadata("/other", s.URL) }, nil,
			`OAuth: $URL/meta is about the resource "$URL/other", not about $URL/mcp`},
		"no authorization server": {func(s *authServer) { s.documents["/meta"] = s.metadata("/mcp") }, nil,
			"OAuth: $URL/meta names no authorization server"},
		"metadata without TLS": {func(s *authServer) { s.challenge = `Bearer resource_metadata="http://a.example/meta"` }, nil,
			"OAuth: http://a.example/meta is not https"},
		"metadata in a file": {func(s *authServer) { s.challenge = `Bearer resource_metadata="file:///etc/passwd"` }, nil,
			`OAuth: "file:///etc/passwd" is no URL that can be asked`},
		"foreign authorization server": {func(s *authServer) { s.documents["/meta"] = s.metadata("/mcp", "https://auth.example/") }, nil,
			"OAuth: the server names the authorization server https://auth.example/; to trust it with the secret, give --oauth-issuer https://auth.example/"},
		"another issuer": {func(s *authServer) {
			s.documents["/.well-known/oauth-authorization-server"] = s.issuer("https://auth.example", s.URL+"/token")
		}, nil, `OAuth: $URL/.well-known/oauth-authorization-server is about the authorization server "https://auth.example", not about $URL`},
		"no issuer's metadata": {func(s *authServer) { s.documents["/.well-known/oauth-authorization-server"] = "" }, nil,
			"OAuth: the authorization server $URL has no metadata; give --oauth-token-url"},
		"no token endpoint": {func(s *authServer) {
			s.documents["/.well-known/oauth-authorization-server"] = s.issuer(s.URL, "")
		}, nil, "OAuth: the authorization server names no token endpoint"},
		"token endpoint without TLS": {func(s *authServer) {
			s.documents["/.well-known/oauth-authorization-server"] = s.issuer(s.URL, "http://a.example/token")
		}, nil, "OAuth: http://a.example/token is not https"},
		"token endpoint redirects": {func(s *authServer) {
			s.token = func(w http.ResponseWriter, _ url.Values) {
				w.Header().Set("Location", other.URL+"/token")
				w.WriteHeader(http.StatusTemporaryRedirect)
			}
		}, nil, "OAuth: $URL/token gave no token: HTTP 307 Temporary Redirect"},
		"another type": {func(s *authServer) {
			s.token = func(w http.ResponseWriter, _ url.Values) {
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, `{"access_token": "x", "token_type": "mac"}`)
			}
		}, nil, `OAuth: $URL/token gave a token of the type "MAC"; only bearer tokens can be sent`},
		"no token": {func(s *authServer) {
			s.token = func(w http.ResponseWriter, _ url.Values) {
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, `{}`)
			}
		}, nil, "OAuth: $URL/token gave no token: server response missing access_token"},
		"a token with a line break": {func(s *authServer) {
			s.token = func(w http.ResponseWriter, _ url.Values) {
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, `{"access_token": "a\nb", "token_type": "Bearer"}`)
			}
		}, nil, "OAuth: $URL/token gave a token that cannot be sent in a header"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newAuthServer(t)
			if test.change != nil {
				test.change(s)
			}
			_, _, err := s.probe(t, test.flags...).post(t, "{}")
			var refused *mcpprobe.ConnectError
			if !errors.As(err, &refused) || !errors.Is(err, mcpprobe.ErrCredentials) {
				t.Fatalf("have %v, want a ConnectError", err)
			}
			if want := strings.ReplaceAll(test.want, "$URL", s.URL); refused.Message != want {
				t.Errorf("have %s\nwant %s", refused.Message, want)
			}
			if refused.Challenge != s.challenge {
				t.Errorf("the challenge is %q, want %q", refused.Challenge, s.challenge)
			}
		})
	}
	if len(other.asked) != 0 {
		t.Errorf("another server was asked: %q", other.asked)
	}
}

// TestOAuthIssuer: an authorization server elsewhere is trusted once it is
// named, and no other.
func TestOAuthIssuer(t *testing.T) {
	folder(t)
	s, auth := newAuthServer(t), newAuthServer(t)
	s.documents["/meta"] = s.metadata("/mcp", "https://evil.example")
	auth.documents["/.well-known/oauth-authorization-server"] = auth.issuer(auth.URL, auth.URL+"/token")
	s.tokens = 1 // it takes the first token of the other
	target := s.probe(t, "--oauth-issuer", auth.URL)
	if _, text, err := target.post(t, "{}"); err != nil || text != "fine" {
		t.Fatalf("%q, %v", text, err)
	}
	if have := strings.Join(auth.asked, ", "); have != "GET /.well-known/oauth-authorization-server, POST /token" {
		t.Errorf("asked %s", have)
	}
	if scope := auth.forms[0].Get("scope"); scope != "skills:read" {
		t.Errorf("the scope is %q", scope)
	}
}

// TestOAuthAllowed is about hosts that no test can be.
func TestOAuthAllowed(t *testing.T) {
	for _, test := range []struct{ target, place, want string }{
		{"https://a.example/mcp", "https://b.example/x", ""},
		{"https://a.example/mcp", "http://a.example/x", "http://a.example/x is not https"},
		{"https://a.example/mcp", "https://127.0.0.1/x", "https://127.0.0.1/x is on this machine, and the server is not"},
		{"https://a.example/mcp", "http://localhost/x", "http://localhost/x is on this machine, and the server is not"},
		{"http://localhost/mcp", "http://127.0.0.1:9/x", ""},
		{"http://localhost/mcp", "https://a.example/x", ""},
		{"http://localhost/mcp", "http://a.example/x", "http://a.example/x is not https"},
		{"https://a.example/mcp", "https://me:pw@b.example/x", `"https://me:pw@b.example/x" is no URL that can be asked`},
		{"https://a.example/mcp", "x", `"x" is no URL that can be asked`},
	} {
		target, err := url.Parse(test.target)
		if err != nil {
			t.Fatal(err)
		}
		o := &oauth{credentials: &credentials{target: target}}
		have := ""
		if err := o.allowed(test.place); err != nil {
			have = err.Error()
		}
		if have != test.want {
			t.Errorf("%s for %s: %q, want %q", test.place, test.target, have, test.want)
		}
	}
}
