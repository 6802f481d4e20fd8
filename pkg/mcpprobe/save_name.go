package mcpprobe

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// maxEncodedName is how long an encoded name is at most, in bytes. File systems
// take 255, and some that encrypt names only about 140 of another form; the rest
// is for suffixes that other tools add.
const maxEncodedName = 200

// nameMark stands between the beginning of a name that was too long and its
// digest. No other encoded name has it.
const nameMark = "="

// encodeName makes one name of a folder of any text but "", such that two texts
// never get one name, on no file system:
//
//   - a-z, 0-9, "-", "_" and "." stand for themselves, every other byte is "%"
//     and two upper-case hexadecimal digits: upper-case letters, so that names
//     differ where case does not count; all bytes of what is not ASCII, so that
//     no normal form and no case folding matters; "~", which short names of
//     Windows have; separators, ":" and control characters;
//   - a first and a last "." are encoded: such names are hidden, stand for a
//     folder, or lose their end on Windows;
//   - so is the first letter of a name that Windows keeps for a device, with
//     whatever extension;
//   - a name longer than maxEncodedName is its beginning, "=" and the
//     hexadecimal SHA-256 of the text. Such a name cannot be read back; the
//     origin file has the text.
func encodeName(text string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		plain := 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' ||
			c == '.' && i > 0 && i < len(text)-1
		if plain && !(i == 0 && isDevice(text)) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	if b.Len() <= maxEncodedName {
		return b.String()
	}
	sum := sha256.Sum256([]byte(text))
	return cutName(b.String(), maxEncodedName-len(nameMark)-2*len(sum)) + nameMark + hex.EncodeToString(sum[:])
}

// cutName gives the beginning of an encoded name, without half an escape.
func cutName(name string, length int) string {
	name = name[:length]
	if i := strings.LastIndexByte(name, '%'); i > length-3 && i >= 0 {
		name = name[:i]
	}
	return name
}

// isDevice reports a name that Windows takes for a device, in whatever folder
// and with whatever extension.
func isDevice(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	base, _, _ = strings.Cut(base, ":")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	for _, port := range []string{"COM", "LPT"} {
		if digit, ok := strings.CutPrefix(base, port); ok {
			switch digit {
			case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³":
				return true
			}
		}
	}
	return false
}
