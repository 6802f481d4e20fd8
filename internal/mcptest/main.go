package mcptest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// maxLife ends a server that nobody ended, so that no test leaves one behind.
const maxLife = 10 * time.Minute

// stubbornLife is maxLife of a server that does not end when it should.
const stubbornLife = time.Minute

// program is one run of mcp-fixture.
type program struct {
	options  Options
	address  string
	portFile string
	pidFile  string
	sse      bool
	list     bool
	hold     time.Duration

	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer
}

// Main is the program mcp-fixture: args are its name and its arguments. It
// gives the exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{args: args, stdin: stdin, stdout: stdout, stderr: stderr}
	if err := p.parse(); err != nil {
		return 2
	}
	switch {
	case p.list:
		for _, l := range Lies() {
			fmt.Fprintf(stdout, "%s\t%s\t%s\t%s\n", l.Name, l.Kind, l.Requirement, l.Doc)
		}
		return 0
	case p.hold > 0:
		time.Sleep(p.hold) // keeps what it has inherited open
		return 0
	}
	s, err := New(p.options)
	if err != nil {
		fmt.Fprintf(stderr, "mcp-fixture: %v\n", err)
		return 2
	}
	return p.run(s)
}

func (p *program) parse() error {
	flags := flag.NewFlagSet("mcp-fixture", flag.ContinueOnError)
	flags.SetOutput(p.stderr)
	o := &p.options
	flags.StringVar(&o.Dir, "dir", "", "serve the skills of this `folder`")
	flags.Func("lie", "tell this `lie`; may be given more than once", func(name string) error {
		o.Lies = append(o.Lies, name)
		return nil
	})
	flags.StringVar(&o.Protocol, "protocol", ProtocolBoth, "`era`: modern, legacy or both")
	directory := flags.Bool("directory", true, "declare directoryRead")
	flags.BoolVar(&o.NoDirectory, "no-directory", false, "do not declare directoryRead")
	flags.IntVar(&o.PageSize, "page-size", 0, "`items` of a page, -1 for all")
	flags.BoolVar(&o.Blobs, "blobs", false, "serve everything as base64")
	flags.BoolVar(&p.list, "list-lies", false, "print all lies")
	flags.StringVar(&p.address, "http", "", "serve Streamable HTTP at this `address`, such as 127.0.0.1:0")
	flags.StringVar(&p.portFile, "port-file", "", "write the port to this `file`")
	flags.StringVar(&p.pidFile, "pid-file", "", "add the numbers of the processes to this `file`")
	flags.BoolVar(&p.sse, "sse", false, "serve HTTP+SSE instead")
	flags.BoolVar(&o.Stateful, "stateful", false, "have sessions")
	flags.BoolVar(&o.Events, "sse-answers", false, "answer with streams of events")
	flags.StringVar(&o.Token, "token", "", "want this bearer `token`")
	flags.DurationVar(&o.Latency, "latency", 0, "`time` that each answer takes")
	flags.DurationVar(&p.hold, "hold", 0, "do nothing for this `time`, as the child of a server")
	if err := flags.Parse(p.args[1:]); err != nil {
		return err
	}
	o.NoDirectory = o.NoDirectory || !*directory
	if o.Protocol != ProtocolModern && o.Protocol != ProtocolLegacy && o.Protocol != ProtocolBoth || flags.NArg() > 0 {
		fmt.Fprintln(p.stderr, "mcp-fixture: --protocol is modern, legacy or both, and there are no arguments")
		return errors.New("usage")
	}
	return nil
}

// run serves until the client's stream ends, or a signal comes.
func (p *program) run(s *Server) int {
	if err := p.tellProcess(os.Getpid()); err != nil {
		fmt.Fprintf(p.stderr, "mcp-fixture: %v\n", err)
		return 2
	}
	if start := s.script.process.start; start != nil {
		if code := start(p); code >= 0 {
			return code
		}
	}
	life := maxLife
	if s.script.process.stubborn {
		life = stubbornLife
	}
	ctx, stop := context.WithTimeout(context.Background(), life)
	defer stop()
	if s.script.process.stubborn {
		signal.Ignore(os.Interrupt, syscall.SIGTERM)
		defer func() { <-ctx.Done() }()
	} else {
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
	}
	var err error
	if p.address != "" {
		err = p.serveHTTP(ctx, s)
	} else {
		err = s.Serve(ctx, p.stdin, p.stdout)
	}
	switch {
	case errors.Is(err, errDeath):
		return s.script.process.code
	case err != nil && ctx.Err() == nil:
		fmt.Fprintf(p.stderr, "mcp-fixture: %v\n", err)
		return 1
	}
	return 0
}

// serveHTTP serves at an address of this machine.
func (p *program) serveHTTP(ctx context.Context, s *Server) error {
	if host, _, err := net.SplitHostPort(p.address); err != nil || host != "127.0.0.1" {
		return fmt.Errorf("the address is 127.0.0.1:PORT, not %q", p.address)
	}
	listener, err := net.Listen("tcp", p.address)
	if err != nil {
		return err
	}
	handler := s.Handler
	if p.sse {
		handler = s.SSEHandler
	}
	server := &http.Server{Handler: handler(), BaseContext: func(net.Listener) context.Context { return ctx }}
	if err := p.tellPort(listener.Addr().String()); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// tellPort writes the port to the file, whole at once.
func (p *program) tellPort(address string) error {
	if p.portFile == "" {
		_, err := fmt.Fprintf(p.stderr, "http://%s/mcp\n", address)
		return err
	}
	part := filepath.Join(filepath.Dir(p.portFile), "."+filepath.Base(p.portFile)+".part")
	port := address[strings.LastIndexByte(address, ':')+1:]
	if err := os.WriteFile(part, []byte(port), 0o666); err != nil {
		return err
	}
	return os.Rename(part, p.portFile)
}

// tellProcess adds the number of a process to the file.
func (p *program) tellProcess(pid int) error {
	if p.pidFile == "" {
		return nil
	}
	f, err := os.OpenFile(p.pidFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(f, pid); err != nil {
		return err
	}
	return f.Close()
}
