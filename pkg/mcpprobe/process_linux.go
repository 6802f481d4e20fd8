package mcpprobe

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// relative is a process that descends from a server. It may have left the
// server's process group.
type relative struct {
	pid   int
	start string // when it started, so that a successor to its pid is not it
}

// descendants gives the processes that descend from pid, as far as each of their
// parents is still there.
func descendants(pid int) []relative {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	children := map[int][]relative{}
	for _, file := range files {
		child, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			continue
		}
		if parent, start := processStat(child); start != "" {
			children[parent] = append(children[parent], relative{child, start})
		}
	}
	found := children[pid]
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i].pid]...)
	}
	return found
}

// processStat gives the parent of a process, and when it started.
func processStat(pid int) (parent int, start string) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, ""
	}
	// The name, in brackets, may hold anything; what follows does not.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const parentField, startField = 1, 19
	if len(fields) <= startField {
		return 0, ""
	}
	parent, _ = strconv.Atoi(string(fields[parentField]))
	return parent, string(fields[startField])
}

func (r relative) kill() {
	if _, start := processStat(r.pid); start == r.start {
		_ = syscall.Kill(r.pid, syscall.SIGKILL) // it may end by itself
	}
}
