package mcpprobe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/skilltool/skilltool/internal/mcptest"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

const pullURI = "skill://read-csv/SKILL.md"

// csvSkill gives the files of a skill.
func csvSkill(note string) map[string][]byte {
	return map[string][]byte{
		"read-csv/SKILL.md":            []byte("---\nname: read-csv\ndescription: Reads CSV files. Use for tables.\n---\n\n# CSV\n"),
		"read-csv/references/notes.md": []byte(note),
		"read-csv/references/more.md":  []byte("More.\n"),
	}
}

// twoVersions is a server that answers each request from one of two versions of
// its skills, and writes down what it was asked for.
type twoVersions struct {
	versions [2]http.Handler
	choose   func(method string, lists int) int

	mu    sync.Mutex
	lists int
	log   []string
}

func (s *twoVersions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var message struct {
		Method string
		Params struct{ URI string }
	}
	_ = json.Unmarshal(body, &message) // what it is not, the server says
	s.mu.Lock()
	version := s.choose(message.Method, s.lists)
	switch message.Method {
	case mcpprobe.MethodList:
		s.lists++
		s.log = append(s.log, message.Method)
	case mcpprobe.MethodGet, mcpprobe.MethodRead, mcpprobe.MethodDirectory:
		s.log = append(s.log, message.Method+" "+message.Params.URI)
	}
	s.mu.Unlock()
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.versions[version].ServeHTTP(w, r)
}

