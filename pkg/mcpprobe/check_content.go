package mcpprobe

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

var checkReadAnswers = register(CheckInfo{
	ID: "read-answers", Group: GroupContent, Level: Must, Requirement: "S-RD1",
	Title: "resources/read answers for each listed file",
	Doc: "Every file of a manifest can be read under the URI that is listed for it, and so can the SKILL.md of a dynamic skill. " +
		"A file that is listed and gone makes a model run into an error in the middle of its work.\n\n" +
		"Look up files by the URI exactly as it was listed: servers that decode and encode again lose names such as " +
		"`set%20up.md`.",
	Example: `{"error": {"code": -32602, "message": "Resource not found"}}`,
	Good:    `{"contents": [{"uri": "skill://weather-report/notes.md", "mimeType": "text/markdown", "text": "…"}]}`,
})

var checkReadItem = register(CheckInfo{
	ID: "read-one-item", Group: GroupContent, Level: Must, Requirement: "S-RD5",
	Title: "resources/read gives exactly one item",
	Doc: "`contents` is an array. For a file it holds one item: hosts pick the first, the last or the one whose `uri` fits, and " +
		"with several items not all of them see the same file. That another item fails is a decision of this project.\n\n" +
		"Send the one file that was asked for.",
	Example: `{"contents": []}`,
	Good:    `{"contents": [{"uri": "…", "text": "…"}]}`,
})

var checkReadURI = register(CheckInfo{
	ID: "read-item-uri", Group: GroupContent, Level: Must, Requirement: "S-RD5",
	Title: "the item of resources/read has the uri that was asked for",
	Doc: "The `uri` of the item says which file it is. A host that takes an item with another label verifies one file and " +
		"loads another. That it equals the URI of the request is a decision of this project; a spelling that RFC 3986 calls " +
		"equivalent is noted.\n\n" +
		"Send back the URI as it was asked for.",
	Example: `{"contents": [{"uri": "file:///srv/skills/notes.md", "text": "…"}]}`,
	Good:    `{"contents": [{"uri": "skill://weather-report/notes.md", "text": "…"}]}`,
})

var checkReadForm = register(CheckInfo{
	ID: "read-text-or-blob", Group: GroupContent, Level: Must, Requirement: "S-RD5",
	Title: "the item of resources/read has either text or blob",
	Doc: "`text` holds UTF-8 text, `blob` base64 of any bytes. With both, hosts differ in which they take; with neither there is " +
		"no file. An empty file has `\"text\": \"\"`, which libraries that leave out empty members drop.\n\n" +
		"Send one of the two, as a string.",
	Example: `{"contents": [{"uri": "…"}]}`,
	Good:    `{"contents": [{"uri": "…", "text": ""}]}`,
})

var checkBlob = register(CheckInfo{
	ID: "blob-base64", Group: GroupContent, Level: Must, Requirement: "S-RD1",
	Title: "each blob is base64",
	Doc: "What is no base64 cannot be decoded to the bytes that the digest is over.\n\n" +
		"Encode the raw bytes with standard base64, the alphabet with `+` and `/` (RFC 4648, section 4): the one for URLs is " +
		"another encoding, and strict decoders refuse it. Text needs no encoding: send it as `text`.",
})

var checkBlobStrict = register(CheckInfo{
	ID: "blob-base64-strict", Group: GroupContent, Level: Should, Requirement: "S-RD1",
	Title: "each blob is standard base64 with padding, on one line",
	Doc: "Decoders differ in what they forgive: missing padding, line ends every 76 characters. The audit " +
		"reads all of these, and some hosts refuse them.\n\n" +
		"Put `=` at the end, and no line ends anywhere.",
	Example: `"blob": "/+8"`,
	Good:    `"blob": "/+8="`,
})

var checkReplacement = register(CheckInfo{
	ID: "text-without-replacement", Group: GroupContent, Level: May, Requirement: "S-RD1",
	Title: "no text has U+FFFD in it",
	Doc: "U+FFFD is what readers put where bytes were no UTF-8. An author seldom writes it: mostly a file in another encoding " +
		"was served as text, and its content is lost.\n\n" +
		"Serve files that are no UTF-8 as `blob`.",
})

