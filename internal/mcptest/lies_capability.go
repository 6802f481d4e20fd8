package mcptest

// capabilityLies are about the declaration (S-CAP1 to S-CAP4).
func capabilityLies() []Lie {
	return []Lie{
		lie("capability-absent", "S-CAP1", "declares no extension at all", inCapabilities(func(c object) { delete(c, "extensions") })),
		lie("capability-experimental", "S-CAP1", "declares the extension under experimental", inCapabilities(func(c object) {
			c["experimental"] = c["extensions"]
			delete(c, "extensions")
		})),
		lie("capability-true", "S-CAP1", "declares the extension with true", declared(true)),
		lie("capability-null", "S-CAP1", "declares the extension with null", declared(nil)),
		lie("capability-list", "S-CAP1", "declares the extension with a list", declared([]any{})),
		lie("capability-string", "S-CAP1", "declares the extension with a string", declared("1.0")),
		lie("capability-resources-absent", "S-CAP2", "does not declare resources", inCapabilities(func(c object) { delete(c, "resources") })),
		lie("capability-resources-true", "S-CAP2", "declares resources with true", inCapabilities(func(c object) { c["resources"] = true })),
		lie("directory-read-text", "S-CAP3", `declares directoryRead as "yes"`, declared(object{"directoryRead": "yes"})),
		lie("directory-read-number", "S-CAP3", "declares directoryRead as 1", declared(object{"directoryRead": 1})),
		lie("directory-read-null", "S-CAP3", "declares directoryRead as null", declared(object{"directoryRead": nil})),
		lie("capability-setting-misspelt", "S-CAP3", "declares directoryread", declared(object{"directoryread": true})),
		lie("list-not-implemented", "S-LST1", "declares the extension and does not know skills/list", failing(methodList, codeMethodNotFound, "method not found")),
		lie("get-not-implemented", "S-GET1", "declares the extension and does not know skills/get", failing(methodGet, codeMethodNotFound, "method not found")),
		lie("directory-not-implemented", "S-DIR1", "declares directoryRead and does not know the method", failing(methodDirectory, codeMethodNotFound, "method not found")),
		lie("old-draft", "S-LST1, S-GET1", "knows no skills method and serves skill://index.json, as an old draft had it", tellOldDraft),
	}
}

func inCapabilities(change func(capabilities object)) func(*script) {
	return func(s *script) {
		s.world(func(w *world) error {
			change(w.capabilities)
			return nil
		})
	}
}

func declared(value any) func(*script) {
	return inCapabilities(func(c object) { c["extensions"] = object{extension: value} })
}

func tellOldDraft(s *script) {
	failing(methodList, codeMethodNotFound, "method not found")(s)
	failing(methodGet, codeMethodNotFound, "method not found")(s)
	s.world(func(w *world) error {
		var skills []object
		for _, k := range w.skills {
			skills = append(skills, object{"name": k.frontmatter()["name"], "type": "skill-md", "url": k.uri, "description": k.frontmatter()["description"]})
		}
		w.add("skill://index.json", "index.json", encode(object{"skills": skills}))
		return nil
	})
}
