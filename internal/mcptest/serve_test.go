package mcptest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/pkg/digest"
)

// peer asks a server one thing after the other.
type peer struct {
	t      *testing.T
	modern bool
	ids    int
	// post sends a message and gives the next one that comes back.
	post func(raw string) string
}

// overPipes serves over a pair of streams.
func overPipes(t *testing.T, o Options) *peer {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	in, out := newPipe(), newPipe()
	done := make(chan error, 1)
	go func() { done <- s.Serve(context.Background(), in.r, out.w) }()
	t.Cleanup(func() {
		in.w.Close()
		go io.Copy(io.Discard, out.r)
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	answers := bufio.NewReader(out.r)
	return &peer{t: t, modern: o.Protocol != ProtocolLegacy, post: func(raw string) string {
		if _, err := io.WriteString(in.w, raw+"\n"); err != nil {
			t.Fatal(err)
		}
		line, err := answers.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return line
	}}
}

type pipe struct {
	r *io.PipeReader
	w *io.PipeWriter
}

func newPipe() pipe {
	r, w := io.Pipe()
	return pipe{r, w}
}

// overHTTP serves over HTTP.
func overHTTP(t *testing.T, o Options) *peer {
	t.Helper()
	server := httptest.NewServer(Handler(o))
	t.Cleanup(server.Close)
	p := &peer{t: t, modern: o.Protocol != ProtocolLegacy}
	p.post = func(raw string) string {
		request, err := http.NewRequest(http.MethodPost, server.URL+"/mcp", strings.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		if p.modern {
			var m message
			if err := json.Unmarshal([]byte(raw), &m); err != nil {
				t.Fatal(err)
			}
			request.Header.Set(headerProtocol, modernRevisions[0])
			request.Header.Set(headerMethod, m.Method)
			if uri, _ := m.Params["uri"].(string); m.Method == methodRead {
				request.Header.Set(headerName, uri)
			}
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
			_, data, _ := strings.Cut(string(body), "data: ")
			return strings.TrimSpace(data)
		}
		return string(body)
	}
	return p
}

// ask gives the result and the error code of a request.
func (p *peer) ask(method string, params object) (object, int) {
	p.t.Helper()
	p.ids++
	sent := object{}
	for key, value := range params {
		sent[key] = value
	}
	if p.modern {
		sent["_meta"] = object{metaProtocol: modernRevisions[0], metaClient: object{"name": "test"}, metaCapabilities: object{}}
	}
	var answer struct {
		Version string `json:"jsonrpc"`
		ID      int    `json:"id"`
		Result  object `json:"result"`
		Error   struct {
			Code    int
			Message string
		} `json:"error"`
	}
	raw := p.post(string(encode(object{"jsonrpc": "2.0", "id": p.ids, "method": method, "params": sent})))
	if err := json.Unmarshal([]byte(raw), &answer); err != nil {
		p.t.Fatalf("%s: %v: %q", method, err, raw)
	}
	if answer.Version != "2.0" || answer.ID != p.ids {
		p.t.Errorf("%s: the envelope is wrong: %s", method, raw)
	}
	return answer.Result, answer.Error.Code
}

// all asks for all pages.
func (p *peer) all(method, member string, params object) []object {
	p.t.Helper()
	var items []object
	asked := object{}
	for key, value := range params {
		asked[key] = value
	}
	for {
		result, code := p.ask(method, asked)
		if code != 0 {
			p.t.Fatalf("%s %v: error %d", method, asked, code)
		}
		for _, item := range result[member].([]any) {
			items = append(items, item.(object))
		}
		cursor, ok := result["nextCursor"]
		if !ok {
			return items
		}
		asked["cursor"] = cursor
	}
}

// TestHonest asks an honest server for everything that it has, over each
// transport and in each era.
func TestHonest(t *testing.T) {
	for _, era := range []string{ProtocolModern, ProtocolLegacy} {
		for name, connect := range map[string]func(*testing.T, Options) *peer{"pipes": overPipes, "http": overHTTP, "events": func(t *testing.T, o Options) *peer {
			o.Events = true
			return overHTTP(t, o)
		}} {
			for _, blobs := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/blobs=%v", era, name, blobs), func(t *testing.T) {
					p := connect(t, Options{Protocol: era, Blobs: blobs})
					p.handshake()
					p.checkSkills()
					p.checkRefusals()
				})
			}
		}
	}
}

