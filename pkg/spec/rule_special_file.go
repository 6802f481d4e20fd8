package spec

import "io/fs"

var _ = register(Rule{
	RuleInfo: RuleInfo{
		ID:          "special-file",
		Title:       "a skill holds only files and folders",
		Category:    CategorySpec,
		Severity:    Error,
		Requirement: "AS-S4",
		Since:       since,
		Why:         "A pipe, a socket or a device has no content to copy, and whoever opens a pipe waits for ever.",
		Mend:        "Remove it.",
	},
	Check: func(p *Pass) {
		p.files(Special, func(f File) {
			if f.Path != p.Skill.File {
				p.Report(Diagnostic{Path: f.Path, Message: "this is " + specialKind(f.Mode) + "; only files and folders may be in a skill"})
			}
		})
	},
})

// specialKind names what is neither a file, nor a folder, nor a link.
func specialKind(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "no regular file"
}
