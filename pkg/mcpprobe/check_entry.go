package mcpprobe

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/spec"
)

var checkEntryObject = register(CheckInfo{
	ID: "entry-object", Group: GroupEntry, Level: Must, Requirement: "S-ENT1, S-ENT4, S-ENT5",
	Title: "each entry is an object",
	Doc: "An entry says three things of a skill: its `uri`, its `frontmatter` and its `resources`. Hosts build their " +
		"registry of skills from entries alone, so an item that is no object stands for no skill at all.\n\n" +
		"Send an object for each skill. A skill that cannot be described is better left out of the listing.",
	Example: `{"skills": ["skill://weather-report/SKILL.md"]}`,
	Good:    `{"skills": [{"uri": "skill://weather-report/SKILL.md", "frontmatter": {…}, "resources": […]}]}`,
})

var checkEntryMembers = register(CheckInfo{
	ID: "entry-members", Group: GroupEntry, Level: May, Requirement: "S-ENT1",
	Title: "an entry has no members that the extension does not define",
	Doc: "The extension defines `uri`, `frontmatter` and `resources`. Other members are legal and hosts ignore them, " +
		"so whoever puts something important there tells nobody. Earlier drafts had `name`, `description` and " +
		"`digest` beside them.\n\n" +
		"Put what belongs to the skill into its frontmatter, and what belongs to the server into `_meta`.",
})

// members notes what an entry has besides what is defined.
func (r *entryReader) members(members map[string]json.RawMessage) {
	var others []string
	for _, key := range sortedKeys(members) {
		if key != "uri" && key != "frontmatter" && key != "resources" && key != "_meta" {
			others = append(others, fmt.Sprintf("%q", clipTo(key, 40)))
		}
	}
	if len(others) > 5 {
		others = append(others[:5], fmt.Sprintf("%d more", len(others)-5))
	}
	problem := ""
	if len(others) > 0 {
		problem = "the entry has also " + joinAnd(others) + ", which the extension does not define"
	}
	r.judge(checkEntryMembers, "", problem)
}

var checkEntryFrontmatter = register(CheckInfo{
	ID: "entry-frontmatter-object", Group: GroupEntry, Level: Must, Requirement: "S-ENT4",
	Title: "an entry has its frontmatter as an object",
	Doc: "`frontmatter` is the YAML at the head of SKILL.md, rendered as a JSON object with every field that the author " +
		"wrote. A host shows it to the user and compares it with the file before it loads the skill.\n\n" +
		"Parse the YAML and send the whole result; send neither its text nor a selection of fields.",
	Example: `"frontmatter": "name: weather-report\ndescription: …"`,
	Good:    `"frontmatter": {"name": "weather-report", "description": "…"}`,
})

var checkEntryName = register(CheckInfo{
	ID: "entry-name", Group: GroupEntry, Level: Must, Requirement: "S-ENT4",
	Title: "the frontmatter of an entry has a name",
	Doc: "`frontmatter.name` is required and a string. It is the label that hosts show and models use.\n\n" +
		"Publish no skill without it. A name such as `1.0` or `yes` has to be quoted in YAML, or it is no string.",
	Example: `"frontmatter": {"description": "Writes the weather report."}`,
	Good:    `"frontmatter": {"name": "weather-report", "description": "Writes the weather report."}`,
})

var checkEntryDescription = register(CheckInfo{
	ID: "entry-description", Group: GroupEntry, Level: Must, Requirement: "S-ENT4",
	Title: "the frontmatter of an entry has a description of 1 to 1,024 characters",
	Doc: "`frontmatter.description` is what a model decides by whether to use the skill. The Agent Skills " +
		"specification requires it: a string, not blank, of at most 1,024 characters. Hosts leave out skills without " +
		"one, and some cut or refuse a longer one.\n\n" +
		"Say what the skill does and when to use it; move the rest into the body of SKILL.md.",
	Example: `"frontmatter": {"name": "weather-report", "description": ""}`,
	Good:    `"frontmatter": {"name": "weather-report", "description": "Writes the weather report of a town. Use each morning."}`,
})

