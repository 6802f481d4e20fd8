package mcpprobe

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
)

// findings collects the results of an audit. Its methods may be called from
// several goroutines, in any order: what comes out is sorted.
type findings struct {
	selected map[*CheckInfo]bool

	mu      sync.Mutex
	passes  map[*CheckInfo]int
	results map[*CheckInfo][]Result
	// more counts the results of a check that were not kept.
	more    map[*CheckInfo]int
	skips   map[*CheckInfo]string
	tallies map[tallyKey]*tallied
	// failed are the skills that have a failure.
	failed map[string]bool
}

// maxResults bounds the results of one check that are kept: the first in their
// order. A server can be wrong in a million places.
const maxResults = 1000

type tallyKey struct {
	check   *CheckInfo
	status  Status
	problem string
}

// tallied is a problem that many answers share.
type tallied struct {
	count int
	uri   string // the first in order
}

func newFindings(only, leave []string) *findings {
	f := &findings{
		selected: map[*CheckInfo]bool{}, passes: map[*CheckInfo]int{}, results: map[*CheckInfo][]Result{},
		more: map[*CheckInfo]int{}, skips: map[*CheckInfo]string{}, tallies: map[tallyKey]*tallied{}, failed: map[string]bool{},
	}
	for _, check := range Checks() {
		f.selected[check] = !isKept(check) && selects(only, leave, check)
	}
	return f
}

// status is what a check of a level comes to where it does not pass.
func (l Level) status() Status {
	switch l {
	case Must:
		return Fail
	case Should:
		return Warn
	}
	return Info
}

// subject is what a result is about.
type subject struct{ skill, uri string }

// judge counts a pass, or keeps a problem where there is one.
func (f *findings) judge(check *CheckInfo, about subject, problem string, evidence ...Evidence) {
	if problem == "" {
		f.pass(check, 1)
		return
	}
	f.fault(check, about, problem, evidence...)
}

func (f *findings) pass(check *CheckInfo, count int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.passes[check] += count
}

// fault keeps a problem, with the status that the level of the check has.
func (f *findings) fault(check *CheckInfo, about subject, message string, evidence ...Evidence) {
	f.keep(check, check.Level.status(), about, message, evidence...)
}

// note keeps information, whatever the level of the check.
func (f *findings) note(check *CheckInfo, about subject, message string, evidence ...Evidence) {
	f.keep(check, Info, about, message, evidence...)
}

func (f *findings) keep(check *CheckInfo, status Status, about subject, message string, evidence ...Evidence) {
	if !f.selected[check] {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if status == Fail {
		f.failed[about.skill] = true
	}
	kept := append(f.results[check], Result{
		Check: check, Status: status, Skill: about.skill, URI: about.uri, Message: message, Evidence: evidence, Count: 1,
	})
	if len(kept) > 2*maxResults {
		kept = f.shorten(check, kept)
	}
	f.results[check] = kept
}

// shorten keeps the first results in their order, whichever came first in time.
func (f *findings) shorten(check *CheckInfo, kept []Result) []Result {
	kept = sortResults(kept)
	if more := len(kept) - maxResults; more > 0 {
		f.more[check] += more
		kept = slices.Clone(kept[:maxResults])
	}
	return kept
}

// sortResults sorts the results of one check, and drops those that say the
// same twice.
func sortResults(results []Result) []Result {
	slices.SortStableFunc(results, compareResults)
	return slices.CompactFunc(results, func(a, b Result) bool { return compareResults(a, b) == 0 && a.Status == b.Status })
}

func compareResults(a, b Result) int {
	return cmp.Or(cmp.Compare(a.Skill, b.Skill), cmp.Compare(a.URI, b.URI), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Status, b.Status))
}

// tally counts a pass, or a problem that becomes one result for all the answers
// that have it: a server that forgets resultType does so everywhere.
func (f *findings) tally(check *CheckInfo, uri, problem string) {
	if problem == "" {
		f.pass(check, 1)
		return
	}
	f.tallyAs(check, check.Level.status(), uri, problem)
}

func (f *findings) tallyAs(check *CheckInfo, status Status, uri, problem string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := tallyKey{check, status, problem}
	t := f.tallies[key]
	if t == nil {
		t = &tallied{uri: uri}
		f.tallies[key] = t
	}
	t.count++
	t.uri = min(t.uri, uri)
}

// skip says why a check is not made. It counts only where the check comes to
// nothing else.
func (f *findings) skip(check *CheckInfo, reason string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if before, ok := f.skips[check]; !ok || reason < before {
		f.skips[check] = reason
	}
}

// came reports a check that has come to something.
func (f *findings) came(check *CheckInfo) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.passes[check] > 0 || len(f.results[check]) > 0
}

// fail notes a skill as failed for a result that is about many.
func (f *findings) fail(skill string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed[skill] = true
}

func (f *findings) hasFailed(skill string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed[skill]
}

// sorted gives the results of all selected checks. A check that came to nothing
// is skipped; otherwise gives the reason where nobody gave one.
func (f *findings) sorted(otherwise func(*CheckInfo) string) []Result {
	f.countTallies()
	var all []Result
	for _, check := range Checks() {
		if !f.selected[check] {
			continue
		}
		kept := f.shorten(check, f.results[check])
		if more := f.more[check]; more > 0 {
			kept = append([]Result{{
				Check: check, Status: worst(kept), Count: 1,
				Message: fmt.Sprintf("there are %s more results of this check than the first %d", thousands(int64(more)), len(kept)),
			}}, kept...)
		}
		if n := f.passes[check]; n > 0 {
			kept = append([]Result{{Check: check, Status: Pass, Count: n}}, kept...)
		}
		if len(kept) == 0 {
			reason, ok := f.skips[check]
			if !ok {
				reason = otherwise(check)
			}
			kept = []Result{{Check: check, Status: Skip, Message: reason, Count: 1}}
		}
		all = append(all, kept...)
	}
	return all
}

// countTallies makes results of what was tallied.
func (f *findings) countTallies() {
	totals := map[*CheckInfo]int{}
	for key, t := range f.tallies {
		totals[key.check] += t.count
	}
	for key, t := range f.tallies {
		message := key.problem
		if total := totals[key.check] + f.passes[key.check]; total > 1 {
			message += fmt.Sprintf(" (%s of %s answers)", thousands(int64(t.count)), thousands(int64(total)))
		}
		f.keep(key.check, key.status, subject{uri: t.uri}, message)
	}
	clear(f.tallies)
}

// worst gives the worst status of some results.
func worst(results []Result) Status {
	for _, status := range []Status{Fail, Error, Warn, Info} {
		if slices.ContainsFunc(results, func(r Result) bool { return r.Status == status }) {
			return status
		}
	}
	return Pass
}
