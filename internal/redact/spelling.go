package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// shortestEncoded is the length in bytes from which base64 and hexadecimal
// spellings are looked for: those of less occur by chance.
const shortestEncoded = 6

// spellings gives the ways in which a secret may come back: as it is, within
// JSON, within a URL, as Go quotes it, and encoded.
func spellings(secret string) []string {
	// A secret with a line break comes back on two lines, or trimmed.
	list := []string{secret, strings.TrimSpace(secret), unquote(strconv.Quote(secret)), unquote(strconv.QuoteToASCII(secret))}
	for _, text := range jsonSpellings(secret) {
		// JSON stands within JSON where a message is kept as text.
		list = append(list, text, jsonText(text))
	}
	for _, encode := range []func(string) string{url.QueryEscape, url.PathEscape, percentAll} {
		list = append(list, encode(secret), lowerPercent(encode(secret)))
	}
	if len(secret) >= shortestEncoded {
		list = append(list, hex.EncodeToString([]byte(secret)), strings.ToUpper(hex.EncodeToString([]byte(secret))))
		list = append(list, base64Parts(secret)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// jsonSpellings gives what writers of JSON make of a secret: some escape what is
// not ASCII, some what has a meaning in HTML, some slashes.
func jsonSpellings(secret string) []string {
	list := []string{jsonText(secret)}
	for _, verb := range []string{`\u%04x`, `\u%04X`} {
		for _, html := range []string{"", "<>&", "<>&'"} {
			for _, beyond := range []rune{utf8.MaxRune, 0x7f} {
				list = append(list, jsonEscaped(secret, verb, func(r rune) bool { return r > beyond || strings.ContainsRune(html, r) }))
			}
		}
	}
	for _, text := range list {
		list = append(list, strings.ReplaceAll(text, "/", `\/`))
	}
	return list
}

// jsonText gives the text between the quotes of a JSON string.
func jsonText(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // a string has a spelling, always
	return unquote(strings.TrimSuffix(b.String(), "\n"))
}

// jsonEscaped is jsonText with more characters escaped than need be. verb
// writes one unit of UTF-16.
func jsonEscaped(s, verb string, escaped func(rune) bool) string {
	var b strings.Builder
	for _, r := range jsonText(s) {
		if !escaped(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, verb, unit)
		}
	}
	return b.String()
}

func unquote(quoted string) string { return quoted[1 : len(quoted)-1] }

// percentAll escapes all that RFC 3986 does not reserve for itself, blanks too.
func percentAll(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// lowerPercent writes the digits of %2F in lower case.
func lowerPercent(s string) string {
	text := []byte(s)
	for i := 0; i+2 < len(text); i++ {
		if text[i] == '%' {
			copy(text[i+1:], strings.ToLower(string(text[i+1:i+3])))
			i += 2
		}
	}
	return string(text)
}

// base64Parts gives what base64 makes of the secret wherever it stands within
// what is encoded, such as "user:secret": at each of three offsets, without the
// characters that its neighbours have a part in.
func base64Parts(secret string) []string {
	var list []string
	for offset := range 3 {
		padded := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", offset) + secret))
		// Each character holds six bits; those that hold a foreign bit go.
		first := (offset*8 + 5) / 6
		last := (offset + len(secret)) * 8 / 6
		part := padded[first:last]
		list = append(list, part, strings.NewReplacer("+", "-", "/", "_").Replace(part))
	}
	return list
}
