package digest

// NativeVersion is the version of the native manifest. Fields are only added.
const NativeVersion = 1

// NativeSchemaURL identifies the JSON Schema of the native manifest.
const NativeSchemaURL = "https://github.com/skilltool/skilltool/schemas/manifest.schema.json"

// NativeSet is the native form of the manifests of some skills.
type NativeSet struct {
	Schema  string   `json:"$schema"`
	Version int      `json:"version"`
	Skills  []Native `json:"skills"`
}

// Native is the native form of one skill's manifest.
type Native struct {
	Name string `json:"name"`
	// Digest is that of Manifest.Digest.
	Digest Digest  `json:"digest"`
	Files  []Entry `json:"files"`
}

// Native gives the native form of a manifest.
func (m *Manifest) Native() Native {
	n := Native{Name: m.Name, Digest: m.Digest(), Files: m.Entries}
	if n.Files == nil {
		n.Files = []Entry{}
	}
	return n
}
