package digest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/skilltool/skilltool/pkg/spec"
)

// Dynamic stands for the resources of a skill whose content is generated, so
// that no digests can be published (S-ENT5).
const Dynamic = "dynamic"

// Skill is the entry of the MCP Skills extension for one skill: what
// skills/list and skills/get answer (S-ENT1 to S-ENT7).
type Skill struct {
	// URI is that of the skill's SKILL.md.
	URI string
	// Frontmatter is the YAML of SKILL.md as a JSON object.
	Frontmatter json.RawMessage
	// Dynamic entries have no Resources.
	Dynamic bool
	// Resources are all files of the skill, sorted by the bytes of their paths.
	Resources []Resource
}

// Resource is one file of an entry.
type Resource struct {
	URI    string `json:"uri"`
	Digest Digest `json:"digest"`
	Size   int64  `json:"size"`
}

// Skills is a set of entries as servers load it.
type Skills struct {
	Skills []Skill `json:"skills"`
}

// NewSkill makes the entry of a skill whose directory has the URI dir, as
// Prefix.Dir gives it, from the JSON form of its frontmatter and its manifest.
func NewSkill(dir string, frontmatter json.RawMessage, m *Manifest) Skill {
	entry := Skill{URI: FileURI(dir, spec.SkillFile), Frontmatter: frontmatter, Resources: make([]Resource, 0, len(m.Entries))}
	for _, e := range m.Entries {
		entry.Resources = append(entry.Resources, Resource{URI: FileURI(dir, e.Path), Digest: e.Digest, Size: e.Size})
	}
	return entry
}

// MarshalJSON writes the entry with its fields in the order of the extension's
// specification.
func (s Skill) MarshalJSON() ([]byte, error) {
	var resources any = Dynamic
	if !s.Dynamic {
		resources = s.Resources
	}
	return marshal(struct {
		URI         string          `json:"uri"`
		Frontmatter json.RawMessage `json:"frontmatter"`
		Resources   any             `json:"resources"`
	}{s.URI, s.Frontmatter, resources})
}

// marshal is json.Marshal without the escapes that are only for HTML.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Size gives the length in bytes of all files.
func (s Skill) Size() int64 {
	var total int64
	for _, r := range s.Resources {
		total += r.Size
	}
	return total
}

// OverLimits says by how much an entry exceeds what every host must accept
// (S-ENT8), one phrase for each limit.
func (s Skill) OverLimits() []string {
	var over []string
	if n := len(s.Resources); n > MaxResources {
		over = append(over, fmt.Sprintf("%d files; hosts must accept %d and may refuse more", n, MaxResources))
	}
	if n := s.Size(); n > MaxBytes {
		over = append(over, fmt.Sprintf("%d bytes in its files; hosts must accept %d and may refuse more", n, MaxBytes))
	}
	return over
}
