package mcptest

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/skilltool/skilltool/pkg/digest"
)

// oddities are rare and legal.
func oddities() []Lie {
	return []Lie{
		oddity("odd-percent-encoded", "S-ENT3", "has names that need percent-encoding in every place", collection(func(files map[string][]byte) {
			for _, name := range []string{"références/été d'hiver.md", "references/50%25.md", "references/#1?.md", "references/a+b&c=d;e,f.md", "references/日本語.md", "references/..hidden.md", "references/%2e%2e.md"} {
				files["read-csv/"+name] = fmt.Appendf(nil, "# %s\n", name)
			}
		})),
		oddity("odd-blobs", "S-RD1", "serves everything as base64", func(s *script) { s.blobs = true }),
		oddity("odd-dynamic", "S-ENT5", "has a dynamic skill", dynamic),
		oddity("odd-all-dynamic", "S-ENT5", "has nothing but dynamic skills", func(s *script) {
			s.world(func(w *world) error {
				for _, k := range w.skills {
					k.entry["resources"] = "dynamic"
				}
				return nil
			})
		}),
		oddity("odd-empty-list", "S-LST1", "lists no skill", func(s *script) {
			s.world(func(w *world) error {
				w.hidden, w.skills = w.skills, nil
				return nil
			})
		}),
		oddity("odd-nothing", "S-LST1", "has no skill at all", collection(func(files map[string][]byte) { clear(files) })),
		oddity("odd-unlisted-skill", "S-GET1", "serves a skill that is not listed, and names it in its instructions", func(s *script) {
			s.world(func(w *world) error {
				k, err := w.victim()
				if err != nil {
					return err
				}
				w.skills, w.hidden = slices.Clone(w.skills[:len(w.skills)-1]), []*skill{k}
				w.instructions = "For tables read " + k.uri + " first."
				return nil
			})
		}),
		oddity("odd-pages-of-one", "S-LST4", "has one item on each page", func(s *script) {
			s.world(func(w *world) error {
				w.pageSize = 1
				return nil
			})
		}),
		oddity("odd-empty-pages", "S-LST4", "has pages with nothing on them between others", tellEmptyPages),
		oddity("odd-out-of-order", "S-LST1", "answers later what was asked for earlier", func(s *script) {
			var n atomic.Int64
			s.handlers = append(s.handlers, func(next handler) handler {
				return func(c *call) (any, error) {
					if n.Add(1)%2 == 1 {
						pause(c.ctx, 5*time.Millisecond)
					}
					return next(c)
				}
			})
		}),
		oddity("odd-notifications", "S-LST1", "sends log messages and progress between its answers", tellNotifications),
		at(OfTheProcess, oddity("odd-stderr", "S-LST1", "writes to standard error", starting(func(p *program) int {
			_, err := io.WriteString(p.stderr, "info: 3 skills loaded\nwarning: a newer version is there\n")
			if err != nil {
				return 1
			}
			return -1
		}))),
		oddity("odd-512-files", "S-ENT8", "has a skill of exactly 512 files", collection(func(files map[string][]byte) { manyFiles(files, digest.MaxResources) })),
		oddity("odd-16-mib", "S-ENT8", "has a skill of exactly 16 MiB", collection(func(files map[string][]byte) { fillUp(files, digest.MaxBytes, 1<<20) })),
		oddity("odd-16-mib-file", "S-ENT8", "has a skill of exactly 16 MiB, with one file that is nearly all of it", collection(func(files map[string][]byte) {
			fillUp(files, digest.MaxBytes, digest.MaxBytes)
		})),
		oddity("odd-16-mib-escaped", "S-ENT8", "has such a file of characters that JSON writes as escapes", collection(func(files map[string][]byte) {
			fillUp(files, digest.MaxBytes, digest.MaxBytes)
			for name := range files {
				if strings.HasPrefix(name, "read-csv/assets/") {
					files[name] = []byte(strings.Repeat("\"", len(files[name])-1) + "\n")
				}
			}
		})),
		oddity("odd-native-scheme", "S-RD6", "has a scheme of its own", func(s *script) {
			s.prefix = digest.Prefix{Scheme: "github", Segments: []string{"acme", "handbook", "skills"}}
		}),
		oddity("odd-other-members", "S-ENT1", "has members that nobody has defined, with data of all kinds", tellOtherMembers),
		oddity("odd-key-case", "S-LST1", "has a member that differs from skills by its case alone", func(s *script) {
			s.replace(methodList, `"skills":`, `"Skills":[],"skills":`)
		}),
		oddity("odd-unknown-field", "S-ENT4", "has a field in its frontmatter that the specification does not define", written("model: large\n", func(*script) {})),
		oddity("odd-long-uri", "S-ENT1", "has a URI of 20,000 characters", moved("skill://", "skill://"+strings.Repeat("deep/", 4000))),
		oddity("odd-single-segment", "S-ENT1", "has nothing but skills of one segment", collection(func(files map[string][]byte) {
			maps.DeleteFunc(files, func(name string, _ []byte) bool { return !strings.HasPrefix(name, "read-csv/") })
		})),
		oddity("odd-deep-prefix", "S-ENT1", "has a prefix of many segments", func(s *script) {
			s.prefix = digest.Prefix{Segments: strings.Split("one/two/three/four/five/six/seven/eight/nine/ten", "/")}
		}),
		oddity("odd-authority-case", "S-ENT3", "has a first segment with capitals, dots and a tilde", func(s *script) {
			s.prefix = digest.Prefix{Segments: []string{"Skills.Example~1.com"}}
		}),
		oddity("odd-empty-file-blob", "S-RD5", `has an empty file as the blob ""`, inItem(func(item object) {
			if item["text"] == "" {
				delete(item, "text")
				item["blob"] = ""
			}
		})),
		oddity("odd-key-order", "S-RD2", "lists the fields of frontmatter in another order than the file has them", collection(func(files map[string][]byte) {
			replaceIn(files, "read-csv/SKILL.md", "name: read-csv\n", "")
			replaceIn(files, "read-csv/SKILL.md", "license: Apache-2.0\n", "license: Apache-2.0\nname: read-csv\n")
		})),
		oddity("odd-crlf-skill-md", "S-RD2", "has a SKILL.md with the line ends of Windows", collection(func(files map[string][]byte) {
			files["read-csv/SKILL.md"] = []byte(strings.ReplaceAll(string(files["read-csv/SKILL.md"]), "\n", "\r\n"))
		})),
		oddity("odd-folded-description", "S-RD2", "has a description in a block scalar", collection(func(files map[string][]byte) {
			replaceIn(files, "read-csv/SKILL.md", "description: Reads CSV files of any dialect. ", "description: >-\n  Reads CSV files of any dialect.\n  ")
		})),
		oddity("odd-json-escapes", "S-RD1", "writes its answers with escapes wherever JSON allows them", tellJSONEscapes),
		oddity("odd-mime-parameter", "S-RD3", "serves Markdown with a charset", inItem(func(item object) {
			if item["mimeType"] == "text/markdown" {
				item["mimeType"] = "text/markdown; charset=utf-8"
			}
		})),
		oddity("odd-meta", "S-RD3", "has _meta keys with the prefix", inItem(func(item object) {
			item["_meta"] = object{"io.modelcontextprotocol.skills/version": "2", "com.example/team": "tables"}
		})),
		oddity("odd-no-resources-list", "S-RD3", "does not know resources/list", failing(methodResources, codeMethodNotFound, "method not found")),
		oddity("odd-ttl-zero", "S-LST3", "has a ttlMs of 0", func(s *script) {
			for _, method := range []string{methodList, methodGet, methodRead} {
				member(method, "ttlMs", 0)(s)
			}
		}),
		oddity("odd-scope-public", "S-LST3", "has the cacheScope public", func(s *script) {
			for _, method := range []string{methodList, methodGet, methodRead} {
				member(method, "cacheScope", "public")(s)
			}
		}),
		oddity("odd-no-prefix-folders", "S-DIR1", "does not answer for the folders above its skills", func(s *script) {
			s.answer(methodDirectory, func(c *call, honest handler) (any, error) {
				for _, k := range c.server.world.skills {
					if strings.HasPrefix(k.dir, c.uri()+"/") && c.server.world.file(c.uri()+"/SKILL.md") == nil {
						return nil, refuse(codeInvalidParams, "no directory is served at %s", c.uri())
					}
				}
				return honest(c)
			})
		}),
	}
}