// pullOnce lists the one skill of a server and pulls it.
func pullOnce(t *testing.T, s *twoVersions, change func(*mcpprobe.Entry), approve func(*mcpprobe.Entry) error) (dir string, pulled *mcpprobe.Pulled, err error) {
	t.Helper()
	ctx := context.Background()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	client, err := mcpprobe.Connect(ctx, mcpprobe.Target{Label: "demo", URL: server.URL}, mcpprobe.Options{Concurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	dir = t.TempDir()
	saver, err := mcpprobe.NewSaver(mcpprobe.SaveOptions{Dir: dir, Label: "demo", Dynamic: true})
	if err != nil {
		t.Fatal(err)
	}
	defer saver.Close()
	for entry, err := range client.ListSkills(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if entry.URI == pullURI {
			if change != nil {
				change(entry)
			}
			pulled, err := client.Pull(ctx, saver, entry, approve)
			return dir, pulled, err
		}
	}
	t.Fatal("the skill is not listed")
	return "", nil, nil
}

// savedNames are the files below a directory.
func savedNames(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, entry.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestPull(t *testing.T) {
	honest := mcptest.Handler(mcptest.Options{Files: csvSkill("Old.\n")})
	newer := mcptest.Handler(mcptest.Options{Files: csvSkill("New.\n")})
	otherFrontmatter := csvSkill("Old.\n")
	otherFrontmatter["read-csv/SKILL.md"] = bytes.Replace(otherFrontmatter["read-csv/SKILL.md"], []byte("Reads CSV"), []byte("Eats CSV!"), 1)
	forged := mcptest.Handler(mcptest.Options{Files: otherFrontmatter})
	reads := func(method string, _ int) bool { return method == mcpprobe.MethodRead }
	one := func(first bool) int { return map[bool]int{false: 0, true: 1}[first] }

	const list, get, read = mcpprobe.MethodList, mcpprobe.MethodGet + " ", mcpprobe.MethodRead + " "
	const dir = "skill://read-csv/"
	whole := []string{".skilltool-origin.json", "SKILL.md", "more.md", "notes.md"}
	for _, test := range []struct {
		name     string
		versions [2]http.Handler
		choose   func(method string, lists int) int
		change   func(*mcpprobe.Entry)
		approve  func(*mcpprobe.Entry) error
		want     string // part of the error
		stale    bool
		log      []string
		saved    []string
	}{
		{
			name: "honest", choose: func(string, int) int { return 0 },
			log:   []string{list, read + dir + "SKILL.md", read + dir + "references/more.md", read + dir + "references/notes.md"},
			saved: whole,
		},
		{
			name: "SKILL.md is forged", versions: [2]http.Handler{honest, forged},
			choose: func(method string, n int) int { return one(reads(method, n)) },
			want:   dir + "SKILL.md: 76 bytes as listed, another digest", log: []string{list, read + dir + "SKILL.md", get + dir + "SKILL.md"},
		},
		{
			name: "a file is forged", versions: [2]http.Handler{honest, newer},
			choose: func(method string, n int) int { return one(reads(method, n)) },
			want:   dir + "references/notes.md: 5 bytes as listed, another digest",
			log: []string{list, read + dir + "SKILL.md", read + dir + "references/more.md", read + dir + "references/notes.md",
				get + dir + "SKILL.md"},
		},
		{
			name: "changed since it was listed", versions: [2]http.Handler{honest, newer},
			choose: func(_ string, lists int) int { return one(lists > 0) }, stale: true,
			log: []string{list, read + dir + "SKILL.md", read + dir + "references/more.md", read + dir + "references/notes.md",
				get + dir + "SKILL.md", read + dir + "SKILL.md", read + dir + "references/more.md", read + dir + "references/notes.md"},
			saved: whole,
		},
		{
			name: "changed, and not approved", versions: [2]http.Handler{honest, newer},
			choose: func(_ string, lists int) int { return one(lists > 0) },
			approve: func() func(*mcpprobe.Entry) error {
				asked := 0
				return func(*mcpprobe.Entry) error {
					if asked++; asked > 1 {
						return errors.New("not approved")
					}
					return nil
				}
			}(),
			want: "its entry has changed since it was listed: not approved",
			log: []string{list, read + dir + "SKILL.md", read + dir + "references/more.md", read + dir + "references/notes.md",
				get + dir + "SKILL.md"},
		},
		{
			name: "not approved", choose: func(string, int) int { return 0 },
			approve: func(*mcpprobe.Entry) error { return errors.New("not approved") },
			want:    "not approved", log: []string{list},
		},
		{
			name: "a bad entry", choose: func(string, int) int { return 0 },
			change: func(e *mcpprobe.Entry) {
				e.Problems = []mcpprobe.Problem{{Check: &mcpprobe.CheckInfo{ID: "x", Level: mcpprobe.Must}, Message: "broken"}}
			},
			want: "its entry breaks the specification (x): broken", log: []string{list},
		},
		{
			name: "files that cannot be kept apart", choose: func(string, int) int { return 0 },
			change: func(e *mcpprobe.Entry) {
				e.Resources = append(e.Resources, mcpprobe.Resource{URI: dir + "references/MORE.md"})
			},
			want: "have one name", log: []string{list},
		},
		{
			name: "dynamic", choose: func(string, int) int { return 0 },
			change: func(e *mcpprobe.Entry) { e.Dynamic, e.Resources = true, nil },
			log: []string{list, read + dir + "SKILL.md", mcpprobe.MethodDirectory + " skill://read-csv",
				mcpprobe.MethodDirectory + " skill://read-csv/references",
				read + dir + "references/more.md", read + dir + "references/notes.md"},
			saved: whole,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &twoVersions{versions: test.versions, choose: test.choose}
			if s.versions[0] == nil {
				s.versions[0] = honest
			}
			out, pulled, err := pullOnce(t, s, test.change, test.approve)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
			if err == nil && pulled.Refetched != test.stale {
				t.Errorf("refetched: %v", pulled.Refetched)
			}
			if !slices.Equal(s.log, test.log) {
				t.Errorf("asked for\n%s\nwant\n%s", strings.Join(s.log, "\n"), strings.Join(test.log, "\n"))
			}
			if got := savedNames(t, out); !slices.Equal(got, test.saved) {
				t.Errorf("saved: %q, want %q", got, test.saved)
			}
		})
	}
}
