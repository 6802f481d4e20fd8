package digest

import (
	"errors"
	"fmt"
	"strings"
)

// Sums gives the manifest as sha256sum prints it, for "sha256sum -c" in the
// skill's directory. Names with a backslash or a line end are escaped as
// coreutils does.
func (m *Manifest) Sums() []byte {
	var b strings.Builder
	for _, e := range m.Entries {
		name := sumEscaper.Replace(e.Path)
		if name != e.Path {
			b.WriteByte('\\')
		}
		b.WriteString(e.Digest.Hex() + "  " + name + "\n")
	}
	return []byte(b.String())
}

var (
	sumEscaper   = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`)
	sumUnescaper = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r")
)

// ReadSums reads what sha256sum prints: lines of a digest, a blank, a blank or
// an asterisk, and a path. Lines that start with a backslash have escapes in
// their path. Bad digests and paths are among the faults; an error means that
// the text is no list of sums.
func ReadSums(text []byte) (Expected, error) {
	var e Expected
	if len(text) > MaxManifestBytes {
		return e, fmt.Errorf("the sums file is larger than %d bytes", MaxManifestBytes)
	}
	list := newListing(&e)
	number, found := 0, false
	for line := range strings.Lines(string(text)) {
		number++
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			continue
		}
		digits, name, err := splitSum(line)
		if err != nil {
			return Expected{}, fmt.Errorf("line %d: %w", number, err)
		}
		found = true
		if !list.path(fmt.Sprintf("line %d", number), name) {
			continue
		}
		f := ExpectedFile{Path: name, Size: -1}
		if f.Digest, err = parseHex(digits); err != nil {
			e.fault(RuleDigestFormat, "%q: %v", clip(name), err)
			f.Unchecked = true
		}
		e.Files = append(e.Files, f)
	}
	if !found {
		return Expected{}, errors.New("the sums file lists no file")
	}
	return e, nil
}

// splitSum gives the digits and the path of a line.
func splitSum(line string) (digits, name string, err error) {
	line, escaped := strings.CutPrefix(line, `\`)
	digits, name, ok := strings.Cut(line, " ")
	if !ok || len(name) < 2 || name[0] != ' ' && name[0] != '*' {
		return "", "", errors.New("a line must be a digest, two blanks and a path, as sha256sum prints it")
	}
	name = strings.TrimPrefix(name[1:], "./")
	if escaped {
		name = sumUnescaper.Replace(name)
	}
	return digits, name, nil
}
