package digest_test

import (
	"strings"
	"testing"

	"github.com/skilltool/skilltool/pkg/digest"
)

// TestNoManifest: what two readers may read in two ways is no manifest.
func TestNoManifest(t *testing.T) {
	for text, want := range map[string]string{
		`{"uri": "skill://a/SKILL.md", "uri": "skill://b/SKILL.md"}`:             `line 1: the key "uri" stands twice in one object`,
		"{\"skills\": [\n{\"frontmatter\": {\"a\": [{}], \"b\": 1, \"b\": 2}}]}": `line 2: the key "b" stands twice in one object`,
		"\ufeff{}":                    "the text starts with a byte order mark",
		`{"version": 2, "files": []}`: "the manifest has version 2; version 1 is understood",
		`{"$schema": "` + digest.NativeSchemaURL + `", "version": 2, "skills": []}`: "the manifest has version 2; version 1 is understood",
	} {
		if _, err := digest.ReadManifest([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{
		`{"skills": [], "version": "2026-11"}`,
		`{"uri": "skill://a/SKILL.md", "frontmatter": {"a": {"b": 1}, "c": {"b": 1}, "d": [{"b": 1}, {"b": 1}]}}`,
	} {
		if _, err := digest.ReadManifest([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
