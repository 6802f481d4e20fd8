package clients

import (
	"regexp"
	"sync"
)

// lazily compiles a regular expression when it is first used: a program that
// predicts nothing starts without it.
func lazily(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// patterns are those of profiles, by their text.
var patterns sync.Map

// pattern gives the expression of a profile, compiled when it is first needed.
func pattern(text string) *regexp.Regexp {
	if re, ok := patterns.Load(text); ok {
		return re.(*regexp.Regexp)
	}
	re, _ := patterns.LoadOrStore(text, regexp.MustCompile(text)) // the profile was checked
	return re.(*regexp.Regexp)
}
