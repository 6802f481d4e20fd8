package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// defaultLock is the name of a lock file that messages propose.
const defaultLock = "skilltool-probe.lock.json"

// probeKeepFlags are the flags about what is kept of a server, and what it is
// compared with.
func probeKeepFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "save", Usage: "save the files that verify below `DIR`"},
		forceFlag(),
		&cli.StringFlag{Name: "lock", Usage: "fail skills that are not as they were approved in `FILE`"},
		&cli.BoolFlag{Name: "update-lock", Usage: "approve what is served, if no check fails, and write it to the file of --lock"},
		&cli.StringFlag{Name: "expect", Usage: "compare what is served with the skills or the manifest at `PATH`"},
		&cli.StringFlag{Name: "expected-failures", Usage: "let the failures pass that `FILE` names, a check and a glob a line"},
	}
}

// keeper keeps what the flags of probeKeepFlags ask for of one server.
type keeper struct {
	e      *env
	target probeTarget
	redact func(string) string

	saver    *mcpprobe.Saver
	saveDir  string
	lockFile string // "" without a lock
	update   bool
	expected *expectation // nil without --expect
	failures []mcpprobe.ExpectedFailure
	failFile string
	// scoped says that the audit does not take in all skills.
	scoped bool

	mu      sync.Mutex
	entries []*mcpprobe.Entry // as OnEntry gave them
	trouble map[string]error  // why skills cannot be saved, by URI
}

// newKeeper reads what a server is compared with, before it is reached.
func newKeeper(c *cli.Context, e *env, t probeTarget) (*keeper, error) {
	k := &keeper{
		e: e, target: t, redact: redactor(t), update: c.Bool("update-lock"), trouble: map[string]error{},
		scoped: len(c.StringSlice("skill")) > 0,
	}
	for _, read := range []func(*cli.Context) error{k.readLock, k.readExpect, k.readFailures, k.openSave} {
		if err := read(c); err != nil {
			return nil, err
		}
	}
	return k, nil
}

func (k *keeper) openSave(c *cli.Context) (err error) {
	if !c.IsSet("save") {
		if c.Bool("force") {
			return usagef("--force is about the directory of --save")
		}
		return nil
	}
	if k.saveDir = c.String("save"); k.saveDir == "" {
		return usagef("--save takes a directory")
	}
	k.saver, err = openSaver(c, "--save", k.saveDir, k.target.Target.SaveLabel(), k.target)
	return err
}

