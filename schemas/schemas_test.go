package schemas_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/skilltool/skilltool/schemas"
)

func ExampleGet() {
	text, err := schemas.Get("report")
	if err != nil {
		fmt.Println(err)
		return
	}
	var schema struct {
		Title string
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(schema.Title)
	// Output: skilltool report, version 1
}

// Every schema compiles, and is found at the address that its name gives.
func TestSchemas(t *testing.T) {
	names := schemas.Names()
	if !slices.IsSorted(names) || !slices.Contains(names, "report") {
		t.Errorf("names: %v", names)
	}
	for _, name := range names {
		text, err := schemas.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			ID     string `json:"$id"`
			Schema string `json:"$schema"`
		}
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if schema.ID != "https://github.com/skilltool/skilltool/schemas/"+name+".schema.json" {
			t.Errorf("%s calls itself %s", name, schema.ID)
		}
		if schema.Schema != "https://json-schema.org/draft/2020-12/schema" {
			t.Errorf("%s is of %s", name, schema.Schema)
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource(schema.ID, bytes.NewReader(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := compiler.Compile(schema.ID); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGetUnknown(t *testing.T) {
	for _, name := range []string{"", "reports", "report.schema.json", "../schemas/report"} {
		if text, err := schemas.Get(name); err == nil {
			t.Errorf("Get(%q) gives %d bytes", name, len(text))
		}
	}
}
