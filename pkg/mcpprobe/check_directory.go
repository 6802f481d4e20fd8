package mcpprobe

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

var checkDirectoryAnswers = register(CheckInfo{
	ID: "directory-answers", Group: GroupDirectory, Level: Must, Requirement: "S-DIR1",
	Title: "resources/directory/read answers for the root of each skill and every directory below it",
	Doc: "A server that declares `directoryRead` answers for every directory of the skills that it serves as files. Models list " +
		"a directory when SKILL.md tells them to choose from it.\n\n" +
		"Directories are those that the URIs of files go through; they need not be resources of their own.",
	Example: `{"error": {"code": -32602, "message": "not a directory"}}`,
	Good:    `{"resultType": "complete", "resources": [{"uri": "skill://weather-report/SKILL.md", "name": "SKILL.md"}]}`,
})

var checkDirectoryArray = register(CheckInfo{
	ID: "directory-resources-array", Group: GroupDirectory, Level: Must, Requirement: "S-DIR1",
	Title: "resources/directory/read has resources, an array",
	Doc: "`resources` holds the direct children. An empty directory gives an empty array, not null and not nothing.\n\n" +
		"Send `[]` where there are none.",
	Example: `{"resources": null}`,
	Good:    `{"resources": []}`,
})

var checkDirectoryResultType = register(CheckInfo{
	ID: "directory-result-type", Group: GroupDirectory, Level: Must, Requirement: "S-DIR1",
	Title: "the resultType of resources/directory/read is \"complete\"",
	Doc:   resultTypeDoc, Example: `{"resources": […]}`, Good: `{"resultType": "complete", "resources": […]}`,
})

var checkDirectoryChild = register(CheckInfo{
	ID: "directory-children", Group: GroupDirectory, Level: Must, Requirement: "S-DIR1",
	Title: "each item is a direct child of the directory, with its uri",
	Doc: "The listing is not recursive: it holds the direct children and nothing else, neither the directory itself nor what lies " +
		"deeper. A client descends by asking again.\n\n" +
		"Give each child the URI of the directory, a slash and one segment.",
	Example: `{"uri": "skill://weather-report/templates/eu/north.md"} in skill://weather-report/templates`,
	Good:    `{"uri": "skill://weather-report/templates/eu", "mimeType": "inode/directory"}`,
})

var checkDirectorySlash = register(CheckInfo{
	ID: "directory-no-slash", Group: GroupDirectory, Level: Must, Requirement: "S-DIR1",
	Title: "the URIs of directories have no slash at their end",
	Doc: "Directory URIs are written without a trailing slash. A client that joins one with a name otherwise asks for `//`.\n\n" +
		"Cut the slash off.",
	Example: `"uri": "skill://weather-report/templates/"`,
	Good:    `"uri": "skill://weather-report/templates"`,
})

var checkDirectoryType = register(CheckInfo{
	ID: "directory-mime-type", Group: GroupDirectory, Level: Must, Requirement: "S-DIR1",
	Title: "directories, and they alone, have the mimeType inode/directory",
	Doc: "The type is what tells a directory from a file. Without it a client reads a directory as a file, and never " +
		"descends into it.\n\n" +
		"Set `\"mimeType\": \"inode/directory\"` on every child that is a directory.",
	Example: `{"uri": "skill://weather-report/templates", "name": "templates"}`,
	Good:    `{"uri": "skill://weather-report/templates", "name": "templates", "mimeType": "inode/directory"}`,
})

var checkDirectoryName = register(CheckInfo{
	ID: "directory-child-name", Group: GroupDirectory, Level: Should, Requirement: "S-DIR1",
	Title: "each child has a name",
	Doc: "Children come with the metadata of ordinary resources, of which `name` is required by the base protocol. SDKs that " +
		"decode strictly refuse the whole answer without it.\n\n" +
		"Use the last segment of the URI.",
})

