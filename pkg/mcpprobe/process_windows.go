package mcpprobe

import (
	"os"
	"os/exec"
)

// Windows has neither process groups in this sense nor a polite signal: the
// process itself is ended.

func setGroup(*exec.Cmd) {}

func terminateGroup(*os.Process) {}

func killGroup(p *os.Process) {
	_ = p.Kill() // a process that is gone needs no signal
}