var checkMetadataReserved = register(CheckInfo{
	ID: "entry-metadata-reserved", Group: GroupEntry, Level: May, Requirement: "S-ENT10",
	Title: "metadata has no key below io.modelcontextprotocol/",
	Doc: "Within `frontmatter.metadata` keys below `io.modelcontextprotocol/` are reserved for extensions of MCP, and " +
		"none is defined. Hosts ignore them today and may give them a meaning tomorrow.\n\n" +
		"Use a prefix of your own, such as your domain.",
	Example: `"metadata": {"io.modelcontextprotocol/channel": "morning"}`,
	Good:    `"metadata": {"example.com/channel": "morning"}`,
})

// reservedMetadata is the prefix of S-ENT10.
const reservedMetadata = "io.modelcontextprotocol/"

// frontmatter reads the frontmatter of an entry and judges what must be in it.
func (r *entryReader) frontmatter(raw json.RawMessage) {
	fields, ok := object(raw)
	if !ok {
		r.problem(checkEntryFrontmatter, "", "frontmatter is "+described(raw)+"; it must be an object", excerpt("frontmatter", raw))
		return
	}
	r.passes[checkEntryFrontmatter]++
	r.entry.Frontmatter = raw
	if name, ok := text(fields["name"]); ok && name != "" {
		r.entry.Name = name
		r.passes[checkEntryName]++
	} else {
		r.problem(checkEntryName, "", "name is "+described(fields["name"])+"; it must be a string that is not empty")
	}
	r.description(fields["description"])
	r.metadata(fields["metadata"])
}

func (r *entryReader) description(raw json.RawMessage) {
	problem := ""
	description, ok := text(raw)
	length := utf8.RuneCountInString(strings.TrimSpace(description))
	switch {
	case !ok:
		problem = "description is " + described(raw) + "; it must be a string"
	case length == 0:
		problem = "description is blank; it must say what the skill does and when to use it"
	case length > spec.MaxDescriptionLength:
		problem = fmt.Sprintf("description has %s characters; at most %s are allowed", thousands(int64(length)), thousands(spec.MaxDescriptionLength))
	}
	r.entry.Description = description
	r.judge(checkEntryDescription, "", problem)
}

func (r *entryReader) metadata(raw json.RawMessage) {
	metadata, _ := object(raw)
	problem := ""
	for _, key := range sortedKeys(metadata) {
		if strings.HasPrefix(key, reservedMetadata) {
			problem = fmt.Sprintf("metadata has the key %q; keys below %s are reserved, and none is defined", clipTo(key, 80), reservedMetadata)
			break
		}
	}
	r.judge(checkMetadataReserved, "", problem)
}

var checkEntryResources = register(CheckInfo{
	ID: "entry-resources", Group: GroupEntry, Level: Must, Requirement: "S-ENT5",
	Title: "resources is an array or the string \"dynamic\"",
	Doc: "`resources` is the manifest that a host verifies files against and that an approval is bound to. It is " +
		"required on every entry. Only a skill whose content is generated, so that no digests can be published, has the " +
		"string `\"dynamic\"` instead. Hosts must not load an entry with anything else, or with nothing.\n\n" +
		"List the files of the skill with their digests and sizes.",
	Example: `{"uri": "skill://weather-report/SKILL.md", "frontmatter": {…}}`,
	Good:    `{"uri": "skill://weather-report/SKILL.md", "frontmatter": {…}, "resources": [{"uri": "…", "digest": "sha256:…", "size": 812}]}`,
})

var checkResourceObject = register(CheckInfo{
	ID: "resource-object", Group: GroupEntry, Level: Must, Requirement: "S-ENT6, S-ENT7",
	Title: "each resource of an entry is an object with a uri",
	Doc: "A resource is an object with `uri`, `digest` and `size`. Without a `uri` it names no file, and the manifest is " +
		"not the complete one that the extension asks for.\n\n" +
		"Send the whole URI of each file, not its path within the skill.",
	Example: `"resources": ["skill://weather-report/SKILL.md"]`,
	Good:    `"resources": [{"uri": "skill://weather-report/SKILL.md", "digest": "sha256:…", "size": 812}]`,
})

