package mcptest

import "strings"

// getLies are about skills/get (S-GET1 to S-GET3).
func getLies() []Lie {
	return []Lie{
		lie("get-refuses", "S-GET1", "refuses a skill that it lists", func(s *script) {
			s.answer(methodGet, func(c *call, _ handler) (any, error) {
				return nil, refuse(codeInvalidParams, "no skill is served at %s", c.uri())
			})
		}),
		lie("get-internal-error", "S-GET1", "fails with -32603", failing(methodGet, codeInternal, "cannot open the index")),
		lie("get-frontmatter-differs", "S-GET1", "gives another description than the listing", inSkill(func(e object) {
			e["frontmatter"].(object)["description"] = "Says something else."
		})),
		lie("get-digest-differs", "S-GET1", "gives another digest than the listing", inSkill(func(e object) {
			e["resources"].([]any)[0].(object)["digest"] = "sha256:" + strings.Repeat("0", 64)
		})),
		lie("get-resources-differ", "S-GET1", "gives fewer files than the listing", inSkill(func(e object) {
			e["resources"] = e["resources"].([]any)[:1]
		})),
		lie("get-uri-differs", "S-GET1", "gives the entry of another skill", inSkill(func(e object) { e["uri"] = "skill://other/SKILL.md" })),
		lie("get-next-cursor", "S-GET2", "gives a nextCursor", inResult(methodGet, func(r object) { r["nextCursor"] = "more" })),
		lie("get-null", "S-GET1", "gives skill as null", member(methodGet, "skill", nil)),
		lie("get-array", "S-GET1", "gives the entry in an array", inResult(methodGet, func(r object) { r["skill"] = []any{r["skill"]} })),
		lie("get-missing", "S-GET1", "gives the entry as the result itself", func(s *script) {
			s.result(methodGet, func(_ *call, r object) {
				for name, value := range r["skill"].(object) {
					r[name] = value
				}
				delete(r, "skill")
			})
		}),
		lie("get-unknown-succeeds", "S-GET3", "makes up an entry for an unknown skill", unknown(methodGet, madeUp)),
		lie("get-unknown-null", "S-GET3", "gives null for an unknown skill", unknown(methodGet, func(c *call) (any, error) {
			return c.cacheable(object{"skill": nil}), nil
		})),
		lie("get-unknown-32002", "S-GET3", "refuses an unknown skill with -32002", unknownCode(methodGet, codeResourceNotFound)),
		lie("get-unknown-32603", "S-GET3", "refuses an unknown skill with -32603", unknownCode(methodGet, codeInternal)),
		lie("get-unknown-32601", "S-GET3", "refuses an unknown skill with -32601", unknownCode(methodGet, codeMethodNotFound)),
		lie("get-file-succeeds", "S-GET3", "gives the skill for a supporting file of it", near(func(k *skill, uri string) bool {
			return strings.HasPrefix(uri, k.dir+"/") && k.resource(uri) != nil
		})),
		lie("get-directory-succeeds", "S-GET3", "gives the skill for its directory", near(func(k *skill, uri string) bool { return uri == k.dir })),
		lie("get-directory-slash-succeeds", "S-GET3", "gives the skill for its directory with a slash", near(func(k *skill, uri string) bool { return uri == k.dir+"/" })),
	}
}

// inSkill lies in a copy of each entry that skills/get gives.
func inSkill(change func(entry object)) func(*script) {
	return inResult(methodGet, func(r object) {
		entry := decodeObject(r["skill"])
		change(entry)
		r["skill"] = entry
	})
}

func madeUp(c *call) (any, error) {
	return c.cacheable(object{"skill": object{
		"uri": c.uri(), "frontmatter": object{"name": "anything", "description": "Anything that you ask for."}, "resources": "dynamic",
	}}), nil
}

// near answers for URIs that are not those of a SKILL.md.
func near(means func(k *skill, uri string) bool) func(*script) {
	return unknown(methodGet, func(c *call) (any, error) {
		for _, k := range c.server.world.skills {
			if means(k, c.uri()) {
				return c.cacheable(object{"skill": k.entry}), nil
			}
		}
		return nil, refuse(codeInvalidParams, "no skill is served at %s", c.uri())
	})
}