var checkDirectoryOnce = register(CheckInfo{
	ID: "directory-children-once", Group: GroupDirectory, Level: Must, Requirement: "S-DIR1",
	Title: "each child is given once",
	Doc: "A child that comes twice, on one page or on two, is a listing that moved while it was read. That it fails is a " +
		"decision of this project, as for skills/list.\n\n" +
		"Page over a fixed order.",
})

var checkDirectoryPages = register(CheckInfo{
	ID: "directory-pages-end", Group: GroupDirectory, Level: Must, Requirement: "S-DIR1",
	Title: "the pages of a directory lead to an end",
	Doc: "Pagination is as in `resources/list`: `nextCursor` is a string that leads on, and is absent on the last page.\n\n" +
		"Leave `nextCursor` out at the end, and never give one twice.",
})

var checkDirectoryEmptyCursor = register(CheckInfo{
	ID: "directory-empty-cursor", Group: GroupDirectory, Level: Should, Requirement: "S-DIR1",
	Title: "no nextCursor of a directory is empty",
	Doc: "Some clients take `\"\"` for the end and some follow it. That this is a warning is a decision of this project.\n\n" +
		"Leave `nextCursor` out instead.",
})

var checkDirectoryMissing = register(CheckInfo{
	ID: "directory-nothing-missing", Group: GroupDirectory, Level: Must, Requirement: "S-DIR1, S-DIR3",
	Title: "directories have every file and directory of the manifest",
	Doc: "A listing holds every direct child. A file that is in the manifest and in no directory is one that the server no " +
		"longer serves, or a listing that leaves something out. That both views agree is a decision of this project; empty " +
		"directories are no difference.\n\n" +
		"Make manifest and listings from the same files.",
})

var checkDirectoryExtra = register(CheckInfo{
	ID: "directory-nothing-extra", Group: GroupDirectory, Level: Must, Requirement: "S-DIR3",
	Title: "directories have no file that the manifest lacks",
	Doc: "A manifest is complete, so that a file which only the directory shows is a change of the skill that no entry tells of: a " +
		"host must not read it. That it fails, once the entry was fetched again, is a decision of this project.\n\n" +
		"List the file in the entry, or do not serve it.",
})

var checkDirectoryPrefix = register(CheckInfo{
	ID: "directory-prefix", Group: GroupDirectory, Level: May, Requirement: "S-DIR1",
	Title: "the folders above skills answer too",
	Doc: "For `skill://acme/billing/refunds` the folders `skill://acme/billing` and `skill://acme` are directories of the same " +
		"namespace. That one does not answer is information by a decision of this project.\n\n" +
		"Answer with the skills and folders directly below.",
})

// The bounds of a walk through the directories of one skill.
const (
	maxDirectories    = 1_000
	maxDirectoryDepth = 64
	maxChildren       = 100_000
)

// walk is one walk through the directories of a skill.
type walk struct {
	*skillAudit
	// implied are the directories that the manifest goes through.
	implied map[string]bool
	// read are the directories whose listing is whole.
	read map[string]bool
	// children are all that were given, by URI.
	children map[string]Child
}

// readDirectories walks the directories of a skill and compares what they hold
// with the manifest.
func (s *skillAudit) readDirectories(ctx context.Context) {
	if !s.server.DirectoryRead || s.entry.Dir == "" || !s.wantsGroup(GroupDirectory) {
		return
	}
	w := &walk{skillAudit: s, implied: impliedDirs(s.entry), read: map[string]bool{}, children: map[string]Child{}}
	w.all(ctx)
	if s.entry.Dynamic {
		return
	}
	entry := s.entry
	missing, extra := w.differences(entry)
	if len(missing)+len(extra) > 0 {
		if now := s.refresh(ctx); now != nil && now != entry {
			w.implied = impliedDirs(now)
			missing, extra = w.differences(now)
		}
	}
	s.extra = extra
	s.reportDifferences(checkDirectoryMissing, missing, "the manifest lists it, and the directory does not hold it")
	s.reportDifferences(checkDirectoryExtra, extra, "the directory holds it, and the manifest does not list it")
	if len(w.read) > 0 {
		s.pass(checkDirectoryMissing, 1-min(len(missing), 1))
		s.pass(checkDirectoryExtra, 1-min(len(extra), 1))
	}
}

