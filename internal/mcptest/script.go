package mcptest

import (
	"bytes"
	"net/http"

	"github.com/skilltool/skilltool/pkg/digest"
)

// script is what lies change about a server. Each is told afresh for each
// server, so that what one remembers is its own.
type script struct {
	prefix   digest.Prefix
	blobs    bool
	events   bool
	files    []func(map[string][]byte)
	worlds   []func(*world) error
	handlers []func(handler) handler
	frames   []func(*call, []byte) []byte
	sends    []sender
	https    []func(http.Handler) http.Handler
	process  process
}

// sender sends an answer in its own way, and says whether it did.
type sender func(c *call, out sink, frame []byte) (done bool, err error)

// process is how the program mcp-fixture behaves as a process.
type process struct {
	// start runs before anything is served; a code of -1 goes on.
	start func(*program) int
	// stubborn processes end neither when their input does nor at a signal.
	stubborn bool
	// code is that of a program that ends in the middle of something.
	code int
}

// collection changes the files before they are hashed: everything is honest
// about what comes of it.
func (s *script) collection(change func(files map[string][]byte)) { s.files = append(s.files, change) }

// world changes what is served after it was made.
func (s *script) world(change func(*world) error) { s.worlds = append(s.worlds, change) }

// answer takes the place of the handler of a method.
func (s *script) answer(method string, answer func(c *call, honest handler) (any, error)) {
	s.handlers = append(s.handlers, func(next handler) handler {
		return func(c *call) (any, error) {
			if c.method == method {
				return answer(c, next)
			}
			return next(c)
		}
	})
}

// result changes the results of a method.
func (s *script) result(method string, change func(c *call, result object)) {
	s.answer(method, func(c *call, honest handler) (any, error) {
		result, err := honest(c)
		if r, ok := result.(object); ok && err == nil {
			change(c, r)
		}
		return result, err
	})
}

// failure changes the errors of a method.
func (s *script) failure(method string, change func(c *call, err *rpcError) (any, error)) {
	s.answer(method, func(c *call, honest handler) (any, error) {
		result, err := honest(c)
		if failure, ok := err.(*rpcError); ok {
			return change(c, failure)
		}
		return result, err
	})
}

// frame changes the bytes of the answers to a method.
func (s *script) frame(method string, change func(c *call, frame []byte) []byte) {
	s.frames = append(s.frames, func(c *call, frame []byte) []byte {
		if c.method == method {
			return change(c, frame)
		}
		return frame
	})
}

// replace changes a text in the answers to a method, once in each.
func (s *script) replace(method, old, new string) {
	s.frame(method, func(_ *call, frame []byte) []byte {
		return bytes.Replace(frame, []byte(old), []byte(new), 1)
	})
}

// send sends the answers to a method in its own way.
func (s *script) send(method string, send sender) {
	s.sends = append(s.sends, func(c *call, out sink, frame []byte) (bool, error) {
		if c.method == method {
			return send(c, out, frame)
		}
		return false, nil
	})
}

// http wraps the handler of HTTP.
func (s *script) http(wrap func(http.Handler) http.Handler) { s.https = append(s.https, wrap) }
