package cmd

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/skilltool/skilltool/internal/term"
)

// Progress appears when a run takes longer than progressDelay, and is
// rewritten every progressStep.
const (
	progressDelay = 500 * time.Millisecond
	progressStep  = 100 * time.Millisecond
)

// progress counts finished work, or says in words how far it is. On a terminal
// one line of standard error shows that while it runs.
type progress struct {
	done atomic.Int64
	line atomic.Pointer[string]
	stop chan struct{}
	over chan struct{}
}

// startProgress begins to show the count of nouns, unless nobody looks:
// with --quiet or --no-progress, in CI, and where stderr is no terminal.
func (e *env) startProgress(noun string) *progress {
	p := &progress{stop: make(chan struct{}), over: make(chan struct{})}
	if e.quiet || e.noProgress || e.getenv("CI") != "" || !term.IsTerminal(e.stderr) {
		close(p.over)
		return p
	}
	go p.show(e.stderr, noun)
	return p
}

func (p *progress) show(w io.Writer, noun string) {
	defer close(p.over)
	wait := time.NewTimer(progressDelay)
	defer wait.Stop()
	shown := false
	for {
		select {
		case <-wait.C:
			fmt.Fprintf(w, "\r\x1b[K%s", p.text(noun))
			shown = true
			wait.Reset(progressStep)
		case <-p.stop:
			if shown {
				fmt.Fprint(w, "\r\x1b[K")
			}
			return
		}
	}
}

// text is what the line says.
func (p *progress) text(noun string) string {
	if line := p.line.Load(); line != nil {
		return *line
	}
	return fmt.Sprintf("checked %d %s", p.done.Load(), noun)
}

// say replaces the count by a line of words.
func (p *progress) say(line string) { p.line.Store(&line) }

// end takes the line away.
func (p *progress) end() {
	close(p.stop)
	<-p.over
}
