package mcpprobe

import (
	"net/http"
)

const (
	// maxRedirects is how many redirects are followed.
	maxRedirects = 5
	// idleConnections is how many connections are kept for the next requests:
	// as many as anybody may want requests in flight.
	idleConnections = 32
	// maxHeaderBytes bounds the header of a response.
	maxHeaderBytes = 256 << 10
)

// newHTTPClient gives a client without credentials. It follows redirects on the
// same host that keep the method; any other is left to be reported, since the
// user named another server.
func newHTTPClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = idleConnections
	transport.MaxResponseHeaderBytes = maxHeaderBytes
	return &http.Client{Transport: transport, CheckRedirect: checkRedirect}
}

func checkRedirect(request *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case len(via) > maxRedirects,
		request.Method != first.Method,
		request.URL.Hostname() != first.URL.Hostname(),
		request.URL.Scheme != first.URL.Scheme && request.URL.Scheme != "https":
		return http.ErrUseLastResponse
	}
	return nil
}
