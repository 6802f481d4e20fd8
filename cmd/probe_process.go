package cmd

import (
	"context"
	"io"
	"log"
	"os"
	"runtime/debug"

	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// probeMemory is where the collector begins to work harder: a hostile server
// may send what it likes, and the whole process is to stay below 256 MiB.
const probeMemory = 192 << 20

// connectProbe reaches a server. Whatever net/http would log of a server's bytes
// goes nowhere: only what has been made harmless reaches a terminal.
func connectProbe(ctx context.Context, t mcpprobe.Target, o mcpprobe.Options) (*mcpprobe.Client, error) {
	log.SetOutput(io.Discard)
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(probeMemory)
	}
	return mcpprobe.Connect(ctx, t, o)
}
