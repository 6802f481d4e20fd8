package mcpprobe

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// contents is the member of that name in an answer to resources/read.
type contents struct {
	raw     json.RawMessage
	isArray bool
	count   int
	// item is the one that is about the URI asked for, or nil. The only item
	// that there is stands for it nowhere: hosts that take it blindly load what
	// was never asked for.
	item *contentItem
	// equivalent says that the URI of item is another spelling of it.
	equivalent bool
	// first is the URI of the first item.
	first string
}

// contentItem is one item of contents.
type contentItem struct {
	members  map[string]json.RawMessage
	mimeType string
	content  []byte
	// base64 is a blob as sent, "" for a text.
	base64 string
	// form says why there is no content: neither text nor blob, or both.
	form string
	// undecodable says why a blob is no base64, loose why it is not as RFC 4648
	// and the base protocol want it and could be read all the same.
	undecodable, loose string
}

// readContents finds the item that is about uri.
func readContents(raw json.RawMessage, uri string) *contents {
	c := &contents{raw: raw}
	items, ok := array(raw)
	c.isArray, c.count = ok, len(items)
	var exact, near map[string]json.RawMessage
	for i, item := range items {
		members, _ := object(item)
		name, _ := text(members["uri"])
		if i == 0 {
			c.first = name
		}
		switch {
		case members == nil:
		case name == uri && exact == nil:
			exact = members
		case near == nil && name != "" && normalURI(name) == normalURI(uri):
			near = members
		}
	}
	if exact == nil {
		exact, c.equivalent = near, near != nil
	}
	if exact != nil {
		c.item = readItem(exact)
	}
	return c
}

func readItem(members map[string]json.RawMessage) *contentItem {
	item := &contentItem{members: members}
	item.mimeType, _ = text(members["mimeType"])
	rawText, hasText := members["text"]
	rawBlob, hasBlob := members["blob"]
	switch {
	case hasText && hasBlob:
		item.form = "the item has both text and blob"
	case !hasText && !hasBlob:
		item.form = `the item has neither text nor blob; an empty file has text ""`
	case hasText:
		content, ok := text(rawText)
		if !ok {
			item.form = "text is " + described(rawText) + "; it must be a string"
		}
		item.content = []byte(content)
	default:
		blob, ok := text(rawBlob)
		if !ok {
			item.form = "blob is " + described(rawBlob) + "; it must be a string of base64"
			return item
		}
		item.base64 = blob
		item.content, item.undecodable, item.loose = decodeBase64(blob)
	}
	return item
}

// decodeBase64 decodes standard base64 with padding and without line ends
// (RFC 4648, section 4), and what comes close to it.
func decodeBase64(blob string) (content []byte, undecodable, loose string) {
	if !strings.ContainsAny(blob, "\r\n") {
		if content, err := base64.StdEncoding.Strict().DecodeString(blob); err == nil {
			return content, "", ""
		}
	}
	var faults []string
	plain := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n", r) {
			return -1
		}
		return r
	}, blob)
	if plain != blob {
		faults = append(faults, "has line ends or blanks")
	}
	if strings.ContainsAny(plain, "-_") {
		return nil, `blob has the URL-safe alphabet, which is another encoding than base64; write "+" and "/" for "-" and "_"`, ""
	}
	bare := strings.TrimRight(plain, "=")
	if len(plain)%4 != 0 || len(plain)-len(bare) > 2 {
		faults = append(faults, "has the wrong padding")
	}
	content, err := base64.RawStdEncoding.DecodeString(bare)
	if err != nil {
		return nil, "blob is no base64: " + err.Error(), ""
	}
	if len(faults) == 0 {
		faults = append(faults, "has bits behind its last byte that are not zero")
	}
	return content, "", "blob " + joinAnd(faults)
}

// problem says why contents give no content, or gives nil. The error is a
// *VerificationError or a *MalformedError.
func (c *contents) problem(e *Entry, uri string) error {
	switch {
	case !c.isArray:
		return malformed("contents of %s is %s, not an array", MethodRead, described(c.raw))
	case c.count == 0:
		return malformed("contents of %s is empty; it must hold the file asked for", MethodRead)
	case c.item == nil:
		return &VerificationError{
			Skill: e.URI, URI: uri, Part: PartURI, Want: uri, Have: clip(c.first),
			Message: fmt.Sprintf("the answer is about %q, and not about the URI asked for", clip(c.first)),
		}
	case c.count > 1:
		return malformed("contents of %s has %d items; it must hold one, the file asked for", MethodRead, c.count)
	case c.item.form != "":
		return malformed("%s: %s", MethodRead, c.item.form)
	case c.item.undecodable != "":
		return malformed("%s: %s", MethodRead, c.item.undecodable)
	}
	return nil
}