// tellEmptyPages gives an empty page before each page.
func tellEmptyPages(s *script) {
	s.answer(methodList, func(c *call, honest handler) (any, error) {
		next, full := strings.CutPrefix(c.text("cursor"), "then-")
		if !full && (c.first() || strings.HasPrefix(c.text("cursor"), "at-")) {
			return c.cacheable(object{"skills": []any{}, "nextCursor": "then-" + strings.TrimPrefix(c.text("cursor"), "at-")}), nil
		}
		if c.params = maps.Clone(c.params); next == "" {
			delete(c.params, "cursor")
		} else {
			c.params["cursor"] = next
		}
		result, err := honest(c)
		if r, ok := result.(object); ok && r["nextCursor"] != nil {
			r["nextCursor"] = "at-" + r["nextCursor"].(string)
		}
		return result, err
	})
}

// tellNotifications sends what a client may get at any time, before each answer.
func tellNotifications(s *script) {
	s.events = true
	s.sends = append(s.sends, func(c *call, out sink, frame []byte) (bool, error) {
		if c.method == methodDiscover || c.method == methodInitialize || !out.several() {
			return false, nil
		}
		for _, extra := range []string{
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"reading"}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"none","progress":1}}`,
		} {
			if err := writeFrame(out, []byte(extra)); err != nil {
				return true, err
			}
		}
		return true, writeFrame(out, frame)
	})
}

// tellOtherMembers puts members into results and items. Entries stay as they
// are: the specification defines their shape.
func tellOtherMembers(s *script) {
	other := object{"nothing": nil, "list": []any{1, "two", object{"three": 3.5}}, "text": strings.Repeat("data ", 1000)}
	for _, method := range []string{methodDiscover, methodInitialize, methodList, methodGet, methodRead, methodDirectory, methodResources} {
		inResult(method, func(r object) { r["com.example/other"] = other })(s)
	}
	inItem(func(item object) { item["other"] = other })(s)
}

// tellJSONEscapes writes each character that is not ASCII, and each slash, as an
// escape.
func tellJSONEscapes(s *script) {
	s.frames = append(s.frames, func(_ *call, frame []byte) []byte {
		var out []byte
		for _, r := range string(frame) {
			switch {
			case r == '/':
				out = append(out, `\/`...)
			case r < 0x80:
				out = append(out, byte(r))
			case r > 0xffff:
				r -= 0x10000
				out = fmt.Appendf(out, `\u%04x\u%04X`, 0xd800+r>>10, 0xdc00+r&0x3ff)
			default:
				out = fmt.Appendf(out, `\u%04x`, r)
			}
		}
		return out
	})
}
