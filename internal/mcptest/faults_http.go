package mcptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// httpFaults are about HTTP around the messages.
func httpFaults() []Lie {
	return []Lie{
		fault("http-html", "answers everything with a web page", OverHTTP, always(func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, "<!doctype html><title>Welcome</title><h1>It works</h1>\n")
		})),
		fault("http-401", "wants credentials", OverHTTP, always(func(w http.ResponseWriter) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="skills", scope="skills:read"`)
			http.Error(w, "who are you?", http.StatusUnauthorized)
		})),
		fault("http-401-later", "wants credentials for resources/read alone", OverHTTP, forMethod(methodRead, func(w http.ResponseWriter) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "who are you?", http.StatusUnauthorized)
		})),
		fault("http-403", "refuses access", OverHTTP, always(func(w http.ResponseWriter) { http.Error(w, "not for you", http.StatusForbidden) })),
		fault("http-404", "is not there", OverHTTP, always(func(w http.ResponseWriter) { http.NotFound(w, nil) })),
		fault("http-500", "fails with a text", OverHTTP, always(func(w http.ResponseWriter) { http.Error(w, "something broke", http.StatusInternalServerError) })),
		fault("http-500-list", "fails at skills/list with a text", OverHTTP, forMethod(methodList, func(w http.ResponseWriter) {
			http.Error(w, "something broke", http.StatusInternalServerError)
		})),
		fault("http-404-list", "answers skills/list with HTTP 404 and a text", OverHTTP, forMethod(methodList, func(w http.ResponseWriter) {
			http.Error(w, "no such method", http.StatusNotFound)
		})),
		fault("http-204-list", "answers skills/list with HTTP 204", OverHTTP, forMethod(methodList, func(w http.ResponseWriter) { w.WriteHeader(http.StatusNoContent) })),
		fault("http-202-list", "answers skills/list with HTTP 202 and nothing", OverHTTP, forMethod(methodList, func(w http.ResponseWriter) { w.WriteHeader(http.StatusAccepted) })),
		fault("http-content-type", "answers with text/plain", OverHTTP, func(s *script) {
			s.http(func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(&plainWriter{w}, r) })
			})
		}),
		fault("http-redirect", "sends everything to another origin", OverHTTP, always(func(w http.ResponseWriter) {
			w.Header().Set("Location", "http://127.0.0.2:9/mcp")
			w.WriteHeader(http.StatusTemporaryRedirect)
		})),
		fault("http-redirect-loop", "sends everything to itself", OverHTTP, always(func(w http.ResponseWriter) {
			w.Header().Set("Location", "/mcp")
			w.WriteHeader(http.StatusTemporaryRedirect)
		})),
		fault("http-truncated", "ends the body of skills/list before its length", OverHTTP, forMethod(methodList, func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "5000")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`)
		})),
		fault("http-stream-ends", "ends a stream of events before the answer to skills/list", OverHTTP, forMethod(methodList, func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, ": nothing comes\n\n")
		})),
		fault("http-429-once", "refuses each request for now, and answers it when it comes again", OverHTTP, tellBusy(http.StatusTooManyRequests)),
		fault("http-503-once", "is not ready for each request, and then is", OverHTTP, tellBusy(http.StatusServiceUnavailable)),
		fault("http-429-always", "refuses skills/list for now, for ever", OverHTTP, forMethod(methodList, func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "0")
			http.Error(w, "slow down", http.StatusTooManyRequests)
		})),
	}
}

// always answers every request in one way.
func always(answer func(w http.ResponseWriter)) func(*script) {
	return func(s *script) {
		s.http(func(http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w) })
		})
	}
}

// forMethod answers the requests of one method in its own way.
func forMethod(method string, answer func(w http.ResponseWriter)) func(*script) {
	return func(s *script) {
		s.http(func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLine))
				if err == nil && strings.Contains(string(body), `"`+method+`"`) {
					answer(w)
					return
				}
				r.Body = io.NopCloser(strings.NewReader(string(body)))
				next.ServeHTTP(w, r)
			})
		})
	}
}

// tellBusy refuses every request once, with a status that means "later".
func tellBusy(status int) func(*script) {
	return func(s *script) {
		var seen sync.Map
		s.http(func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLine)) // the next handler says what is wrong
				var m message
				_ = json.Unmarshal(body, &m) // and here too
				if _, before := seen.LoadOrStore(fmt.Sprint(m.Method, m.Params["uri"], m.Params["cursor"]), true); !before {
					w.Header().Set("Retry-After", "0")
					http.Error(w, "later", status)
					return
				}
				r.Body = io.NopCloser(bytes.NewReader(body))
				next.ServeHTTP(w, r)
			})
		})
	}
}

// plainWriter calls everything plain text.
type plainWriter struct{ http.ResponseWriter }

func (w *plainWriter) WriteHeader(status int) {
	w.Header().Set("Content-Type", "text/plain")
	w.ResponseWriter.WriteHeader(status)
}