// impliedDirs gives the directories that the files of an entry lie in.
func impliedDirs(e *Entry) map[string]bool {
	dirs := map[string]bool{e.Dir: true}
	for _, r := range e.Resources {
		if within(e.Dir, r.URI) {
			parentDirs(e.Dir, r.URI, func(parent string) { dirs[parent] = true })
		}
	}
	return dirs
}

// all reads the directories that are implied or given, level by level.
func (w *walk) all(ctx context.Context) {
	seen := map[string]bool{}
	level := sortedKeys(w.implied)
	for depth := 0; len(level) > 0; depth++ {
		var next []string
		for _, dir := range level {
			if seen[dir] {
				continue
			}
			if len(seen) == maxDirectories || depth > maxDirectoryDepth || len(w.children) > maxChildren {
				w.bound(&LimitError{Bound: "max-pages", Message: fmt.Sprintf("the directories of one skill are more than %s, deeper than %d levels, or hold more than %s children",
					thousands(maxDirectories), maxDirectoryDepth, thousands(maxChildren))})
				w.incomplete = true
				return
			}
			seen[dir] = true
			next = append(next, w.directory(ctx, dir)...)
			if ctx.Err() != nil {
				return
			}
		}
		slices.Sort(next)
		level = next
	}
}

// directory reads one directory, and gives those below it.
func (w *walk) directory(ctx context.Context, dir string) (below []string) {
	about := w.about(dir)
	pages := w.asking(GroupDirectory).pager(MethodDirectory, "resources", map[string]any{"uri": dir})
	for {
		found, err := pages.next(ctx)
		switch {
		case err != nil:
			w.directoryFailed(ctx, pages, err, about)
			return below
		case found == nil:
			w.pass(checkDirectoryAnswers, 1)
			w.read[dir] = true
			return below
		}
		w.judgeResult(resultChecks{resultType: checkDirectoryResultType}, found.reply)
		problem := ""
		if !found.isArray {
			problem = "resources is " + described(found.members["resources"]) + "; it must be an array of the children"
		}
		w.judge(checkDirectoryArray, about, problem)
		w.judgeCursor(found, checkDirectoryPages, checkDirectoryEmptyCursor, about)
		for _, item := range found.items {
			if child, ok := w.child(dir, item); ok && child.Dir {
				below = append(below, child.URI)
			}
		}
		if pages.problem(found) != nil {
			return below
		}
	}
}

func (w *walk) directoryFailed(ctx context.Context, pages *pager, err error, about subject) {
	switch {
	case w.over(ctx, err):
	case w.wants(err, about), w.exceeded(err, about):
		w.incomplete = true
	case pages.pages > 0:
		w.fault(checkDirectoryPages, about, "the next cursor led to no page: "+w.failure(MethodDirectory, err))
	default:
		w.fault(checkDirectoryAnswers, about, w.failure(MethodDirectory, err))
	}
}

// child judges one item of a directory. ok is false for what is no child.
func (w *walk) child(dir string, raw json.RawMessage) (child Child, ok bool) {
	child, ok = readChild(raw)
	about := w.about(dir)
	if !ok {
		w.fault(checkDirectoryChild, about, "an item of resources is "+described(raw)+"; it must be an object with the uri of a child", excerpt("item", raw))
		return child, false
	}
	slash := ""
	if trimmed := strings.TrimRight(child.URI, "/"); trimmed != child.URI {
		slash = fmt.Sprintf("the child %q ends in a slash", clip(child.URI))
		child.URI = trimmed
	}
	if child.Dir || slash != "" {
		w.judge(checkDirectorySlash, about, slash)
	}
	rest, below := strings.CutPrefix(child.URI, dir+"/")
	if !below || rest == "" || strings.Contains(rest, "/") || climbs(rest) != "" {
		w.fault(checkDirectoryChild, about, fmt.Sprintf("%q is no direct child of the directory", clip(child.URI)))
		return child, false
	}
	w.pass(checkDirectoryChild, 1)
	if _, again := w.children[child.URI]; again {
		w.fault(checkDirectoryOnce, about, fmt.Sprintf("the child %q comes twice", clip(child.URI)))
		return child, false
	}
	w.pass(checkDirectoryOnce, 1)
	w.judgeChild(&child, about)
	w.children[child.URI] = child
	return child, true
}

