// Package schemas holds the JSON Schemas of the files that skilltool reads and
// writes, all of draft 2020-12.
package schemas

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

const suffix = ".schema.json"

//go:embed *.json
var files embed.FS

// Names gives the names of the schemas, sorted: the file names without
// ".schema.json".
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the directory is part of the program
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = strings.TrimSuffix(entry.Name(), suffix)
	}
	slices.Sort(names) // "probe-lock.schema.json" comes before "probe.schema.json"
	return names
}

// Get gives the text of the schema with a name that Names lists, and an error
// for any other.
func Get(name string) ([]byte, error) {
	text, err := files.ReadFile(name + suffix)
	if err != nil {
		return nil, fmt.Errorf("schema %q is not known; use %s", name, strings.Join(Names(), ", "))
	}
	return text, nil
}
