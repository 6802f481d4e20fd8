package digest

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/skilltool/skilltool/pkg/spec"
)

// lockLocales are locales whose order of letters differs from that of en-US,
// with what people speak there.
var lockLocales = []struct{ tag, name string }{
	{"sv", "Swedish"}, {"da", "Danish"}, {"et", "Estonian"}, {"lt", "Lithuanian"}, {"cs", "Czech"},
	{"sk", "Slovak"}, {"hu", "Hungarian"}, {"tr", "Turkish"}, {"es-u-co-trad", "traditional Spanish"},
	{"de-u-co-phonebk", "German phone book"}, {"fi", "Finnish"}, {"pl", "Polish"}, {"hr", "Croatian"},
}

// explainSum looks for the harmless reason why a digest over a whole skill does
// not fit, or gives "".
func explainSum(s *spec.Skill, algorithm Algorithm, want string) (string, error) {
	switch algorithm {
	case SkillsLock:
		return explainLock(s, want)
	case GitTree:
		return explainTree(s, want)
	}
	return "", nil
}

// explainLock tries the orders of other locales: skills-lock.json has the order
// of whoever installed the skill.
func explainLock(s *spec.Skill, want string) (string, error) {
	for _, locale := range lockLocales {
		have, err := lockHash(s, lockFiles(s), language.Make(locale.tag))
		if err != nil {
			return "", err
		}
		if have == want {
			return "it fits in the " + locale.name + " order of file names", nil
		}
	}
	return "", nil
}

// explainTree tries the same files without executable bits, and with those of
// scripts/ set, as an installer does.
func explainTree(s *spec.Skill, want string) (string, error) {
	for _, change := range []struct {
		how  string
		mode func(spec.File) bool
	}{
		{"it fits if no file is executable", func(spec.File) bool { return false }},
		{"it fits if the files of scripts/ are executable", func(f spec.File) bool { return strings.HasPrefix(f.Path, "scripts/") }},
	} {
		changed := *s
		changed.Files = slices.Clone(s.Files)
		for i := range changed.Files {
			changed.Files[i].Mode &^= 0o111
			if change.mode(changed.Files[i]) {
				changed.Files[i].Mode |= 0o111
			}
		}
		have, err := treeID(&changed)
		if err != nil {
			return "", err
		}
		if have == want {
			return change.how, nil
		}
	}
	return "", nil
}

// normalise writes the numbers of a JSON value as fractions, so that 1.0 equals
// 1 and no digit is lost.
func normalise(value any) any {
	switch value := value.(type) {
	case json.Number:
		const longest = 400 // an exponent may ask for more digits than there is memory
		if text := value.String(); len(text) <= longest && !strings.ContainsAny(text, "eE") {
			if r, ok := new(big.Rat).SetString(text); ok {
				return "0e0" + r.RatString()
			}
		}
		return "0e0" + value.String()
	case []any:
		for i := range value {
			value[i] = normalise(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = normalise(value[key])
		}
	case string:
		return "s" + value
	}
	return value
}
