package mcptest

import (
	"maps"
	"slices"
	"strings"
)

// directoryLies are about resources/directory/read (S-DIR1 to S-DIR3).
func directoryLies() []Lie {
	return []Lie{
		lie("directory-child-missing", "S-DIR1, S-DIR3", "leaves a file out of its directory", inFile(func(_ *world, _ *skill, f *file) { f.hidden = true })),
		lie("directory-child-extra", "S-DIR1, S-DIR3", "has a file in a directory that it does not serve", inFile(func(w *world, _ *skill, f *file) {
			w.add(parent(f.uri)+"/gone.md", "gone.md", []byte("gone")).gone = true
		})),
		lie("directory-slashes", "S-DIR1", "writes directories with a slash at the end", inChildren(func(child object) {
			if child["mimeType"] == "inode/directory" {
				child["uri"] = child["uri"].(string) + "/"
			}
		})),
		lie("directory-mime-type", "S-DIR1", "gives directories another mimeType", inChildren(func(child object) {
			if child["mimeType"] == "inode/directory" {
				child["mimeType"] = "application/x-directory"
			}
		})),
		lie("directory-mime-type-missing", "S-DIR1", "gives directories no mimeType", inChildren(func(child object) {
			if child["mimeType"] == "inode/directory" {
				delete(child, "mimeType")
			}
		})),
		lie("directory-file-mime-type", "S-DIR1", "says of files that they are directories", inChildren(func(child object) { child["mimeType"] = "inode/directory" })),
		lie("directory-child-uri-missing", "S-DIR1", "gives children without a URI", inChildren(func(child object) { delete(child, "uri") })),
		lie("directory-children-texts", "S-DIR1", "gives children as names", inResult(methodDirectory, func(r object) { r["resources"] = []any{"SKILL.md", "references"} })),
		lie("directory-resources-missing", "S-DIR1", "gives children as children", inResult(methodDirectory, func(r object) {
			r["children"] = r["resources"]
			delete(r, "resources")
		})),
		lie("directory-sub-fails", "S-DIR1", "fails at directories below a skill's root", deeper(codeInternal)),
		lie("directory-sub-refused", "S-DIR1", "refuses directories below a skill's root", deeper(codeInvalidParams)),
		lie("directory-root-refused", "S-DIR1", "refuses a skill's root", func(s *script) {
			s.answer(methodDirectory, func(c *call, honest handler) (any, error) {
				if c.server.world.file(c.uri()+"/SKILL.md") != nil {
					return nil, refuse(codeInvalidParams, "no directory is served at %s", c.uri())
				}
				return honest(c)
			})
		}),
		lie("directory-of-file", "S-DIR2", "reads a file as a directory that holds itself", unknown(methodDirectory, func(c *call) (any, error) {
			if f := c.server.world.file(c.uri()); f != nil {
				return c.complete(object{"resources": []object{f.resource()}}), nil
			}
			return nil, refuse(codeInvalidParams, "no directory is served at %s", c.uri())
		})),
		lie("directory-unknown-empty", "S-DIR2", "gives an empty array for an unknown directory", unknown(methodDirectory, func(c *call) (any, error) {
			if c.server.world.file(c.uri()) != nil {
				return nil, refuse(codeInvalidParams, "%s is no directory", c.uri())
			}
			return c.complete(object{"resources": []object{}}), nil
		})),
		lie("directory-unknown-32002", "S-DIR2", "refuses an unknown directory with -32002", unknownCode(methodDirectory, codeResourceNotFound)),
		lie("directory-unknown-32603", "S-DIR2", "refuses an unknown directory with -32603", unknownCode(methodDirectory, codeInternal)),
		lie("directory-child-twice", "S-DIR1", "gives a child twice", inResult(methodDirectory, func(r object) {
			if children := r["resources"].([]object); len(children) > 0 {
				r["resources"] = append(slices.Clone(children), children[0])
			}
		})),
		lie("directory-endless", "S-DIR1", "gives ever new cursors for a directory", func(s *script) { endless(s, methodDirectory, "resources") }),
		lie("directory-cursor-repeated", "S-DIR1", "gives the same cursor of a directory for ever", func(s *script) {
			s.answer(methodDirectory, func(c *call, honest handler) (any, error) {
				if c.text("cursor") == "again" {
					delete(c.params, "cursor")
				}
				result, err := honest(c)
				return with(result, "nextCursor", "again"), err
			})
		}),
		lie("directory-recursive", "S-DIR1", "gives all files below instead of the direct children", tellRecursive),
		lie("directory-elsewhere", "S-DIR1", "gives a child that lies elsewhere", inResult(methodDirectory, func(r object) {
			r["resources"] = append(slices.Clone(r["resources"].([]object)), object{"uri": "skill://elsewhere/notes.md", "name": "notes.md", "mimeType": "text/markdown"})
		})),
		lie("directory-loop", "S-DIR1", "gives a directory as a child of itself", func(s *script) {
			s.result(methodDirectory, func(c *call, r object) {
				r["resources"] = append(slices.Clone(r["resources"].([]object)), directory(c.uri()))
			})
		}),
		lie("directory-bottomless", "S-DIR1", "has a directory in each directory, without end", tellBottomless),
	}
}

// inChildren lies in a copy of each child of each directory.
func inChildren(change func(child object)) func(*script) {
	return inResult(methodDirectory, func(r object) {
		var changed []object
		for _, child := range r["resources"].([]object) {
			child = maps.Clone(child)
			change(child)
			changed = append(changed, child)
		}
		r["resources"] = changed
	})
}

// deeper refuses what is below the root of a skill.
func deeper(code int) func(*script) {
	return func(s *script) {
		s.answer(methodDirectory, func(c *call, honest handler) (any, error) {
			for _, k := range c.server.world.skills {
				if strings.HasPrefix(c.uri(), k.dir+"/") && c.server.world.file(c.uri()+"/SKILL.md") == nil && c.server.world.children[c.uri()] != nil {
					return nil, refuse(code, "cannot read %s", c.uri())
				}
			}
			return honest(c)
		})
	}
}

func tellRecursive(s *script) {
	s.answer(methodDirectory, func(c *call, honest handler) (any, error) {
		result, err := honest(c)
		if r, ok := result.(object); ok && err == nil {
			all := []object{}
			for _, f := range c.server.world.files {
				if strings.HasPrefix(f.uri, c.uri()+"/") {
					all = append(all, f.resource())
				}
			}
			r["resources"] = all
			delete(r, "nextCursor")
		}
		return result, err
	})
}

func tellBottomless(s *script) {
	s.answer(methodDirectory, func(c *call, honest handler) (any, error) {
		if !strings.HasPrefix(c.uri(), "skill://read-csv/references") || strings.HasSuffix(c.uri(), ".md") {
			return honest(c)
		}
		return c.complete(object{"resources": []object{directory(c.uri() + "/more")}}), nil
	})
}
