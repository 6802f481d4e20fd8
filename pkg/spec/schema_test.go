package spec

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/skilltool/skilltool/schemas"
)

// TestSchemaLimits holds the schema and the constants of this package together.
func TestSchemaLimits(t *testing.T) {
	text, err := schemas.Get("frontmatter")
	if err != nil {
		t.Fatal(err)
	}
	type property struct {
		Type                 string
		MinLength, MaxLength int
		AdditionalProperties *property
	}
	var schema struct {
		Required   []string
		Properties map[string]property
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(schema.Required, []string{FieldName, FieldDescription}) {
		t.Errorf("required: %v", schema.Required)
	}
	if len(schema.Properties) != len(Fields()) {
		t.Errorf("%d properties and %d fields", len(schema.Properties), len(Fields()))
	}
	limits := map[string][2]int{FieldName: {1, MaxNameLength}, FieldDescription: {1, MaxDescriptionLength}, FieldCompatibility: {1, MaxCompatibilityLength}}
	for _, field := range Fields() {
		p, ok := schema.Properties[field]
		if !ok {
			t.Errorf("the schema has no %s", field)
		}
		if got := [2]int{p.MinLength, p.MaxLength}; got != limits[field] {
			t.Errorf("%s has the lengths %v, want %v", field, got, limits[field])
		}
		want := "string"
		if field == FieldMetadata {
			want = "object"
			if p.AdditionalProperties == nil || p.AdditionalProperties.Type != "string" {
				t.Errorf("the values of metadata are %+v", p.AdditionalProperties)
			}
		}
		if p.Type != want {
			t.Errorf("%s is a %s", field, p.Type)
		}
	}
}

// schemaAllows applies the schema to a name.
func schemaAllows(name string) bool {
	return frontmatterSchema().Validate(map[string]any{"name": name, "description": "b"}) == nil
}

// TestSchemaNames: the schema and CheckName agree on every name that Unicode
// normalisation, of which a schema knows nothing, does not change.
func TestSchemaNames(t *testing.T) {
	compare := func(name string) {
		t.Helper()
		if norm.NFKC.String(name) != name || strings.ContainsRune(name, unicode.ReplacementChar) {
			return
		}
		if reasons := CheckName(name); schemaAllows(name) != (len(reasons) == 0) {
			t.Errorf("%q: the schema says %v, CheckName %v", name, schemaAllows(name), reasons)
		}
	}
	for _, name := range []string{"", "a", "-", "a-", "-a", "a--b", "a-b", "A", "é", "É", "數", "٣", "a b", "a_b", "a\n", "\na", strings.Repeat("é", 64), strings.Repeat("é", 65)} {
		compare(name)
	}
	for r := range rune(unicode.MaxRune) {
		if unicode.In(r, unicode.Lu, unicode.Lt, unicode.M, unicode.N) || r%16 == 0 && unicode.IsLetter(r) || r < 0x300 {
			compare(string(r))
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		compare(randomText(random))
	}
}

// TestSchemaFailures: a failure is found at the place and under the keyword by
// which rules ask for it.
func TestSchemaFailures(t *testing.T) {
	tests := []struct {
		yaml, pointer, keyword string
		want                   bool
	}{
		{"name: a\ndescription: b", "", "required", false},
		{"name: a", "", "required", true},
		{"name: 1\ndescription: b", "/name", "type", true},
		{"name: 123456789012345678901234567890\ndescription: b", "/name", "type", true},
		{"name: 'a'\ndescription: .nan", "/description", "type", true},
		{"name: 2026-01-31\ndescription: b", "/name", "type", false},
		{"name: " + strings.Repeat("é", 65), "/name", "maxLength", true},
		{"name: " + strings.Repeat("é", 64), "/name", "maxLength", false},
		{"name: a\nmetadata: [b]", "/metadata", "type", true},
		{"name: a\nmetadata: {b: [c]}", "/metadata/b", "type", true},
		{"name: &x [a]\nlicense: *x", "/license", "type", true},
		{"- a", "", "type", false},
		{aliasBomb(12) + "name: 1", "/name", "type", false},
	}
	for _, test := range tests {
		p := &Pass{Skill: Parse(fenced(test.yaml))}
		if got := p.fails(test.pointer, test.keyword); got != test.want {
			t.Errorf("%.60q: %s at %q is %v, want %v", test.yaml, test.keyword, test.pointer, got, test.want)
		}
	}
}
