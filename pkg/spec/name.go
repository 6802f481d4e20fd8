package spec

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// CheckName gives the reasons why a name does not conform to the
// specification (AS-N1, AS-N2), each a clause that completes "the name". It
// gives none for a conforming name, an empty string included in what does not
// conform. Whether the folder has the same name is not its business.
func CheckName(name string) []string {
	if name == "" {
		return []string{"is empty"}
	}
	var reasons []string
	if n := utf8.RuneCountInString(name); n > MaxNameLength {
		reasons = append(reasons, fmt.Sprintf("has %d characters; at most %d are allowed", n, MaxNameLength))
	}
	if bad := badNameParts(name); len(bad) > 0 {
		reasons = append(reasons, "has "+joinAnd(bad)+`; use a-z, 0-9 and "-"`)
	}
	if hyphens := badHyphens(name); hyphens != "" {
		reasons = append(reasons, hyphens)
	}
	return reasons
}

// badNameParts names the characters that may not be in a name, each kind once.
func badNameParts(name string) []string {
	var parts []string
	upper, changed := false, norm.NFKC.String(name) != name
	seen := map[rune]bool{}
	for _, r := range name {
		switch {
		case isNameRune(r) || seen[r]:
		case unicode.IsUpper(r) || unicode.IsTitle(r):
			upper = true
		default:
			parts = append(parts, describeRune(r))
		}
		seen[r] = true
	}
	if upper {
		parts = append(parts, "upper-case letters")
	}
	if changed && len(parts) == 0 {
		parts = append(parts, "compatibility characters or loose accents that Unicode normalisation (NFKC) changes")
	}
	if len(parts) > 4 {
		parts = append(parts[:3], fmt.Sprintf("%d other characters", len(parts)-3))
	}
	return parts
}

// isNameRune reports whether the reference validator takes a character: a
// hyphen, or a lower-case or caseless letter or a digit of any script.
func isNameRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '-' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
	}
	return (unicode.IsLetter(r) || unicode.IsNumber(r)) && unicode.ToLower(r) == r
}

// describeRune names a character so that an invisible one is named too.
func describeRune(r rune) string {
	switch {
	case r == ' ':
		return "blanks"
	case r < utf8.RuneSelf && unicode.IsPrint(r):
		return fmt.Sprintf("%q", string(r))
	case unicode.IsPrint(r):
		return fmt.Sprintf("%q (U+%04X)", string(r), r)
	}
	return fmt.Sprintf("U+%04X", r)
}

// badHyphens says which hyphens are in the wrong place.
func badHyphens(name string) string {
	var places []string
	if strings.HasPrefix(name, "-") {
		places = append(places, "starts")
	}
	if strings.HasSuffix(name, "-") && name != "-" {
		places = append(places, "ends")
	}
	reason := ""
	if len(places) > 0 {
		reason = strings.Join(places, " and ") + ` with "-"`
	}
	if strings.Contains(name, "--") {
		if reason != "" {
			reason += " and "
		}
		reason += `has "--"`
	}
	if reason != "" {
		reason += "; a hyphen stands alone between letters or digits"
	}
	return reason
}

func joinAnd(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// ProposeName makes a conforming ASCII name of a text, such as pdf-tools of
// "PDF Tools". It gives "" where nothing of the text is left.
func ProposeName(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(norm.NFKD.String(text)) {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			b.WriteRune(r)
		case r == '\'' || r == '’' || unicode.Is(unicode.Mn, r):
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= MaxNameLength {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}
