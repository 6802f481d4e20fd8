package mcpprobe

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/skilltool/skilltool/pkg/digest"
)

// maxExplained bounds the content that explanations are tried on: each one
// hashes all of it once more.
const maxExplained = 16 << 20

// explain looks for the harmless reason why content does not fit what is listed
// for it, and gives "" where none fits. The likeliest reasons come first.
func explain(e *Entry, want *Resource, item *contentItem) string {
	if len(item.content) > maxExplained {
		return ""
	}
	have := digest.Of(item.content).String()
	if want.Digest == have || want.Digest == "" {
		return explainSize(want, item)
	}
	if how := explainDigest(want, item); how != "" {
		return how
	}
	for _, other := range e.Resources {
		if listed, _ := comparableDigest(other.Digest); other.URI != want.URI && listed == have {
			return fmt.Sprintf("these are the bytes that are listed for %q", clip(other.URI))
		}
	}
	if item.base64 == "" && bytes.ContainsRune(item.content, utf8.RuneError) {
		return "the text has U+FFFD, which stands where bytes were no UTF-8; serve such a file as blob"
	}
	return explainSize(want, item)
}

// explainDigest tries what may have happened to the content between hashing and
// serving.
func explainDigest(want *Resource, item *contentItem) string {
	fits := func(content []byte) bool { return digest.Of(content).String() == want.Digest }
	if item.base64 != "" && fits([]byte(item.base64)) {
		return "the listed digest is over the base64 text, instead of the bytes that it stands for"
	}
	for content, how := range digest.Variants(item.content) {
		if fits(content) {
			return "the listed digest fits the same text " + how
		}
	}
	if isText(item.content) {
		for _, form := range []struct {
			how    string
			change func([]byte) []byte
		}{
			{"in Unicode normalisation form C", norm.NFC.Bytes},
			{"in Unicode normalisation form D", norm.NFD.Bytes},
			{"without the blanks and line ends around it", bytes.TrimSpace},
			{"without the blanks and line ends behind it", func(b []byte) []byte { return bytes.TrimRight(b, " \t\r\n") }},
			{"in Latin-1", toLatin1},
		} {
			if fits(form.change(item.content)) {
				return "the listed digest fits the same text " + form.how
			}
		}
	}
	if once, undecodable, _ := decodeBase64(string(item.content)); undecodable == "" && fits(once) {
		return "the listed digest fits what is served once it is decoded from base64 again: it was encoded twice"
	}
	if fits(unescaped(item.content)) {
		return "the listed digest fits the same text with its escapes, such as \\n, read: it was escaped twice"
	}
	if fits([]byte(base64.StdEncoding.EncodeToString(item.content))) {
		return "the listed digest is over the base64 form of the file, instead of its bytes"
	}
	return ""
}

// rawEnds writes line ends and tabs as a JSON string has them.
var rawEnds = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`)

// unescaped reads text as the inside of a JSON string, or gives it as it is.
func unescaped(content []byte) []byte {
	if inner, ok := text(json.RawMessage(`"` + rawEnds.Replace(string(content)) + `"`)); ok {
		return []byte(inner)
	}
	return content
}

// toLatin1 gives text in ISO 8859-1, or nothing where it has no place there.
func toLatin1(content []byte) []byte {
	out := make([]byte, 0, len(content))
	for _, r := range string(content) {
		if r > 0xff {
			return nil
		}
		out = append(out, byte(r))
	}
	return out
}

// explainSize finds out what the listed size counts instead of bytes.
func explainSize(want *Resource, item *contentItem) string {
	if want.Size < 0 || want.Size == int64(len(item.content)) {
		return ""
	}
	switch {
	case item.base64 != "" && want.Size == int64(len(item.base64)):
		return "the listed size is the length of the base64 text"
	case !utf8.Valid(item.content):
		return ""
	case want.Size == int64(utf8.RuneCount(item.content)):
		return "the listed size is the number of code points, instead of bytes"
	case want.Size == utf16Length(item.content):
		return "the listed size is the number of UTF-16 units, instead of bytes"
	}
	return ""
}

func utf16Length(content []byte) int64 {
	var n int64
	for _, r := range string(content) {
		n += int64(max(utf16.RuneLen(r), 1))
	}
	return n
}

func sameNormalised(a, b string) bool { return norm.NFC.String(a) == norm.NFC.String(b) }
