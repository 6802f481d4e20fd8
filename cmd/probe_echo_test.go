package cmd

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/internal/report"
)

// echo answers the handshake and then sends the token of each request back, in
// every form that a careless server may log it.
func echo(w http.ResponseWriter, r *http.Request) {
	var request struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.NewDecoder(r.Body).Decode(&request)
	w.Header().Set("Content-Type", "application/json")
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	said := fmt.Sprintf("token %s, %q, %s, %s", token, token, url.QueryEscape(token), base64.StdEncoding.EncodeToString([]byte("x:"+token)))
	text, _ := json.Marshal(said)
	switch {
	case len(request.ID) == 0:
		w.WriteHeader(http.StatusAccepted)
	case request.Method == "initialize":
		fmt.Fprintf(w, `{"jsonrpc": "2.0", "id": %s, "result": {"protocolVersion": "2025-11-25", "serverInfo": {"name": %s, "version": "1"},
			"instructions": %s, "capabilities": {"resources": {}, "extensions": {"io.modelcontextprotocol/skills": {"said": %s}}}}}`, request.ID, text, text, text)
	case request.Method == "server/discover":
		fmt.Fprintf(w, `{"jsonrpc": "2.0", "id": %s, "error": {"code": -32601, "message": %s}}`, request.ID, text)
	default:
		fmt.Fprintf(w, `{"jsonrpc": "2.0", "id": %s, "error": {"code": -32603, "message": %s, "data": %s}}`, request.ID, text, text)
	}
}

// TestEcho: a server that repeats the token gets it into nothing that the tool
// writes.
func TestEcho(t *testing.T) {
	const plain = "s3cr3t/t0k3n+x"
	encoded := base64.RawStdEncoding.EncodeToString([]byte("x:" + plain))
	server := record(t, echo)
	dir := folder(t)
	lines := [][]string{{"list", "-f", "text"}, {"list", "-f", "json"}, {"get", "skill://a/SKILL.md"}, {"read", "skill://a/SKILL.md"}, {"ls", "skill://a"}}
	for _, format := range report.ProbeNames() {
		lines = append(lines, []string{"-f", format, "-v"})
	}
	for _, words := range lines {
		var stdout, stderr bytes.Buffer
		e := &env{stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr, root: rootCommand(), getenv: func(name string) string {
			return map[string]string{"TOK": plain}[name]
		}}
		trace := filepath.Join(dir, "trace")
		line := append([]string{"probe"}, words...)
		target := []string{server.URL, "--bearer-env", "TOK", "--trace", trace}
		if at := len(line); words[0] == "get" || words[0] == "read" || words[0] == "ls" {
			line = append(append(line[:at-1:at-1], target...), words[1])
		} else {
			line = append(line, target...)
		}
		_ = run(context.Background(), e, line)
		traced, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		for where, text := range map[string]string{"stdout": stdout.String(), "stderr": stderr.String(), "the trace": string(traced)} {
			for _, form := range []string{plain, url.QueryEscape(plain), `s3cr3t\/t0k3n`, encoded, encoded[4:20]} {
				if i := strings.Index(text, form); i >= 0 {
					t.Errorf("%q: %s has %q: …%s…", words, where, form, text[max(0, i-80):min(len(text), i+80)])
				}
			}
		}
		t.Logf("%q\n%s%s", words, stdout.String(), stderr.String())
		if stdout.Len()+stderr.Len() == 0 || !bytes.Contains(traced, []byte("redacted")) {
			t.Errorf("%q: nothing was said, or nothing was traced", words)
		}
	}
	if !strings.Contains(server.seen("Authorization"), plain) {
		t.Error("the token was not sent")
	}
}
