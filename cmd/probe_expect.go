package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/pkg/mcpprobe"
	"github.com/skilltool/skilltool/pkg/spec"
)

// expectation is what --expect wants a server to serve.
type expectation struct {
	ctx    context.Context
	skills []mcpprobe.ExpectedSkill
	paths  []string // of skills, to pair them by

	once  sync.Once
	match map[string]int // of the URIs of entries to skills; -1 for none

	mu sync.Mutex
	// explained has the harmless reasons for differences, by the URIs of
	// entries and files.
	explained map[string]map[string]string
}

// readExpect reads what a server is expected to serve.
func (k *keeper) readExpect(c *cli.Context) error {
	if !c.IsSet("expect") {
		return nil
	}
	arg := c.String("expect")
	sides, err := k.e.expectedSides(c, arg)
	if err != nil {
		return fmt.Errorf("--expect: %q: %w", arg, err)
	}
	k.expected = &expectation{ctx: c.Context, explained: map[string]map[string]string{}}
	for _, s := range sides {
		k.expected.skills = append(k.expected.skills, mcpprobe.ExpectedSkill{Name: s.name, Side: s.Side})
		k.expected.paths = append(k.expected.paths, s.path)
	}
	return nil
}

// expectedSides is readSides, with an error where there is no skill at all:
// nothing would be compared.
func (e *env) expectedSides(c *cli.Context, arg string) ([]side, error) {
	if arg == "" {
		return nil, errors.New("it must be a skill, a directory with skills, or a manifest")
	}
	if _, err := os.Stat(arg); err != nil {
		return nil, plainError(err)
	}
	sides, err := e.readSides(c, arg)
	if err == nil && len(sides) == 0 {
		err = errors.New("there is no skill in it")
	}
	return sides, err
}

// pair finds the expected skill of each entry: the one whose path shares most
// of its last segments with the URI.
func (x *expectation) pair(entries []*mcpprobe.Entry) {
	x.once.Do(func() {
		uris := urisOf(entries)
		paths := make([]string, len(uris))
		for i, uri := range uris {
			paths[i] = skillPath(uri)
		}
		x.match = map[string]int{}
		for i, j := range matchPaths(paths, x.paths) {
			x.match[uris[i]] = j
		}
	})
}

// skillPath gives the path of a skill below the scheme of its URI, as a side of
// a comparison has it.
func skillPath(uri string) string {
	_, below, _ := strings.Cut(uri, "://")
	return path.Clean(strings.TrimSuffix(below, "/"+spec.SkillFile))
}

// file looks for the reason of a difference while the content is at hand.
func (x *expectation) file(entries []*mcpprobe.Entry, e *mcpprobe.Entry, uri string, content []byte) {
	x.pair(entries)
	i, ok := x.match[e.URI]
	if !ok || i < 0 {
		return
	}
	how := x.skills[i].Explain(x.ctx, e, uri, content)
	if how == "" {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.explained[e.URI] == nil {
		x.explained[e.URI] = map[string]string{}
	}
	x.explained[e.URI][uri] = how
}

// results compares all entries. complete says that they are all that the server
// has; else nobody can tell which skill is missing.
func (x *expectation) results(entries []*mcpprobe.Entry, complete bool) []mcpprobe.Result {
	x.pair(entries)
	var results []mcpprobe.Result
	served := map[int]bool{}
	for _, e := range entries {
		i := x.match[e.URI]
		if i < 0 {
			results = append(results, mcpprobe.NotExpected(e))
			continue
		}
		served[i] = true
		results = append(results, x.skills[i].Compare(e, x.explained[e.URI])...)
	}
	for i, skill := range x.skills {
		if !served[i] && complete {
			results = append(results, skill.NotServed())
		}
	}
	return foldPasses(results)
}

// foldPasses makes one result of those that pass, as reports have them.
func foldPasses(results []mcpprobe.Result) []mcpprobe.Result {
	var folded []mcpprobe.Result
	passed := -1
	for _, r := range results {
		switch {
		case r.Status != mcpprobe.Pass:
			folded = append(folded, r)
		case passed < 0:
			passed = len(folded)
			folded = append(folded, mcpprobe.Result{Check: r.Check, Status: mcpprobe.Pass, Count: r.Count})
		default:
			folded[passed].Count += r.Count
		}
	}
	return folded
}
