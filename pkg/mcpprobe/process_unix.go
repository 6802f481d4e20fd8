//go:build unix

package mcpprobe

import (
	"os"
	"os/exec"
	"syscall"
)

// setGroup gives a command a process group of its own.
func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// terminateGroup asks the group of a process to end.
func terminateGroup(p *os.Process) { signalGroup(p, syscall.SIGTERM) }

// killGroup ends the group of a process.
func killGroup(p *os.Process) { signalGroup(p, syscall.SIGKILL) }

func signalGroup(p *os.Process, signal syscall.Signal) {
	_ = syscall.Kill(-p.Pid, signal) // a group that is gone needs no signal
}