func (p *peer) handshake() {
	p.t.Helper()
	method, params := methodDiscover, object{}
	if !p.modern {
		method, params = methodInitialize, object{"protocolVersion": "2025-11-25", "capabilities": object{}, "clientInfo": object{"name": "test"}}
	}
	result, code := p.ask(method, params)
	if code != 0 {
		p.t.Fatalf("%s: error %d", method, code)
	}
	extensions, _ := result["capabilities"].(object)["extensions"].(object)
	if settings, _ := extensions[extension].(object); settings["directoryRead"] != true {
		p.t.Errorf("%s declares %v", method, result)
	}
}

func (p *peer) checkSkills() {
	p.t.Helper()
	skills := p.all(methodList, "skills", nil)
	if len(skills) != 3 {
		p.t.Fatalf("%d skills are listed", len(skills))
	}
	for _, entry := range skills {
		uri := entry["uri"].(string)
		result, _ := p.ask(methodGet, object{"uri": uri})
		if fmt.Sprint(result["skill"]) != fmt.Sprint(entry) {
			p.t.Errorf("skills/get of %s differs from the listing", uri)
		}
		if _, ok := result["ttlMs"]; ok != p.modern {
			p.t.Errorf("ttlMs is there: %v", ok)
		}
		for _, r := range entry["resources"].([]any) {
			p.checkFile(r.(object))
		}
		dir := strings.TrimSuffix(uri, "/SKILL.md")
		if found := p.walk(dir); found != len(entry["resources"].([]any)) {
			p.t.Errorf("%s has %d files in its directories, and %d are listed", dir, found, len(entry["resources"].([]any)))
		}
	}
}

func (p *peer) checkFile(resource object) {
	p.t.Helper()
	result, code := p.ask(methodRead, object{"uri": resource["uri"]})
	if code != 0 {
		p.t.Fatalf("resources/read of %v: error %d", resource["uri"], code)
	}
	item := result["contents"].([]any)[0].(object)
	content := []byte(fmt.Sprint(item["text"]))
	if blob, ok := item["blob"].(string); ok {
		if err := json.Unmarshal(fmt.Appendf(nil, "%q", blob), &content); err != nil {
			p.t.Fatal(err)
		}
	}
	if digest.Of(content).String() != resource["digest"] || float64(len(content)) != resource["size"] || item["uri"] != resource["uri"] {
		p.t.Errorf("%v is not as listed: %q", resource, content)
	}
}

// walk counts the files below a directory.
func (p *peer) walk(dir string) int {
	p.t.Helper()
	files := 0
	for _, child := range p.all(methodDirectory, "resources", object{"uri": dir}) {
		if child["mimeType"] == "inode/directory" {
			files += p.walk(child["uri"].(string))
		} else {
			files++
		}
	}
	return files
}

func (p *peer) checkRefusals() {
	p.t.Helper()
	unknown := codeInvalidParams
	if !p.modern {
		unknown = codeResourceNotFound
	}
	for _, test := range []struct {
		method string
		params object
		want   int
	}{
		{methodGet, object{"uri": "skill://nobody/SKILL.md"}, codeInvalidParams},
		{methodGet, object{"uri": "skill://read-csv"}, codeInvalidParams},
		{methodGet, object{"uri": "skill://read-csv/references/formats.md"}, codeInvalidParams},
		{methodRead, object{"uri": "skill://read-csv/nothing.md"}, unknown},
		{methodDirectory, object{"uri": "skill://read-csv/SKILL.md"}, codeInvalidParams},
		{methodDirectory, object{"uri": "skill://read-csv/nothing"}, codeInvalidParams},
		{methodList, object{"cursor": "nobody gave this"}, codeInvalidParams},
		{"tools/list", nil, codeMethodNotFound},
	} {
		if _, code := p.ask(test.method, test.params); code != test.want {
			p.t.Errorf("%s %v: error %d, want %d", test.method, test.params, code, test.want)
		}
	}
}
