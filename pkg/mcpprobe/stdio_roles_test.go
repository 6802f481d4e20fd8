package mcpprobe

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stdioRoles are servers over standard streams, most of them bad.
var stdioRoles = map[string]func(*rawServer){
	"sdk": func(*rawServer) { _ = sdkServer().Run(context.Background(), &mcp.StdioTransport{}) },
	"noise": func(s *rawServer) {
		s.write("Listening\r\n\n{\"level\":\"info\"}\n")
		s.serve(func(r rawRequest) { s.answer(r, `{}`) })
	},
	"CRLF": func(s *rawServer) { s.serve(func(r rawRequest) { s.write("%s\r\n", resultMessage(r, `{}`)) }) },
	"last line": func(s *rawServer) {
		s.serve(func(r rawRequest) {
			s.write("%s", resultMessage(r, `{}`))
			os.Exit(0)
		})
	},
	"blank end": func(s *rawServer) {
		s.serve(func(r rawRequest) {
			s.answer(r, `{}`)
			s.write(" \t")
			os.Exit(0)
		})
	},
	"long id": func(s *rawServer) {
		s.serve(func(r rawRequest) {
			s.write("{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"ping\"}\n", strings.Repeat("x", 2*maxID))
			s.answer(r, `{}`)
		})
	},
	"reversed": func(s *rawServer) {
		var held []rawRequest
		s.serve(func(r rawRequest) {
			if held = append(held, r); len(held) == 3 {
				for i := range held {
					s.answer(held[2-i], fmt.Sprintf("%q", held[2-i].Params.URI))
				}
			}
		})
	},
	"unasked": func(s *rawServer) {
		var asked rawRequest
		pong, declined := false, false
		s.serve(func(r rawRequest) {
			switch {
			case r.Method != "":
				asked = r
				s.write(`{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}` + "\n")
				s.write(`{"jsonrpc":"2.0","method":"notifications/message","params":{}}` + "\n")
				s.write(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n")
				s.write(`{"jsonrpc":"2.0","id":"x","method":"roots/list"}` + "\n")
			case string(r.ID) == "1":
				pong = string(r.Result) == "{}"
			case string(r.ID) == `"x"`:
				declined = strings.Contains(string(r.Error), "-32601")
			}
			if pong && declined {
				s.answer(asked, `{}`)
			}
		})
	},
	"unknown ids": func(s *rawServer) {
		s.serve(func(r rawRequest) {
			s.write(`{"jsonrpc":"2.0","id":99,"result":{}}` + "\n")
			s.write(`{"jsonrpc":"2.0","id":"sk-0000099","result":{}}` + "\n")
			s.answer(r, `{"n":1}`)
			s.answer(r, `{"n":2}`)
		})
	},
	"null id": func(s *rawServer) {
		s.serve(func(rawRequest) {
			s.write(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}` + "\n")
		})
	},
	"faulty": func(s *rawServer) {
		s.serve(func(r rawRequest) { s.write("{\"id\":%s,\"result\":{\"a\":1,\"a\":\"\\udc00\xff\"}}\n", r.ID) })
	},
	"deep": func(s *rawServer) {
		s.serve(func(r rawRequest) {
			s.write("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s%s}\n", r.ID, strings.Repeat("[", 100_000), strings.Repeat("]", 100_000))
		})
	},
	"brackets": func(s *rawServer) {
		s.serve(func(r rawRequest) {
			s.write("%s\n", strings.Repeat("[", 5<<20))
			s.answer(r, `{}`)
		})
	},
	"id first": func(s *rawServer) { s.serve(sized(s, `{"jsonrpc":"2.0","id":%s,"result":"%s"}`+"\n", false)) },
	"id last":  func(s *rawServer) { s.serve(sized(s, `{"result":"%[2]s","jsonrpc":"2.0","id":%[1]s}`+"\n", false)) },
	"no line":  func(s *rawServer) { s.serve(sized(s, `{"jsonrpc":"2.0","id":%s,"result":"%s`, true)) },
	"slow": func(s *rawServer) {
		s.serve(func(r rawRequest) {
			for _, c := range resultMessage(r, `"`+strings.Repeat("x", 1000)+`"`) {
				s.write("%c", c)
				time.Sleep(10 * time.Millisecond)
			}
		})
	},
	"late": func(s *rawServer) {
		var first rawRequest
		late := false
		s.serve(func(r rawRequest) {
			switch {
			case first.ID == nil:
				first = r
			case r.Method == methodCancelled && !late:
				late = true
				s.answer(first, `"late"`)
			case r.Method == methodCancelled:
			default:
				s.answer(r, `"second"`)
			}
		})
	},
	"dies": func(s *rawServer) {
		n := 0
		s.serve(func(r rawRequest) {
			if n++; n == 2 {
				fmt.Fprintln(os.Stderr, "boom: token=hunter2")
				s.write(`{"jsonrpc":"2.0","id":%s,"resu`, r.ID)
				os.Exit(3)
			}
		})
	},
	"killed": func(s *rawServer) {
		s.serve(func(rawRequest) {
			p, _ := os.FindProcess(os.Getpid())
			_ = p.Kill()
		})
	},
	"exits": func(*rawServer) {
		fmt.Fprintln(os.Stderr, "usage: server --port N")
		os.Exit(2)
	},
	"hello": func(s *rawServer) { s.write("hello\n") },
	"hello and waits": func(s *rawServer) {
		s.write("hello\n")
		_, _ = io.Copy(io.Discard, s.in)
	},
	"silent": func(s *rawServer) { _, _ = io.Copy(io.Discard, s.in) },
	"deaf": func(s *rawServer) {
		n := 0
		s.serve(func(rawRequest) {
			if n++; n == 1 {
				select {}
			}
		})
	},
	"old": func(s *rawServer) {
		first := true
		s.in = &strictReader{s.in, &first}
		s.serve(func(r rawRequest) { s.answer(r, `{}`) })
	},
	"stderr flood": func(s *rawServer) {
		s.serve(func(r rawRequest) {
			line := strings.Repeat("x", 99) + "\n"
			for range 100_000 {
				_, _ = os.Stderr.WriteString(line)
			}
			_, _ = os.Stderr.WriteString("the last line\n")
			s.answer(r, `{}`)
		})
	},
	"stubborn": func(s *rawServer) {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		pids := startFamily()
		s.serve(func(r rawRequest) { s.answer(r, pids) })
		select {} // its standard input is closed
	},
	"leaves child": func(s *rawServer) {
		pids := startFamily()
		s.serve(func(r rawRequest) {
			if r.Method == MethodList {
				s.answer(r, pids)
				return
			}
			os.Exit(4)
		})
	},
	"sleeper": func(*rawServer) {
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(10 * time.Minute)
	},
	"endless": func(s *rawServer) {
		s.serve(func(r rawRequest) {
			for n := 0; ; n++ {
				s.write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":\"%s\"}\n", strings.Repeat("x", 60_000))
			}
		})
	},
	"revision of tomorrow": func(s *rawServer) {
		s.serveHandshake(`{"protocolVersion":"2099-01-01","capabilities":{}}`)
	},
	"no handshake": func(s *rawServer) { s.serveHandshake(`{"hello":"world"}`) },
	"odd handshake": func(s *rawServer) {
		s.serveHandshake(`{"protocolVersion":"2025-06-18","capabilities":{"extensions":[],"tools":7},"serverInfo":"me","instructions":1}`)
	},
}

// sized answers with as many bytes as the URI asks for, or without an end.
func sized(s *rawServer, format string, endless bool) func(rawRequest) {
	return func(r rawRequest) {
		var n int
		_, _ = fmt.Sscanf(r.Params.URI, "bytes:%d", &n)
		s.write(format, r.ID, strings.Repeat("x", n))
		for endless {
			s.write("%s", strings.Repeat("x", 64<<10))
		}
	}
}

// strictReader ends the process unless the older handshake comes first.
type strictReader struct {
	in    io.Reader
	first *bool
}

func (r *strictReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	if *r.first && !strings.Contains(string(p[:n]), methodInitialize) {
		fmt.Fprintln(os.Stderr, "expected initialize")
		os.Exit(1)
	}
	*r.first = false
	return n, err
}

// serveHandshake answers initialize with a result of its own.
func (s *rawServer) serveHandshake(result string) {
	s.out = &replacing{s.out, result}
	s.serve(func(r rawRequest) { s.answer(r, `{}`) })
}

type replacing struct {
	out    io.Writer
	result string
}

func (w *replacing) Write(p []byte) (int, error) {
	if _, err := w.out.Write([]byte(strings.Replace(string(p), rawHandshake, w.result, 1))); err != nil {
		return 0, err
	}
	return len(p), nil
}
