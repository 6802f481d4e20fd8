package cmd

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/redact"
	"github.com/skilltool/skilltool/internal/servers"
)

const (
	// maxRedirects is how many redirects one request follows.
	maxRedirects = 5
	// maxHeaderBytes bounds the header of a response: no honest one has more.
	maxHeaderBytes = 64 << 10
	// maxSecretBytes bounds files with a token, headers, a key or certificates.
	maxSecretBytes = 1 << 20
	// dialTimeout and handshakeTimeout bound a connection apart from the bounds
	// on requests, which may be long.
	dialTimeout      = 30 * time.Second
	handshakeTimeout = 15 * time.Second
	// idleConnections are kept for later requests; more than anybody wants in
	// flight.
	idleConnections = 64
	idleTimeout     = 90 * time.Second
)

// httpFlags are about the way to a URL.
func httpFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "cacert", Usage: "trust the authorities in `FILE` (PEM), and no others"},
		&cli.StringFlag{Name: "cert", Usage: "show the server the certificate in `FILE` (PEM)"},
		&cli.StringFlag{Name: "key", Usage: "read the key of --cert from `FILE` (PEM)"},
		&cli.StringFlag{Name: "tls-server-name", Usage: "expect the certificate of `HOST`"},
		&cli.BoolFlag{Name: "insecure", Usage: "do not verify the certificate of the server; the report warns"},
		&cli.StringFlag{Name: "proxy", Usage: "go through the proxy at `URL` (http, https or socks5) instead of that of the environment"},
	}
}

// client makes the HTTP client of a target.
func (r *targetResolver) client(t *probeTarget, set *redact.Set, headers []servers.Header) error {
	transport, err := r.transport(set)
	if err != nil {
		return err
	}
	target, err := url.Parse(t.Target.URL)
	if err != nil {
		return fmt.Errorf("%s is no URL: %w", t.Show, err)
	}
	c := &credentials{base: transport, foreign: foreign(transport), target: target, header: http.Header{}}
	if err := r.credentials(c, set, headers); err != nil {
		return err
	}
	t.Target.Authenticated = c.secret || transport.TLSClientConfig.Certificates != nil
	if t.Insecure = r.c.Bool("insecure") && target.Scheme == "https"; t.Insecure {
		r.notes = append(r.notes, "the certificate of the server is not verified (--insecure)")
	}
	if t.Target.Authenticated && target.Scheme == "http" && !servers.Loopback(target) {
		r.notes = append(r.notes, "credentials go to "+target.Host+" over plain HTTP: anybody on the way can read them")
	}
	t.Notes = r.notes
	t.Target.HTTP = &http.Client{Transport: c, CheckRedirect: checkRedirect}
	return nil
}

// transport makes the connections, without credentials. HTTP/2 would bring
// bounds of its own, and a compressed body would hide its length from those of
// the probe.
func (r *targetResolver) transport(set *redact.Set) (*http.Transport, error) {
	config, err := r.tls()
	if err != nil {
		return nil, err
	}
	proxy, err := r.proxy(set)
	if err != nil {
		return nil, err
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:                  proxy,
		DialContext:            (&net.Dialer{Timeout: dialTimeout, KeepAlive: dialTimeout}).DialContext,
		TLSClientConfig:        config,
		TLSHandshakeTimeout:    handshakeTimeout,
		MaxIdleConnsPerHost:    idleConnections,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableCompression:     true,
		Protocols:              protocols,
	}, nil
}

// foreign is a transport to servers that the user did not name: what the flags
// say of the target's certificate and of one's own is not about them.
func foreign(transport *http.Transport) *http.Transport {
	other := transport.Clone()
	other.TLSClientConfig.ServerName = ""
	other.TLSClientConfig.InsecureSkipVerify = false
	other.TLSClientConfig.Certificates = nil
	return other
}

