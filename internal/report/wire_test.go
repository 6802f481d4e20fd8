package report

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/pkg/spec"
	"github.com/skilltool/skilltool/schemas"
)

// schemaObject is what the test reads of one object in the schema.
type schemaObject struct {
	ID          string                     `json:"$id"`
	Description string                     `json:"description"`
	Required    []string                   `json:"required"`
	Properties  map[string]json.RawMessage `json:"properties"`
	Defs        map[string]schemaObject    `json:"$defs"`
}

// TestSchemaMatchesTypes holds the schema and the types together: the same
// fields, and those that are always written are required.
func TestSchemaMatchesTypes(t *testing.T) {
	text, err := schemas.Get("report")
	if err != nil {
		t.Fatal(err)
	}
	var schema schemaObject
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	if schema.ID != SchemaURL {
		t.Errorf("the schema calls itself %s, reports call it %s", schema.ID, SchemaURL)
	}
	compareFields(t, "the document", schema, jsonDocument{})
	for name, value := range map[string]any{
		"tool": jsonTool{}, "summary": jsonSummary{}, "skill": jsonSkill{}, "diagnostic": jsonDiagnostic{},
		"fix": jsonFix{}, "edit": jsonEdit{}, "related": jsonRelated{}, "error": jsonError{},
		"timings": jsonTimings{}, "timing": jsonTiming{}, "range": spec.Range{}, "position": spec.Position{},
	} {
		compareFields(t, name, schema.Defs[name], value)
	}
	header := schema.Defs["header"]
	header.Properties["type"] = schema.Defs["record"].Properties["type"]
	header.Required = append(header.Required, schema.Defs["record"].Required...)
	compareFields(t, "header", header, jsonlHeader{})
	suppressed := schema.Defs["suppressed"]
	maps.Copy(suppressed.Properties, schema.Defs["diagnostic"].Properties)
	suppressed.Required = append(suppressed.Required, schema.Defs["diagnostic"].Required...)
	compareFields(t, "suppressed", suppressed, jsonSuppressed{})
}

func compareFields(t *testing.T, name string, schema schemaObject, value any) {
	t.Helper()
	all, required := fields(reflect.TypeOf(value))
	described := slices.Sorted(maps.Keys(schema.Properties))
	// A finding is about a path or, in a report on a server, about a URI.
	described = slices.DeleteFunc(described, func(field string) bool { return field == "uri" })
	demanded := slices.Sorted(slices.Values(schema.Required))
	if _, ok := schema.Properties["uri"]; ok {
		demanded = slices.Sorted(slices.Values(append(demanded, "path")))
	}
	if !slices.Equal(all, described) {
		t.Errorf("%s is written with %v, the schema has %v", name, all, described)
	}
	if !slices.Equal(required, demanded) {
		t.Errorf("%s always has %v, the schema requires %v", name, required, demanded)
	}
}

// fields gives the JSON names of a type, sorted, and those of them that are
// always written.
func fields(typ reflect.Type) (all, required []string) {
	for _, field := range reflect.VisibleFields(typ) {
		if field.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		all = append(all, name)
		if !strings.Contains(options, "omitempty") {
			required = append(required, name)
		}
	}
	slices.Sort(all)
	slices.Sort(required)
	return all, required
}

func TestSchemaDescribesEveryField(t *testing.T) {
	text, err := schemas.Get("report")
	if err != nil {
		t.Fatal(err)
	}
	var schema schemaObject
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	for name, def := range schema.Defs {
		for field, raw := range def.Properties {
			var property struct {
				Description string `json:"description"`
				Ref         string `json:"$ref"`
			}
			if err := json.Unmarshal(raw, &property); err != nil {
				t.Fatal(err)
			}
			target := schema.Defs[strings.TrimPrefix(property.Ref, "#/$defs/")]
			if property.Description == "" && target.Description == "" {
				t.Errorf("%s of %s has no description", field, name)
			}
		}
	}
}
