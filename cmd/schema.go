package cmd

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/schemas"
)

func schemaCommand() *command {
	return &command{
		name:        "schema",
		usage:       "[NAME]",
		summary:     "print a JSON Schema, or the names of all",
		arguments:   []argument{{"NAME", "the schema to print; without it the names are listed"}},
		maxArgs:     1,
		completeArg: func() []candidate { return words(schemas.Names()...)() },
		examples: []example{
			{"the names", "skilltool schema"},
			{"keep the schema of JSON reports", "skilltool schema report > report.schema.json"},
		},
		exits:  []exitCode{{exitOK, "the schema was printed"}, {exitFailure, "there is no such schema"}},
		action: runSchema,
	}
}

func runSchema(_ *cli.Context, e *env) error {
	known := schemas.Names()
	if len(e.args) == 0 {
		for _, name := range known {
			fmt.Fprintln(e.stdout, name)
		}
		return nil
	}
	name := e.args[0]
	if !slices.Contains(known, name) {
		return usagef("there is no schema %q; use %s", name, orList(known)).suggest(name, known)
	}
	schema, err := schemas.Get(name)
	if err != nil {
		return err
	}
	_, err = e.stdout.Write(schema)
	return err
}
