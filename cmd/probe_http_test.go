package cmd

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// recorder is a server that keeps the headers of its requests.
type recorder struct {
	*httptest.Server
	mu      sync.Mutex
	headers []http.Header
	bodies  []string
}

// record starts a server whose requests are kept before handle answers them.
func record(t *testing.T, handle http.HandlerFunc) *recorder {
	t.Helper()
	r := &recorder{}
	r.Server = httptest.NewServer(r.handler(handle))
	t.Cleanup(r.Close)
	return r
}

func (r *recorder) handler(handle http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		request.Body = io.NopCloser(bytes.NewReader(body))
		r.mu.Lock()
		r.headers = append(r.headers, request.Header.Clone())
		r.bodies = append(r.bodies, string(body))
		r.mu.Unlock()
		handle(w, request)
	})
}

// seen gives the values of a header over all requests, "-" for none.
func (r *recorder) seen(name string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []string
	for _, header := range r.headers {
		value := header.Get(name)
		if value == "" {
			value = "-"
		}
		list = append(list, value)
	}
	return strings.Join(list, " | ")
}

func ok(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "fine") }

// post sends one message of the probe to the target, with a session.
func (r resolved) post(t *testing.T, body string) (status int, text string, err error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.Target.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Mcp-Session-Id", "session-1")
	response, err := r.Target.HTTP.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(answer), nil
}

func TestBearer(t *testing.T) {
	folder(t, "token", "  file-t0k3n\n")
	server := record(t, ok)
	for _, line := range []string{"--bearer-env TOK", "--bearer-file token"} {
		target := mustResolve(t, []string{"TOK", "env-t0k3n"}, append(strings.Fields(line), server.URL)...)
		if status, text, err := target.post(t, "{}"); err != nil || status != 200 || text != "fine" {
			t.Errorf("%s: %d %q, %v", line, status, text, err)
		}
		if have := target.Redact("env-t0k3n file-t0k3n"); !strings.Contains(have, "[redacted]") {
			t.Errorf("%s: the token is not hidden: %s", line, have)
		}
	}
	if have, want := server.seen("Authorization"), "Bearer env-t0k3n | Bearer file-t0k3n"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	if have := server.seen("Accept-Encoding"); have != "- | -" {
		t.Errorf("compression is asked for: %s", have)
	}
}

// TestRedirect: credentials and session go to the target's origin alone, and do
// not come back once another server had a say.
func TestRedirect(t *testing.T) {
	folder(t)
	var first, second *recorder
	second = record(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/back" {
			http.Redirect(w, r, first.URL+"/end", http.StatusTemporaryRedirect)
			return
		}
		ok(w, r)
	})
	first = record(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/same":
			http.Redirect(w, r, "/end", http.StatusTemporaryRedirect)
		case "/away":
			http.Redirect(w, r, second.URL+"/end", http.StatusPermanentRedirect)
		case "/round":
			http.Redirect(w, r, second.URL+"/back", http.StatusTemporaryRedirect)
		default:
			ok(w, r)
		}
	})
	for _, test := range []struct{ path, first, second, session string }{
		{"/same", "t0k3n-1 | t0k3n-1", "", ""},
		{"/away", "t0k3n-1", "-", "-"},
		{"/round", "t0k3n-1 | -", "-", "-"},
	} {
		first.headers, second.headers, first.bodies, second.bodies = nil, nil, nil, nil
		target := mustResolve(t, []string{"TOK", "t0k3n-1"}, first.URL+test.path, "-H", "X-Api-Key: ${TOK}")
		if status, text, err := target.post(t, `{"id": 1}`); err != nil || status != 200 || text != "fine" {
			t.Errorf("%s: %d %q, %v", test.path, status, text, err)
		}
		if have := first.seen("X-Api-Key"); have != test.first {
			t.Errorf("%s: the target sees %s, want %s", test.path, have, test.first)
		}
		if have := second.seen("X-Api-Key"); have != test.second {
			t.Errorf("%s: the other server sees %s, want %s", test.path, have, test.second)
		}
		if have := second.seen("Mcp-Session-Id"); have != test.session {
			t.Errorf("%s: the other server sees the session %s, want %s", test.path, have, test.session)
		}
		for _, body := range append(first.bodies, second.bodies...) {
			if body != `{"id": 1}` {
				t.Errorf("%s: the body arrives as %q", test.path, body)
			}
		}
	}
}

