package servers

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxEnvFileBytes bounds a file of variables; a process takes hardly more.
const maxEnvFileBytes = 1 << 20

// Variable is a variable of the environment.
type Variable struct{ Name, Value string }

// ReadEnvFile reads a file of variables, one NAME=value a line. Blank lines and
// those that start with "#" are skipped, "export " before a name too. A value in
// single quotes is as it stands; one in double quotes has the escapes of JSON; of
// one without quotes a comment behind a blank and "#" is cut off. No variables are
// filled in.
func ReadEnvFile(path string) ([]Variable, error) {
	text, err := readBounded(path, maxEnvFileBytes)
	if err != nil {
		return nil, err
	}
	return parseEnvFile(string(text))
}

func parseEnvFile(text string) ([]Variable, error) {
	var list []Variable
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		variable, err := parseVariable(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		list = append(list, variable)
	}
	return list, nil
}

func parseVariable(line string) (Variable, error) {
	name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case !ok:
		return Variable{}, fmt.Errorf(`there is no "="; write NAME=value`)
	case !variableName().MatchString(name):
		return Variable{}, fmt.Errorf("%q is no name of a variable", name)
	case strings.ContainsRune(value, 0) || !utf8.ValidString(value):
		return Variable{}, fmt.Errorf("the value of %s is no text", name)
	}
	value, err := unquoteValue(value)
	if err != nil {
		return Variable{}, fmt.Errorf("the value of %s %w", name, err)
	}
	return Variable{name, value}, nil
}

func unquoteValue(value string) (string, error) {
	if value == "" || value[0] != '"' && value[0] != '\'' {
		plain, _, _ := strings.Cut(value, " #")
		return strings.TrimSpace(plain), nil
	}
	end := closingQuote(value)
	if end < 0 {
		return "", fmt.Errorf("has no closing %s on its line", strconv.QuoteRune(rune(value[0])))
	}
	if rest := strings.TrimSpace(value[end+1:]); rest != "" && rest[0] != '#' {
		return "", fmt.Errorf("goes on behind its closing quote")
	}
	if value[0] == '\'' {
		return value[1:end], nil
	}
	r := &jsonReader{text: value[:end+1], line: 1}
	text, err := r.string()
	if err != nil {
		return "", fmt.Errorf("cannot be read: %s", err.message)
	}
	return text, nil
}

// closingQuote gives the index of the quote that ends value, or -1.
func closingQuote(value string) int {
	for i := 1; i < len(value); i++ {
		switch {
		case value[i] == '\\' && value[0] == '"':
			i++
		case value[i] == value[0]:
			return i
		}
	}
	return -1
}