var checkReadResultType = register(CheckInfo{
	ID: "read-result-type", Group: GroupContent, Level: Must, Requirement: "S-RD5",
	Title: "the resultType of resources/read is \"complete\"",
	Doc:   resultTypeDoc, Example: `{"contents": […]}`, Good: `{"resultType": "complete", "contents": […]}`,
})

var checkReadTTL = register(CheckInfo{
	ID: "read-ttl", Group: GroupContent, Level: Must, Requirement: "S-RD5",
	Title: "resources/read has ttlMs, a non-negative integer",
	Doc:   ttlDoc, Example: `{"contents": […]}`, Good: `{"contents": […], "ttlMs": 300000}`,
})

var checkReadScope = register(CheckInfo{
	ID: "read-cache-scope", Group: GroupContent, Level: Must, Requirement: "S-RD5",
	Title: "resources/read has cacheScope, public or private",
	Doc:   scopeDoc, Example: `{"contents": […]}`, Good: `{"contents": […], "cacheScope": "public"}`,
})

var checkMIMEType = register(CheckInfo{
	ID: "skill-md-mime-type", Group: GroupContent, Level: Should, Requirement: "S-RD3",
	Title: "the mimeType of each SKILL.md is text/markdown",
	Doc: "Hosts and gateways show and filter resources by their type. `text/plain` or none for a SKILL.md makes some of them " +
		"show it as something else.\n\n" +
		"Send `\"mimeType\": \"text/markdown\"` with the content, and in `resources/list`.",
	Example: `{"uri": "skill://weather-report/SKILL.md", "mimeType": "text/plain", "text": "…"}`,
	Good:    `{"uri": "skill://weather-report/SKILL.md", "mimeType": "text/markdown", "text": "…"}`,
})

var checkMetaPrefix = register(CheckInfo{
	ID: "meta-prefix", Group: GroupContent, Level: Should, Requirement: "S-RD3",
	Title: "keys of _meta on skill resources have the prefix io.modelcontextprotocol.skills/",
	Doc: "Fields of the frontmatter that a server shows in the `_meta` of a resource should go by " +
		"`io.modelcontextprotocol.skills/NAME`. Keys with a prefix of somebody else's belong to gateways and are only noted; " +
		"keys without any may mean anything.\n\n" +
		"Put the prefix before the key.",
	Example: `"_meta": {"version": "1.2.0"}`,
	Good:    `"_meta": {"io.modelcontextprotocol.skills/version": "1.2.0"}`,
})

// readItem reads a file and judges the answer. It gives nil where there is no
// content, and says why in f.
func (s *skillAudit) readItem(ctx context.Context, want *Resource, f *FileReport) *contentItem {
	about := s.about(want.URI)
	r, err := s.asking(GroupContent).ask(ctx, MethodRead, map[string]any{"uri": want.URI}, s.client.readLimit(want.Size))
	if err != nil {
		s.readFailed(ctx, want, oversize(s.entry, want, err), f)
		return nil
	}
	if !s.judgeResult(resultChecks{checkReadResultType, checkReadTTL, checkReadScope}, r) {
		s.fail(s.entry.URI)
	}
	c := readContents(r.members["contents"], want.URI)
	problem := s.judgeContents(c, about)
	if problem != "" {
		f.State, f.Message = FileUnreadable, problem
		return nil
	}
	if int64(len(c.item.content)) > s.client.options.MaxFileBytes {
		err := s.client.tooLarge(want.URI, int64(len(c.item.content)), "served")
		s.exceeded(err, about)
		f.Message = err.Error()
		return nil
	}
	return c.item
}

// readFailed reports why a file has no answer.
func (s *skillAudit) readFailed(ctx context.Context, want *Resource, err error, f *FileReport) {
	about := s.about(want.URI)
	f.Message = oneLine(err.Error())
	if size, ok := err.(*VerificationError); ok {
		f.State = FileMismatch
		s.fault(checkSize, about, size.Message, quoted("listing", size.Want), quoted("served", size.Have))
		return
	}
	switch {
	case s.over(ctx, err):
	case s.wants(err, about), s.exceeded(err, about):
	default:
		f.State = FileUnreadable
		f.Message = s.failure(MethodRead, err)
		s.fault(checkReadAnswers, about, f.Message)
	}
}

