package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/internal/near"
)

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "unknown-field",
		Title:       "the frontmatter has only the fields of the specification",
		Category:    CategorySpec,
		Severity:    Warning,
		Requirement: "AS-M1",
		Since:       since,
		Why: "The specification defines name, description, license, compatibility, metadata and allowed-tools. Any " +
			"other field is ignored by most clients and refused by the reference validator, and a misspelt one is a " +
			"field that is missing.",
		Mend: "Correct the spelling, or move what is your own under metadata. A field that one client acts on may stay.",
	},
	Check: func(p *Pass) {
		root := p.Skill.Frontmatter.Root
		if root == nil {
			return
		}
		for _, pair := range root.Pairs {
			key := pair.Key
			if slices.Contains(Fields(), key.Text) || key.Text == "<<" || key.Kind == Mapping || key.Kind == Sequence {
				continue
			}
			p.Report(p.unknownField(key, root))
		}
	},
})

func (p *Pass) unknownField(key, root *Node) Diagnostic {
	d := Diagnostic{
		Field:   "/" + escapePointer(key.Text),
		Range:   key.Range,
		Message: fmt.Sprintf("%q is no field of the specification", clip(key.Text, 60)),
	}
	if owner := clientFields[key.Text]; owner != "" {
		d.Message += "; it belongs to " + owner
		d.Help = "other clients ignore it"
		return d
	}
	if lower := strings.ToLower(key.Text); slices.Contains(Fields(), lower) && root.Get(lower) != nil {
		d.Message += fmt.Sprintf("; it differs from %q only in case", lower)
		return d
	}
	if meant := nearestField(key.Text); meant != "" {
		d.Message += fmt.Sprintf("; did you mean %q?", meant)
		if root.Get(meant) == nil {
			d.Fixes = []Fix{p.replace("call it "+meant, Unsafe, key.Range, meant)}
		}
		return d
	}
	if metadataFields[key.Text] {
		d.Message += "; it can stand under metadata"
		return d
	}
	d.Help = "what is your own can stand under metadata"
	return d
}

// clientFields are fields that a client acts on, with the client.
var clientFields = map[string]string{
	"agent":                    "Claude Code",
	"argument-hint":            "Claude Code",
	"arguments":                "Claude Code",
	"context":                  "Claude Code",
	"disable-model-invocation": "Claude Code, Copilot and others",
	"disallowed-tools":         "Claude Code",
	"effort":                   "Claude Code",
	"hooks":                    "Claude Code and Qwen Code",
	"model":                    "Claude Code and Qwen Code",
	"paths":                    "Claude Code and Qwen Code",
	"shell":                    "Claude Code",
	"user-invocable":           "Claude Code",
	"when_to_use":              "Claude Code, Qwen Code and Letta Code",
	"allowedTools":             "Qwen Code",
	"priority":                 "Qwen Code",
	"modeSlugs":                "Roo Code",
	"environments":             "Hermes Agent",
	"platforms":                "Hermes Agent",
}

// metadataFields are fields that people put at the top level and that have
// their place under metadata.
var metadataFields = map[string]bool{
	"author": true, "authors": true, "category": true, "categories": true, "created": true, "date": true,
	"dependencies": true, "display_name": true, "displayName": true, "homepage": true, "id": true, "keywords": true,
	"language": true, "maintainer": true, "repository": true, "source": true, "tags": true, "title": true,
	"tools": true, "updated": true, "url": true, "version": true,
}

// isKnownField reports whether a key is a field of the specification, or one
// that clients and authors are known to use.
func isKnownField(key string) bool {
	return slices.Contains(Fields(), key) || clientFields[key] != "" || metadataFields[key]
}

// nearestField gives the field that a misspelt key was meant to be, or "".
func nearestField(key string) string {
	if len(key) > 2*len(FieldCompatibility) {
		return ""
	}
	folded := strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(key))
	for _, field := range Fields() {
		most := 1 + len(field)/6
		if folded == field || strings.ReplaceAll(field, "-", "") == folded || near.Distance(folded, field) <= most {
			return field
		}
	}
	return ""
}