func (k *keeper) readLock(c *cli.Context) error {
	if !c.IsSet("lock") {
		if k.update {
			return usagef("--update-lock needs the file to write").hintf("add --lock %s", defaultLock)
		}
		return nil
	}
	k.lockFile = c.String("lock")
	_, err := readLock(k.lockFile)
	if k.update && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// missingLock says that there is no lock file yet.
type missingLock struct{ file string }

func (m *missingLock) Error() string {
	return fmt.Sprintf("--lock: there is no file %q; skilltool probe --update-lock makes it, once no check fails", m.file)
}

func (m *missingLock) Is(target error) bool { return target == fs.ErrNotExist }

// readLock reads a lock file.
func readLock(file string) (*mcpprobe.Lock, error) {
	text, err := readFileUpTo(file, mcpprobe.MaxLockBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &missingLock{file}
	}
	if err != nil {
		return nil, fmt.Errorf("--lock: %q cannot be read: %w", file, plainError(err))
	}
	lock, err := mcpprobe.ReadLock(text)
	if err != nil {
		return nil, fmt.Errorf("--lock: %q: %w", file, err)
	}
	return lock, nil
}

// readFileUpTo reads a file, and one byte more than most of a larger one.
func readFileUpTo(file string, most int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}

func (k *keeper) readFailures(c *cli.Context) error {
	if !c.IsSet("expected-failures") {
		return nil
	}
	const most = 2 << 20 // more than is parsed
	file := c.String("expected-failures")
	text, err := readFileUpTo(file, most)
	if err != nil {
		return fmt.Errorf("--expected-failures: %q cannot be read: %w", file, plainError(err))
	}
	k.failFile = filepath.ToSlash(file)
	k.failures, err = mcpprobe.ParseExpectedFailures(text)
	var bad *mcpprobe.ExpectedFailuresError
	if !errors.As(err, &bad) {
		return err
	}
	u := usagef("--expected-failures: %s:%d: %s", k.failFile, bad.Line, bad.Message)
	if bad.Line == 0 {
		u = usagef("--expected-failures: %s: %s", k.failFile, bad.Message)
	}
	if bad.Check != "" {
		var ids []string
		for _, check := range mcpprobe.Checks() {
			ids = append(ids, check.ID)
		}
		u = u.suggest(bad.Check, ids).hintf("for all checks, run: skilltool probe --list-checks")
	}
	return u
}

// auditOptions lets the keeper see what the audit sees.
func (k *keeper) auditOptions(o *mcpprobe.AuditOptions) {
	o.OnEntry = func(e *mcpprobe.Entry) {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.entries = append(k.entries, e)
	}
	if k.saver != nil || k.expected != nil {
		o.OnFile = k.file
	}
}

// file takes a verified file. Why a skill cannot be saved is kept for the end:
// it is no fault of the server's.
func (k *keeper) file(e *mcpprobe.Entry, uri string, content []byte) error {
	if k.expected != nil {
		k.expected.file(k.served(), e, uri, content)
	}
	if k.saver == nil || e.Dynamic {
		return nil
	}
	if err := k.saver.Add(e, uri, content); err != nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.trouble[e.URI] == nil {
			k.trouble[e.URI] = err
		}
	}
	return nil
}

// served gives the entries, all of which come before any file.
func (k *keeper) served() []*mcpprobe.Entry {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.entries)
}

// audited gives the entries that the report is about: with --skill more may be
// listed.
func (k *keeper) audited(r *mcpprobe.Report) []*mcpprobe.Entry {
	if !k.scoped {
		return k.served()
	}
	judged := map[string]bool{}
	for _, s := range r.Skills {
		judged[s.URI] = true
	}
	return slices.DeleteFunc(k.served(), func(e *mcpprobe.Entry) bool { return !judged[e.URI] })
}

// finish adds what the keeper's own checks say to a report, marks the failures
// that are expected, and writes what is to be kept. The error is about files of
// this machine.
func (k *keeper) finish(r *mcpprobe.Report) error {
	entries := k.audited(r)
	complete := r.Fatal == nil && len(r.Bounds) == 0
	if k.expected != nil && r.Fatal == nil {
		r.Results = append(r.Results, k.expected.results(entries, complete && !k.scoped)...)
	}
	err := k.save(r, entries)
	if k.lockFile != "" && r.Fatal == nil {
		err = errors.Join(err, k.lock(r, entries, complete))
	}
	if k.failFile != "" {
		r.Results = append(r.Results, r.MarkExpected(k.failFile, k.failures)...)
	}
	return oneLine(err)
}

// oneLine joins the parts of an error on one line.
func oneLine(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
}

// lock holds the entries against the approvals, or approves them.
func (k *keeper) lock(r *mcpprobe.Report, entries []*mcpprobe.Entry, complete bool) error {
	lock, err := readLock(k.lockFile) // another target may have written it
	if errors.Is(err, fs.ErrNotExist) && k.update {
		lock, err = &mcpprobe.Lock{}, nil
	}
	if err != nil {
		return err
	}
	all := complete && !k.scoped
	results := lock.Check(r.Server.Label, entries, all)
	if !k.update {
		r.Results = append(r.Results, results...)
		return nil
	}
	r.MarkExpected(k.failFile, k.failures)
	if !complete || r.Count(mcpprobe.Fail) > 0 || r.Count(mcpprobe.Error) > 0 {
		k.e.notef("note: %s was not updated: that takes an audit that ends and in which no check fails", shorten(k.lockFile, 300))
		r.Results = append(r.Results, results...)
		return nil
	}
	err = k.approve(r, lock, entries)
	r.Results = append(r.Results, updated(results, lock.Check(r.Server.Label, entries, all))...)
	return err
}

