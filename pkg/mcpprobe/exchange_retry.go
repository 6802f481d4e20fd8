package mcpprobe

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// The waits before a request is sent again.
const (
	firstWait = 200 * time.Millisecond // doubled each time
	// maxRetryAfter is how long a server may ask to wait. One that asks for
	// more is taken at its word: it has no answer now.
	maxRetryAfter = 5 * time.Second
)

// again says whether a request that failed may be sent again: nothing of it
// reached the server, or the server refused it for now.
type again struct {
	ok    bool
	after time.Duration // the wait that the server asks for
}

// outgoing is a request with its bounds.
type outgoing struct {
	method  string
	params  json.RawMessage
	limit   int64 // of the answer; zero stands for Options.answerLimit
	timeout time.Duration
}

// exchange sends a request until it is answered or there is no use in trying.
func (c *Client) exchange(ctx context.Context, r outgoing) *Exchange {
	if r.limit <= 0 {
		r.limit = c.options.answerLimit()
	}
	if err := c.takeTurn(ctx); err != nil {
		return &Exchange{Method: r.method, Err: err}
	}
	start := time.Now()
	var x *Exchange
	for attempt := 1; ; attempt++ {
		var retry again
		x, retry = c.attempt(ctx, r)
		x.Attempts = attempt
		wait := max(retry.after, firstWait<<(attempt-1))
		if !retry.ok || attempt > c.options.Retries || retry.after > maxRetryAfter || !sleep(ctx, wait) || c.takeTurn(ctx) != nil {
			break
		}
	}
	x.Method, x.Duration = r.method, time.Since(start)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.methods[r.method] == nil {
		c.methods[r.method] = &methodMeter{stats: MethodStats{Method: r.method}}
	}
	c.methods[r.method].add(x)
	return x
}

// takeTurn waits for what Options.Rate allows. A turn that comes after the end
// of ctx is not waited for.
func (c *Client) takeTurn(ctx context.Context) error {
	if c.limiter == nil || c.limiter.Wait(ctx) == nil {
		return nil
	}
	return contextError(ctx, context.DeadlineExceeded)
}

func (c *Client) attempt(ctx context.Context, r outgoing) (*Exchange, again) {
	limited, stop := withClock(ctx, r.timeout, r.method)
	defer stop()
	return c.link.call(limited, r.method, r.params, r.limit)
}

// sleep waits, and reports false where ctx ends first.
func sleep(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// contextError prefers the error of ctx to what a library made of it.
func contextError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// clock bounds one attempt. It can be stopped while the answer waits for
// something that is not the server's fault.
type clock struct {
	mu      sync.Mutex
	timer   *time.Timer
	left    time.Duration
	running time.Time // since when; zero while it stands
}

type clockKey struct{}

// withClock gives a context that ends after timeout, with a *LimitError as its
// cause.
func withClock(ctx context.Context, timeout time.Duration, method string) (context.Context, func()) {
	limited, cancel := context.WithCancelCause(ctx)
	k := &clock{left: timeout, running: time.Now()}
	k.timer = time.AfterFunc(timeout, func() {
		cancel(&LimitError{Bound: "timeout", Message: fmt.Sprintf("no whole answer to %s within %s", method, timeout)})
	})
	return context.WithValue(limited, clockKey{}, k), func() {
		k.stop()
		cancel(nil)
	}
}

func (k *clock) stop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.timer.Stop()
	k.left -= time.Since(k.running)
}

func (k *clock) resume() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.running = time.Now()
	k.timer.Reset(max(k.left, time.Millisecond))
}
