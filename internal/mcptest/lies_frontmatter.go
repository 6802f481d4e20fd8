package mcptest

import "strings"

// frontmatterLies are about frontmatter that differs between an entry and the
// file (S-RD2), and about frontmatter that is none (S-ENT4).
func frontmatterLies() []Lie {
	lies := []Lie{
		lie("frontmatter-description-differs", "S-RD2", "lists another description than the file has", listed(func(f object) { f["description"] = "Other text." })),
		lie("frontmatter-field-missing", "S-RD2", "lists name and description alone", listed(func(f object) { delete(f, "license") })),
		lie("frontmatter-field-extra", "S-RD2", "lists a field that the file does not have", listed(func(f object) { f["compatibility"] = "Python 3.12" })),
		lie("frontmatter-field-null", "S-RD2", "lists null for a field that the file does not have", listed(func(f object) { f["compatibility"] = nil })),
		lie("frontmatter-line-end", "S-RD2", "lists a description with a line end that the file does not have", listed(func(f object) {
			f["description"] = f["description"].(string) + "\n"
		})),
		lie("frontmatter-nfd", "S-RD2", "lists text in another Unicode normalisation", written("metadata:\n  owner: Zoë\n", listed(func(f object) {
			f["metadata"].(object)["owner"] = "Zoe\u0308"
		}))),
		lie("frontmatter-date", "S-RD2", "lists a date as a YAML 1.1 loader types it", written("metadata:\n  reviewed: 2026-03-01\n", listed(func(f object) {
			f["metadata"].(object)["reviewed"] = "2026-03-01T00:00:00.000Z"
		}))),
		lie("frontmatter-yes", "S-RD2", "lists yes as true", written("metadata:\n  public: yes\n", listed(func(f object) {
			f["metadata"].(object)["public"] = true
		}))),
		lie("frontmatter-sexagesimal", "S-RD2", "lists a time as the number that YAML 1.1 makes of it", written("metadata:\n  runs: 12:30:45\n", listed(func(f object) {
			f["metadata"].(object)["runs"] = 45045
		}))),
		lie("frontmatter-octal", "S-RD2, S-ENT4", "lists 0750 as the octal number that YAML 1.1 makes of it", written("mode: 0750\n", listed(func(f object) { f["mode"] = 488 }))),
		lie("frontmatter-version-number", "S-RD2", `lists the version "1.10" as 1.1`, written("metadata:\n  version: \"1.10\"\n", listed(func(f object) {
			f["metadata"].(object)["version"] = number("1.1")
		}))),
		lie("frontmatter-list-joined", "S-RD2", "lists a metadata value that was flattened", written("metadata:\n  tags: a, b\n", listed(func(f object) {
			f["metadata"].(object)["tags"] = []any{"a", "b"}
		}))),
		lie("dynamic-frontmatter-differs", "S-RD2", "lists another description for a dynamic skill", func(s *script) {
			dynamic(s)
			listed(func(f object) { f["description"] = "Other text." })(s)
		}),
		lie("dynamic-unreadable", "S-RD1", "serves no SKILL.md for a dynamic skill", func(s *script) {
			dynamic(s)
			inWorld(func(w *world, k *skill) { w.file(k.uri).gone = true })(s)
		}),
	}
	return append(lies, invalidSkills()...)
}

// invalidSkills break the Agent Skills specification, in the entry and in the
// file alike (S-ENT4).
func invalidSkills() []Lie {
	return []Lie{
		lie("skill-without-frontmatter", "S-ENT4, S-RD2", "serves a SKILL.md without frontmatter under an entry with some", inWorld(func(w *world, k *skill) {
			w.fill(w.file(k.uri), []byte("# Read CSV\n\nFind the dialect.\n"))
		})),
		lie("skill-empty", "S-ENT4, S-RD2", "serves an empty SKILL.md", inWorld(func(w *world, k *skill) { w.fill(w.file(k.uri), nil) })),
		lie("skill-broken-yaml", "S-ENT4, S-RD2", "serves a SKILL.md whose frontmatter is no YAML", inWorld(func(w *world, k *skill) {
			w.fill(w.file(k.uri), []byte("---\nname: read-csv\ndescription: Use when: a table comes\n---\n"))
		})),
		lie("skill-bom", "S-ENT4", "serves a SKILL.md with a byte order mark", inWorld(func(w *world, k *skill) {
			f := w.file(k.uri)
			w.fill(f, []byte("\ufeff"+string(f.content)))
		})),
		lie("skill-description-long", "S-ENT4", "publishes a description of 1,025 characters", collection(func(files map[string][]byte) {
			replaceIn(files, "read-csv/SKILL.md", "Reads CSV", strings.Repeat("x", 1025-len("Reads CSV files of any dialect. Use when a table comes as text.")+len("Reads CSV")))
		})),
		lie("skill-metadata-number", "S-ENT4", "publishes metadata that is no text", written("metadata:\n  version: 2\n", func(*script) {})),
		lie("skill-duplicate-key", "S-ENT4", "publishes a field twice", inWorld(func(w *world, k *skill) {
			f := w.file(k.uri)
			w.fill(f, []byte(strings.Replace(string(f.content), "license:", "description: Twice.\nlicense:", 1)))
		})),
	}
}

// listed lies in the frontmatter of the victim's entry.
func listed(change func(frontmatter object)) func(*script) {
	return inEntry(func(k *skill) { change(k.frontmatter()) })
}

// written adds lines to the frontmatter of read-csv, honestly, before it lies.
func written(lines string, lie func(*script)) func(*script) {
	return func(s *script) {
		s.collection(func(files map[string][]byte) {
			replaceIn(files, "read-csv/SKILL.md", "license: Apache-2.0\n", "license: Apache-2.0\n"+lines)
		})
		lie(s)
	}
}

// dynamic lists no files of the victim.
func dynamic(s *script) {
	inEntry(func(k *skill) { k.entry["resources"] = "dynamic" })(s)
}
