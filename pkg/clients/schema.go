package clients

import (
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// schema gives the type of a plain scalar.
type schema struct {
	of func(text string) kind
	// old says that whole numbers are written as in YAML 1.1.
	old bool
}

// schemas are the ways in which readers give plain scalars their types.
var schemas = map[string]schema{
	"core":      {of: coreSchema},
	"js-core":   {of: jsCoreSchema},
	"js-yaml":   {of: jsSchema},
	"js-yaml-3": {of: oldJSSchema, old: true},
	"python":    {of: pythonSchema, old: true},
	"typed":     {of: typedSchema},
}

func coreSchema(text string) kind {
	switch spec.ResolveCore(text) {
	case spec.Null:
		return null
	case spec.Bool:
		return boolean
	case spec.Int:
		return integer
	case spec.Float:
		return float
	}
	return str
}

// typedSchema is that of readers which know the type that is wanted: any scalar
// is a text, and only null is none.
func typedSchema(text string) kind {
	if spec.ResolveCore(text) == spec.Null {
		return null
	}
	return str
}

var (
	dateOnly  = lazily(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	dateTime  = lazily(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?$`)
	jsInt     = lazily(`^[-+]?(?:0b[01]+|0o[0-7]+|0x[0-9a-fA-F]+|[0-9]+)$`)
	jsFloat   = lazily(`^(?:[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
	oldJSInt  = lazily(`^[-+]?(?:0b[01_]*[01]|0x[0-9a-fA-F_]*[0-9a-fA-F]|0[0-7_]*[0-7]|0|[1-9](?:[0-9_]*[0-9])?)$`)
	oldFloat  = lazily(`^(?:[-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
	base60    = lazily(`^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$`)
	base60Dot = lazily(`^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$`)
	pyInt     = lazily(`^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+)$`)
	pyFloatRE = lazily(`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
)

// mayBeNumber sorts out, before any pattern is tried, nearly every text.
func mayBeNumber(text string) bool {
	return text != "" && strings.IndexByte("0123456789+-.", text[0]) >= 0 && len(text) <= 400
}

// jsSchema is the default schema of js-yaml 4: YAML 1.2 with dates.
func jsSchema(text string) kind {
	if k := jsCoreSchema(text); k != str || !isDate(text) {
		return k
	}
	return date
}

// jsCoreSchema is the same without dates.
func jsCoreSchema(text string) kind {
	switch k := coreSchema(text); {
	case k == null || k == boolean || !mayBeNumber(text):
		return k
	case jsInt().MatchString(text):
		return integer
	case jsFloat().MatchString(text):
		return float
	}
	return str
}

func isDate(text string) bool {
	return mayBeNumber(text) && (dateOnly().MatchString(text) || dateTime().MatchString(text))
}

// oldJSSchema is the one of js-yaml 3: numbers have underscores, count in base
// 60, and are octal behind a zero.
func oldJSSchema(text string) kind {
	switch k := coreSchema(text); {
	case k == null || k == boolean || !mayBeNumber(text):
		return k
	case isDate(text):
		return date
	case oldJSInt().MatchString(text) || base60().MatchString(text):
		return integer
	case oldFloat().MatchString(text):
		return float
	}
	return str
}

// pythonSchema is that of PyYAML: YAML 1.1 with yes and no, dates, base 60 and
// numbers that start with a zero as octal ones.
func pythonSchema(text string) kind {
	switch text {
	case "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF":
		return boolean
	}
	if !mayBeNumber(text) {
		return coreSchema(text)
	}
	switch {
	case dateOnly().MatchString(text) || dateTime().MatchString(text):
		return date
	case pyInt().MatchString(text) || base60().MatchString(text):
		return integer
	case pyFloatRE().MatchString(text) || base60Dot().MatchString(text):
		return float
	}
	return str
}
