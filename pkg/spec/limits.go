package spec

// Limits that the specification states. Characters are Unicode code points.
const (
	// MaxNameLength bounds name, in characters (AS-N1).
	MaxNameLength = 64
	// MaxDescriptionLength bounds description, in characters after trimming
	// (AS-D1).
	MaxDescriptionLength = 1024
	// MaxCompatibilityLength bounds compatibility, in characters (AS-C1).
	MaxCompatibilityLength = 500
)

// Limits of this reader, so that no input takes more than linear time or
// memory (AS-F9, AS-S1).
const (
	// MaxFrontmatterBytes bounds the text between the fences: clients stop
	// reading there, and YAML parsers take quadratic time on some inputs.
	MaxFrontmatterBytes = 64 << 10
	// MaxFrontmatterLines bounds it in lines, for the same reason.
	MaxFrontmatterLines = 4000
	// MaxFrontmatterTabs bounds the tabs in it, which the YAML parser reads in
	// quadratic time within double quotes. Nobody writes a tenth of it.
	MaxFrontmatterTabs = 4000
	// MaxFrontmatterDepth bounds the nesting of collections in it.
	MaxFrontmatterDepth = 64
	// MaxSkillFileBytes bounds SKILL.md as a whole: it is what a host of the
	// MCP Skills extension must accept for a whole skill.
	MaxSkillFileBytes = 16 << 20
	// MaxAliasNodes bounds the values that the aliases of a frontmatter may
	// stand for when they are written out. A sensible frontmatter has a dozen.
	MaxAliasNodes = 10_000
	// MaxFindings bounds the findings of one rule about one skill. One more says
	// how many there are beyond it.
	MaxFindings = 100
	// MaxFiles bounds the files and folders that are listed in one skill.
	MaxFiles = 100_000
	// MaxDepth bounds how deep a tree is walked, in folders.
	MaxDepth = 64
)

// Bounds of the client guide for an agent that looks for skills at start
// (AS-S1). Checking commands search without them.
const (
	DefaultFindDepth = 6
	DefaultFindDirs  = 2000
)

// SkillFile is the name of the file that makes a folder a skill (AS-F1).
const SkillFile = "SKILL.md"
