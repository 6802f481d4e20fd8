package digest

import (
	"slices"

	"github.com/skilltool/skilltool/pkg/spec"
)

// The ids of the rules that manifests and verification enforce.
const (
	RuleDigest           = "digest-mismatch"
	RuleSize             = "size-mismatch"
	RuleMode             = "mode-mismatch"
	RuleMissing          = "missing-file"
	RuleUnlisted         = "unlisted-file"
	RuleFrontmatter      = "frontmatter-mismatch"
	RuleEntryURI         = "entry-uri"
	RuleResourcesMissing = "resources-missing"
	RuleIncomplete       = "resources-incomplete"
	RuleDuplicate        = "duplicate-resource"
	RuleOutside          = "resource-outside"
	RuleResource         = "resource-shape"
	RuleDigestFormat     = "digest-format"
	RuleDynamic          = "dynamic-resources"
	RuleSkillDigest      = "skill-digest-mismatch"
	RuleSkillMissing     = "skill-missing"
	RuleSkillUnlisted    = "skill-unlisted"
	RuleEntryFrontmatter = "entry-frontmatter"
	RuleDuplicateName    = "duplicate-name"
	RuleDuplicateURI     = "duplicate-uri"
	RuleFileLimit        = "resources-limit"
)

const since = "0.1.0"

func info(id string, severity spec.Severity, requirement, title, why, mend string) spec.RuleInfo {
	return spec.RuleInfo{
		ID: id, Title: title, Category: spec.CategoryMCP, Severity: severity, Requirement: requirement,
		Why: why, Mend: mend, Since: since,
	}
}

// Rules gives the rules about manifests and verification, sorted by id.
func Rules() []spec.RuleInfo { return slices.Clone(rules) }

var rules = []spec.RuleInfo{
	info(RuleDigestFormat, spec.Error, "S-ENT7", `digests are "sha256:" and 64 lower-case hexadecimal digits`,
		"Hosts compare digests as text. One in another form fits nothing.", "Write the manifest anew with skilltool manifest --write."),
	info(RuleDigest, spec.Error, "S-RD1", "a file has the bytes that the manifest promises",
		"The file is not what was published or approved. Hosts refuse it.", "Find out who changed it. If the change is wanted, write the manifest anew."),
	info(RuleDuplicate, spec.Error, "S-ENT6", "a manifest lists each file once",
		"Of two entries for one file a reader may take either.", "Write the manifest anew with skilltool manifest --write."),
	info(RuleDuplicateName, spec.Warning, "S-LST5", "each skill has a name of its own",
		"A name is a label. Hosts show two skills of one name side by side, and a person or a model cannot tell which one is meant.", "Rename one of them, or serve them from different servers."),
	info(RuleDuplicateURI, spec.Error, "AS-S6", "each skill has a URI of its own",
		"A server answers one skill for one URI. The other one cannot be served.", "Search a directory above both skills, or serve them under different prefixes."),
	info(RuleDynamic, spec.Error, "S-ENT5", "a skill publishes digests",
		"An entry whose resources are \"dynamic\" promises no bytes. Nothing about its files can be checked.", "Publish digests if the content is not generated."),
	info(RuleEntryFrontmatter, spec.Error, "S-ENT4", "an entry has the frontmatter of SKILL.md as an object",
		"Hosts read name and description from the entry, before they read any file.", "Write the manifest anew with skilltool manifest --write."),
	info(RuleEntryURI, spec.Error, "S-ENT1", "the URI of an entry is that of SKILL.md, below a folder with the skill's name",
		"The name of a skill must be recoverable from its URI. Hosts refuse other entries.", "Write the manifest anew with skilltool manifest --write."),
	info(RuleFrontmatter, spec.Error, "S-RD2", "the frontmatter of the entry is that of SKILL.md",
		"Hosts show the entry to the model and load the file. Where the two differ they refuse the skill.", "Write the manifest anew with skilltool manifest --write."),
	info(RuleMissing, spec.Error, "S-RD1", "every listed file is there",
		"A host reads the listed files, and refuses a skill with one that cannot be read.", "Bring the file back, or write the manifest anew."),
	info(RuleMode, spec.Warning, "native-manifest", "a file is executable where the manifest says so",
		"A script without its executable bit fails when it is run by its name.", "Set or remove the bit with chmod."),
	info(RuleIncomplete, spec.Error, "S-ENT6", "SKILL.md is among the listed files",
		"A manifest is complete: what it does not list, no host reads.", "Write the manifest anew with skilltool manifest --write."),
	info(RuleFileLimit, spec.Warning, "S-ENT8", "a skill has at most 512 files and 16 MiB",
		"Hosts must accept so much for one skill, and may refuse more.", "Leave out what is not needed with .skillignore, or split the skill."),
	info(RuleResourcesMissing, spec.Error, "S-ENT5", `an entry has a list of resources, or "dynamic"`,
		"Without resources nothing of a skill can be read or checked. Drafts of the extension left them out.", "Write the manifest anew with skilltool manifest --write."),
	info(RuleOutside, spec.Error, "S-ENT6", "a manifest lists only files of the skill",
		"A path that leaves the skill's folder names a file that is not the skill's.", "Write the manifest anew with skilltool manifest --write."),
	info(RuleResource, spec.Error, "S-ENT7", "a resource has a URI, a digest and a size",
		"Hosts check the size before they read and the digest after. Without both they refuse the file.", "Write the manifest anew with skilltool manifest --write."),
	info(RuleSize, spec.Error, "S-RD1", "a file has the size that the manifest promises",
		"The file is not what was published or approved. Hosts refuse it.", "Find out who changed it. If the change is wanted, write the manifest anew."),
	info(RuleSkillDigest, spec.Error, "S-RD1", "the skill as a whole has the expected digest",
		"Some file was added, removed or changed since the digest was taken.", "Compare with the original: skilltool diff names the files."),
	info(RuleSkillMissing, spec.Error, "S-GET1", "every listed skill is there",
		"A manifest or a lock names a skill that the folder does not hold.", "Install the skill, or write the manifest anew."),
	info(RuleSkillUnlisted, spec.Warning, "S-GET1", "every skill is listed",
		"The folder holds a skill that the manifest or lock does not name. Nothing about it was checked.", "Add it to the manifest or lock, or remove it."),
	info(RuleUnlisted, spec.Error, "S-ENT6", "every file is listed",
		"A manifest is complete. A file that it does not list was added since, and hosts do not read it.", "Remove the file, or write the manifest anew."),
}
