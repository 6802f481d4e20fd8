// Package digest says what a skill is made of, byte for byte: the digest and
// size of each file, the manifest of the MCP Skills extension
// (io.modelcontextprotocol/skills), a native manifest, and whether a folder
// still is what a manifest, a lock file or a digest says it is.
//
// All digests are over the bytes as they are on disk. Nothing is normalised:
// line ends, byte order marks and final newlines count.
package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// Digest is the SHA-256 of some bytes.
type Digest [sha256.Size]byte

// prefix names the algorithm, as the MCP Skills extension writes it (S-ENT7).
const prefix = "sha256:"

// Parse reads "sha256:" and 64 lower-case hexadecimal digits, and nothing else.
func Parse(text string) (Digest, error) {
	digits, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return Digest{}, fmt.Errorf("digest %q does not start with %q", clip(text), prefix)
	}
	return parseHex(digits)
}

// parseHex reads 64 lower-case hexadecimal digits.
func parseHex(digits string) (Digest, error) {
	var d Digest
	if len(digits) != 2*len(d) {
		return Digest{}, fmt.Errorf("digest %q has %d characters; it must have %d hexadecimal digits", clip(digits), len(digits), 2*len(d))
	}
	if strings.ToLower(digits) != digits {
		return Digest{}, fmt.Errorf("digest %q has upper-case digits; they must be lower-case", clip(digits))
	}
	if _, err := hex.Decode(d[:], []byte(digits)); err != nil {
		return Digest{}, fmt.Errorf("digest %q is not hexadecimal", clip(digits))
	}
	return d, nil
}

// Of gives the digest of some bytes.
func Of(content []byte) Digest { return sha256.Sum256(content) }

// Read gives the digest and the length in bytes of all that r holds. It needs
// no more memory for a long stream than for a short one.
func Read(r io.Reader) (Digest, int64, error) {
	h := sha256.New()
	n, err := io.Copy(h, r)
	if err != nil {
		return Digest{}, n, err
	}
	return Digest(h.Sum(nil)), n, nil
}

// Hex gives the 64 lower-case hexadecimal digits.
func (d Digest) Hex() string { return hex.EncodeToString(d[:]) }

// String gives "sha256:" and the hexadecimal digits.
func (d Digest) String() string { return prefix + d.Hex() }

// Append appends what String gives to b.
func (d Digest) Append(b []byte) []byte { return hex.AppendEncode(append(b, prefix...), d[:]) }

// MarshalText gives what String gives.
func (d Digest) MarshalText() ([]byte, error) { return d.Append(nil), nil }

// UnmarshalText takes what Parse takes.
func (d *Digest) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err == nil {
		*d = parsed
	}
	return err
}

// clip shortens text for a message.
func clip(text string) string {
	const most = 100
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
