package mcptest

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// streamFaults are answers that come late, for ever, or not at all.
func streamFaults() []Lie {
	faults := []Lie{
		fault("noise", "writes a line to standard output that is no message", OverStdio, func(s *script) {
			s.send(methodList, func(_ *call, out sink, frame []byte) (bool, error) {
				if err := writeFrame(out, []byte("DEBUG loading skills …")); err != nil {
					return true, err
				}
				return true, writeFrame(out, frame)
			})
		}),
		fault("noise-first", "writes a banner to standard output before anything else", OverStdio, func(s *script) {
			for _, method := range []string{methodDiscover, methodInitialize} {
				s.send(method, func(_ *call, out sink, frame []byte) (bool, error) {
					if err := writeFrame(out, []byte("Server is listening on stdio\n")); err != nil {
						return true, err
					}
					return true, writeFrame(out, frame)
				})
			}
		}),
		waiting(fault("noise-for-ever", "writes nothing but noise to standard output", OverStdio, func(s *script) {
			s.send(methodList, func(c *call, out sink, _ []byte) (bool, error) {
				return true, forever(c, out, []byte(strings.Repeat("noise\n", 10_000)))
			})
		})),
		waiting(fault("line-endless", "writes a line to standard output that does not end", OverStdio, func(s *script) {
			s.send(methodList, func(c *call, out sink, _ []byte) (bool, error) {
				return true, forever(c, out, bytes.Repeat([]byte("x"), 64<<10))
			})
		})),
		fault("death-in-answer", "ends in the middle of the answer to resources/read", Anywhere, func(s *script) {
			s.process.code = 3
			s.send(methodRead, half(errDeath))
		}),
		fault("death-in-list", "ends in the middle of the answer to skills/list", Anywhere, func(s *script) {
			s.process.code = 3
			s.send(methodList, half(errDeath))
		}),
		fault("death-at-get", "ends when skills/get is asked for", Anywhere, func(s *script) {
			s.process.code = 4
			s.answer(methodGet, func(*call, handler) (any, error) { return nil, errDeath })
		}),
		waiting(fault("cut-answer", "sends half of the answer to skills/list as if it were whole", Anywhere, func(s *script) {
			s.frame(methodList, func(_ *call, frame []byte) []byte { return frame[:len(frame)/2] })
		})),
		waiting(fault("drip", "answers skills/list with one byte a second", Anywhere, func(s *script) {
			s.send(methodList, func(c *call, out sink, frame []byte) (bool, error) {
				for i := range frame {
					if err := out.write(frame[i : i+1]); err != nil {
						return true, err
					}
					if !pause(c.ctx, time.Second) {
						return true, errSilence
					}
				}
				return true, out.end()
			})
		})),
		fault("ten-gib", "answers resources/read with 10 GiB", Anywhere, func(s *script) {
			s.send(methodRead, func(c *call, out sink, _ []byte) (bool, error) { return true, tenGiB(c, out) })
		}),
		fault("ten-gib-list", "answers skills/list with 10 GiB of entries", Anywhere, func(s *script) {
			s.send(methodList, func(c *call, out sink, _ []byte) (bool, error) {
				if err := out.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"skills":[{}`, c.id)); err != nil {
					return true, err
				}
				return true, forever(c, out, []byte(strings.Repeat(`,{"uri":"skill://one/SKILL.md"}`, 2000)))
			})
		}),
		fault("endless-skills", "lists new skills on every page, for ever", Anywhere, tellEndlessSkills),
		fault("answer-twice", "answers skills/list twice", OverStdio, func(s *script) {
			s.send(methodList, func(_ *call, out sink, frame []byte) (bool, error) {
				if err := writeFrame(out, frame); err != nil {
					return true, err
				}
				return true, writeFrame(out, frame)
			})
		}),
	}
	for _, m := range []struct{ name, method string }{
		{"handshake", methodDiscover}, {"list", methodList}, {"get", methodGet}, {"read", methodRead}, {"directory", methodDirectory}, {"resources", methodResources},
	} {
		faults = append(faults, waiting(fault("hang-"+m.name, "never answers "+m.method, Anywhere, hang(m.method))))
	}
	return faults
}

// hang leaves a method without an answer; the handshake in both eras.
func hang(method string) func(*script) {
	return func(s *script) {
		methods := []string{method}
		if method == methodDiscover {
			methods = append(methods, methodInitialize)
		}
		for _, m := range methods {
			s.answer(m, func(c *call, _ handler) (any, error) {
				<-c.ctx.Done()
				return nil, errSilence
			})
		}
	}
}

// half sends the first half of an answer, and gives an error.
func half(err error) sender {
	return func(_ *call, out sink, frame []byte) (bool, error) {
		if failure := out.write(frame[:len(frame)/2]); failure != nil {
			return true, failure
		}
		return true, err
	}
}

// floodBytes is the length of what is called 10 GiB.
const floodBytes = 10 << 30

// forever sends the same piece again and again.
func forever(c *call, out sink, piece []byte) error {
	for sent := 0; sent < floodBytes; sent += len(piece) {
		if c.ctx.Err() != nil {
			return errSilence
		}
		if err := out.write(piece); err != nil {
			return err
		}
	}
	return out.end()
}

func tenGiB(c *call, out sink) error {
	head := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"contents":[{"uri":%s,"text":"`, c.id, encode(c.uri()))
	if err := out.write(head); err != nil {
		return err
	}
	return forever(c, out, bytes.Repeat([]byte("x"), 1<<20))
}

// tellEndlessSkills makes up skills. It is honest about each of them.
func tellEndlessSkills(s *script) {
	entry := func(name string) object {
		return object{"uri": "skill://" + name + "/SKILL.md", "frontmatter": object{"name": name, "description": "One of many."}, "resources": "dynamic"}
	}
	named := func(c *call, end string) (string, bool) {
		var n int
		if read, err := fmt.Sscanf(c.uri(), "skill://skill-%d", &n); read != 1 || err != nil {
			return "", false
		}
		name := fmt.Sprintf("skill-%d", n)
		return name, c.uri() == "skill://"+name+end
	}
	s.answer(methodList, func(c *call, honest handler) (any, error) {
		var page int
		if _, err := fmt.Sscanf(c.text("cursor"), "page-%d", &page); err != nil && !c.first() {
			return honest(c)
		}
		entries := []any{}
		for i := range 100 {
			entries = append(entries, entry(fmt.Sprintf("skill-%d", 100*page+i)))
		}
		return c.cacheable(object{"skills": entries, "nextCursor": fmt.Sprintf("page-%d", page+1)}), nil
	})
	s.answer(methodGet, func(c *call, honest handler) (any, error) {
		if name, ok := named(c, "/SKILL.md"); ok {
			return c.cacheable(object{"skill": entry(name)}), nil
		}
		return honest(c)
	})
	s.answer(methodRead, func(c *call, honest handler) (any, error) {
		if name, ok := named(c, "/SKILL.md"); ok {
			text := fmt.Sprintf("---\nname: %s\ndescription: One of many.\n---\n", name)
			return c.cacheable(object{"contents": []any{object{"uri": c.uri(), "mimeType": "text/markdown", "text": text}}}), nil
		}
		return honest(c)
	})
	s.answer(methodDirectory, func(c *call, honest handler) (any, error) {
		if name, ok := named(c, ""); ok {
			return c.complete(object{"resources": []any{object{"uri": c.uri() + "/SKILL.md", "name": name, "mimeType": "text/markdown"}}}), nil
		}
		return honest(c)
	})
}
