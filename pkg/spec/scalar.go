package spec

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Resolver gives the kind of a plain scalar from its source text. The same
// text is another value under another schema.
type Resolver func(text string) Kind

var (
	coreInt   = regexp.MustCompile(`^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	coreFloat = regexp.MustCompile(`^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$`)
	infOrNaN  = regexp.MustCompile(`^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
)

// ResolveCore is the core schema of YAML 1.2 (section 10.3.2).
func ResolveCore(text string) Kind {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	}
	if !strings.ContainsAny(text[:1], "0123456789.+-") {
		return String
	}
	switch {
	case coreInt.MatchString(text):
		return Int
	case coreFloat.MatchString(text), infOrNaN.MatchString(text):
		return Float
	}
	return String
}

// The types of YAML 1.1 that loaders of that version implement
// (https://yaml.org/type/, with PyYAML's reading of floats).
var (
	oldBool   = regexp.MustCompile(`^(?:y|Y|n|N|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$`)
	oldBinary = regexp.MustCompile(`^[-+]?0b[01_]+$`)
	oldOctal  = regexp.MustCompile(`^[-+]?0[0-7_]+$`)
	oldInt    = regexp.MustCompile(`^[-+]?(?:0|[1-9][0-9_]*)$`)
	oldHex    = regexp.MustCompile(`^[-+]?0x[0-9a-fA-F_]+$`)
	oldBase60 = regexp.MustCompile(`^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$|^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$`)
	oldFloat  = regexp.MustCompile(`^[-+]?(?:[0-9][0-9_]*)\.[0-9_]*(?:[eE][-+][0-9]+)?$|^\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?$`)
	oldDate   = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	oldTime   = regexp.MustCompile(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?$`)
)

// oldReading says what a YAML 1.1 loader makes of a plain scalar, in the words
// of a message, where that differs from what the core schema of YAML 1.2 makes
// of it (AS-Y2). It gives "" where both agree.
func oldReading(text string) string {
	if !couldDiffer(text) {
		return ""
	}
	core := ResolveCore(text)
	switch {
	case text == "=":
		return "a special value"
	case oldBool.MatchString(text):
		return "the boolean " + oldBoolValue(text)
	case oldDate.MatchString(text):
		return "a date"
	case oldTime.MatchString(text):
		return "a time"
	case oldBase60.MatchString(text):
		return "a number in base 60"
	case oldBinary.MatchString(text):
		return "a binary number"
	case oldOctal.MatchString(text):
		return octalReading(text, core)
	case oldHex.MatchString(text) || oldInt.MatchString(text):
		return sameUnless(core == Int, "an integer")
	case oldFloat.MatchString(text):
		return sameUnless(core == Float, "a number")
	}
	return sameUnless((core != Int && core != Float) || infOrNaN.MatchString(text), "a string")
}

// couldDiffer sorts out, before any pattern is tried, the texts that both
// versions read as the same string: nearly all.
func couldDiffer(text string) bool {
	const longest = 64 // numbers may be longer, but then both read a number
	if text == "" || len(text) > longest && strings.ContainsAny(text, " ,;") {
		return false
	}
	if strings.IndexByte("0123456789+-.", text[0]) >= 0 {
		return true
	}
	return len(text) <= len("false") && strings.IndexByte("yYnNoO=", text[0]) >= 0
}

func sameUnless(same bool, reading string) string {
	if same {
		return ""
	}
	return reading
}

func oldBoolValue(text string) string {
	switch text[0] {
	case 'y', 'Y':
		return "true"
	case 'n', 'N':
		return "false"
	}
	return strconv.FormatBool(len(text) == 2)
}

// octalReading tells 012, which is 10 or 12, from 07, which is 7 either way.
func octalReading(text string, core Kind) string {
	old, ok := new(big.Int).SetString(strings.ReplaceAll(text, "_", ""), 8)
	if !ok {
		return ""
	}
	if now, ok := new(big.Int).SetString(text, 10); core == Int && ok && now.Cmp(old) == 0 {
		return ""
	}
	return "the octal number for " + clip(old.String(), 40)
}

// jsonNumber writes an integer or a number of the core schema as JSON has it,
// with the same digits. It reports false for infinities and for what is no
// number.
func jsonNumber(text string) (string, bool) {
	sign := ""
	switch {
	case text == "" || infOrNaN.MatchString(text):
		return "", false
	case strings.HasPrefix(text, "0o"):
		return inBase(text[2:], 8)
	case strings.HasPrefix(text, "0x"):
		return inBase(text[2:], 16)
	case text[0] == '-':
		sign, text = "-", text[1:]
	case text[0] == '+':
		text = text[1:]
	}
	if !coreFloat.MatchString(text) {
		return "", false
	}
	end := strings.IndexAny(text, "eE")
	if end < 0 {
		end = len(text)
	}
	whole, fraction, dotted := strings.Cut(text[:end], ".")
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if !dotted {
		return sign + whole + text[end:], true
	}
	if fraction == "" {
		fraction = "0"
	}
	return sign + whole + "." + fraction + text[end:], true
}

func inBase(digits string, base int) (string, bool) {
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return "", false
	}
	return n.String(), true
}