// judgeChild judges the metadata of a child. What the manifest shows to be a
// directory counts as one.
func (w *walk) judgeChild(child *Child, about subject) {
	name := ""
	if child.Name == "" {
		name = fmt.Sprintf("the child %q has no name", clip(child.URI))
	}
	w.judge(checkDirectoryName, about, name)
	isDir := w.implied[child.URI]
	_, isFile := w.manifest()[child.URI]
	problem := ""
	switch {
	case isDir && !child.Dir:
		problem = fmt.Sprintf("the directory %q has the mimeType %q; it must be %s", clip(child.URI), clipTo(child.MIMEType, 40), directoryType)
		child.Dir = true
	case isFile && !isDir && child.Dir:
		problem = fmt.Sprintf("the file %q has the mimeType %s", clip(child.URI), directoryType)
		child.Dir = false
	}
	w.judge(checkDirectoryType, about, problem)
}

// manifest gives the resources of the entry by URI.
func (s *skillAudit) manifest() map[string]Resource {
	if s.byURI == nil {
		s.byURI = resourcesByURI(s.entry)
	}
	return s.byURI
}

// differences compares the directories that were read with an entry. Empty
// directories are no difference.
func (w *walk) differences(e *Entry) (missing, extra []string) {
	files := resourcesByURI(e)
	want := func(uri string) {
		parent := uri[:strings.LastIndexByte(uri, '/')]
		if _, ok := w.children[uri]; !ok && w.read[parent] {
			missing = append(missing, uri)
		}
	}
	for uri := range files {
		if within(e.Dir, uri) {
			want(uri)
		}
	}
	for dir := range w.implied {
		if dir != e.Dir {
			want(dir)
		}
	}
	for uri, child := range w.children {
		if _, ok := files[uri]; !ok && !child.Dir {
			extra = append(extra, uri)
		}
	}
	slices.Sort(missing)
	slices.Sort(extra)
	return missing, extra
}

func (s *skillAudit) reportDifferences(check *CheckInfo, uris []string, message string) {
	for i, uri := range uris {
		if i == maxProblems {
			s.fault(check, s.about(""), fmt.Sprintf("the same holds for %d more", len(uris)-i))
			return
		}
		s.fault(check, s.about(uri), message)
	}
}

// maxPrefixes bounds the folders above skills that are asked for.
const maxPrefixes = 16

// readPrefixes asks for the folders above skills.
func (a *auditor) readPrefixes(ctx context.Context) {
	if !a.server.DirectoryRead || !a.wantsGroup(GroupDirectory) {
		return
	}
	prefixes := map[string]bool{}
	for _, s := range a.skills {
		if s.entry.Dir == "" {
			continue
		}
		parentDirs("", s.entry.Dir, func(parent string) {
			if u := splitURI(parent); len(u.segments()) > 0 && u.segments()[0] != "" && a.byDir[parent] == nil && !strings.HasSuffix(parent, "/") {
				prefixes[parent] = true
			}
		})
	}
	folders := sortedKeys(prefixes)
	a.several(min(len(folders), maxPrefixes), func(i int) {
		prefix := folders[i]
		if ctx.Err() != nil {
			return
		}
		_, err := a.asking(GroupDirectory).ask(ctx, MethodDirectory, map[string]any{"uri": prefix}, maxPageBytes)
		about := subject{uri: prefix}
		switch {
		case err == nil:
			a.pass(checkDirectoryPrefix, 1)
		case a.over(ctx, err), a.wants(err, about), a.exceeded(err, about):
		default:
			a.fault(checkDirectoryPrefix, about, "the folder above skills does not answer: "+a.failure(MethodDirectory, err))
		}
	})
	a.skip(checkDirectoryPrefix, "no skill has a folder above it")
}
