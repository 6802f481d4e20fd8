package redact

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// secretNames are parts of the names of variables, headers, flags and
// parameters whose values nobody shows.
var secretNames = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(token($|[^s])|secret|passw|passphrase|pwd|credential|cookie|session|auth($|[^o]|oriz)|bearer|private|signature|` +
		`api[-_]?key|access[-_]?key|(^|[-_.])(key|pass|pat|sig|jwt|dsn)([-_.]|$))`)
})

// SecretName reports whether a name says that its value is a secret.
func SecretName(name string) bool { return secretNames().MatchString(name) }

// shortestValue is the length in bytes from which the value of a variable with
// a harmless name may be a secret.
const shortestValue = 8

// harmless are values that are no secrets: words, paths, versions and plain
// addresses. To hide each "production" would tear holes into every text.
var harmless = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Za-z]{1,16}(?:[-_ ][A-Za-z]{1,16})*|[~.]{0,2}[/\\][^?#@=]*|[A-Za-z]:[/\\][^?#@=]*|v?[0-9.]+|[a-z]{2}_[A-Z]{2}\.[A-Za-z0-9-]+)$`)
})

// SecretValue reports whether the value of something called name is to be kept
// out of texts. It errs on the side of hiding.
func SecretValue(name, value string) bool {
	if _, err := strconv.ParseBool(value); err == nil {
		return false
	}
	if SecretName(name) {
		return true
	}
	return len(value) >= shortestValue && !harmless().MatchString(value) && !plainURL(value)
}

// plainURL reports a URL without user information and parameters.
func plainURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == ""
}

// tokenLike are shapes of tokens that services give out, wherever they stand.
var tokenLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abprs]-[A-Za-z0-9-]{10,}|` +
		`sk-[A-Za-z0-9_-]{16,}|AKIA[A-Z0-9]{16}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_.-]+)`)
})

// Arguments gives the secrets that stand in a command line: the value of a flag
// with such a name, as --token=x and as --token x, NAME=VALUE with such a name,
// passwords and parameters in URLs, and what has the shape of a token.
func Arguments(args []string) []string {
	var secrets []string
	for i, arg := range args {
		secrets = append(secrets, tokenLike().FindAllString(arg, -1)...)
		secrets = append(secrets, URL(arg)...)
		name, value, has := strings.Cut(arg, "=")
		switch {
		case has && SecretName(name) && !strings.Contains(name, "://"):
			secrets = append(secrets, value)
		case !has && strings.HasPrefix(arg, "-") && SecretName(arg) && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			secrets = append(secrets, args[i+1])
		case i > 0 && isHeaderFlag(args[i-1]):
			secrets = append(secrets, header(arg)...)
		}
	}
	return secrets
}

func isHeaderFlag(arg string) bool { return arg == "-H" || arg == "--header" || arg == "--headers" }

// header gives the secret of "Name: value", if it is one.
func header(text string) []string {
	name, value, ok := strings.Cut(text, ":")
	if !ok || !SecretName(name) {
		return nil
	}
	return Credential(strings.TrimSpace(value))
}

// Credential gives what to hide of the value of a header: all of it, and what
// stands behind a scheme such as Bearer.
func Credential(value string) []string {
	secrets := []string{value}
	if scheme, token, ok := strings.Cut(value, " "); ok && !strings.ContainsAny(scheme, "=;,") {
		secrets = append(secrets, strings.TrimSpace(token))
	}
	return secrets
}

// URL gives the secrets in a URL: its password, and the parameters whose names
// say so.
func URL(text string) []string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil
	}
	var secrets []string
	if password, ok := u.User.Password(); ok {
		secrets = append(secrets, password)
	}
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(part, "=")
		if value == "" || !SecretName(name) {
			continue
		}
		secrets = append(secrets, value)
		if plain, err := url.QueryUnescape(value); err == nil {
			secrets = append(secrets, plain)
		}
	}
	return secrets
}
