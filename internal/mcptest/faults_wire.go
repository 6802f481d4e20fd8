package mcptest

import (
	"bytes"
	"strings"
)

// wireFaults are messages that are none, or not quite.
func wireFaults() []Lie {
	return []Lie{
		fault("jsonrpc-missing", `answers without "jsonrpc"`, Anywhere, everyFrame(`"jsonrpc":"2.0",`, "")),
		fault("jsonrpc-number", `answers with "jsonrpc": 2.0 as a number`, Anywhere, everyFrame(`"jsonrpc":"2.0"`, `"jsonrpc":2.0`)),
		waiting(fault("id-null", "answers skills/list with the id null", Anywhere, otherID(`null`))),
		waiting(fault("id-unknown", "answers skills/list with an id that was never sent", Anywhere, otherID(`"nobody"`))),
		waiting(fault("id-number", "answers skills/list with a number as the id", Anywhere, otherID(`1`))),
		waiting(fault("id-missing", "answers skills/list without an id", Anywhere, func(s *script) {
			s.frame(methodList, func(c *call, frame []byte) []byte {
				return bytes.Replace(frame, append(append([]byte(`"id":`), c.id...), ','), nil, 1)
			})
		})),
		fault("ids-never-sent", "answers skills/list, and what nobody asked", Anywhere, extraFrame(`{"jsonrpc":"2.0","id":"nobody-asked","result":{}}`)),
		fault("result-and-error", "answers skills/list with a result and an error", Anywhere, func(s *script) {
			s.replace(methodList, `"result":`, `"error":{"code":-32603,"message":"both"},"result":`)
		}),
		fault("result-missing", "answers skills/list with neither result nor error", Anywhere, wholeFrame(methodList, `{"jsonrpc":"2.0","id":ID}`)),
		fault("result-null", "answers skills/list with null", Anywhere, wholeFrame(methodList, `{"jsonrpc":"2.0","id":ID,"result":null}`)),
		fault("error-text", "answers skills/list with an error that is a string", Anywhere, wholeFrame(methodList, `{"jsonrpc":"2.0","id":ID,"error":"it broke"}`)),
		fault("error-code-text", "answers skills/list with an error whose code is a string", Anywhere, wholeFrame(methodList, `{"jsonrpc":"2.0","id":ID,"error":{"code":"E1","message":"it broke"}}`)),
		waiting(fault("batch", "answers skills/list with an array of messages", Anywhere, func(s *script) {
			s.frame(methodList, func(_ *call, frame []byte) []byte { return append(append([]byte("["), frame...), ']') })
		})),
		fault("duplicate-keys", "has a key twice in an entry", Anywhere, func(s *script) {
			s.replace(methodList, `"uri":"skill://read-csv/SKILL.md"}`, `"uri":"skill://other/SKILL.md","uri":"skill://read-csv/SKILL.md"}`)
		}),
		fault("duplicate-keys-in-result", "has skills twice", Anywhere, func(s *script) { s.replace(methodList, `"skills":`, `"skills":[],"skills":`) }),
		fault("invalid-utf8", "has bytes in a text that are no UTF-8", Anywhere, func(s *script) {
			s.frame(methodRead, func(_ *call, frame []byte) []byte { return invalidText(frame) })
		}),
		fault("invalid-utf8-in-list", "has bytes in a description that are no UTF-8", Anywhere, func(s *script) { s.replace(methodList, "Reads CSV", "Reads \xc3\x28") }),
		fault("lone-surrogate", "has half a surrogate pair in a text", Anywhere, func(s *script) { s.replace(methodRead, "# Formats", `# F\ud83dmats`) }),
		fault("nested-deep", "answers skills/list with JSON nested 100,000 deep", Anywhere, func(s *script) {
			s.replace(methodList, `"result":{`, `"result":{"x":`+strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)+",")
		}),
		fault("nested-deep-entry", "has an entry with frontmatter nested 100,000 deep", Anywhere, func(s *script) {
			s.replace(methodList, `"name":"read-csv"`, `"name":"read-csv","x":`+strings.Repeat(`{"x":`, 100_000)+"1"+strings.Repeat("}", 100_000))
		}),
		fault("number-huge", "has a number with 100,000 digits", Anywhere, func(s *script) { s.replace(methodList, `"size":`, `"size":1`+strings.Repeat("0", 100_000)) }),
		fault("number-exponent", "has a size of 1e999999999", Anywhere, func(s *script) { s.replace(methodList, `"size":`, `"size":1e999999999,"was":`) }),
		fault("list-changed", "says that the list has changed, and leaves it as it is", Anywhere, extraFrame(`{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`)),
		fault("server-asks", "asks the client for its roots, and for a model", Anywhere, extraFrame(
			`{"jsonrpc":"2.0","id":"s1","method":"roots/list"}`,
			`{"jsonrpc":"2.0","id":"s2","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`,
		)),
	}
}

func everyFrame(old, new string) func(*script) {
	return func(s *script) {
		s.frames = append(s.frames, func(c *call, frame []byte) []byte {
			if c.method == methodDiscover || c.method == methodInitialize {
				return frame
			}
			return bytes.Replace(frame, []byte(old), []byte(new), 1)
		})
	}
}

func otherID(id string) func(*script) {
	return func(s *script) {
		s.frame(methodList, func(c *call, frame []byte) []byte {
			return bytes.Replace(frame, append([]byte(`"id":`), c.id...), []byte(`"id":`+id), 1)
		})
	}
}

// wholeFrame answers a method with a message as it is.
func wholeFrame(method, text string) func(*script) {
	return func(s *script) {
		s.frame(method, func(c *call, _ []byte) []byte { return []byte(strings.ReplaceAll(text, "ID", string(c.id))) })
	}
}

// extraFrame sends other messages before the answer to skills/list. Over HTTP
// that needs a stream of events.
func extraFrame(frames ...string) func(*script) {
	return func(s *script) {
		s.events = true
		s.send(methodList, func(_ *call, out sink, frame []byte) (bool, error) {
			if !out.several() {
				return false, nil
			}
			for _, extra := range frames {
				if err := writeFrame(out, []byte(extra)); err != nil {
					return true, err
				}
			}
			return true, writeFrame(out, frame)
		})
	}
}
