// Package docs embeds the pages that the tool prints without a network.
package docs

import (
	"embed"
	"strings"
)

//go:embed rules checks
var pages embed.FS

// Rule gives the page of a rule in Markdown, and false when there is none.
func Rule(id string) (string, bool) {
	page, err := pages.ReadFile("rules/" + id + ".md")
	return string(page), err == nil
}

// Check gives the page of a check of probe in Markdown, and false when there is
// none.
func Check(id string) (string, bool) {
	page, err := pages.ReadFile("checks/" + id + ".md")
	return string(page), err == nil
}

// Section gives what stands below the heading "## title" of a page, up to the
// next heading of that level, without blank lines around it. A heading inside
// a fenced block is text.
func Section(page, title string) string {
	var section []string
	fence, inside := "", false
	for line := range strings.SplitSeq(page, "\n") {
		switch {
		case fence != "" && line == fence:
			fence = ""
		case fence == "" && strings.HasPrefix(line, "```"):
			fence = line[:len(line)-len(strings.TrimLeft(line, "`"))]
		case fence == "" && strings.HasPrefix(line, "## "):
			inside = line == "## "+title
			continue
		}
		if inside {
			section = append(section, line)
		}
	}
	return strings.Trim(strings.Join(section, "\n"), "\n")
}
