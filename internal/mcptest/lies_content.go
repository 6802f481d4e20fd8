package mcptest

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strings"
)

// contentLies are about resources/read and resources/list (S-RD1 to S-RD6).
func contentLies() []Lie {
	return append(append(append(itemLies(), unknownFileLies()...), unlistedLies()...), metadataLies()...)
}

// itemLies are about the one item that a read gives (S-RD1, S-RD5).
func itemLies() []Lie {
	blob := func(change func(text string) string) func(*script) {
		return func(s *script) {
			s.blobs = true
			inItem(func(item object) { item["blob"] = change(item["blob"].(string)) })(s)
		}
	}
	lines := regexp.MustCompile(`(.{20})`)
	return []Lie{
		lie("file-gone", "S-RD1", "lists a file that it does not serve", inFile(func(_ *world, _ *skill, f *file) { f.gone = true })),
		lie("file-internal-error", "S-RD1", "lists a file that it fails at with -32603", func(s *script) {
			inFile(func(_ *world, _ *skill, f *file) { f.gone = true })(s)
			unknownCode(methodRead, codeInternal)(s)
		}),
		lie("read-not-implemented", "S-RD1", "does not know resources/read", failing(methodRead, codeMethodNotFound, "method not found")),
		lie("read-other-uri", "S-RD5", "answers with the URI of another file", inItem(func(item object) { item["uri"] = "skill://other/SKILL.md" })),
		lie("read-uri-missing", "S-RD5", "answers without a URI", inItem(func(item object) { delete(item, "uri") })),
		lie("read-uri-unescaped", "S-RD5", "answers with the URI in another spelling", inItem(func(item object) {
			item["uri"] = strings.ReplaceAll(item["uri"].(string), "-", "%2D")
		})),
		lie("read-two-items", "S-RD5", "answers with two items", inResult(methodRead, func(r object) {
			r["contents"] = append(r["contents"].([]any), object{"uri": "skill://other/SKILL.md", "text": "Other."})
		})),
		lie("read-no-items", "S-RD5", "answers with no item", inResult(methodRead, func(r object) { r["contents"] = []any{} })),
		lie("read-contents-missing", "S-RD5", "answers without contents", without(methodRead, "contents")),
		lie("read-contents-object", "S-RD5", "answers with an object as contents", inResult(methodRead, func(r object) { r["contents"] = r["contents"].([]any)[0] })),
		lie("read-text-and-blob", "S-RD5", "answers with both text and blob", inItem(func(item object) {
			text, _ := item["text"].(string)
			item["text"], item["blob"] = text, base64.StdEncoding.EncodeToString([]byte(text))
		})),
		lie("read-neither", "S-RD5", "answers with neither text nor blob", inItem(func(item object) {
			delete(item, "text")
			delete(item, "blob")
		})),
		lie("read-empty-omitted", "S-RD5", "leaves out the text of an empty file", inItem(func(item object) {
			if item["text"] == "" {
				delete(item, "text")
			}
		})),
		lie("read-text-list", "S-RD5", "answers with the lines of the text", inItem(func(item object) { item["text"] = []any{"a", "b"} })),
		lie("blob-invalid", "S-RD1", "answers with a blob that is no base64", blob(func(string) string { return "*** not base64 ***" })),
		lie("blob-url-safe", "S-RD1", "answers with a blob in the URL-safe alphabet", blob(strings.NewReplacer("+", "-", "/", "_").Replace)),
		lie("blob-lines", "S-RD1", "answers with a blob in lines", blob(func(text string) string { return lines.ReplaceAllString(text, "$1\n") })),
		lie("blob-unpadded", "S-RD1", "answers with a blob without padding", blob(func(text string) string { return strings.TrimRight(text, "=") })),
		lie("blob-of-blob", "S-RD1", "encodes a blob twice", blob(func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) })),
		lie("read-input-required", "S-RD5", "wants input before it serves a file", wantsInput(methodRead)),
		lie("list-input-required", "S-LST2", "wants input before it lists skills", wantsInput(methodList)),
		lie("get-input-required", "S-GET2", "wants input before it gives an entry", wantsInput(methodGet)),
		at(OverHTTP, since(lie("public-with-credentials", "S-RD5", "lets anybody keep what needs a token", func(s *script) {
			for _, method := range []string{methodList, methodGet, methodRead} {
				member(method, "cacheScope", "public")(s)
			}
		}))),
	}
}

// inItem lies in the item that a read gives.
func inItem(change func(item object)) func(*script) {
	return inResult(methodRead, func(r object) { change(r["contents"].([]any)[0].(object)) })
}

// wantsInput answers with a form that has to be filled in first, and goes on
// once it is.
func wantsInput(method string) func(*script) {
	return func(s *script) {
		s.answer(method, func(c *call, honest handler) (any, error) {
			responses, _ := c.params["inputResponses"].(object)
			if terms, _ := responses["terms"].(object); terms["action"] == "accept" && c.params["requestState"] == "asked" {
				return honest(c)
			}
			return object{"resultType": "input_required", "requestState": "asked", "inputRequests": object{"terms": object{
				"method": "elicitation/create",
				"params": object{"mode": "form", "message": "Do you accept the terms?", "requestedSchema": object{
					"type": "object", "properties": object{"accept": object{"type": "boolean"}}, "required": []any{"accept"},
				}},
			}}}, nil
		})
	}
}

