package mcpprobe

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// skillAudit is the audit of one skill. Its methods run one after the other,
// but for the reading of files.
type skillAudit struct {
	*auditor
	// entry is the one that is held: files are verified against it.
	entry  *Entry
	listed bool
	// got is what skills/get gave, once it was asked.
	got *gotEntry
	// refreshed guards current, the entry that is not the held one any more.
	refreshed sync.Once
	current   *Entry

	report SkillReport
	// skillMD is the content of SKILL.md, nil where it could not be read.
	skillMD []byte
	// kept are the files for the validator, by their path, and keptBytes their
	// size.
	keeping   sync.Mutex
	kept      map[string][]byte
	keptBytes int64
	// byURI are the resources of the entry; manifest fills it in.
	byURI map[string]Resource
	// extra and inResourceList are files that only directories and
	// resources/list show.
	extra, inResourceList []string
	// incomplete says that something of the skill could not be examined.
	incomplete bool
}

func (a *auditor) newSkill(e *Entry, listed bool) *skillAudit {
	return &skillAudit{auditor: a, entry: e, listed: listed, report: SkillReport{
		URI: e.URI, Name: e.Name, Outcome: OutcomeIncomplete, Dynamic: e.Dynamic, Listed: listed,
	}}
}

func (s *skillAudit) about(uri string) subject { return subject{s.entry.URI, uri} }

// findUnlisted gets the skills that were asked for by URI, and those that the
// server's instructions name, where they are not listed.
func (a *auditor) findUnlisted(ctx context.Context) {
	known := map[string]bool{}
	for _, s := range a.skills {
		known[s.entry.URI] = true
	}
	get := func(uri string, check *CheckInfo) {
		if known[uri] {
			a.pass(check, 1)
			return
		}
		known[uri] = true
		got := a.getEntry(ctx, uri)
		about := subject{skill: uri}
		switch {
		case got.err == nil:
			a.pass(check, 1)
			s := a.newSkill(got.entry, false)
			s.got = &got
			a.skills = append(a.skills, s)
		case a.over(ctx, got.err), a.wants(got.err, about), a.exceeded(got.err, about):
		default:
			a.fault(check, about, "the skill is not listed, and "+a.failure(MethodGet, got.err))
		}
	}
	for _, uri := range a.askedFor() {
		get(uri, checkAskedFor)
	}
	for _, uri := range instructionURIs(a.server.Instructions) {
		get(uri, checkInstructions)
	}
	if len(a.options.URIs) == 0 && len(a.options.Skills) == 0 {
		a.skip(checkAskedFor, "no skill was asked for by name or URI")
	}
	if !a.came(checkInstructions) {
		a.skip(checkInstructions, "the server's instructions name no skill")
	}
}

// askedFor gives the URIs that the options name.
func (a *auditor) askedFor() []string {
	uris := slices.Clone(a.options.URIs)
	for _, wanted := range a.options.Skills {
		if splitURI(wanted).scheme != "" {
			uris = append(uris, wanted)
		}
	}
	slices.Sort(uris)
	return slices.Compact(uris)
}

// maxInstructionURIs bounds the skills that are looked for in instructions.
const maxInstructionURIs = 32

