package servers

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Reference is what stands between ${ and }.
type Reference struct {
	// Kind is "env" for a variable of the environment, "input" for what a
	// client asks its user for, or "" for a word without a prefix.
	Kind string
	Name string
	// Default stands in where the variable is unset or empty; it comes behind
	// ":-".
	Default    string
	HasDefault bool
}

// variableName is what a variable of the environment can be called. Windows has
// ProgramFiles(x86).
var variableName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.()-]*$`)
})

// Expand gives text with each ${…} replaced by what fill gives for it. What is
// filled in is not looked at again, and a $ without a brace is a $.
func Expand(text string, fill func(Reference) (string, error)) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		inside, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", fmt.Errorf(`"${" has no closing "}"`)
		}
		ref, err := readReference(inside)
		if err != nil {
			return "", err
		}
		filled, err := fill(ref)
		if err != nil {
			return "", err
		}
		b.WriteString(filled)
		text = after
	}
}

func readReference(inside string) (Reference, error) {
	var ref Reference
	name, standard, hasDefault := strings.Cut(inside, ":-")
	ref.Name, ref.Default, ref.HasDefault = name, standard, hasDefault
	if kind, rest, ok := strings.Cut(name, ":"); ok {
		ref.Kind, ref.Name = kind, rest
	}
	switch {
	case strings.Contains(standard, "${"):
		return ref, fmt.Errorf("${%s: a default cannot have variables", name)
	case ref.Kind != "" && ref.Kind != "env" && ref.Kind != "input":
		return ref, fmt.Errorf("${%s} is not known; use ${VAR}, ${VAR:-default}, ${env:VAR} or ${input:ID}", name)
	case ref.Kind == "input" && (ref.Name == "" || hasDefault):
		return ref, fmt.Errorf("${%s} is not known; write ${input:ID}", inside)
	case ref.Kind != "input" && !variableName().MatchString(ref.Name):
		return ref, fmt.Errorf("${%s} does not name a variable", name)
	}
	return ref, nil
}

// withoutDefaults gives text with each default hidden, which may be a secret.
func withoutDefaults(text string) string {
	shown, err := Expand(text, func(ref Reference) (string, error) {
		name := ref.Name
		if ref.Kind != "" {
			name = ref.Kind + ":" + name
		}
		if ref.HasDefault && ref.Default != "" {
			name += ":-…"
		}
		return "${" + name + "}", nil
	})
	if err != nil {
		return text
	}
	return shown
}
