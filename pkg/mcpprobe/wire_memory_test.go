//go:build linux && !race

package mcpprobe

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// maxMemory is what a client may take, whatever is served (C-11).
const maxMemory = 256 << 20

// The client is a process of its own, so that its memory can be told from that
// of the server.
const memoryVariable = "MCPPROBE_TEST_SERVER"

func init() {
	stdioRoles["client"] = func(s *rawServer) {
		target := Target{URL: os.Getenv(memoryVariable)}
		if role, ok := strings.CutPrefix(target.URL, "stdio:"); ok {
			target = Target{Command: &Command{Args: os.Args[:1], Env: append(os.Environ(), roleVariable+"="+role)}}
		}
		c, err := Connect(context.Background(), target, Options{MaxBytes: 1 << 30})
		if err != nil {
			panic(err)
		}
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				x := c.Call(context.Background(), MethodRead, map[string]any{"uri": "bytes:50331648"}, 0)
				s.write("%d %v\n", len(x.Result), x.Error())
			})
		}
		group.Wait()
		_ = c.Close()
		status, _ := os.ReadFile("/proc/self/status")
		_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
		s.write("peak %s\n", bytes.Fields(rest)[0])
	}
	stdioRoles["nested"] = func(s *rawServer) {
		chunk := bytes.Repeat([]byte("["), 1<<20)
		s.serve(func(r rawRequest) {
			s.write(`{"jsonrpc":"2.0","id":%s,"result":`, r.ID)
			for range 45 {
				_, _ = s.out.Write(chunk)
			}
			s.write("\n")
		})
	}
	stdioRoles["keys"] = func(s *rawServer) {
		s.serve(func(r rawRequest) {
			s.write(`{"jsonrpc":"2.0","id":%s,"result":{`, r.ID)
			for i := range 40 {
				var b bytes.Buffer
				for j := range 1 << 16 {
					fmt.Fprintf(&b, "\"%x\":0,", i<<16|j)
				}
				_, _ = s.out.Write(b.Bytes())
			}
			s.write("\"\":0}}\n")
		})
	}
}

// TestMemory makes four requests at a time for the longest answers, without
// saying how long they are.
func TestMemory(t *testing.T) {
	piece := strings.Repeat(`\u00e9`, 1<<20)
	long := func(prefix, header string) http.Handler {
		return rawHTTP(func(r rawRequest, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", header)
			_, _ = fmt.Fprintf(w, `%s{"jsonrpc":"2.0","id":%s,"result":"`, prefix, r.ID)
			for range 8 {
				_, _ = io.WriteString(w, piece)
			}
			_, _ = io.WriteString(w, "\"}\n\n")
		})
	}
	for name, target := range map[string]string{
		"JSON":        httpTarget(t, long("", typeJSON)).URL,
		"events":      httpTarget(t, long("data: ", typeEvents)).URL,
		"stdio":       "stdio:id last",
		"nested":      "stdio:nested",
		"keys":        "stdio:keys",
		"no line end": "stdio:no line",
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), roleVariable+"=client", memoryVariable+"="+target)
			out, err := cmd.CombinedOutput()
			answers, peak, _ := strings.Cut(string(out), "peak ")
			kB, err2 := strconv.Atoi(strings.TrimSpace(peak))
			if err != nil || err2 != nil || kB<<10 > maxMemory {
				t.Errorf("%v: %s", err, out)
			}
			t.Logf("peak %d MiB; %s", kB>>10, answers)
		})
	}
}