var checkResourcesSelf = register(CheckInfo{
	ID: "resources-self", Group: GroupEntry, Level: Must, Requirement: "S-ENT6",
	Title: "the resources of an entry hold SKILL.md itself",
	Doc: "The manifest is complete: the resource whose `uri` equals the entry's carries the digest and size of SKILL.md. " +
		"Without it the most important file of the skill cannot be verified.\n\n" +
		"Add SKILL.md, with its URI written exactly as in the entry.",
	Example: `"uri": "skill://weather-report/SKILL.md", "resources": []`,
	Good:    `"uri": "skill://weather-report/SKILL.md", "resources": [{"uri": "skill://weather-report/SKILL.md", …}]`,
})

var checkResourcesOnce = register(CheckInfo{
	ID: "resources-once", Group: GroupEntry, Level: Must, Requirement: "S-ENT6",
	Title: "an entry lists each file once",
	Doc: "A file that stands in the manifest twice may have two digests, and two hosts may take one each. URIs that " +
		"differ in percent-encoding alone (`%7E` and `~`) are one file too: RFC 3986 calls them equivalent.\n\n" +
		"List each file once. A literal `%` in a file name is written `%25`, so that `a%20b` and `a b` stay two files.",
	Example: `"resources": [{"uri": "skill://x/a.md", …}, {"uri": "skill://x/a.md", …}]`,
	Good:    `"resources": [{"uri": "skill://x/a.md", …}, {"uri": "skill://x/b.md", …}]`,
})

var checkResourcesInside = register(CheckInfo{
	ID: "resources-inside", Group: GroupEntry, Level: Must, Requirement: "S-ENT6",
	Title: "an entry lists only files inside the skill's directory",
	Doc: "The URI of each file starts with that of the skill's directory, compared segment by segment and with case. What " +
		"lies elsewhere belongs to something else, and approving the skill must not cover it. `..`, plain or encoded, and " +
		"encoded slashes climb out of the directory in some readers.\n\n" +
		"Put what the skill needs into its directory, and list nothing else.",
	Example: `"uri": "skill://weather-report/SKILL.md", "resources": [{"uri": "skill://weather-report/../keys.md", …}]`,
	Good:    `"uri": "skill://weather-report/SKILL.md", "resources": [{"uri": "skill://weather-report/keys.md", …}]`,
})

// resources reads the manifest of an entry.
func (r *entryReader) resources(raw json.RawMessage) {
	if word, ok := text(raw); ok && word == "dynamic" {
		r.entry.Dynamic = true
		r.passes[checkEntryResources]++
		return
	}
	items, ok := array(raw)
	if !ok {
		r.problem(checkEntryResources, "", `resources is `+described(raw)+`; it must be an array of files, or the string "dynamic"`)
		return
	}
	r.passes[checkEntryResources]++
	seen := make(map[string]string, len(items))
	for _, item := range items {
		r.resource(item, seen)
	}
	r.self()
	r.limits(len(items))
}

// resource reads one item. seen maps normalised URIs to those that were sent.
func (r *entryReader) resource(raw json.RawMessage, seen map[string]string) {
	members, ok := object(raw)
	name, isText := text(members["uri"])
	switch {
	case !ok:
		r.problem(checkResourceObject, "", "an item of resources is "+described(raw)+"; it must be an object with uri, digest and size")
		return
	case !isText || name == "":
		r.problem(checkResourceObject, "", "a resource whose uri is "+described(members["uri"])+"; it must be the URI of a file", excerpt("resource", raw))
		return
	}
	r.passes[checkResourceObject]++
	r.once(name, seen)
	r.inside(name)
	if name != r.entry.URI {
		r.uriForm(name)
	}
	r.entry.Resources = append(r.entry.Resources, Resource{URI: name, Digest: r.digest(name, members["digest"]), Size: r.size(name, members["size"])})
}

