package mcptest

import (
	"maps"
	"strings"
)

// nameLies are about the names of skills (S-ENT2, S-LST5), and about strings
// that would do something to a terminal (C-8).
func nameLies() []Lie {
	return []Lie{
		lie("name-upper-case", "S-ENT2", "serves a skill whose name has capitals", renamed("Read-CSV")),
		lie("name-underscore", "S-ENT2", "serves a skill whose name has an underscore", renamed("read_csv")),
		lie("name-hyphens", "S-ENT2", "serves a skill whose name has two hyphens together", renamed("read--csv")),
		lie("name-hyphen-first", "S-ENT2", "serves a skill whose name begins with a hyphen", renamed("-read-csv")),
		lie("name-long", "S-ENT2", "serves a skill whose name has 65 characters", renamed(strings.Repeat("read-csv-", 7)+"xx")),
		lie("names-not-unique", "S-LST5", "lists two skills of one name", collection(func(files map[string][]byte) {
			for name, content := range maps.Clone(files) {
				if rest, ok := strings.CutPrefix(name, "read-csv/"); ok {
					files["tables/read-csv/"+rest] = content
				}
			}
		})),
		lie("terminal-escapes", "C-8", "has escape sequences and bidirectional controls in every string", tellEscapes),
	}
}

// renamed serves read-csv under another name, in its file and its URI.
func renamed(name string) func(*script) {
	return collection(func(files map[string][]byte) {
		for old, content := range maps.Clone(files) {
			if rest, ok := strings.CutPrefix(old, "read-csv/"); ok {
				delete(files, old)
				files[name+"/"+rest] = content
			}
		}
		replaceIn(files, name+"/SKILL.md", "name: read-csv", "name: "+name)
	})
}

// escapes clear a screen, forge a line and turn the reading direction around.
const escapes = "\x1b[2J\x1b]0;title\x07\u202e\r\nall checks passed\u2066\u009b31m"

func tellEscapes(s *script) {
	s.world(func(w *world) error {
		w.name, w.version, w.instructions = "fixture"+escapes, "1"+escapes, escapes
		w.capabilities["extensions"].(object)["x"+escapes] = escapes
		for _, k := range w.skills {
			k.frontmatter()["description"] = escapes
			k.frontmatter()["x"+escapes] = escapes
			for _, r := range k.resources() {
				r["digest"] = r["digest"].(string) + escapes
				r[escapes] = escapes
			}
			if k == w.skills[len(w.skills)-1] {
				w.move(k, func(uri string) string { return uri + escapes })
				k.frontmatter()["name"] = k.frontmatter()["name"].(string) + escapes
			}
		}
		for _, f := range w.files {
			f.name, f.description, f.mimeType = f.name+escapes, escapes, f.mimeType+escapes
		}
		return nil
	})
	for _, method := range []string{methodList, methodGet, methodRead, methodDirectory, methodResources} {
		s.failure(method, func(_ *call, err *rpcError) (any, error) { return nil, refuse(codeInternal, "%s", escapes) })
		member(method, "resultType", escapes)(s)
		member(method, "cacheScope", escapes)(s)
		inResult(method, func(r object) { r["x"+escapes] = escapes })(s)
	}
}