func TestRedirectRefused(t *testing.T) {
	folder(t)
	server := record(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusTemporaryRedirect)
		case "/get":
			http.Redirect(w, r, "/end", http.StatusFound)
		case "/file":
			http.Redirect(w, r, "ftp://a.example/x", http.StatusTemporaryRedirect)
		}
	})
	for path, want := range map[string]string{
		"/loop": "the server redirects more than 5 times",
		"/get":  "the server redirects to " + server.URL + "/end in a way that drops the request; 307 and 308 keep it",
		"/file": "the server redirects to ftp://a.example/x, which is no http",
	} {
		_, _, err := mustResolve(t, nil, server.URL+path).post(t, "{}")
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", path, err, want)
		}
	}
	if have := strings.Count(server.seen("User-Agent"), "|") + 1; have != 6+1+1 {
		t.Errorf("the server was asked %d times, want 8", have)
	}
}

// TestCheckRedirect is about hosts that no test can be.
func TestCheckRedirect(t *testing.T) {
	request := func(text string) *http.Request {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return &http.Request{Method: http.MethodPost, URL: u, Header: http.Header{"Mcp-Session-Id": {"s"}}}
	}
	for _, test := range []struct{ from, to, want string }{
		{"https://a.example/x", "https://a.example/y", ""},
		{"https://a.example/x", "https://A.example:443/y", ""},
		{"https://a.example/x", "https://b.example/", ""},
		{"http://a.example/x", "https://a.example/x", ""},
		{"https://a.example/x", "http://a.example/x", "the server redirects from https to http://a.example/x"},
		{"https://a.example/x", "https://127.0.0.1/", "the server redirects to https://127.0.0.1/, which is this machine"},
		{"http://a.example/x", "http://[::1]:9/", "the server redirects to http://[::1]:9/, which is this machine"},
		{"http://a.example/x", "http://me:pw@b.example/", ""},
	} {
		next := request(test.to)
		have := ""
		if err := checkRedirect(next, []*http.Request{request(test.from)}); err != nil {
			have = err.Error()
		}
		if have != test.want {
			t.Errorf("%s to %s: %q, want %q", test.from, test.to, have, test.want)
		}
		if kept := next.Header.Get("Mcp-Session-Id") != ""; have == "" && kept != sameOrigin(next.URL, request(test.from).URL) {
			t.Errorf("%s to %s: the session is kept: %v", test.from, test.to, kept)
		}
	}
}

// authority issues certificates for tests.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	a := &authority{}
	a.cert, a.key, a.pem, _ = sign(t, template, nil, nil)
	return a
}

// issue gives a certificate for a host, with its key, as PEM.
func (a *authority) issue(t *testing.T, host string) (cert, key []byte) {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		NotBefore:   time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	if address := net.ParseIP(host); address != nil {
		template.DNSNames, template.IPAddresses = nil, []net.IP{address}
	}
	_, _, cert, key = sign(t, template, a.cert, a.key)
	return cert, key
}

func sign(t *testing.T, template, parent *x509.Certificate, by *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey, []byte, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if parent == nil {
		parent, by = template, key
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return cert, key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})
}

// serveTLS starts a server with a certificate for host. wanted, where it is not
// nil, is who has to have signed the client's.
func serveTLS(t *testing.T, by *authority, host string, wanted *authority, handle http.HandlerFunc) *recorder {
	t.Helper()
	cert, key := by.issue(t, host)
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{}
	r.Server = httptest.NewUnstartedServer(r.handler(handle))
	r.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	r.Config.ErrorLog = log.New(io.Discard, "", 0)
	if wanted != nil {
		r.TLS.ClientAuth, r.TLS.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		r.TLS.ClientCAs.AddCert(wanted.cert)
	}
	r.StartTLS()
	t.Cleanup(r.Close)
	return r
}

