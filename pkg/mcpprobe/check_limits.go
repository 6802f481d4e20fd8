package mcpprobe

import "fmt"

// The limits that the extension fixes for a skill (S-ENT8): what every host
// accepts, both included.
const (
	MaxResources  = 512
	MaxSkillBytes = 16 << 20
)

var checkLimitResources = register(CheckInfo{
	ID: "limit-resources", Group: GroupLimits, Level: Should, Requirement: "S-ENT8",
	Title: "an entry lists at most 512 files",
	Doc: "Every host must accept a skill of up to 512 files, SKILL.md included, and none has to accept more. A larger skill " +
		"may not be loadable anywhere.\n\n" +
		"Split the skill, or put what belongs together into fewer files.",
})

var checkLimitBytes = register(CheckInfo{
	ID: "limit-bytes", Group: GroupLimits, Level: Should, Requirement: "S-ENT8",
	Title: "the files of a skill have at most 16 MiB together",
	Doc: "Every host must accept a skill whose sizes add up to 16,777,216 bytes, and none has to accept more.\n\n" +
		"Leave out what the skill can fetch or make when it runs, or split the skill.",
})

// limits judges the number and the sizes of the files of an entry.
func (r *entryReader) limits(count int) {
	problem := ""
	if count > MaxResources {
		problem = fmt.Sprintf("resources lists %s files; hosts must accept %d, and may refuse more", thousands(int64(count)), MaxResources)
	}
	r.judge(checkLimitResources, "", problem)
	var total int64
	for _, resource := range r.entry.Resources {
		total = addSizes(total, max(resource.Size, 0))
	}
	problem = ""
	if total > MaxSkillBytes {
		problem = fmt.Sprintf("the files have %s bytes together; hosts must accept %s, and may refuse more", thousands(total), thousands(MaxSkillBytes))
	}
	r.judge(checkLimitBytes, "", problem)
}