// instructionURIs finds what looks like the URI of a SKILL.md in the words of a
// server.
func instructionURIs(words string) []string {
	var uris []string
	for _, word := range strings.FieldsFunc(words, func(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`<>()[]{},;|*", r) }) {
		word = strings.TrimRight(word, ".:!?")
		if _, ok := skillDir(word); ok && !slices.Contains(uris, word) && len(uris) < maxInstructionURIs {
			uris = append(uris, word)
		}
	}
	slices.Sort(uris)
	return uris
}

// prepare chooses the skills to audit, puts them in order, and tells of them.
func (a *auditor) prepare() {
	if len(a.options.Skills) > 0 {
		a.choose()
	}
	slices.SortStableFunc(a.skills, func(a, b *skillAudit) int { return cmp.Compare(a.entry.URI, b.entry.URI) })
	a.byDir = make(map[string]*skillAudit, len(a.skills))
	for _, s := range a.skills {
		if s.entry.Dir != "" {
			a.byDir[s.entry.Dir] = s
		}
		if a.options.OnEntry != nil {
			a.options.OnEntry(s.entry)
		}
	}
	a.advance(func(p *Progress) { p.Total = len(a.skills) })
}

// choose keeps the skills that were asked for.
func (a *auditor) choose() {
	found := map[string]bool{}
	a.skills = slices.DeleteFunc(a.skills, func(s *skillAudit) bool {
		byURI, byName := slices.Contains(a.options.Skills, s.entry.URI), slices.Contains(a.options.Skills, s.entry.Name)
		found[s.entry.URI], found[s.entry.Name] = byURI, found[s.entry.Name] || byName
		return !byURI && !byName && !slices.Contains(a.options.URIs, s.entry.URI)
	})
	for _, wanted := range a.options.Skills {
		switch {
		case splitURI(wanted).scheme != "":
		case found[wanted]:
			a.pass(checkAskedFor, 1)
		default:
			a.fault(checkAskedFor, subject{}, "no listed skill has the name "+shown(wanted))
		}
	}
}

// auditSkills audits all skills, several at a time.
func (a *auditor) auditSkills(ctx context.Context) {
	a.advance(func(p *Progress) { p.Stage = GroupContent })
	a.several(len(a.skills), func(i int) {
		a.skills[i].run(ctx)
		a.advance(func(p *Progress) { p.Skills++ })
	})
}

// run audits one skill. What one step finds never keeps the next from its work.
func (s *skillAudit) run(ctx context.Context) {
	s.judgeEntry()
	s.judgeStrings()
	if s.entry.URI != "" {
		if s.wantsGroup(GroupGet) || s.wantsGroup(GroupContent) {
			s.get(ctx)
		}
		s.report.Dynamic, s.report.Name = s.entry.Dynamic, s.entry.Name
		s.judgeDigestsPublished()
		s.readFiles(ctx)
		s.judgeSkillMD(ctx)
		s.readDirectories(ctx)
		s.readUnlisted(ctx)
		s.lint()
	}
	s.settle()
}

// wantsGroup reports whether a check of a group is selected.
func (a *auditor) wantsGroup(group Group) bool {
	for check, selected := range a.selected {
		if selected && check.Group == group {
			return true
		}
	}
	return false
}

// judgeEntry reports what parsing the entry found.
func (s *skillAudit) judgeEntry() {
	read := readEntry(s.entry.Raw)
	for check, passes := range read.passes {
		s.pass(check, passes)
	}
	for _, p := range read.entry.Problems {
		evidence := p.Evidence
		if s.entry.URI == "" && len(evidence) == 0 {
			evidence = []Evidence{excerpt("entry", s.entry.Raw)}
		}
		s.fault(p.Check, s.about(p.URI), p.Message, evidence...)
	}
}

// settle gives the outcome.
func (s *skillAudit) settle() {
	failed := s.entry.URI == "" || s.hasFailed(s.entry.URI)
	unread := s.incomplete
	for _, f := range s.report.Files {
		failed = failed || f.State == FileMismatch || f.State == FileUnreadable
		unread = unread || f.State == FileSkipped
	}
	switch {
	case failed:
		s.report.Outcome = OutcomeFailed
	case unread || !s.entry.Dynamic && len(s.report.Files) == 0:
		s.report.Outcome = OutcomeIncomplete
	case s.entry.Dynamic:
		s.report.Outcome = OutcomeUnverifiable
	default:
		s.report.Outcome = OutcomeVerified
	}
}

// filePath gives the path of a file within the skill, decoded.
func (s *skillAudit) filePath(uri string) string {
	rest := strings.TrimPrefix(uri, s.entry.Dir+"/")
	if decoded, err := url.PathUnescape(rest); err == nil {
		return decoded
	}
	return rest
}
