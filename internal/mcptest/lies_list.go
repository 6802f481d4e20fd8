package mcptest

import (
	"fmt"
	"strings"
)

// listLies are about skills/list (S-LST1 to S-LST5), and about what all results
// have in common.
func listLies() []Lie {
	lies := []Lie{
		lie("list-skills-object", "S-LST1", "gives skills as an object", member(methodList, "skills", object{})),
		lie("list-skills-null", "S-LST1", "gives skills as null", member(methodList, "skills", nil)),
		lie("list-skills-missing", "S-LST1", "gives entries instead of skills", inResult(methodList, func(r object) {
			r["entries"] = r["skills"]
			delete(r, "skills")
		})),
		lie("list-result-array", "S-LST1", "gives an array as the result", func(s *script) {
			s.answer(methodList, func(*call, handler) (any, error) { return []any{}, nil })
		}),
		lie("list-internal-error", "S-LST1", "fails with -32603, as for one orphan skill", failing(methodList, codeInternal, "stray/SKILL.md has no name")),
		lie("list-entry-null", "S-LST1, S-ENT1", "has null among the entries", func(s *script) { addToList(s, nil) }),
		lie("list-entry-text", "S-LST1, S-ENT1", "has a URI among the entries", func(s *script) { addToList(s, "skill://read-csv/SKILL.md") }),
	}
	for _, m := range []struct{ name, method, requirement string }{
		{"list", methodList, "S-LST2"}, {"get", methodGet, "S-GET2"}, {"read", methodRead, "S-RD5"}, {"directory", methodDirectory, "S-DIR1"},
	} {
		lies = append(lies,
			since(lie(m.name+"-result-type-missing", m.requirement, "leaves resultType out of "+m.method, without(m.method, "resultType"))),
			since(lie(m.name+"-result-type-wrong", m.requirement, "gives another resultType in "+m.method, member(m.method, "resultType", "final"))),
		)
	}
	return append(append(lies, cacheLies()...), pageLies()...)
}

// cacheLies are about ttlMs and cacheScope.
func cacheLies() []Lie {
	lies := []Lie{
		since(lie("list-ttl-negative", "S-LST3", "gives a negative ttlMs", member(methodList, "ttlMs", -1))),
		since(lie("list-ttl-text", "S-LST3", "gives ttlMs as a string", member(methodList, "ttlMs", "60000"))),
		since(lie("list-ttl-fraction", "S-LST3", "gives a ttlMs with a fraction", member(methodList, "ttlMs", 0.5))),
		since(lie("list-scope-wrong", "S-LST3", `gives the cacheScope "shared"`, member(methodList, "cacheScope", "shared"))),
		since(lie("get-scope-wrong", "S-GET2", `gives the cacheScope "session"`, member(methodGet, "cacheScope", "session"))),
		since(lie("read-ttl-text", "S-RD5", "gives ttlMs of a file as a string", member(methodRead, "ttlMs", "1h"))),
	}
	for _, m := range []struct{ name, method, requirement string }{
		{"list", methodList, "S-LST3"}, {"get", methodGet, "S-GET2"}, {"read", methodRead, "S-RD5"},
	} {
		lies = append(lies,
			since(lie(m.name+"-ttl-missing", m.requirement, "leaves ttlMs out of "+m.method, without(m.method, "ttlMs"))),
			since(lie(m.name+"-scope-missing", m.requirement, "leaves cacheScope out of "+m.method, without(m.method, "cacheScope"))),
		)
	}
	return lies
}

// pageLies are about pages and cursors (S-LST4).
func pageLies() []Lie {
	return []Lie{
		lie("cursor-repeated", "S-LST4", "gives the same cursor for ever", func(s *script) {
			s.answer(methodList, func(c *call, honest handler) (any, error) {
				if c.text("cursor") == "again" {
					delete(c.params, "cursor")
				}
				result, err := honest(c)
				return with(result, "nextCursor", "again"), err
			})
		}),
		lie("cursor-endless", "S-LST4", "gives ever new cursors with empty pages", func(s *script) { endless(s, methodList, "skills") }),
		lie("cursor-empty", "S-LST4", `ends the listing with the cursor ""`, endWith(methodList, "")),
		lie("cursor-null", "S-LST4", "ends the listing with the cursor null", endWith(methodList, nil)),
		lie("cursor-number", "S-LST4", "counts pages in cursors that are numbers", endWith(methodList, 2)),
		lie("entry-twice", "S-LST4", "lists a skill on two pages", inWorld(func(w *world, k *skill) { w.skills = append([]*skill{k}, w.skills...) })),
		lie("entry-split", "S-LST4", "splits the resources of a skill over two entries", tellSplit),
		lie("bad-cursor-restarts", "S-LST4", "begins again for a cursor that it never gave", badCursor(func(c *call, honest handler) (any, error) {
			delete(c.params, "cursor")
			return honest(c)
		})),
		lie("bad-cursor-empty", "S-LST4", "gives an empty page for a cursor that it never gave", badCursor(func(c *call, _ handler) (any, error) {
			return c.cacheable(object{"skills": []any{}}), nil
		})),
		lie("bad-cursor-internal-error", "S-LST4", "fails with -32603 for a cursor that it never gave", badCursor(func(*call, handler) (any, error) {
			return nil, refuse(codeInternal, "index out of range")
		})),
	}
}

func addToList(s *script, entry any) {
	s.result(methodList, func(c *call, r object) {
		if entries, ok := r["skills"].([]object); ok && c.first() {
			all := []any{entry}
			for _, e := range entries {
				all = append(all, e)
			}
			r["skills"] = all
		}
	})
}

func with(result any, name string, value any) any {
	if r, ok := result.(object); ok {
		r[name] = value
	}
	return result
}

// endWith gives the last page of a listing a cursor.
func endWith(method string, cursor any) func(*script) {
	return inResult(method, func(r object) {
		if _, ok := r["nextCursor"]; !ok {
			r["nextCursor"] = cursor
		}
	})
}

// endless lets a listing go on with empty pages.
func endless(s *script, method, items string) {
	s.answer(method, func(c *call, honest handler) (any, error) {
		if n, err := fmt.Sscanf(c.text("cursor"), "page-%d", new(int)); n == 1 && err == nil {
			var page int
			_, _ = fmt.Sscanf(c.text("cursor"), "page-%d", &page) // it was read before
			return c.cacheable(object{items: []any{}, "nextCursor": fmt.Sprintf("page-%d", page+1)}), nil
		}
		result, err := honest(c)
		if r, ok := result.(object); ok && r["nextCursor"] == nil {
			r["nextCursor"] = "page-1"
		}
		return result, err
	})
}

func tellSplit(s *script) {
	s.world(func(w *world) error {
		k, err := w.victim()
		if err != nil {
			return err
		}
		all := k.resources()
		half := decodeObject(k.entry)
		k.setResources(all[:1]...)
		rest := &skill{uri: k.uri, dir: k.dir, entry: half}
		rest.setResources(all[1:]...)
		w.skills = append(w.skills, rest)
		return nil
	})
}

// badCursor answers a cursor that was never given.
func badCursor(answer func(c *call, honest handler) (any, error)) func(*script) {
	return func(s *script) {
		s.answer(methodList, func(c *call, honest handler) (any, error) {
			result, err := honest(c)
			if failure, ok := err.(*rpcError); ok && strings.Contains(failure.Message, "cursor") {
				return answer(c, honest)
			}
			return result, err
		})
	}
}
