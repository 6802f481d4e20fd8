package digest

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/skilltool/skilltool/pkg/spec"
)

// maxExplained bounds the files that are read whole to find an explanation.
const maxExplained = 16 << 20

// lockLocales are locales whose order of letters differs from that of en-US,
// with what people speak there.
var lockLocales = []struct{ tag, name string }{
	{"sv", "Swedish"}, {"da", "Danish"}, {"et", "Estonian"}, {"lt", "Lithuanian"}, {"cs", "Czech"},
	{"sk", "Slovak"}, {"hu", "Hungarian"}, {"tr", "Turkish"}, {"es-u-co-trad", "traditional Spanish"},
	{"de-u-co-phonebk", "German phone book"}, {"fi", "Finnish"}, {"pl", "Polish"}, {"hr", "Croatian"},
}

// recipe is a harmless way in which a folder may have come to another digest.
type recipe struct {
	how string
	reading
}

// explainSum looks for the harmless reason why a digest over a whole skill does
// not fit, or gives "".
func explainSum(ctx context.Context, base reading, algorithm Algorithm, want string) (string, error) {
	for _, r := range recipes(base, algorithm) {
		have, err := r.sum(ctx, algorithm)
		if err != nil {
			return "", err
		}
		if have == want {
			return "it fits " + r.how, nil
		}
	}
	return "", nil
}

// recipes gives what to try, the likeliest first.
func recipes(base reading, algorithm Algorithm) []recipe {
	all := contentRecipes(base)
	switch algorithm {
	case SkillsLock:
		all = append(all, litterRecipes(base)...)
		all = append(all, droppedRecipes(base)...)
		all = append(all, localeRecipes(base)...)
	case GitTree:
		all = append(all, litterRecipes(base)...)
		for _, r := range append([]recipe{{"", base}}, all...) {
			all = append(all, modeRecipes(r)...)
		}
	}
	return all
}

// contentRecipes change the content of files: line ends, and what an installer
// adds to SKILL.md.
func contentRecipes(base reading) []recipe {
	with := func(how string, change func(string, []byte) []byte) recipe {
		r := recipe{how, base}
		r.change = change
		return r
	}
	return []recipe{
		with("with LF line ends", func(_ string, content []byte) []byte { return ifText(content, toLF) }),
		with("with CRLF line ends", func(_ string, content []byte) []byte { return ifText(content, toCRLF) }),
		with("without the metadata that an installer added", func(name string, content []byte) []byte {
			if stripped, ok := withoutInstallMetadata(content); ok && name == spec.SkillFile {
				return stripped
			}
			return content
		}),
	}
}

// ifText applies a change to what is no binary file, judged as Git does.
func ifText(content []byte, change func([]byte) []byte) []byte {
	const looked = 8000
	if bytes.IndexByte(content[:min(len(content), looked)], 0) >= 0 {
		return content
	}
	return change(content)
}

func toLF(content []byte) []byte { return bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")) }

func toCRLF(content []byte) []byte {
	return bytes.ReplaceAll(toLF(content), []byte("\n"), []byte("\r\n"))
}

// litterRecipes leave out what other tools put into a folder. Version control
// data stays: it may have been published.
func litterRecipes(base reading) []recipe {
	return withoutFiles(base, "without files that other tools left there", func(f spec.File) bool {
		why := litter(f.Path)
		return why != "" && why != litterOfVCS && f.Path != IgnoreFile
	})
}

// droppedRecipes leave out what some installers drop before they compute the
// digest.
func droppedRecipes(base reading) []recipe {
	all := withoutFiles(base, "without files and folders whose names start with a dot", func(f spec.File) bool { return isHidden(f.Path) })
	all = append(all, withoutFiles(base, "without metadata.json", func(f spec.File) bool { return f.Path == metadataFile })...)
	return append(all, withoutFiles(base, "without metadata.json and hidden files", func(f spec.File) bool {
		return f.Path == metadataFile || isHidden(f.Path)
	})...)
}

// metadataFile is dropped by some installers, as hidden files are.
const metadataFile = "metadata.json"

// isHidden reports a path with a segment that starts with a dot.
func isHidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(s string) bool { return strings.HasPrefix(s, ".") })
}

// withoutFiles is a recipe without some files, where there are any.
func withoutFiles(base reading, how string, drop func(spec.File) bool) []recipe {
	r := recipe{how, base}
	r.files = slices.DeleteFunc(slices.Clone(base.files), drop)
	if len(r.files) == len(base.files) {
		return nil
	}
	return []recipe{r}
}

// localeRecipes try the orders of other locales, those that differ:
// skills-lock.json has the order of whoever installed the skill.
func localeRecipes(base reading) []recipe {
	var all []recipe
	tried := []string{base.orderKey()}
	for _, locale := range lockLocales {
		r := recipe{"in the " + locale.name + " order of file names", base}
		r.locale = language.Make(locale.tag)
		if key := r.orderKey(); !slices.Contains(tried, key) {
			tried = append(tried, key)
			all = append(all, r)
		}
	}
	return all
}

// orderKey is equal for equal orders.
func (r reading) orderKey() string {
	var names []string
	for _, f := range r.inLocaleOrder() {
		names = append(names, f.Path)
	}
	return strings.Join(names, "\x00")
}

// modeRecipes try no executable bits, and those of scripts/ set, as an
// installer sets them.
func modeRecipes(base recipe) []recipe {
	with := func(how string, executable func(spec.File) bool) recipe {
		r := recipe{both(base.how, how), base.reading}
		r.files = slices.Clone(base.files)
		for i := range r.files {
			r.files[i].Mode &^= 0o111
			if executable(r.files[i]) {
				r.files[i].Mode |= 0o111
			}
		}
		return r
	}
	return []recipe{
		with("with no file executable", func(spec.File) bool { return false }),
		with("with only the files of scripts/ executable", func(f spec.File) bool { return strings.HasPrefix(f.Path, "scripts/") }),
	}
}

func both(a, b string) string {
	if a == "" {
		return b
	}
	return a + " and " + b
}
