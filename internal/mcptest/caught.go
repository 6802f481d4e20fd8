package mcptest

import (
	_ "embed"
	"strconv"
	"strings"
)

// caughtText is what an audit says of each lie. The test of it rewrites it.
//
//go:embed caught.txt
var caughtText string

// anyway is the condition of a row that holds where no other does.
const anyway = "-"

// readCaught gives what audits say, by name and condition.
func readCaught() map[string]map[string]Outcome {
	all := map[string]map[string]Outcome{}
	for line := range strings.Lines(caughtText) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] == "#" {
			continue
		}
		code, err := strconv.Atoi(words[2])
		if err != nil {
			panic("caught.txt: " + line) // the file is our own
		}
		if all[words[0]] == nil {
			all[words[0]] = map[string]Outcome{}
		}
		all[words[0]][words[1]] = Outcome{code, words[3:]}
	}
	return all
}
