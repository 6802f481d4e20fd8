package cmd

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// units of sizes, the larger ones first. Those of powers of ten are spelt
// otherwise, so that nobody gets another number than they meant.
var units = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}}

var errSize = errors.New("is no size such as 4096, 64KiB, 16MiB or 4GiB")

// parseSize reads a number of bytes, which is more than none, with or without a
// unit.
func parseSize(text string) (int64, error) {
	factor := int64(1)
	for _, unit := range units {
		if number, ok := strings.CutSuffix(text, unit.name); ok {
			text, factor = number, unit.bytes
			break
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/factor || text[0] == '+' {
		return 0, errSize
	}
	return n * factor, nil
}

// sizeFlagValue gives the value of a sizeFlag in bytes.
func sizeFlagValue(c *cli.Context, name string) int64 {
	n, _ := parseSize(c.String(name)) // the parser has refused what is no size
	return n
}

// formatSize writes a number of bytes as parseSize reads it.
func formatSize(n int64) string {
	for _, unit := range units[:3] {
		if n%unit.bytes == 0 {
			return strconv.FormatInt(n/unit.bytes, 10) + unit.name
		}
	}
	return strconv.FormatInt(n, 10)
}