func TestTLS(t *testing.T) {
	ours, other := newAuthority(t), newAuthority(t)
	folder(t, "ca.pem", string(ours.pem), "other.pem", string(other.pem))
	local := serveTLS(t, ours, "127.0.0.1", nil, ok)
	named := serveTLS(t, ours, "skills.example", nil, ok)
	for _, test := range []struct {
		server *recorder
		line   string
		fails  bool
	}{
		{local, "", true},
		{local, "--cacert ca.pem", false},
		{local, "--cacert other.pem", true},
		{local, "--insecure", false},
		{named, "--cacert ca.pem", true},
		{named, "--cacert ca.pem --tls-server-name skills.example", false},
		{named, "--cacert ca.pem --tls-server-name other.example", true},
	} {
		target := mustResolve(t, nil, append(strings.Fields(test.line), test.server.URL)...)
		_, text, err := target.post(t, "{}")
		if (err != nil) != test.fails || err == nil && text != "fine" {
			t.Errorf("%q: %q, %v; fails: %v", test.line, text, err, test.fails)
		}
		if insecure := test.line == "--insecure"; target.Insecure != insecure || insecure != (len(target.Notes) == 1) {
			t.Errorf("%q: insecure is %v, the notes are %q", test.line, target.Insecure, target.Notes)
		}
	}
}

// TestClientCertificate: the certificate is shown to the target, and to no
// server that it redirects to.
func TestClientCertificate(t *testing.T) {
	ours := newAuthority(t)
	cert, key := ours.issue(t, "client")
	folder(t, "ca.pem", string(ours.pem), "cert.pem", string(cert), "key.pem", string(key), "both.pem", string(cert)+string(key))
	away := serveTLS(t, ours, "127.0.0.1", ours, ok)
	server := serveTLS(t, ours, "127.0.0.1", ours, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, away.URL, http.StatusTemporaryRedirect)
			return
		}
		ok(w, r)
	})
	for _, test := range []struct {
		line, path string
		fails      bool
	}{
		{"", "/", true},
		{"--cert cert.pem --key key.pem", "/", false},
		{"--cert both.pem", "/", false},
		{"--cert both.pem", "/away", true},
	} {
		target := mustResolve(t, nil, append(strings.Fields(test.line), "--cacert", "ca.pem", server.URL+test.path)...)
		if _, _, err := target.post(t, "{}"); (err != nil) != test.fails {
			t.Errorf("%q %s: %v, fails: %v", test.line, test.path, err, test.fails)
		}
		if target.Target.Authenticated != (test.line != "") {
			t.Errorf("%q: authenticated is %v", test.line, target.Target.Authenticated)
		}
	}
	if len(away.headers) != 0 {
		t.Error("the other server got a request with the certificate")
	}
}

// TestProxy: --proxy is used for loopback too, and sees no credentials of its
// own.
func TestProxy(t *testing.T) {
	folder(t)
	var asked []string
	proxy := record(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		ok(w, r)
	})
	target := mustResolve(t, nil, "http://skills.example/mcp", "--proxy", proxy.URL)
	if _, text, err := target.post(t, "{}"); err != nil || text != "fine" {
		t.Errorf("%q, %v", text, err)
	}
	if len(asked) != 1 || asked[0] != "http://skills.example/mcp" {
		t.Errorf("the proxy was asked for %q", asked)
	}
}

// TestProxyPassword: one that stands in the environment is never shown.
func TestProxyPassword(t *testing.T) {
	folder(t)
	target := mustResolve(t, []string{"https_proxy", "http://me:hunter22@proxy.example"}, "https://a.example")
	if have := target.Redact("no way to http://me:hunter22@proxy.example"); strings.Contains(have, "hunter22") {
		t.Errorf("have %s", have)
	}
}

// TestHeaderBound: a header without an end does not fill the memory.
func TestHeaderBound(t *testing.T) {
	folder(t)
	server := record(t, func(w http.ResponseWriter, _ *http.Request) {
		for i := range 100 {
			w.Header().Set("X-Long-"+string(rune('a'+i%26))+strings.Repeat("x", i), strings.Repeat("y", 4096))
		}
	})
	if _, _, err := mustResolve(t, nil, server.URL).post(t, "{}"); err == nil {
		t.Error("400 kB of headers are taken")
	}
}
