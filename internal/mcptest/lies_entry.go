package mcptest

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/skilltool/skilltool/pkg/digest"
)

// entryLies are about entries (S-ENT1 to S-ENT10), apart from their URIs.
func entryLies() []Lie {
	lies := []Lie{
		lie("entry-uri-missing", "S-ENT1", "leaves uri out of an entry", inEntry(func(k *skill) { delete(k.entry, "uri") })),
		lie("entry-uri-number", "S-ENT1", "gives uri as a number", inEntry(func(k *skill) { k.entry["uri"] = 7 })),
		lie("frontmatter-missing", "S-ENT4", "leaves frontmatter out, with name and description beside it", inEntry(func(k *skill) {
			k.entry["name"], k.entry["description"] = k.frontmatter()["name"], k.frontmatter()["description"]
			delete(k.entry, "frontmatter")
		})),
		lie("frontmatter-list", "S-ENT4", "gives frontmatter as a list", inEntry(func(k *skill) { k.entry["frontmatter"] = []any{} })),
		lie("frontmatter-text", "S-ENT4", "gives frontmatter as its YAML", inEntry(func(k *skill) { k.entry["frontmatter"] = "name: read-csv\n" })),
		lie("description-missing", "S-ENT4", "leaves description out of the frontmatter", inEntry(func(k *skill) { delete(k.frontmatter(), "description") })),
		lie("description-null", "S-ENT4", "gives description as null", inEntry(func(k *skill) { k.frontmatter()["description"] = nil })),
		lie("name-number", "S-ENT4", "gives name as a number", inEntry(func(k *skill) { k.frontmatter()["name"] = 7 })),
		lie("name-missing", "S-ENT4", "leaves name out of the frontmatter", inEntry(func(k *skill) { delete(k.frontmatter(), "name") })),
		lie("resources-missing", "S-ENT5", "leaves resources out of an entry", inEntry(func(k *skill) { delete(k.entry, "resources") })),
		lie("resources-null", "S-ENT5", "gives resources as null", inEntry(func(k *skill) { k.entry["resources"] = nil })),
		lie("resources-static", "S-ENT5", `gives resources as "static"`, inEntry(func(k *skill) { k.entry["resources"] = "static" })),
		lie("resources-object", "S-ENT5", "gives resources as an object of paths", inEntry(func(k *skill) { k.entry["resources"] = object{"SKILL.md": k.uri} })),
		lie("resources-texts", "S-ENT6, S-ENT7", "gives resources as URIs", inEntry(func(k *skill) {
			var uris []any
			for _, r := range k.resources() {
				uris = append(uris, r["uri"])
			}
			k.entry["resources"] = uris
		})),
		lie("resources-empty", "S-ENT6", "gives no resources", inEntry(func(k *skill) { k.setResources() })),
		lie("resource-twice", "S-ENT6", "lists a file twice", inFile(func(_ *world, k *skill, f *file) { k.list(f) })),
		lie("resource-twice-differing", "S-ENT6", "lists a file twice, with two digests", inFile(func(_ *world, k *skill, f *file) {
			r := resourceOf(f)
			r["digest"] = digest.Of(nil).String()
			k.setResources(append(k.resources(), r)...)
		})),
		lie("skill-md-unlisted", "S-ENT6", "does not list SKILL.md", inEntry(func(k *skill) { k.drop(k.uri) })),
		lie("entry-metadata-reserved", "S-ENT10", "has a key below io.modelcontextprotocol/ in the metadata", collection(func(files map[string][]byte) {
			replaceIn(files, "read-csv/SKILL.md", "license: Apache-2.0\n", "metadata:\n  io.modelcontextprotocol/priority: high\n")
		})),
		lie("entry-other-member", "S-ENT1", "has a member that is not defined", inEntry(func(k *skill) { k.entry["version"] = "1.0" })),
	}
	return append(append(append(lies, outsideLies()...), resourceLies()...), sizeLies()...)
}

// outsideLies list files that are not the skill's (S-ENT6, S-ENT9).
func outsideLies() []Lie {
	listed := func(uri string) func(*script) {
		return inWorld(func(w *world, k *skill) {
			k.list(w.add(strings.ReplaceAll(uri, "DIR", k.dir), path.Base(uri), []byte("outside\n")))
		})
	}
	return []Lie{
		lie("resource-outside", "S-ENT6", "lists a file of another folder", listed("skill://elsewhere/notes.md")),
		lie("resource-sibling", "S-ENT6", "lists a file of a folder whose name only begins like the skill's", listed("DIR-old/notes.md")),
		lie("resource-of-another-skill", "S-ENT6", "lists a file of another skill", inWorld(func(w *world, k *skill) { k.list(w.file(w.skills[0].uri)) })),
		lie("resource-dot-dot", "S-ENT6", "lists a file that climbs out of the skill", listed("DIR/../climbed.md")),
		lie("resource-dot-dot-encoded", "S-ENT6", "lists a file that climbs out with %2e%2e", listed("DIR/%2e%2e/%2e%2e/climbed.md")),
		lie("resource-slash-encoded", "S-ENT6", "lists a file with a slash in its name", listed("DIR/..%2F..%2Fclimbed.md")),
		lie("resource-absolute", "S-ENT6", "lists a file of the machine", listed("file:///etc/hosts")),
		lie("nested-missing", "S-ENT9", "leaves a file of a nested skill out of the one around it", inNest(func(outer *skill, uri string) { outer.drop(uri) })),
		lie("nested-digest", "S-ENT9", "lists a file of a nested skill with another digest in the one around it", inNest(func(outer *skill, uri string) {
			outer.resource(uri)["digest"] = digest.Of(nil).String()
		})),
	}
}

