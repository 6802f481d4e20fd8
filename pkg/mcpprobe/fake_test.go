package mcpprobe

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/spec"
)

// fakeLink answers in the place of a server.
type fakeLink struct {
	// answer gives a result to marshal, or an error.
	answer func(method string, params map[string]any) (any, error)

	mu       sync.Mutex
	requests []string // method and URI of each request, in order
}

func (l *fakeLink) call(_ context.Context, method string, raw json.RawMessage, _ int64) (*Exchange, again) {
	var params map[string]any
	if err := json.Unmarshal(raw, &params); err != nil {
		return &Exchange{Err: err}, again{}
	}
	uri, _ := params["uri"].(string)
	l.mu.Lock()
	l.requests = append(l.requests, strings.TrimSpace(method+" "+uri))
	result, err := l.answer(method, params)
	l.mu.Unlock()
	if rpc, ok := err.(*RPCError); ok {
		return &Exchange{RPC: rpc}, again{}
	}
	if err != nil {
		return &Exchange{Err: err}, again{}
	}
	out, err := json.Marshal(result)
	if err != nil {
		return &Exchange{Err: err}, again{}
	}
	return &Exchange{Result: out, Bytes: int64(len(out))}, again{}
}

func (l *fakeLink) notify(context.Context, string, json.RawMessage) error { return nil }
func (l *fakeLink) negotiated(string)                                     {}
func (l *fakeLink) close() error                                          { return nil }

// count gives the number of requests that begin with a text.
func (l *fakeLink) count(prefix string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, request := range l.requests {
		if strings.HasPrefix(request, prefix) {
			n++
		}
	}
	return n
}

// client connects to the fake as if it had declared everything.
func (l *fakeLink) client(o Options) *Client {
	o = o.withDefaults()
	return &Client{
		link: l, wire: newWire(o), options: o, places: make(chan struct{}, o.Concurrency), methods: map[string]*methodMeter{},
		server: Server{
			Label: "fake", Name: "fake", Version: "1.0", Transport: TransportOther, Protocol: ProtocolModern, Declared: true, DirectoryRead: true,
			Capabilities: json.RawMessage(`{"resources":{},"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}}}`),
		},
	}
}

// m is a JSON object.
type m = map[string]any

// fakeServer serves skills from memory, honestly where nothing else is said.
type fakeServer struct {
	fakeLink
	// files are all files by URI.
	files map[string]string
	// entries are those of the listing, by the URI of the skill.
	entries map[string]m
	// lie answers in the place of the server, where it gives true.
	lie func(method, uri string) (any, error, bool)
}

// fakeSkills serves skills below skill://, each with files by path.
func fakeSkills(skills map[string]map[string]string) *fakeServer {
	s := &fakeServer{files: map[string]string{}, entries: map[string]m{}}
	for name, files := range skills {
		for path, content := range files {
			s.files[digest.FileURI("skill://"+name, path)] = content
		}
	}
	for name := range skills {
		s.entries["skill://"+name+skillEnd] = s.entry("skill://" + name)
	}
	s.answer = s.serve
	return s
}

// skillText is a SKILL.md.
func skillText(name, description string) string {
	return fmt.Sprintf("---\nname: %s\ndescription: %s\n---\n\n# %s\n", name, description, name)
}

// weather serves one skill with a supporting file.
func weather() *fakeServer {
	return fakeSkills(map[string]map[string]string{"weather": {
		"SKILL.md":     skillText("weather", "Writes the weather report. Use each morning."),
		"notes/day.md": "Rain, then wind.\n",
	}})
}

const (
	weatherURI = "skill://weather/SKILL.md"
	notesURI   = "skill://weather/notes/day.md"
)

// entry describes the files below a directory.
func (s *fakeServer) entry(dir string) m {
	var frontmatter any
	raw, err := spec.Parse([]byte(s.files[dir+skillEnd])).Frontmatter.JSON()
	if err == nil {
		frontmatter = raw
	}
	resources := []any{}
	for _, uri := range sortedKeys(s.files) {
		if within(dir, uri) {
			resources = append(resources, m{"uri": uri, "digest": digest.Of([]byte(s.files[uri])).String(), "size": len(s.files[uri])})
		}
	}
	return m{"uri": dir + skillEnd, "frontmatter": frontmatter, "resources": resources}
}

// resource gives one resource of the entry of a skill, to change it.
func (s *fakeServer) resource(skill, uri string) m {
	for _, r := range s.entries[skill]["resources"].([]any) {
		if r.(m)["uri"] == uri {
			return r.(m)
		}
	}
	return nil
}

func refuse(format string, args ...any) error {
	return &RPCError{Code: CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

func (s *fakeServer) serve(method string, params map[string]any) (any, error) {
	uri, _ := params["uri"].(string)
	if s.lie != nil {
		if result, err, ok := s.lie(method, uri); ok {
			return result, err
		}
	}
	if cursor, ok := params["cursor"]; ok {
		return nil, refuse("no page has the cursor %q", cursor)
	}
	cached := func(members m) m {
		members["resultType"], members["ttlMs"], members["cacheScope"] = "complete", 0, "private"
		return members
	}
	switch method {
	case MethodList:
		skills := []any{}
		for _, uri := range sortedKeys(s.entries) {
			skills = append(skills, s.entries[uri])
		}
		return cached(m{"skills": skills}), nil
	case MethodGet:
		if entry, ok := s.entries[uri]; ok {
			return cached(m{"skill": entry}), nil
		}
		return nil, refuse("no skill is served at %s", uri)
	case MethodRead:
		if content, ok := s.files[uri]; ok {
			return cached(m{"contents": []any{m{"uri": uri, "mimeType": "text/markdown", "text": content}}}), nil
		}
		return nil, refuse("no file is served at %s", uri)
	case MethodResources:
		return cached(m{"resources": []any{}}), nil
	}
	return s.directory(uri)
}

func (s *fakeServer) directory(dir string) (any, error) {
	children := map[string]m{}
	for uri := range s.files {
		rest, ok := strings.CutPrefix(uri, dir+"/")
		if !ok {
			continue
		}
		name, _, deeper := strings.Cut(rest, "/")
		child := m{"uri": dir + "/" + name, "name": name, "mimeType": "text/plain"}
		if deeper {
			child["mimeType"] = directoryType
		}
		children[name] = child
	}
	if len(children) == 0 {
		return nil, refuse("no directory is served at %s", dir)
	}
	all := []any{}
	for _, name := range sortedKeys(children) {
		all = append(all, children[name])
	}
	return m{"resultType": "complete", "resources": all}, nil
}

// findingsOf gives the results of an audit that are neither passes nor skips,
// as lines.
func findingsOf(r *Report) []string {
	var lines []string
	for _, result := range r.Results {
		if result.Status != Pass && result.Status != Skip {
			lines = append(lines, strings.Join(slices.DeleteFunc([]string{string(result.Status), result.Check.ID, result.Skill, result.URI, result.Message},
				func(word string) bool { return word == "" }), " | "))
		}
	}
	return lines
}
