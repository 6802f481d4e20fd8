package mcptest

import (
	_ "embed"
	"strconv"
	"strings"
)

// caughtText is what an audit says of each lie: a line for each era with the
// name, the era, the exit code, and the checks that do not pass, the last as
// "id" for a failure and "id:status" for all else. The tests rewrite it.
//
//go:embed caught.txt
var caughtText string

// caught is what an audit says of one lie in one era.
type caught struct {
	code   int
	checks []string
}

// readCaught gives what audits say, by name and era.
func readCaught() map[[2]string]caught {
	all := map[[2]string]caught{}
	for line := range strings.Lines(caughtText) {
		words := strings.Fields(line)
		if len(words) < 3 {
			continue
		}
		code, err := strconv.Atoi(words[2])
		if err != nil {
			continue
		}
		all[[2]string{words[0], words[1]}] = caught{code, words[3:]}
	}
	return all
}
