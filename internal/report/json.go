package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/skilltool/skilltool/internal/term"
)

// jsonReporter writes one JSON document.
type jsonReporter struct{}

// Report writes r as schemas/report.schema.json describes it.
func (jsonReporter) Report(w io.Writer, r *Report) error {
	return writeJSON(w, newDocument(r))
}

// writeJSON writes one indented document and a line end.
func writeJSON(w io.Writer, document any) error {
	text, err := MarshalJSON(document)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// MarshalJSON gives an indented document with a line end, as EscapeJSON writes
// it.
func MarshalJSON(document any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(document); err != nil {
		return nil, err
	}
	return EscapeJSON(b.Bytes()), nil
}

// EscapeJSON writes the characters that a terminal obeys or does not show as
// \u escapes. JSON allows any character only inside strings, where the escape
// means the same.
func EscapeJSON(document []byte) []byte {
	const firstUnsafe = 0x7F // the encoder has escaped what is below U+0020
	if bytes.IndexFunc(document, func(r rune) bool { return r >= firstUnsafe }) < 0 {
		return document
	}
	out := make([]byte, 0, len(document)+len(document)/8)
	for i := 0; i < len(document); {
		r, size := utf8.DecodeRune(document[i:])
		character := document[i : i+size]
		if r < firstUnsafe || term.Escape(string(character)) == string(character) {
			out = append(out, character...)
		} else {
			out = appendEscape(out, r)
		}
		i += size
	}
	return out
}

func appendEscape(out []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Appendf(out, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}