// unknownFileLies are about a file that is not served (S-RD4).
func unknownFileLies() []Lie {
	return []Lie{
		lie("read-unknown-succeeds", "S-RD4", "serves some text for an unknown file", unknown(methodRead, func(c *call) (any, error) {
			return c.cacheable(object{"contents": []any{object{"uri": c.uri(), "mimeType": "text/plain", "text": "Not found."}}}), nil
		})),
		lie("read-unknown-empty", "S-RD4", "gives no contents for an unknown file", unknown(methodRead, func(c *call) (any, error) {
			return c.cacheable(object{"contents": []any{}}), nil
		})),
		since(lie("read-unknown-32002", "S-RD4", "refuses an unknown file with -32002", unknownCode(methodRead, codeResourceNotFound))),
		lie("read-unknown-32603", "S-RD4", "refuses an unknown file with -32603", unknownCode(methodRead, codeInternal)),
		lie("read-unknown-32601", "S-RD4", "refuses an unknown file with -32601", unknownCode(methodRead, codeMethodNotFound)),
		lie("errors-without-message", "S-RD6", "refuses without saying why", func(s *script) {
			for _, method := range []string{methodList, methodGet, methodRead, methodDirectory} {
				s.failure(method, func(_ *call, err *rpcError) (any, error) { return nil, refuse(err.Code, "") })
			}
		}),
	}
}

// unlistedLies serve files that are in no entry (S-ENT6, S-DIR3).
func unlistedLies() []Lie {
	return []Lie{
		lie("unlisted-linked", "S-ENT6", "serves a file that SKILL.md links to and the entry does not list", func(s *script) {
			s.collection(func(files map[string][]byte) {
				replaceIn(files, "read-csv/SKILL.md", "[formats]", "[quoting](references/quoting.md) and [formats]")
			})
			inWorld(func(w *world, k *skill) {
				w.add(k.dir+"/references/quoting.md", "quoting.md", []byte("# Quoting\n")).hidden = true
			})(s)
		}),
		lie("unlisted-in-directory", "S-ENT6, S-DIR3", "serves a file that a directory has and the entry does not list", func(s *script) {
			var uri string
			inWorld(func(w *world, k *skill) {
				uri = k.dir + "/references/quoting.md"
				w.add(uri, "quoting.md", []byte("# Quoting\n"))
			})(s)
			s.result(methodResources, func(_ *call, r object) { leaveOut(r, uri) })
		}),
		lie("unlisted-in-resources", "S-ENT6", "serves a file that resources/list has and the entry does not list", func(s *script) {
			inWorld(func(w *world, k *skill) { w.add(k.dir+"/references/quoting.md", "quoting.md", []byte("# Quoting\n")) })(s)
			s.result(methodDirectory, func(_ *call, r object) { leaveOut(r, "skill://read-csv/references/quoting.md") })
		}),
		lie("instructions-unknown", "S-GET1", "names a skill in its instructions that it does not serve", func(s *script) {
			s.world(func(w *world) error {
				w.instructions = "For refunds read skill://acme/billing/chargebacks/SKILL.md first."
				return nil
			})
		}),
	}
}

func leaveOut(result object, uri string) {
	var left []object
	for _, r := range result["resources"].([]object) {
		if r["uri"] != uri {
			left = append(left, r)
		}
	}
	result["resources"] = append([]object{}, left...)
}

// metadataLies are about what listings say of files (S-RD3).
func metadataLies() []Lie {
	return []Lie{
		lie("mime-type-wrong", "S-RD3", "serves SKILL.md as text/plain", inWorld(func(w *world, k *skill) { w.file(k.uri).mimeType = "text/plain" })),
		lie("mime-type-missing", "S-RD3", "serves SKILL.md without a mimeType", inItem(func(item object) { delete(item, "mimeType") })),
		lie("resources-name-differs", "S-RD3", "names SKILL.md otherwise in resources/list", inWorld(func(w *world, k *skill) { w.file(k.uri).name = "SKILL.md" })),
		lie("resources-description-differs", "S-RD3", "describes SKILL.md otherwise in resources/list", inWorld(func(w *world, k *skill) { w.file(k.uri).description = "Reads." })),
		lie("meta-prefix-read", "S-RD3", "has _meta keys without the prefix in a read", inItem(func(item object) { item["_meta"] = object{"skills/version": "2", "license": "MIT"} })),
		lie("meta-prefix-resources", "S-RD3", "has _meta keys without the prefix in resources/list", inResult(methodResources, func(r object) {
			for _, resource := range r["resources"].([]object) {
				resource["_meta"] = object{"skills/version": "2"}
			}
		})),
		lie("resources-endless", "S-LST4", "gives ever new cursors in resources/list", func(s *script) { endless(s, methodResources, "resources") }),
	}
}

// invalidText serves a text with bytes that are no UTF-8.
func invalidText(frame []byte) []byte {
	return bytes.Replace(frame, []byte("# Formats"), []byte("# F\xffrmats"), 1)
}
