package mcpprobe

// These checks hold a server against what the user has said of it, beside the
// specification. Each is made where the user asks for it.
var (
	checkLockApproved = register(CheckInfo{
		ID:          "lock-approved",
		Group:       GroupSecurity,
		Level:       Must,
		Requirement: "C-6",
		Title:       "each skill is the one that was approved, with the same files",
		Doc: "A lock file records which skills of a server were looked at and approved: for each skill the set of its " +
			"files, by URI and digest. A skill that was not there then, one that is not there any more, and one with any " +
			"other set of files is not approved, however small the change. The order of the files does not matter.\n\n" +
			"A dynamic skill carries no digests, so nothing could be approved. The approval of a skill does not cover the " +
			"skills nested in it: each has its own. Servers are known by the label that the user gives them, never by " +
			"their own name.\n\n" +
			"This check is made with `--lock FILE`. Look at what changed, and approve it with `--update-lock`.",
		Example: "skill://pdf-tools/SKILL.md\n  approved  references/forms.md  sha256:9f86d081884c...\n  served    references/forms.md  sha256:60303ae22b99...",
		Good:    "skill://pdf-tools/SKILL.md\n  approved  references/forms.md  sha256:9f86d081884c...\n  served    references/forms.md  sha256:9f86d081884c...",
	})
	checkExpectedContent = register(CheckInfo{
		ID:          "expected-content",
		Group:       GroupContent,
		Level:       Must,
		Requirement: "S-ENT6",
		Title:       "the server serves the skills that were expected, file by file",
		Doc: "What a server serves may conform to the specification and still be another skill than the one that was to be " +
			"published: an older release, a file too few, a build that rewrote line ends. With `--expect PATH` the entries " +
			"are compared with skills on disk or with a manifest. A missing or additional skill, a missing, additional or " +
			"changed file, and a field of the frontmatter with another value each fail.\n\n" +
			"Where other line ends, a byte order mark or a final line end are the whole difference, the message says so. It " +
			"is a failure all the same: every byte counts for the digest.",
		Example: "expected  references/forms.md  120 bytes\nserved    references/forms.md  123 bytes, the same text with CRLF line ends",
		Good:    "expected  references/forms.md  120 bytes\nserved    references/forms.md  120 bytes, the same digest",
	})
	checkExpectedFailureStale = register(CheckInfo{
		ID:          "expected-failure-stale",
		Group:       GroupContent,
		Level:       Must,
		Requirement: "D",
		Title:       "each line of the expected failures still names a failure",
		Doc: "A file of expected failures lets an audit pass in spite of faults that are known. A line that fits no failure " +
			"any more would hide the next one, so it fails until it is removed. This is a decision of this project.\n\n" +
			"Lines for checks that were left out, and all lines of an audit that ended early, are not judged.",
		Example: "# mended since\ndigest-matches skill://pdf-tools/**",
	})
)