// tls reads the flags about certificates.
func (r *targetResolver) tls() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: r.c.String("tls-server-name"), InsecureSkipVerify: r.c.Bool("insecure")}
	if r.c.IsSet("cacert") {
		if config.InsecureSkipVerify {
			return nil, usagef("--insecure and --cacert exclude each other: one trusts everybody, the other a few")
		}
		pem, err := readSecret(r.c.String("cacert"))
		if err != nil {
			return nil, usagef("--cacert %q: %w", r.c.String("cacert"), err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, usagef("--cacert %q holds no certificate in PEM", r.c.String("cacert"))
		}
	}
	var err error
	config.Certificates, err = r.clientCertificate()
	return config, err
}

// clientCertificate reads --cert and --key; the key may stand in the file of the
// certificate.
func (r *targetResolver) clientCertificate() ([]tls.Certificate, error) {
	certFile, keyFile := r.c.String("cert"), r.c.String("key")
	switch {
	case certFile == "" && keyFile == "":
		return nil, nil
	case certFile == "":
		return nil, usagef("--key goes with --cert")
	case keyFile == "":
		keyFile = certFile
	}
	cert, err := readSecret(certFile)
	if err != nil {
		return nil, usagef("--cert %q: %w", certFile, err)
	}
	key, err := readSecret(keyFile)
	if err != nil {
		return nil, usagef("--key %q: %w", keyFile, err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, usagef("--cert %q and its key %q: %s", certFile, keyFile, strings.TrimPrefix(err.Error(), "tls: "))
	}
	r.warnReadable(keyFile)
	return []tls.Certificate{pair}, nil
}

// proxy gives what chooses the proxy of a request: --proxy, or else the
// environment.
func (r *targetResolver) proxy(set *redact.Set) (func(*http.Request) (*url.URL, error), error) {
	text := r.c.String("proxy")
	if text == "" {
		for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
			set.Add(redact.URL(r.e.getenv(name))...)
			set.Add(redact.URL(r.e.getenv(strings.ToLower(name)))...)
		}
		return http.ProxyFromEnvironment, nil
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "":
		return nil, usagef("--proxy is no URL such as http://proxy.example.com:3128")
	case u.User != nil:
		return nil, usagef("--proxy: the command line is no place for a password").hintf("set HTTPS_PROXY in the environment instead")
	case u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "socks5" && u.Scheme != "socks5h":
		return nil, usagef("--proxy: the scheme %q is not known; use http, https or socks5", u.Scheme)
	}
	return http.ProxyURL(u), nil
}

// checkRedirect follows a redirect that keeps the request as it is. Credentials
// do not go to another origin (see credentials), the session neither.
func checkRedirect(request *http.Request, via []*http.Request) error {
	first, last := via[0].URL, via[len(via)-1]
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("the server redirects more than %d times", maxRedirects)
	case request.URL.Scheme != "https" && last.URL.Scheme == "https":
		return fmt.Errorf("the server redirects from https to %s", request.URL.Redacted())
	case request.URL.Scheme != "https" && request.URL.Scheme != "http":
		return fmt.Errorf("the server redirects to %s, which is no http", request.URL.Redacted())
	case servers.Loopback(request.URL) && !servers.Loopback(first):
		return fmt.Errorf("the server redirects to %s, which is this machine", request.URL.Redacted())
	case request.Method != via[0].Method:
		return fmt.Errorf("the server redirects to %s in a way that drops the request; 307 and 308 keep it", request.URL.Redacted())
	}
	if !sameOrigin(request.URL, first) {
		request.Header.Del("Mcp-Session-Id")
	}
	return nil
}

// sameOrigin compares scheme, host and port (RFC 6454).
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	return map[string]string{"https": "443", "http": "80"}[u.Scheme]
}

// readSecret reads a file that holds a token, a key or the like.
func readSecret(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, plainError(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSecretBytes+1))
	switch {
	case err != nil:
		return nil, plainError(err)
	case len(text) > maxSecretBytes:
		return nil, fmt.Errorf("it is larger than %d bytes", maxSecretBytes)
	case len(text) == 0:
		return nil, errors.New("it is empty")
	}
	return text, nil
}

// warnReadable notes a file with a secret that others can read.
func (r *targetResolver) warnReadable(name string) {
	if info, err := os.Stat(name); err == nil && othersRead(info) {
		r.notes = append(r.notes, fmt.Sprintf("others on this machine can read %s: chmod 600 keeps it", name))
	}
}
