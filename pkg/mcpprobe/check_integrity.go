package mcpprobe

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/skilltool/skilltool/pkg/digest"
)

var checkSize = register(CheckInfo{
	ID: "size-matches", Group: GroupIntegrity, Level: Must, Requirement: "S-RD1",
	Title: "each file has the listed size",
	Doc: "The length of what is read equals the `size` of the entry: raw bytes, of `text` those of its UTF-8 form exactly as " +
		"sent. Another length is a failure like another digest, and a host refuses the file.\n\n" +
		"Take size and digest from the bytes that are served. Characters, UTF-16 units and the length of base64 text are other " +
		"numbers, and so is the size on disk of a file that is changed on its way.",
})

var checkDigest = register(CheckInfo{
	ID: "digest-matches", Group: GroupIntegrity, Level: Must, Requirement: "S-RD1",
	Title: "each file has the listed digest",
	Doc: "The SHA-256 of what is read equals the `digest` of the entry. A mismatch means content that is corrupt, tampered with " +
		"or stale, and hosts must not use it.\n\n" +
		"Hash the bytes that are served. Where the audit finds a harmless reason (line ends, a byte order mark, a final " +
		"newline, Unicode normalisation, base64 text that was hashed) it names it: something between hashing and serving " +
		"changes the file, such as Git with `core.autocrlf`.",
})

var checkDigestsPublished = register(CheckInfo{
	ID: "digests-published", Group: GroupIntegrity, Level: May, Requirement: "S-ENT5",
	Title: "each skill lists its files with digests",
	Doc: "A dynamic skill carries no digests. It is legal, and nothing that it serves can be verified or bound to an " +
		"approval, so that some hosts do not load it. With `--require-digests` it fails.\n\n" +
		"List the files of every skill whose content does not change from read to read.",
	Example: `"resources": "dynamic"`,
	Good:    `"resources": [{"uri": "…", "digest": "sha256:…", "size": 812}]`,
})

// judgeDigestsPublished notes a dynamic skill.
func (s *skillAudit) judgeDigestsPublished() {
	switch {
	case !s.entry.Dynamic:
		s.pass(checkDigestsPublished, 1)
	case s.options.RequireDigests:
		s.keepResult(checkDigestsPublished, Fail, "the skill is dynamic: it carries no digests, and they are required")
	default:
		s.keepResult(checkDigestsPublished, Info, "the skill is dynamic: its integrity cannot be checked")
	}
}

func (s *skillAudit) keepResult(check *CheckInfo, status Status, message string) {
	s.findings.keep(check, status, s.about(""), message)
}

// readFiles reads the files of the entry, each once, several at a time, and
// verifies them.
func (s *skillAudit) readFiles(ctx context.Context) {
	for _, want := range s.toRead() {
		s.report.Files = append(s.report.Files, FileReport{
			URI: want.URI, State: FileSkipped, Size: want.Size, Digest: want.Digest, HaveSize: -1, Message: "it was not read",
		})
	}
	if !s.readsFiles() {
		return
	}
	var group errgroup.Group
	group.SetLimit(max(s.client.options.Concurrency, 1))
	for i, want := range s.toRead() {
		group.Go(func() error {
			s.readFile(ctx, &want, &s.report.Files[i])
			s.advance(func(p *Progress) { p.Files++ })
			return nil
		})
	}
	_ = group.Wait() // the functions give no errors
}

// readsFiles reports whether anybody wants to know about the files.
func (s *skillAudit) readsFiles() bool {
	if s.options.OnFile != nil || s.options.Content {
		return true
	}
	for _, group := range []Group{GroupContent, GroupIntegrity, GroupFrontmatter, GroupSecurity} {
		if s.wantsGroup(group) {
			return true
		}
	}
	return false
}

// toRead gives the files to read, in the order of the entry: each URI once, and
// of a dynamic skill SKILL.md alone.
func (s *skillAudit) toRead() []Resource {
	if s.entry.Dynamic {
		return []Resource{{URI: s.entry.URI, Size: -1}}
	}
	seen := make(map[string]bool, len(s.entry.Resources))
	var files []Resource
	for _, r := range s.entry.Resources {
		if !seen[r.URI] {
			seen[r.URI] = true
			files = append(files, r)
		}
	}
	return files
}

// readFile reads and verifies one file.
func (s *skillAudit) readFile(ctx context.Context, want *Resource, f *FileReport) {
	if want.Size > s.client.options.MaxFileBytes {
		err := s.client.tooLarge(want.URI, want.Size, "listed")
		s.exceeded(err, s.about(want.URI))
		f.Message = err.Error()
		return
	}
	// Held until the content is verified, so that no more files are in memory
	// than requests are in flight.
	s.files <- struct{}{}
	defer func() { <-s.files }()
	item := s.readItem(ctx, want, f)
	if item == nil {
		return
	}
	f.HaveSize, f.HaveDigest = int64(len(item.content)), digest.Of(item.content).String()
	s.judgeText(want.URI, item)
	if s.entry.Dynamic {
		f.State, f.Message = FileUnverifiable, "the skill is dynamic: there is no digest to verify it against"
		s.keepSkillMD(want.URI, item.content)
		return
	}
	problem := verifyContent(s.entry, want, item)
	if problem != nil {
		item, problem = s.recover(ctx, want, item, problem)
	}
	s.keepSkillMD(want.URI, item.content)
	s.settleFile(want, item, problem, f)
}

