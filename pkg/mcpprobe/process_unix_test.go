//go:build unix

package mcpprobe

import (
	"encoding/json"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// startFamily starts processes that hold the standard streams and ignore what
// they can: one in the group of its parent, and one in a session of its own. It
// gives all pids.
func startFamily() string {
	pids := []int{os.Getpid()}
	for _, setsid := range []bool{false, true} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), roleVariable+"=sleeper")
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: setsid}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		pids = append(pids, cmd.Process.Pid)
	}
	raw, _ := json.Marshal(pids)
	return string(raw)
}

// gone reports whether a process ends soon; what is killed takes a moment to be
// reaped by the process that it was left to.
func gone(pid int) bool {
	for range 200 {
		if syscall.Kill(pid, 0) == syscall.ESRCH || zombie(pid) {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func checkGone(t *testing.T, pids []byte) {
	t.Helper()
	var all []int
	if err := json.Unmarshal(pids, &all); err != nil || len(all) != 3 {
		t.Fatalf("%s: %v", pids, err)
	}
	for i, pid := range all {
		if i == 2 && !followsSessions {
			_ = syscall.Kill(pid, syscall.SIGKILL) // nobody else does
			continue
		}
		if !gone(pid) {
			t.Errorf("process %d of %v is left", pid, all)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func TestStubborn(t *testing.T) {
	c := connected(t, stdioTarget(t, "stubborn"), Options{})
	x := c.Call(t.Context(), MethodList, nil, 0)
	if x.Error() != nil {
		t.Fatal(x.Error())
	}
	start := time.Now()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("Close took %s", took)
	}
	checkGone(t, x.Result)
	if err := c.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	if x := c.Call(t.Context(), MethodList, nil, 0); x.Err == nil || x.Err.Error() != "the connection was closed" {
		t.Errorf("a call after Close: %v", x.Error())
	}
}

// TestChildHoldsPipes ends requests when the server ends, though a process that
// it has started holds its standard output.
func TestChildHoldsPipes(t *testing.T) {
	c := connected(t, stdioTarget(t, "leaves child"), Options{})
	pids := c.Call(t.Context(), MethodList, nil, 0)
	if pids.Error() != nil {
		t.Fatal(pids.Error())
	}
	x := c.Call(t.Context(), MethodGet, nil, 0)
	if x.Err == nil || x.Err.Error() != "the server ended: exit status 4" {
		t.Errorf("err %v", x.Error())
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	// The one in a session of its own has no parent any more by now.
	var all []int
	if err := json.Unmarshal(pids.Result, &all); err != nil {
		t.Fatal(err)
	}
	if !gone(all[1]) {
		t.Errorf("process %d is left", all[1])
	}
	_ = syscall.Kill(all[2], syscall.SIGKILL)
}
