package mcpprobe

import (
	"bytes"
	"fmt"
	"os"
)

// followsSessions says that processes are found in sessions of their own.
const followsSessions = true

func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || bytes.HasPrefix(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" Z"))
}
