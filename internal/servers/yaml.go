package servers

import (
	"fmt"
	"strings"

	"github.com/skilltool/skilltool/pkg/spec"
)

// parseYAML reads YAML with the parser of frontmatter, which has bounds on
// everything that YAML is slow at.
func parseYAML(text []byte) (*value, error) {
	if strings.TrimSpace(string(text)) == "" {
		return nil, &placeError{position{1, 1}, "the file is empty"}
	}
	parser := spec.Parser{Split: wholeFile}
	file := parser.Parse(text)
	if len(file.Problems) > 0 {
		p := file.Problems[0]
		at := position{p.Range.Start.Line, p.Range.Start.Column}
		if p.RuleID == "frontmatter-size" {
			return nil, &placeError{at, fmt.Sprintf("the file has more than is read: %d bytes, %d lines, %d levels",
				spec.MaxFrontmatterBytes, spec.MaxFrontmatterLines, spec.MaxFrontmatterDepth)}
		}
		return nil, &placeError{at, p.Message}
	}
	if file.Encoding.Name != "UTF-8" || file.Frontmatter.Root == nil {
		return nil, &placeError{position{1, 1}, "the file is no YAML in UTF-8"}
	}
	budget := spec.MaxAliasNodes
	return fromYAML(file.Frontmatter.Root, &budget)
}

// wholeFile takes the whole text for frontmatter, without a byte order mark.
func wholeFile(source []byte) spec.Split {
	start := len(source) - len(strings.TrimPrefix(string(source), "\ufeff"))
	fence := spec.Span{Start: 0, End: 1}
	return spec.Split{Open: fence, Close: fence, Content: spec.Span{Start: start, End: len(source)}}
}

var yamlKinds = map[spec.Kind]kind{
	spec.Null: kindNull, spec.Bool: kindBool, spec.Int: kindNumber, spec.Float: kindNumber,
	spec.String: kindString, spec.Sequence: kindArray, spec.Mapping: kindObject,
}

// fromYAML gives the JSON value that a node stands for. budget bounds the
// values, which aliases can multiply.
func fromYAML(n *spec.Node, budget *int) (*value, error) {
	at := position{n.Range.Start.Line, n.Range.Start.Column}
	if n = n.Resolve(); n == nil {
		return nil, &placeError{at, "the alias stands for nothing"}
	}
	if *budget--; *budget < 0 {
		return nil, &placeError{at, fmt.Sprintf("aliases stand for more than %d values", spec.MaxAliasNodes)}
	}
	k, ok := yamlKinds[n.Kind]
	if !ok {
		return nil, &placeError{at, "it cannot be read as YAML"}
	}
	v := &value{kind: k, text: n.Text, at: at}
	for _, item := range n.Items {
		child, err := fromYAML(item, budget)
		if err != nil {
			return nil, err
		}
		v.items = append(v.items, child)
	}
	seen := map[string]position{}
	for _, pair := range n.Pairs {
		m := member{key: pair.Key.Text, at: position{pair.Key.Range.Start.Line, pair.Key.Range.Start.Column}}
		if first, twice := seen[m.key]; twice {
			return nil, &placeError{m.at, fmt.Sprintf("the key %q is there already, at %s", m.key, first)}
		}
		seen[m.key] = m.at
		var err error
		if m.value, err = fromYAML(pair.Value, budget); err != nil {
			return nil, err
		}
		v.members = append(v.members, m)
	}
	return v, nil
}
