package clients

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// isBlank reports what String.prototype.trim of JavaScript takes away.
func isBlank(r rune) bool { return r == 0xfeff || unicode.IsSpace(r) && r != 0x85 }

// number gives the value of a number as YAML writes it, in any of the bases
// that readers know.
func number(text string) (float64, bool) {
	plain := strings.ReplaceAll(text, "_", "")
	sign := 1.0
	body := plain
	if strings.HasPrefix(body, "-") {
		sign, body = -1, body[1:]
	} else if strings.HasPrefix(body, "+") {
		body = body[1:]
	}
	switch strings.ToLower(body) {
	case ".inf":
		return sign * math.Inf(1), true
	case ".nan":
		return math.NaN(), true
	}
	if n, ok := inBase(body); ok {
		f, _ := new(big.Float).SetInt(n).Float64()
		return sign * f, true
	}
	f, err := strconv.ParseFloat(body, 64)
	return sign * f, err == nil || math.IsInf(f, 0)
}

// inBase reads the digits of 0x, 0o and 0b.
func inBase(body string) (*big.Int, bool) {
	if len(body) < 3 || body[0] != '0' {
		return nil, false
	}
	bases := map[byte]int{'x': 16, 'X': 16, 'o': 8, 'b': 2}
	base := bases[body[1]]
	if base == 0 {
		return nil, false
	}
	return new(big.Int).SetString(body[2:], base)
}

// jsNumber writes a number as String(n) of JavaScript does.
func jsNumber(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		return "0"
	}
	if abs := math.Abs(f); abs >= 1e21 || abs < 1e-6 {
		return exponent(strconv.FormatFloat(f, 'e', -1, 64), 1)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// exponent gives the exponent of a number at least as many digits as wanted,
// and no zeros beyond.
func exponent(text string, digits int) string {
	mantissa, exp, ok := strings.Cut(text, "e")
	if !ok {
		return text
	}
	sign, rest := exp[:1], strings.TrimLeft(exp[1:], "0")
	for len(rest) < digits {
		rest = "0" + rest
	}
	return mantissa + "e" + sign + rest
}

// pyFloat writes a float as str() of Python does.
func pyFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if abs := math.Abs(f); abs != 0 && (abs >= 1e16 || abs < 1e-4) {
		return exponent(strconv.FormatFloat(f, 'e', -1, 64), 2)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