func (r *entryReader) once(name string, seen map[string]string) {
	normal := normalURI(name)
	problem := ""
	switch before, again := seen[normal]; {
	case again && before == name:
		problem = "the file is listed twice"
	case again:
		problem = fmt.Sprintf("the file is listed as %q too: the two URIs are equivalent", clipTo(before, maxShown))
	default:
		seen[normal] = name
	}
	r.judge(checkResourcesOnce, name, problem)
}

func (r *entryReader) inside(name string) {
	dir := r.entry.Dir
	if dir == "" {
		return // the entry's own uri is at fault
	}
	problem := ""
	if name != r.entry.URI && !within(dir, name) {
		problem = fmt.Sprintf("the file is not below the skill's directory %q", clipTo(dir, maxShown))
		if rest, ok := strings.CutPrefix(name, dir+"/"); ok && climbs(rest) != "" {
			problem = "the URI has " + climbs(rest) + ", which may lead out of the skill's directory"
		}
	}
	r.judge(checkResourcesInside, name, problem)
}

func (r *entryReader) self() {
	if r.entry.URI == "" {
		return
	}
	problem := ""
	if found, _ := r.entry.resource(r.entry.URI); found == nil {
		problem = "resources lists " + plural(len(r.entry.Resources), "file", "files") + ", and SKILL.md itself is not among them"
	}
	r.judge(checkResourcesSelf, "", problem)
}

var checkDigestFormat = register(CheckInfo{
	ID: "entry-digest-format", Group: GroupEntry, Level: Must, Requirement: "S-ENT7",
	Title: "each digest is sha256: and 64 lower-case hexadecimal digits",
	Doc: "Hosts compare digests as text. Upper-case digits, base64, another algorithm, or a digest without `sha256:` fit " +
		"nothing, and the file counts as tampered with.\n\n" +
		"Hash the raw bytes of the file with SHA-256 and write the hash in lower-case hexadecimal digits.",
	Example: `"digest": "SHA256:9F86D081…"`,
	Good:    `"digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`,
})

func (r *entryReader) digest(name string, raw json.RawMessage) string {
	value, ok := text(raw)
	if !ok {
		r.problem(checkDigestFormat, name, "digest is "+described(raw)+`; it must be "sha256:" and 64 lower-case hexadecimal digits`)
		return ""
	}
	problem := ""
	if _, err := digest.Parse(value); err != nil {
		problem = err.Error()
	}
	r.judge(checkDigestFormat, name, problem)
	return value
}

var checkSizeInteger = register(CheckInfo{
	ID: "size-integer", Group: GroupEntry, Level: Must, Requirement: "S-ENT7",
	Title: "each size is a non-negative integer",
	Doc: "`size` is required on every resource: the length of the file's raw bytes. It lets a host decide before it reads " +
		"anything, and a read of another length is a failure whatever the digest says.\n\n" +
		"Count the bytes that the digest is over, neither characters nor UTF-16 units nor the length of the base64 text.",
	Example: `"size": "812"`,
	Good:    `"size": 812`,
})

var checkSizeForm = register(CheckInfo{
	ID: "size-form", Group: GroupEntry, Level: May, Requirement: "S-ENT7",
	Title: "each size is written with digits alone",
	Doc: "`12.0` and `1e3` are integers of JSON, and they pass. Readers of some languages take a number with a point or an " +
		"exponent for a float all the same, and refuse it where they want an integer.\n\n" +
		"Write sizes with digits alone.",
	Example: `"size": 812.0`,
	Good:    `"size": 812`,
})

func (r *entryReader) size(name string, raw json.RawMessage) int64 {
	n, problem := integer(raw)
	if problem != "" {
		r.problem(checkSizeInteger, name, "size is "+problem+"; it must be the length of the file in bytes")
		return -1
	}
	r.passes[checkSizeInteger]++
	form := ""
	if !n.plain {
		form = fmt.Sprintf("size is written %s; some readers take only %d for an integer", strings.TrimSpace(string(raw)), n.value)
	}
	r.judge(checkSizeForm, name, form)
	return n.value
}

// addSizes adds sizes without overflow.
func addSizes(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