// recover looks whether a mismatch is due to a change of the skill (C-12): it
// fetches the entry again, and where that is a new one verifies the file
// against it, reading it once more if it has to.
func (s *skillAudit) recover(ctx context.Context, want *Resource, item *contentItem, problem *VerificationError) (*contentItem, *VerificationError) {
	current := s.refresh(ctx)
	if current == nil || current == s.entry {
		return item, problem
	}
	now, _ := current.resource(want.URI)
	if now == nil {
		return item, problem
	}
	if verifyContent(current, now, item) == nil {
		return item, nil
	}
	again := s.readItem(ctx, now, &FileReport{})
	if again == nil {
		return item, problem
	}
	return again, verifyContent(current, now, again)
}

// settleFile reports what verification came to.
func (s *skillAudit) settleFile(want *Resource, item *contentItem, problem *VerificationError, f *FileReport) {
	about := s.about(want.URI)
	if problem != nil {
		f.State, f.Message = FileMismatch, problem.Message
		check := checkSize
		if problem.Part == PartDigest {
			check = checkDigest
			s.passSize(want)
		}
		s.fault(check, about, problem.Message, quoted("listing", problem.Want), quoted("served", problem.Have))
		return
	}
	s.passSize(want)
	if _, ok := comparableDigest(want.Digest); !ok {
		f.State, f.Message = FileUnverifiable, "the entry has no digest that could be compared"
		return
	}
	s.pass(checkDigest, 1)
	f.State, f.Message = FileVerified, ""
	s.deliver(want, item)
}

func (s *skillAudit) passSize(want *Resource) {
	if want.Size >= 0 {
		s.pass(checkSize, 1)
	}
}

// deliver hands a verified file on. What lies outside of the skill's directory
// is no file of the skill.
func (s *skillAudit) deliver(want *Resource, item *contentItem) {
	if want.URI != s.entry.URI && !within(s.entry.Dir, want.URI) {
		return
	}
	s.keepForLint(want.URI, item.content)
	if s.options.OnFile == nil {
		return
	}
	if err := s.options.OnFile(s.entry, want.URI, item.content); err != nil {
		s.findings.keep(checkReadAnswers, Error, s.about(want.URI), "the file could not be handed on: "+oneLine(err.Error()))
	}
}

// keepSkillMD keeps the content of SKILL.md, also where it does not verify: its
// frontmatter is judged all the same.
func (s *skillAudit) keepSkillMD(uri string, content []byte) {
	if uri == s.entry.URI {
		s.skillMD = content
	}
}

var checkNestedListed = register(CheckInfo{
	ID: "nested-files-listed", Group: GroupIntegrity, Level: Must, Requirement: "S-ENT9",
	Title: "a skill lists the files of the skills nested in it",
	Doc: "From the outer skill's side the files of a nested skill are supporting files, and its manifest is complete. A change " +
		"to the nested skill then is a change to the outer one, and revokes its approval.\n\n" +
		"List everything below the skill's directory, whether there is another SKILL.md in it or not.",
})

var checkNestedSame = register(CheckInfo{
	ID: "nested-files-same", Group: GroupIntegrity, Level: Must, Requirement: "S-ENT9",
	Title: "a nested skill and the one around it list the same file alike",
	Doc: "A file has one digest and one size, whichever entry it is listed in. Where two entries differ, one of them describes " +
		"another file than is served.\n\n" +
		"Make both entries from the same files, at the same time.",
})

// judgeNesting compares each skill with those around it (S-ENT9).
func (a *auditor) judgeNesting() {
	outers := map[*skillAudit]map[string]Resource{}
	for _, inner := range a.skills {
		if inner.entry.Dir == "" || inner.entry.Dynamic {
			continue
		}
		parentDirs("", inner.entry.Dir, func(parent string) {
			outer := a.byDir[parent]
			if outer == nil || outer.entry.Dynamic {
				return
			}
			if outers[outer] == nil {
				outers[outer] = resourcesByURI(outer.entry)
			}
			a.compareNested(outer, outers[outer], inner)
		})
	}
	for _, check := range []*CheckInfo{checkNestedListed, checkNestedSame} {
		a.skip(check, "no skill is nested in another")
	}
}

// maxNestedFaults bounds the files that are named for one pair of skills.
const maxNestedFaults = 20

func (a *auditor) compareNested(outer *skillAudit, files map[string]Resource, inner *skillAudit) {
	missing, differ := 0, 0
	for _, r := range inner.entry.Resources {
		about := subject{outer.entry.URI, r.URI}
		other, ok := files[r.URI]
		switch {
		case !ok:
			if missing++; missing <= maxNestedFaults {
				a.fault(checkNestedListed, about, fmt.Sprintf("the nested skill %q lists the file, and this skill does not", clip(inner.entry.URI)))
			}
			continue
		case other.Digest != r.Digest || other.Size != r.Size:
			if differ++; differ <= maxNestedFaults {
				a.fault(checkNestedSame, about, fmt.Sprintf("the nested skill %q lists the file otherwise", clip(inner.entry.URI)),
					quoted("this skill", fmt.Sprintf("%s, %d bytes", other.Digest, other.Size)), quoted("nested", fmt.Sprintf("%s, %d bytes", r.Digest, r.Size)))
			}
		default:
			a.pass(checkNestedSame, 1)
		}
		a.pass(checkNestedListed, 1)
	}
	if more := missing - maxNestedFaults; more > 0 {
		a.fault(checkNestedListed, subject{skill: outer.entry.URI}, fmt.Sprintf("the same holds for %d more files of %q", more, clip(inner.entry.URI)))
	}
}