// updated makes information of the failures that the update of a lock has
// settled. Those of skills that cannot be approved stay.
func updated(before, after []mcpprobe.Result) []mcpprobe.Result {
	failing := map[string]bool{}
	for _, r := range after {
		failing[r.Skill] = failing[r.Skill] || r.Status == mcpprobe.Fail
	}
	for _, r := range before {
		if r.Status == mcpprobe.Fail && !failing[r.Skill] {
			r.Status, r.Message = mcpprobe.Info, "the lock is updated; before: "+r.Message
			after = append(after, r)
		}
	}
	return after
}

// approve writes the verified skills of the audit into the lock file.
func (k *keeper) approve(r *mcpprobe.Report, lock *mcpprobe.Lock, entries []*mcpprobe.Entry) error {
	outcomes := map[string]mcpprobe.Outcome{}
	for _, s := range r.Skills {
		outcomes[s.URI] = s.Outcome
	}
	byURI := map[string]*mcpprobe.Entry{}
	for _, e := range entries {
		byURI[e.URI] = e
	}
	var approved []*mcpprobe.Entry
	for _, uri := range urisOf(entries) {
		if outcomes[uri] == mcpprobe.OutcomeVerified && !byURI[uri].Dynamic {
			approved = append(approved, byURI[uri])
		} else {
			k.e.notef("note: %s is left out of the lock: it is %s", shorten(k.redact(uri), 300), cmp.Or(outcomes[uri], mcpprobe.OutcomeIncomplete))
		}
	}
	var keep func(string) bool
	if k.scoped {
		keep = func(uri string) bool { return byURI[uri] == nil }
	}
	before := lock.Text()
	lock.Approve(r.Server.Label, approved, keep)
	text := lock.Text()
	if string(before) == string(text) && exists(k.lockFile) {
		return nil
	}
	if err := writeAtomic(k.lockFile, text); err != nil {
		return fmt.Errorf("--lock: %q cannot be written: %w", k.lockFile, plainError(err))
	}
	k.e.notef("note: %s approves %s of %s now", shorten(k.lockFile, 300), countedSkills(len(lock.Skills(r.Server.Label))), shorten(r.Server.Label, 300))
	return nil
}

func countedSkills(n int) string {
	if n == 1 {
		return "1 skill"
	}
	return fmt.Sprintf("%d skills", n)
}

// save brings the files that were verified to their places.
func (k *keeper) save(r *mcpprobe.Report, entries []*mcpprobe.Entry) error {
	if k.saver == nil {
		return nil
	}
	defer k.saver.Close()
	var failed []error
	saved, partly := 0, 0
	for _, uri := range urisOf(entries) {
		if !k.saver.Has(uri) {
			continue
		}
		outcome, err := k.saver.Commit(uri)
		if trouble := k.trouble[uri]; trouble != nil {
			err = trouble
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("--save: %s: %w", shorten(k.redact(uri), 300), err))
		}
		switch {
		case outcome == nil:
		case outcome.Kept:
			k.e.notef("note: %s: not all files verify, so the whole copy that was saved before is kept", shorten(k.redact(uri), 300))
		case outcome.Complete:
			saved++
		default:
			partly++
		}
	}
	note := fmt.Sprintf("saved %s below %s", countedSkills(saved), shorten(k.saveDir, 300))
	if partly > 0 {
		note += fmt.Sprintf(", and the files that verify of %d more", partly)
	}
	k.e.notef("note: %s", note)
	return errors.Join(failed...)
}

// urisOf gives the URIs of entries, sorted, each once.
func urisOf(entries []*mcpprobe.Entry) []string {
	uris := make([]string, len(entries))
	for i, e := range entries {
		uris[i] = e.URI
	}
	slices.Sort(uris)
	return slices.Compact(uris)
}
