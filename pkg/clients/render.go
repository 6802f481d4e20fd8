package clients

import (
	"math/big"
	"strings"
)

// falsy reports what counts as false in JavaScript and Python.
func (v value) falsy() bool {
	switch v.kind {
	case absent, null:
		return true
	case boolean:
		return !v.truth()
	case integer, float:
		f, ok := number(v.text)
		return ok && f == 0
	case str:
		return v.text == ""
	case list:
		return len(v.node.Items) == 0
	}
	return false
}

// truth gives the value of a boolean.
func (v value) truth() bool {
	switch strings.ToLower(v.text) {
	case "true", "yes", "on":
		return true
	}
	return false
}

// in writes the value as text in a style: source, javascript or python.
func (v value) in(style, source string) string {
	if v.kind == str {
		return v.text
	}
	switch style {
	case "javascript":
		return v.javascript()
	case "python":
		return v.python(0)
	}
	if v.kind == list || v.kind == mapping {
		return trim(source[min(v.at.Start, len(source)):min(v.at.End, len(source))])
	}
	return v.text
}

func (v value) javascript() string {
	switch v.kind {
	case null:
		return "null"
	case boolean:
		return strings.ToLower(v.text)
	case integer, float:
		if f, ok := number(v.text); ok {
			return jsNumber(f)
		}
	case list:
		items := make([]string, len(v.node.Items))
		for i, item := range v.node.Items {
			if child := valueOf(item, v.schema); child.kind != null && child.kind != absent {
				items[i] = child.javascript()
			}
		}
		return strings.Join(items, ",")
	case mapping:
		return "[object Object]"
	}
	return v.text
}

// maxDepth bounds how deep a value is written out; text beyond it is left out.
const maxDepth = 16

func (v value) python(depth int) string {
	switch v.kind {
	case null, absent:
		return "None"
	case boolean:
		if v.truth() {
			return "True"
		}
		return "False"
	case integer:
		if v.schema.old {
			return pyIntText(v.text)
		}
		return v.javascript()
	case float:
		if f, ok := number(v.text); ok {
			return pyFloat(f)
		}
	case str:
		if depth > 0 {
			return pyQuote(v.text)
		}
	case date:
		return pyDate(v.text, depth > 0)
	case list, mapping:
		return v.pyCollection(depth)
	}
	return v.text
}

func (v value) pyCollection(depth int) string {
	if depth > maxDepth {
		return "..."
	}
	var parts []string
	if v.kind == list {
		for _, item := range v.node.Items {
			parts = append(parts, valueOf(item, v.schema).python(depth+1))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	for _, pair := range v.node.Pairs {
		parts = append(parts, valueOf(pair.Key, v.schema).python(depth+1)+": "+valueOf(pair.Value, v.schema).python(depth+1))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// pyIntText writes a whole number of YAML 1.1 in base 10.
func pyIntText(text string) string {
	digits := strings.ReplaceAll(strings.TrimPrefix(text, "+"), "_", "")
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	n, ok := inBase(digits)
	switch {
	case ok:
	case strings.Contains(digits, ":"):
		n = new(big.Int)
		for _, part := range strings.Split(digits, ":") {
			digit, _ := new(big.Int).SetString(part, 10)
			if digit == nil {
				return text
			}
			n.Mul(n, big.NewInt(60)).Add(n, digit)
		}
	case len(digits) > 1 && digits[0] == '0':
		n, _ = new(big.Int).SetString(digits, 8)
	default:
		n, _ = new(big.Int).SetString(digits, 10)
	}
	if n == nil {
		return text
	}
	if n.Sign() == 0 {
		sign = ""
	}
	return sign + n.String()
}

// pyQuote writes a text as repr() of Python does.
func pyQuote(text string) string {
	quote := "'"
	if strings.Contains(text, "'") && !strings.Contains(text, `"`) {
		quote = `"`
	}
	replaced := strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`, quote, `\`+quote).Replace(text)
	return quote + replaced + quote
}

// pyDate writes a date or a time as Python does.
func pyDate(text string, within bool) string {
	if dateOnly().MatchString(text) {
		if within {
			return "datetime.date(" + strings.ReplaceAll(strings.ReplaceAll(text, "-0", "-"), "-", ", ") + ")"
		}
		return text
	}
	day, clock, _ := strings.Cut(strings.NewReplacer("T", " ", "t", " ").Replace(text), " ")
	clock = strings.TrimLeft(clock, " \t")
	return day + " " + strings.Replace(clock, "Z", "+00:00", 1)
}
