package mcpprobe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/skilltool/skilltool/internal/cause"
)

const (
	// stepTime is how long a server has for each step of its end: its standard
	// input closes, it is asked to terminate, it is killed.
	stepTime = 500 * time.Millisecond
	// restTime is how long what a server has written before its end may take to
	// be read.
	restTime = time.Second
	// maxStderr is how much is kept of what a server writes to standard error,
	// in bytes: the end, where the reason is.
	maxStderr = 8 << 10
)

// process is a server that was started, with its standard streams.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	stderr *os.File
	tail   tail
	done   chan struct{} // closed once the process has ended and is reaped
	heard  chan struct{} // closed once standard error is read to its end
}

// startProcess starts a command. The error is a *ConnectError.
func startProcess(c Command) (*process, error) {
	p := &process{cmd: exec.Command(c.Args[0], c.Args[1:]...), done: make(chan struct{}), heard: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = c.Dir, c.Env
	setGroup(p.cmd)
	// Pipes of our own: with those of os/exec, Wait would wait for whatever the
	// server has started, or close them before they are read.
	theirs, err := p.pipes()
	if err == nil {
		err = p.cmd.Start()
	}
	closeAll(theirs)
	if err != nil {
		closeAll([]*os.File{p.stdin, p.stdout, p.stderr})
		return nil, &ConnectError{Kind: ErrUnreachable, Message: startMessage(c, err), Err: err}
	}
	go func() {
		_ = p.cmd.Wait() // the state says it all
		// A process that it has started may still hold the pipe, and says
		// nothing on it.
		_ = p.stdout.SetReadDeadline(time.Now().Add(restTime))
		close(p.done)
	}()
	go func() {
		defer close(p.heard)
		p.tail.readAll(p.stderr)
	}()
	return p, nil
}

// pipes connects the standard streams, and gives the ends of the process.
func (p *process) pipes() (theirs []*os.File, err error) {
	pipe := func(fromThem bool) (ours, their *os.File) {
		if err != nil {
			return nil, nil
		}
		var r, w *os.File
		if r, w, err = os.Pipe(); err != nil {
			return nil, nil
		}
		if fromThem {
			ours, their = r, w
		} else {
			ours, their = w, r
		}
		theirs = append(theirs, their)
		return ours, their
	}
	var stdin, stdout, stderr *os.File
	p.stdin, stdin = pipe(false)
	p.stdout, stdout = pipe(true)
	p.stderr, stderr = pipe(true)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, stdout, stderr
	return theirs, err
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close() // a pipe that is given up
		}
	}
}

// startMessage says why a command does not start.
func startMessage(c Command, err error) string {
	name := filepath.Base(c.Args[0])
	if c.Dir != "" {
		if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
			return fmt.Sprintf("the command %q cannot start: its working directory %q is no directory", name, c.Dir)
		}
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("the command %q is not found", c.Args[0])
	}
	var inner *exec.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return fmt.Sprintf("the command %q cannot start: %v", name, cause.Of(err))
}

// state says how the process ended; it has.
func (p *process) state() string { return p.cmd.ProcessState.String() }

// stop ends the process and whatever it has started, in steps, and waits for
// it. On Linux that includes what has left the process group, unless its parent
// ended before: a process that nobody's child is any more could only be found by
// adopting it, and a library does not make itself the parent of others' children.
func (p *process) stop() error {
	family := descendants(p.cmd.Process.Pid)
	_ = p.stdin.Close()
	if !p.ends() {
		terminateGroup(p.cmd.Process)
		family = append(family, descendants(p.cmd.Process.Pid)...)
		if !p.ends() {
			killGroup(p.cmd.Process)
		}
	}
	stopped := p.ends()
	killGroup(p.cmd.Process) // what it has left behind
	for _, relative := range family {
		relative.kill()
	}
	// Whoever else holds the pipes must not keep their readers.
	for _, f := range []*os.File{p.stdout, p.stderr} {
		_ = f.SetReadDeadline(time.Now())
	}
	select {
	case <-p.heard:
	case <-time.After(stepTime):
	}
	closeAll([]*os.File{p.stdout, p.stderr})
	if !stopped {
		return fmt.Errorf("process %d cannot be ended", p.cmd.Process.Pid)
	}
	return nil
}

// ends waits for one step.
func (p *process) ends() bool {
	select {
	case <-p.done:
		return true
	case <-time.After(stepTime):
		return false
	}
}

// stderrTail gives the end of what the process wrote to standard error. Where
// the process has ended, it waits for the last of it.
func (p *process) stderrTail() string {
	select {
	case <-p.done:
		select {
		case <-p.heard:
		case <-time.After(stepTime):
		}
	default:
	}
	return p.tail.text()
}

// tail keeps the end of a stream.
type tail struct {
	mu   sync.Mutex
	kept []byte
	cut  bool
}

func (t *tail) readAll(f *os.File) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := f.Read(buffer)
		t.add(buffer[:n])
		if err != nil {
			return
		}
	}
}

func (t *tail) add(part []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, part...)
	if over := len(t.kept) - maxStderr; over > 0 {
		t.cut = true
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
}

// text gives whole lines, where there are any.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := string(t.kept)
	if t.cut {
		if _, rest, ok := strings.Cut(text, "\n"); ok {
			text = rest
		}
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