// judgeContents judges contents item by item, and gives the first reason why
// there is no content in them.
func (s *skillAudit) judgeContents(c *contents, about subject) string {
	s.pass(checkReadAnswers, 1)
	count := ""
	switch {
	case !c.isArray:
		count = "contents is " + described(c.raw) + "; it must be an array with one item"
	case c.count != 1:
		count = fmt.Sprintf("contents has %d items; it must have one, the file asked for", c.count)
	}
	s.judge(checkReadItem, about, count)
	if !c.isArray || c.count == 0 {
		return count
	}
	if c.item == nil {
		problem := fmt.Sprintf("the item is labelled %q, and not as it was asked for", clip(c.first))
		s.fault(checkReadURI, about, problem)
		return problem
	}
	s.pass(checkReadURI, 1)
	if c.equivalent {
		name, _ := text(c.item.members["uri"])
		s.note(checkReadURI, about, fmt.Sprintf("the item is labelled %q, an equivalent spelling", clip(name)))
	}
	s.judge(checkReadForm, about, c.item.form)
	if c.item.form != "" {
		return c.item.form
	}
	if _, isBlob := c.item.members["blob"]; isBlob {
		s.judge(checkBlob, about, c.item.undecodable)
		if c.item.undecodable != "" {
			return c.item.undecodable
		}
		loose := c.item.loose
		if loose != "" {
			loose += "; some hosts read only standard base64 with padding, on one line"
		}
		s.judge(checkBlobStrict, about, loose)
	}
	s.judgeMetadata(c.item, about)
	return ""
}

// judgeMetadata judges what stands beside the content (S-RD3).
func (s *skillAudit) judgeMetadata(item *contentItem, about subject) {
	if about.uri == s.entry.URI {
		s.judgeMIMEType(item.mimeType, described(item.members["mimeType"]), about, "the content")
	}
	s.judgeMeta(item.members["_meta"], about)
}

func (a *auditor) judgeMIMEType(mimeType, shown string, about subject, where string) {
	problem := ""
	if mediaType(mimeType) != "text/markdown" {
		problem = fmt.Sprintf("the mimeType of %s is %s; it should be text/markdown", where, shown)
	}
	a.judge(checkMIMEType, about, problem)
}

// skillMetaPrefix is the prefix that S-RD3 asks for.
const skillMetaPrefix = "io.modelcontextprotocol.skills/"

// judgeMeta judges the keys of the _meta of a resource.
func (a *auditor) judgeMeta(raw []byte, about subject) {
	meta, ok := object(raw)
	if !ok {
		return
	}
	for _, key := range sortedKeys(meta) {
		switch prefix, _, ok := strings.Cut(key, "/"); {
		case strings.HasPrefix(key, skillMetaPrefix):
			a.pass(checkMetaPrefix, 1)
		case ok && !isProtocolPrefix(prefix):
			a.note(checkMetaPrefix, about, fmt.Sprintf("_meta has the key %q, with a prefix of somebody's own", clipTo(key, 80)))
		default:
			a.fault(checkMetaPrefix, about, fmt.Sprintf("_meta has the key %q; its prefix should be %s", clipTo(key, 80), skillMetaPrefix))
		}
	}
}

// isProtocolPrefix reports a prefix that MCP keeps for itself.
func isProtocolPrefix(prefix string) bool {
	return slices.ContainsFunc(strings.Split(prefix, "."), func(label string) bool { return label == "modelcontextprotocol" || label == "mcp" })
}

// judgeText looks for what a text should not have.
func (s *skillAudit) judgeText(uri string, item *contentItem) {
	if _, isText := item.members["text"]; !isText {
		return
	}
	problem := ""
	if at := strings.IndexRune(string(item.content), utf8.RuneError); at >= 0 {
		problem = fmt.Sprintf("the text has U+FFFD at byte %d; where that stands for bytes that are no UTF-8, serve the file as blob", at)
	}
	s.judge(checkReplacement, s.about(uri), problem)
	if uri == s.entry.URI {
		s.judgeHidden(s.about(uri), "the text", string(item.content))
	}
}
