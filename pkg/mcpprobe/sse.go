package mcpprobe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
)

// maxEndpointEvent bounds the event that names where to send messages.
const maxEndpointEvent = 16 << 10

// sse is the transport before Streamable HTTP: what the server says comes in
// one stream of events, and each message to it is a POST to an address that the
// stream has named.
type sse struct {
	*wire
	client   *http.Client
	own      bool
	endpoint string
	body     io.ReadCloser
	events   *sseReader
	limit    func() int64
	ctx      context.Context // of the stream
	stop     context.CancelFunc
}

func openSSE(ctx context.Context, w *wire, t Target) (link, error) {
	d := &sse{wire: w, client: t.HTTP, limit: func() int64 { return maxEndpointEvent }}
	if d.client == nil {
		d.client, d.own = newHTTPClient(), true
	}
	d.ctx, d.stop = context.WithCancel(context.Background())
	// Until the stream is there, it lives no longer than the connecting.
	release := context.AfterFunc(ctx, d.stop)
	if err := d.open(t.URL); err != nil {
		_ = d.close() // it never was
		return nil, contextError(ctx, err)
	}
	release()
	return openStream(w, d, "event of the stream"), nil
}

// open gets the stream and waits for the address.
func (d *sse) open(address string) error {
	request, err := http.NewRequestWithContext(d.ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", typeEvents)
	d.trace.write(traceLine{Direction: "sent", Method: http.MethodGet}, request.Header, nil)
	response, err := d.client.Do(request)
	if err != nil {
		return d.unsent(err)
	}
	d.body = response.Body
	d.trace.write(traceLine{Direction: "received", Method: http.MethodGet, Status: response.StatusCode}, response.Header, nil)
	if err := d.checkStream(response); err != nil {
		return err
	}
	d.events = newSSEReader(metered{d.body, d.meter}, func() int64 { return d.limit() }, nil)
	event, err := d.events.next()
	if err != nil || event.name != "endpoint" {
		return malformed("the stream of events does not begin with the endpoint")
	}
	base := response.Request.URL
	endpoint, err := base.Parse(string(event.data))
	if err != nil || !sameOrigin(base, endpoint) {
		return malformed("the stream names the endpoint %s, which is not of the same origin", d.quoted(event.data))
	}
	d.endpoint = endpoint.String()
	return nil
}

func (d *sse) checkStream(response *http.Response) error {
	contentType, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	switch status := response.StatusCode; {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return d.refused(response, nil)
	case status != http.StatusOK:
		return malformed("HTTP %d %s instead of a stream of events", status, http.StatusText(status))
	case contentType != typeEvents:
		return malformed("the content type %s instead of a stream of events", shown(contentType))
	}
	return nil
}

func sameOrigin(a, b *url.URL) bool { return a.Scheme == b.Scheme && a.Host == b.Host }

func (d *sse) run(s *stream) error {
	d.limit = s.longest
	for {
		event, err := d.events.next()
		var limit *LimitError
		switch {
		case errors.As(err, &limit):
			return err
		case errors.Is(err, errEventTooLong):
			return &LimitError{Bound: "max-file-bytes", Message: fmt.Sprintf("an event of the stream has more than %d bytes", s.longest())}
		case errors.Is(err, io.EOF):
			return closedError("the server closed the stream of events")
		case err != nil:
			return closedError("the stream of events broke off: %s", d.outside(plainCause(err)))
		}
		if len(event.data) > 0 && (event.name == "" || event.name == "message") {
			s.frame(event.data)
		}
	}
}

func (d *sse) send(ctx context.Context, raw json.RawMessage) (again, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(d.ctx, stop)()
	reached := false
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { reached = true }})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.endpoint, bytes.NewReader(raw))
	if err != nil {
		return again{}, err
	}
	request.Header.Set("Content-Type", typeJSON)
	response, err := d.client.Do(request)
	if err != nil {
		return again{ok: !reached && ctx.Err() == nil && passing(err)}, d.unsent(err)
	}
	defer response.Body.Close()
	_, _ = io.CopyN(io.Discard, response.Body, maxErrorBody) // for the next request on the connection
	switch status := response.StatusCode; {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return again{}, d.refused(response, nil)
	case status < 200 || 299 < status:
		return retryStatus(response), malformed("HTTP %d %s for a message", status, http.StatusText(status))
	}
	return again{}, nil
}

func (d *sse) close() error {
	d.stop()
	if d.body != nil {
		_ = d.body.Close() // the request is over
	}
	if d.own {
		d.client.CloseIdleConnections()
	}
	return nil
}