// inNest lies about the last file of a nested skill in the entry around it.
func inNest(change func(outer *skill, uri string)) func(*script) {
	return func(s *script) {
		s.world(func(w *world) error {
			for _, outer := range w.skills {
				for _, inner := range w.skills {
					if strings.HasPrefix(inner.dir, outer.dir+"/") {
						files := inner.resources()
						change(outer, files[len(files)-1]["uri"].(string))
						return nil
					}
				}
			}
			return fmt.Errorf("no skill is nested in another")
		})
	}
}

// resourceLies are about digests and sizes (S-ENT7).
func resourceLies() []Lie {
	digested := func(change func(text string) string) func(*script) {
		return inResource(func(r object) { r["digest"] = change(r["digest"].(string)) })
	}
	return []Lie{
		lie("digest-missing", "S-ENT7", "leaves a digest out", inResource(func(r object) { delete(r, "digest") })),
		lie("digest-upper-case", "S-ENT7", "writes a digest in upper case", digested(func(text string) string { return "sha256:" + strings.ToUpper(text[7:]) })),
		lie("digest-short", "S-ENT7", "cuts a digest short", digested(func(text string) string { return text[:39] })),
		lie("digest-bare", "S-ENT7", "writes a digest without sha256:", digested(func(text string) string { return text[7:] })),
		lie("digest-sha1", "S-ENT7", "gives a SHA-1", digested(func(text string) string { return "sha1:" + text[7:47] })),
		lie("digest-base64", "S-ENT7", "gives a digest as base64, as web pages have it", digested(func(string) string { return "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" })),
		lie("digest-null", "S-ENT7", "gives a digest as null", inResource(func(r object) { r["digest"] = nil })),
		lie("resource-uri-missing", "S-ENT6", "leaves the uri of a file out", inResource(func(r object) { delete(r, "uri") })),
		lie("size-missing", "S-ENT7", "leaves a size out", inResource(func(r object) { delete(r, "size") })),
		lie("size-text", "S-ENT7", "gives a size as a string", inResource(func(r object) { r["size"] = fmt.Sprint(r["size"]) })),
		lie("size-negative", "S-ENT7", "gives a negative size", inResource(func(r object) { r["size"] = -1 })),
		lie("size-fraction", "S-ENT7", "gives a size with a fraction", inResource(func(r object) { r["size"] = 12.5 })),
		lie("size-huge", "S-ENT7", "gives a size of more than 64 bits", inResource(func(r object) { r["size"] = number("99999999999999999999999") })),
		lie("size-null", "S-ENT7", "gives a size as null", inResource(func(r object) { r["size"] = nil })),
	}
}

// sizeLies exceed what every host must accept (S-ENT8).
func sizeLies() []Lie {
	return []Lie{
		lie("over-512-files", "S-ENT8", "serves a skill of 513 files", collection(func(files map[string][]byte) { manyFiles(files, digest.MaxResources+1) })),
		lie("over-16-mib", "S-ENT8", "serves a skill of one byte more than 16 MiB", collection(func(files map[string][]byte) { fillUp(files, digest.MaxBytes+1, 1<<20) })),
		lie("size-sum", "S-ENT8", "lists files of nine petabytes", inEntry(func(k *skill) {
			for _, r := range k.resources() {
				if r["uri"] != k.uri {
					r["size"] = int64(1)<<53 - 1
				}
			}
		})),
	}
}

// collection changes the files of the collection.
func collection(change func(files map[string][]byte)) func(*script) {
	return func(s *script) { s.collection(change) }
}

func replaceIn(files map[string][]byte, name, old, new string) {
	files[name] = bytes.Replace(files[name], []byte(old), []byte(new), 1)
}

// manyFiles adds files to read-csv until it has a number of them.
func manyFiles(files map[string][]byte, count int) {
	for i := 0; countBelow(files, "read-csv/") < count; i++ {
		files[fmt.Sprintf("read-csv/references/more/%03d.md", i)] = fmt.Appendf(nil, "# %d\n", i)
	}
}

func countBelow(files map[string][]byte, prefix string) (n int) {
	for name := range files {
		if strings.HasPrefix(name, prefix) {
			n++
		}
	}
	return n
}

// fillUp adds files of a size to read-csv until it has a number of bytes.
func fillUp(files map[string][]byte, total, each int) {
	for name, content := range files {
		if strings.HasPrefix(name, "read-csv/") {
			total -= len(content)
		}
	}
	for i := 0; total > 0; i++ {
		size := min(total, each)
		files[fmt.Sprintf("read-csv/assets/%02d.csv", i)] = bytes.Repeat([]byte("a,b,c\n"), size/6+1)[:size]
		total -= size
	}
}
