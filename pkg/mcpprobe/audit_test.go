package mcpprobe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skilltool/skilltool/pkg/spec"
)

func auditFake(t *testing.T, s *fakeServer, o AuditOptions) *Report {
	t.Helper()
	return Audit(context.Background(), s.client(Options{}), o)
}

// TestAuditHonest: an honest server has no findings, and every check comes to
// something.
func TestAuditHonest(t *testing.T) {
	var entries []string
	var mu sync.Mutex
	files := map[string]string{}
	s := weather()
	r := auditFake(t, s, AuditOptions{
		Content: true,
		OnEntry: func(e *Entry) { entries = append(entries, e.URI) },
		OnFile: func(e *Entry, uri string, content []byte) error {
			mu.Lock()
			defer mu.Unlock()
			files[uri] = string(content)
			return nil
		},
	})
	if lines := findingsOf(r); len(lines) > 0 || r.Verdict != VerdictPass || r.Incomplete || r.Fatal != nil {
		t.Errorf("verdict %s, fatal %v, findings:\n%s", r.Verdict, r.Fatal, strings.Join(lines, "\n"))
	}
	if !reflect.DeepEqual(files, s.files) || !slices.Equal(entries, []string{weatherURI}) {
		t.Errorf("handed on %v of %v", files, entries)
	}
	if len(r.Skills) != 1 || r.Skills[0].Outcome != OutcomeVerified || len(r.Skills[0].Diagnostics) != 0 || r.Pages != 1 {
		t.Errorf("skills %+v, %d pages", r.Skills, r.Pages)
	}
	for _, check := range Checks() {
		if !isKept(check) && !slices.ContainsFunc(r.Results, func(result Result) bool { return result.Check == check }) {
			t.Errorf("%s came to nothing", check.ID)
		}
	}
	if n := s.count(MethodRead + " " + notesURI); n != 1 {
		t.Errorf("%s was read %d times", notesURI, n)
	}
}

