package mcpprobe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/skilltool/skilltool/pkg/digest"
)

var checkManifestComplete = register(CheckInfo{
	ID: "manifest-complete", Group: GroupContent, Level: Must, Requirement: "S-ENT6",
	Title: "no file of a skill is served that its manifest does not list",
	Doc: "A manifest lists every file of the skill. A host acting on the skill resolves reads only to listed files, so that an " +
		"unlisted one cannot be reached, and whoever reads it by another way reads what nobody approved. The audit reads what " +
		"SKILL.md links to, what directories show and what `resources/list` lists below the skill's directory; it guesses " +
		"nothing.\n\n" +
		"List the file, with its digest and size, or do not serve it.",
	Example: "SKILL.md links to references/forms.md, which is served and not listed",
	Good:    `"resources": […, {"uri": "skill://pdf-tools/references/forms.md", …}]`,
})

var checkResourceName = register(CheckInfo{
	ID: "resource-name", Group: GroupContent, Level: Should, Requirement: "S-RD3",
	Title: "resources/list shows each SKILL.md with the name of its frontmatter",
	Doc: "Where `resources/list` shows a SKILL.md its `name` should be that of the frontmatter, so that a user finds the skill " +
		"under one name everywhere.\n\n" +
		"Take `name` from the frontmatter; use `title` for anything nicer.",
	Example: `{"uri": "skill://weather-report/SKILL.md", "name": "SKILL.md"}`,
	Good:    `{"uri": "skill://weather-report/SKILL.md", "name": "weather-report"}`,
})

var checkResourceDescription = register(CheckInfo{
	ID: "resource-description", Group: GroupContent, Level: Should, Requirement: "S-RD3",
	Title: "resources/list shows each SKILL.md with the description of its frontmatter",
	Doc: "Where `resources/list` shows a SKILL.md its `description` should be that of the frontmatter: a model chooses by " +
		"it.\n\n" +
		"Take `description` from the frontmatter.",
})

// The bounds of what is looked at beyond the manifests.
const (
	// maxResourcePages bounds resources/list, which may hold far more than
	// skills.
	maxResourcePages = 200
	// maxUnlisted bounds the files that are tried for one skill.
	maxUnlisted = 32
)

// readResourceList looks through resources/list for files of skills.
func (a *auditor) readResourceList(ctx context.Context) {
	if !a.wantsGroup(GroupContent) || len(a.skills) == 0 {
		return
	}
	pages := a.asking(GroupContent).pager(MethodResources, "resources", nil)
	pages.maxPages = min(pages.maxPages, maxResourcePages)
	for {
		found, err := pages.next(ctx)
		if err != nil {
			a.resourceListEnded(ctx, err)
			break
		}
		if found == nil {
			break
		}
		for _, item := range found.items {
			if members, ok := object(item); ok {
				a.noteResource(members)
			}
		}
	}
	for _, check := range []*CheckInfo{checkResourceName, checkResourceDescription} {
		a.skip(check, "resources/list shows no SKILL.md")
	}
}

// resourceListEnded ignores that the server lists no resources: it need not
// list any. That it lists more than are looked at is noted.
func (a *auditor) resourceListEnded(ctx context.Context, err error) {
	var limit *LimitError
	switch {
	case a.over(ctx, err), a.wants(err, subject{}):
	case errors.As(err, &limit) && limit.Bound == "max-pages":
		a.note(checkManifestComplete, subject{}, limit.Message+"; what comes then was not looked through for files of skills")
	case a.exceeded(err, subject{}):
	default:
		a.skip(checkResourceName, "resources/list is not answered")
		a.skip(checkResourceDescription, "resources/list is not answered")
	}
}

// noteResource judges a SKILL.md in resources/list, and keeps what lies below a
// skill's directory.
func (a *auditor) noteResource(members map[string]json.RawMessage) {
	uri, _ := text(members["uri"])
	if dir, ok := skillDir(uri); ok && a.byDir[dir] != nil {
		a.judgeListedSkill(a.byDir[dir], members)
	}
	mimeType, _ := text(members["mimeType"])
	if mimeType == directoryType {
		return
	}
	parentDirs("", uri, func(parent string) {
		if s := a.byDir[parent]; s != nil && within(parent, uri) && len(s.inResourceList) < maxUnlisted {
			if _, listed := s.manifest()[uri]; !listed {
				s.inResourceList = append(s.inResourceList, uri)
			}
		}
	})
}