// TestAuditAnyConcurrency: what is found does not depend on how many requests
// are in flight.
func TestAuditAnyConcurrency(t *testing.T) {
	skills := map[string]map[string]string{}
	for i := range 12 {
		name := fmt.Sprintf("skill-%d", i)
		skills[name] = map[string]string{"SKILL.md": skillText(name, "Counts. Use when counting."), "a.md": "a", "b.md": "b", "c/d.md": "d"}
	}
	var want []string
	for _, concurrency := range []int{1, 3, 16} {
		s := fakeSkills(skills)
		for i := range 12 {
			skill := fmt.Sprintf("skill://skill-%d/SKILL.md", i)
			s.resource(skill, fmt.Sprintf("skill://skill-%d/a.md", i))["size"] = 7
			s.resource(skill, fmt.Sprintf("skill://skill-%d/b.md", i))["digest"] = "none"
		}
		r := Audit(context.Background(), s.client(Options{Concurrency: concurrency}), AuditOptions{})
		have := findingsOf(r)
		for _, skill := range r.Skills {
			have = append(have, fmt.Sprintf("%+v", skill))
		}
		if want == nil {
			want = have
		}
		if len(have) == 0 || !slices.Equal(have, want) {
			t.Errorf("with %d requests in flight:\n%s\nwith one:\n%s", concurrency, strings.Join(have, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestAuditFindings: one thing is wrong, and all that is found of it.
func TestAuditFindings(t *testing.T) {
	only := func(method, uri string, result any, err error) func(string, string) (any, error, bool) {
		return func(m, u string) (any, error, bool) { return result, err, m == method && (uri == "" || uri == u) }
	}
	tests := map[string]struct {
		change  func(*fakeServer)
		options AuditOptions
		want    []string
		outcome Outcome
		verdict Verdict
	}{
		"a digest in capitals is compared too": {
			change: func(s *fakeServer) {
				r := s.resource(weatherURI, notesURI)
				r["digest"] = strings.ToUpper(r["digest"].(string))
			},
			want:    []string{"fail | entry-digest-format | skill://weather/SKILL.md | skill://weather/notes/day.md | digest \"SHA256:"},
			outcome: OutcomeFailed, verdict: VerdictFail,
		},
		"line ends": {
			change: func(s *fakeServer) { s.files[notesURI] = "Rain, then wind.\r\n" },
			want: []string{"fail | size-matches | skill://weather/SKILL.md | skill://weather/notes/day.md | 17 bytes are listed and 18 are served; " +
				"the listed digest fits the same text with LF line ends"},
			outcome: OutcomeFailed, verdict: VerdictFail,
		},
		"a changed file is not handed on and the rest is": {
			change:  func(s *fakeServer) { s.files[notesURI] = "Rain, then wind!\n" },
			want:    []string{"fail | digest-matches | skill://weather/SKILL.md | skill://weather/notes/day.md | 17 bytes as listed, another digest"},
			outcome: OutcomeFailed, verdict: VerdictFail,
		},
		"a dynamic skill": {
			change:  func(s *fakeServer) { s.entries[weatherURI]["resources"] = "dynamic" },
			want:    []string{"info | digests-published | skill://weather/SKILL.md | the skill is dynamic: its integrity cannot be checked"},
			outcome: OutcomeUnverifiable, verdict: VerdictPass,
		},
		"a dynamic skill where digests are required": {
			change:  func(s *fakeServer) { s.entries[weatherURI]["resources"] = "dynamic" },
			options: AuditOptions{RequireDigests: true},
			want:    []string{"fail | digests-published | skill://weather/SKILL.md | the skill is dynamic: it carries no digests, and they are required"},
			outcome: OutcomeFailed, verdict: VerdictFail,
		},
		"a number in another form": {
			change: func(s *fakeServer) {
				s.files[weatherURI] = "---\nname: weather\ndescription: Writes it. Use daily.\nversion: 1.0\n---\n"
				s.entries[weatherURI] = s.entry("skill://weather")
				s.entries[weatherURI]["frontmatter"] = m{"name": "weather", "description": "Writes it. Use daily.", "version": 1}
			},
			want:    []string{"warn | frontmatter-number-form | skill://weather/SKILL.md | version has the same value in another form"},
			outcome: OutcomeVerified, verdict: VerdictPass,
		},
		"input is wanted for a file": {
			change: func(s *fakeServer) {
				s.lie = only(MethodRead, notesURI, m{"resultType": "input_required", "inputRequests": m{"terms": m{}}}, nil)
			},
			want:    []string{"warn | input-required | skill://weather/SKILL.md | skill://weather/notes/day.md | resources/read wants input before it answers, for \"terms\""},
			outcome: OutcomeIncomplete, verdict: VerdictIncomplete,
		},
		"a file that times out": {
			change: func(s *fakeServer) {
				s.lie = only(MethodRead, notesURI, nil, &LimitError{Bound: "timeout", Message: "too slow"})
			},
			want:    []string{"info | answers-in-time | skill://weather/SKILL.md | skill://weather/notes/day.md | too slow"},
			outcome: OutcomeIncomplete, verdict: VerdictIncomplete,
		},
		"a file that is far longer than listed": {
			change: func(s *fakeServer) {
				s.lie = only(MethodRead, notesURI, nil, &LimitError{Bound: "max-file-bytes", Message: "too long"})
			},
			want:    []string{"fail | size-matches | skill://weather/SKILL.md | skill://weather/notes/day.md | 17 bytes are listed, and the answer is far longer"},
			outcome: OutcomeFailed, verdict: VerdictFail,
		},
		"a file over the bound": {
			change:  func(s *fakeServer) { s.resource(weatherURI, notesURI)["size"] = 17 << 20 },
			want:    []string{"warn | limit-bytes | skill://weather/SKILL.md | the files have 17,825,8"},
			outcome: OutcomeIncomplete, verdict: VerdictIncomplete,
		},
		"an unlisted file that is linked": {
			change: func(s *fakeServer) {
				s.files[weatherURI] += "\nSee [more](notes/more.md \"title\"), [gone](notes/gone.md) and [elsewhere](https://example.com/x.md).\n"
				s.entries[weatherURI] = s.entry("skill://weather")
				s.files["skill://weather/notes/more.md"] = "more"
			},
			want: []string{
				"fail | manifest-complete | skill://weather/SKILL.md | skill://weather/notes/more.md | the file is served, and the manifest does not list it; SKILL.md links to it",
				"fail | directory-nothing-extra | skill://weather/SKILL.md | skill://weather/notes/more.md | the directory holds it, and the manifest does not list it",
			},
			outcome: OutcomeFailed, verdict: VerdictFail,
		},
		"nothing is asked for that must be refused": {
			change: func(s *fakeServer) {
				s.lie = func(method, uri string) (any, error, bool) {
					if strings.Contains(uri, unknownName) {
						panic("asked for " + uri)
					}
					return nil, nil, false
				}
			},
			options: AuditOptions{NoNegative: true},
			outcome: OutcomeVerified, verdict: VerdictPass,
		},
		"errors of older revisions": {
			change: func(s *fakeServer) {
				s.lie = func(method, uri string) (any, error, bool) {
					return nil, &RPCError{Code: CodeResourceNotFound, Message: "Error."}, strings.Contains(uri, unknownName)
				}
			},
			want: []string{
				"fail | get-unknown-skill | skill://skilltool-probe-asks-for-what-is-not-there/SKILL.md | skills/get for a skill that is not there is refused with error -32002 (\"Error.\"); it must be -32602, since -32002 is the code of older revisions",
				"warn | error-messages | skill://skilltool-probe-asks-for-what-is-not-there/SKILL.md | the message of error -32002 is \"Error.\", which does not say what was wrong (3 of 9 answers)",
				"fail | read-unknown-file | skill://weather/SKILL.md | skill://weather/skilltool-probe-asks-for-what-is-not-there.md | resources/read for a file that is not there is refused with error -32002",
				"fail | directory-unknown | skill://weather/SKILL.md | skill://weather/skilltool-probe-asks-for-what-is-not-there | resources/directory/read for a directory that is not there is refused with error -32002",
			},
			outcome: OutcomeVerified, verdict: VerdictFail,
		},
		"only what was chosen": {
			change:  func(s *fakeServer) { s.files[notesURI], s.entries[weatherURI]["more"] = "changed", true },
			options: AuditOptions{Only: []string{"entry-*"}},
			want:    []string{"info | entry-members | skill://weather/SKILL.md | the entry has also \"more\", which the extension does not define"},
			outcome: OutcomeIncomplete, verdict: VerdictPass,
		},
		"a name and a URI that were asked for": {
			change:  func(*fakeServer) {},
			options: AuditOptions{Skills: []string{"weather", "wether"}, URIs: []string{"skill://none/SKILL.md"}},
			want: []string{
				"fail | skill-asked-for | no listed skill has the name \"wether\"",
				"fail | skill-asked-for | skill://none/SKILL.md | the skill is not listed, and the server refused the request with error -32602: \"no skill is served at skill://none/SKILL.md\"",
			},
			outcome: OutcomeVerified, verdict: VerdictFail,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := weather()
			test.change(s)
			r := auditFake(t, s, test.options)
			have := findingsOf(r)
			if !slices.EqualFunc(have, test.want, strings.HasPrefix) {
				t.Errorf("have:\n%s\nwant:\n%s", strings.Join(have, "\n"), strings.Join(test.want, "\n"))
			}
			if len(r.Skills) != 1 || r.Skills[0].Outcome != test.outcome || r.Verdict != test.verdict {
				t.Errorf("skills %+v, verdict %s; want outcome %s, verdict %s", r.Skills, r.Verdict, test.outcome, test.verdict)
			}
		})
	}
}

// TestAuditStale: a skill that changes is verified against its new entry, which
// is fetched once (C-12).
func TestAuditStale(t *testing.T) {
	s := weather()
	gets := 0
	s.lie = func(method, uri string) (any, error, bool) {
		if method == MethodGet && uri == weatherURI {
			if gets++; gets == 2 {
				s.entries[weatherURI] = s.entry("skill://weather")
			}
		}
		if method == MethodRead && s.files[notesURI] != "Snow.\n" {
			s.files[notesURI] = "Snow.\n"
			s.files[weatherURI] = skillText("weather", "Writes of snow. Use in winter.")
		}
		return nil, nil, false
	}
	r := auditFake(t, s, AuditOptions{})
	want := []string{"info | entry-stable | skill://weather/SKILL.md | the entry changed during the audit: frontmatter.description and resources (\"skill://weather/SKILL.md\" and 1 more) differ"}
	if have := findingsOf(r); !slices.EqualFunc(have, want, strings.HasPrefix) {
		t.Errorf("have:\n%s", strings.Join(have, "\n"))
	}
	if gets != 2 || r.Skills[0].Outcome != OutcomeVerified {
		t.Errorf("%d times skills/get, %+v", gets, r.Skills[0])
	}
}

// TestAuditNested holds a nested skill against the one around it.
func TestAuditNested(t *testing.T) {
	s := fakeSkills(map[string]map[string]string{
		"outer":       {"SKILL.md": skillText("outer", "Is around. Use it.")},
		"outer/inner": {"SKILL.md": skillText("inner", "Is within. Use it."), "a.md": "a"},
	})
	outer := s.entries["skill://outer/SKILL.md"]
	outer["resources"] = slices.DeleteFunc(outer["resources"].([]any), func(r any) bool { return r.(m)["uri"] == "skill://outer/inner/a.md" })
	s.resource("skill://outer/SKILL.md", "skill://outer/inner/SKILL.md")["size"] = 3
	r := auditFake(t, s, AuditOptions{Only: []string{"nested-*"}})
	want := []string{
		"fail | nested-files-listed | skill://outer/SKILL.md | skill://outer/inner/a.md | the nested skill \"skill://outer/inner/SKILL.md\" lists the file, and this skill does not",
		"fail | nested-files-same | skill://outer/SKILL.md | skill://outer/inner/SKILL.md | the nested skill \"skill://outer/inner/SKILL.md\" lists the file otherwise",
	}
	if have := findingsOf(r); !slices.Equal(have, want) {
		t.Errorf("have:\n%s", strings.Join(have, "\n"))
	}
}

// TestAuditEnds: what ends an audit is in the report, with what was learnt.
func TestAuditEnds(t *testing.T) {
	closed := &ClosedError{Message: "the server ended"}
	tests := map[string]struct {
		lie     func(cancel func()) func(method, uri string) (any, error, bool)
		fatal   error
		bound   string
		verdict Verdict
	}{
		"the connection is lost": {
			lie: func(func()) func(string, string) (any, error, bool) {
				return func(method, uri string) (any, error, bool) { return nil, closed, method == MethodRead }
			},
			fatal: closed, verdict: VerdictIncomplete,
		},
		"too many bytes": {
			lie: func(func()) func(string, string) (any, error, bool) {
				return func(method, uri string) (any, error, bool) {
					return nil, &LimitError{Bound: "max-bytes", Message: "too many"}, method == MethodGet
				}
			},
			bound: "max-bytes", verdict: VerdictIncomplete,
		},
		"the caller gives up": {
			lie: func(cancel func()) func(string, string) (any, error, bool) {
				return func(method, uri string) (any, error, bool) {
					if method == MethodGet {
						cancel()
					}
					return nil, context.Canceled, method == MethodGet
				}
			},
			fatal: context.Canceled, verdict: VerdictIncomplete,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			s := weather()
			s.lie = test.lie(cancel)
			r := Audit(ctx, s.client(Options{}), AuditOptions{})
			if !errors.Is(r.Fatal, test.fatal) || r.Verdict != test.verdict || r.Pages != 1 || len(r.Skills) != 1 {
				t.Errorf("fatal %v, verdict %s, %d pages, %+v", r.Fatal, r.Verdict, r.Pages, r.Skills)
			}
			if test.bound != "" && (len(r.Bounds) != 1 || r.Bounds[0].Bound != test.bound) {
				t.Errorf("bounds %v", r.Bounds)
			}
		})
	}
}

func TestAuditDeadline(t *testing.T) {
	ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	r := Audit(ctx, weather().client(Options{}), AuditOptions{})
	if len(r.Bounds) != 1 || r.Bounds[0].Bound != "max-time" || r.Verdict != VerdictIncomplete || r.Fatal != nil {
		t.Errorf("bounds %v, verdict %s, fatal %v", r.Bounds, r.Verdict, r.Fatal)
	}
}

// TestAuditUndeclared: without the declaration nothing of the extension is sent
// (C-1).
func TestAuditUndeclared(t *testing.T) {
	s := weather()
	c := s.client(Options{})
	c.server.Declared, c.server.Capabilities = false, json.RawMessage(`{"experimental":{"io.modelcontextprotocol/skills":{}}}`)
	r := Audit(context.Background(), c, AuditOptions{})
	var unsupported *UnsupportedError
	if !errors.As(r.Fatal, &unsupported) || len(s.requests) != 0 || r.Verdict != VerdictFail {
		t.Errorf("fatal %v, requests %v, verdict %s", r.Fatal, s.requests, r.Verdict)
	}
	want := "the capabilities have no extensions with io.modelcontextprotocol/skills; it is declared under experimental, and belongs under extensions"
	if have := findingsOf(r); len(have) == 0 || have[0] != "fail | extension-declared | "+want || unsupported.Message != want {
		t.Errorf("have:\n%s", strings.Join(have, "\n"))
	}
	for _, result := range r.Results {
		if result.Check.Group == GroupList && result.Message != "the extension is not declared" {
			t.Errorf("%s: %q", result.Check.ID, result.Message)
		}
	}
}

// TestAuditBoundsListing: an endless listing ends, and is not called a pass.
func TestAuditBoundsListing(t *testing.T) {
	s := weather()
	page := 0
	s.lie = func(method, uri string) (any, error, bool) {
		page++
		return m{"resultType": "complete", "ttlMs": 0, "cacheScope": "public", "skills": []any{}, "nextCursor": fmt.Sprint(page)}, nil, method == MethodList
	}
	r := Audit(context.Background(), s.client(Options{MaxPages: 5}), AuditOptions{NoNegative: true})
	if len(r.Bounds) != 1 || r.Bounds[0].Message != "skills/list goes on after 5 pages" || r.Verdict != VerdictIncomplete || r.Pages != 5 {
		t.Errorf("bounds %v, verdict %s, %d pages", r.Bounds, r.Verdict, r.Pages)
	}
}

// TestAuditInstructions: a skill that only the instructions name is audited.
func TestAuditInstructions(t *testing.T) {
	s := weather()
	s.lie = func(method, uri string) (any, error, bool) {
		return m{"resultType": "complete", "ttlMs": 0, "cacheScope": "public", "skills": []any{}}, nil, method == MethodList
	}
	c := s.client(Options{})
	c.server.Instructions = "Begin with `" + weatherURI + "`. Then read skill://weather/notes/day.md."
	r := Audit(context.Background(), c, AuditOptions{NoNegative: true})
	if len(r.Skills) != 1 || r.Skills[0].Listed || r.Skills[0].Outcome != OutcomeVerified {
		t.Errorf("%+v", r.Skills)
	}
	if have := findingsOf(r); len(have) != 1 || !strings.HasPrefix(have[0], "info | list-not-empty") {
		t.Errorf("have:\n%s", strings.Join(have, "\n"))
	}
}

// TestAuditContent runs the validator on the files as they are served.
func TestAuditContent(t *testing.T) {
	s := weather()
	s.files[weatherURI] = "---\nname: weather\ndescription: Writes it. Use daily.\nauthor: me\n---\n"
	s.files["skill://weather/a%20b.md"] = "x"
	s.entries[weatherURI] = s.entry("skill://weather")
	var files []string
	r := auditFake(t, s, AuditOptions{Content: true, Lint: func(skill *spec.Skill) []spec.Diagnostic {
		for _, f := range skill.Files {
			files = append(files, f.Path)
		}
		return spec.Validate(skill)
	}})
	if want := []string{"SKILL.md", "a b.md", "notes/day.md"}; !slices.Equal(files, want) {
		t.Errorf("files %v, want %v", files, want)
	}
	if d := r.Skills[0].Diagnostics; len(d) != 1 || d[0].RuleID != "unknown-field" || d[0].Path != "SKILL.md" {
		t.Errorf("diagnostics %+v", d)
	}
}

// TestAuditOnFileError: a file that cannot be handed on is a fault of ours.
func TestAuditOnFileError(t *testing.T) {
	r := auditFake(t, weather(), AuditOptions{OnFile: func(_ *Entry, uri string, _ []byte) error {
		if uri == notesURI {
			return errors.New("disk full")
		}
		return nil
	}})
	want := []string{"error | read-answers | skill://weather/SKILL.md | skill://weather/notes/day.md | the file could not be handed on: disk full"}
	if have := findingsOf(r); !slices.Equal(have, want) || r.Verdict != VerdictIncomplete {
		t.Errorf("verdict %s, have:\n%s", r.Verdict, strings.Join(have, "\n"))
	}
}