func (a *auditor) judgeListedSkill(s *skillAudit, members map[string]json.RawMessage) {
	about := s.about("")
	compare := func(check *CheckInfo, member, want string) {
		if want == "" {
			return // the entry is at fault
		}
		have, ok := text(members[member])
		problem := ""
		if !ok || strings.TrimSpace(have) != strings.TrimSpace(want) {
			problem = fmt.Sprintf("the %s in resources/list is %s, and not that of the frontmatter", member, described(members[member]))
		}
		a.judge(check, about, problem)
	}
	compare(checkResourceName, "name", s.entry.Name)
	compare(checkResourceDescription, "description", s.entry.Description)
	if raw, ok := members["mimeType"]; ok {
		mimeType, _ := text(raw)
		a.judgeMIMEType(mimeType, described(raw), s.about(s.entry.URI), "SKILL.md in resources/list")
	}
	a.judgeMeta(members["_meta"], s.about(s.entry.URI))
}

// readUnlisted tries the files that something points to and that the manifest
// does not list.
func (s *skillAudit) readUnlisted(ctx context.Context) {
	if s.entry.Dynamic || s.entry.Dir == "" || len(s.entry.Resources) == 0 || !s.wantsGroup(GroupContent) {
		return
	}
	served := false
	for uri, why := range s.unlisted() {
		r, err := s.asking(GroupContent).ask(ctx, MethodRead, map[string]any{"uri": uri}, 0)
		if err != nil {
			if s.over(ctx, err) {
				return
			}
			continue // it is not served
		}
		if items, _ := array(r.members["contents"]); len(items) == 0 {
			continue
		}
		if now := s.refresh(ctx); now != nil {
			if found, _ := now.resource(uri); found != nil {
				continue // the entry changed
			}
		}
		served = true
		s.fault(checkManifestComplete, s.about(uri), "the file is served, and the manifest does not list it; "+why)
	}
	if !served {
		s.pass(checkManifestComplete, 1)
	}
}

// unlisted gives URIs to try, in order, with where they were found.
func (s *skillAudit) unlisted() func(yield func(uri, why string) bool) {
	found := map[string]string{}
	for _, uri := range s.extra {
		found[uri] = "a directory shows it"
	}
	for _, uri := range s.inResourceList {
		found[uri] = "resources/list shows it"
	}
	dirs := impliedDirs(s.entry)
	for _, link := range relativeLinks(s.skillMD) {
		if uri := digest.FileURI(s.entry.Dir, link); !dirs[uri] {
			found[uri] = "SKILL.md links to it"
		}
	}
	uris := slices.DeleteFunc(sortedKeys(found), func(uri string) bool {
		_, listed := s.manifest()[uri]
		return listed
	})
	return func(yield func(uri, why string) bool) {
		for _, uri := range uris[:min(len(uris), maxUnlisted)] {
			if !yield(uri, found[uri]) {
				return
			}
		}
	}
}

// relativeLinks gives the paths below the skill that a Markdown text links to,
// outside of fences. It looks for "](target)" and "[label]: target" alone: what
// it misses is not tried, and what it finds wrongly is not served.
func relativeLinks(content []byte) []string {
	var paths []string
	fence := ""
	for line := range strings.Lines(string(content)) {
		trimmed := strings.TrimSpace(line)
		if fence != "" {
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			continue
		}
		if mark := fenceMark(trimmed); mark != "" {
			fence = mark
			continue
		}
		for rest := line; ; {
			_, after, ok := strings.Cut(rest, "](")
			if !ok {
				break
			}
			target, more, ok := strings.Cut(after, ")")
			if !ok {
				break
			}
			paths, rest = addLink(paths, target), more
		}
		if strings.HasPrefix(trimmed, "[") {
			if _, target, ok := strings.Cut(trimmed, "]: "); ok {
				paths = addLink(paths, target)
			}
		}
	}
	return paths
}

func fenceMark(line string) string {
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

// addLink adds the path of a target that leads to a file below the skill.
func addLink(paths []string, target string) []string {
	if inner, ok := strings.CutPrefix(strings.TrimSpace(target), "<"); ok {
		target, _, _ = strings.Cut(inner, ">")
	} else {
		target, _, _ = strings.Cut(strings.TrimSpace(target), " ")
	}
	target, _, _ = strings.Cut(target, "#")
	target, _, _ = strings.Cut(target, "?")
	target = strings.TrimPrefix(target, "./")
	decoded, err := url.PathUnescape(target)
	if target == "" || err != nil || strings.HasPrefix(target, "/") || strings.HasSuffix(target, "/") || strings.Contains(target, ":") {
		return paths
	}
	for segment := range strings.SplitSeq(decoded, "/") {
		if digest.CheckSegment(segment) != nil {
			return paths
		}
	}
	if len(paths) > 4*maxUnlisted || slices.Contains(paths, decoded) {
		return paths
	}
	return append(paths, decoded)
}
