package cmd

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/pkg/digest"
)

// plan is what verify compares with what.
type plan struct {
	targets targets
	root    string // the argument, absolute and slash-separated
	// top are the skills that stand in no other one.
	top  []string
	jobs []job
	// unlisted are the skills that nothing is expected of.
	unlisted []string
}

// newPlan reads what is expected and pairs it with the skills.
func newPlan(c *cli.Context, e *env, t targets) (*plan, error) {
	var given []string
	for _, flag := range []string{"manifest", "sums", "lock", "digest", "git-tree"} {
		if c.IsSet(flag) {
			given = append(given, flag)
		}
	}
	if len(given) != 1 {
		return nil, usagef("verify takes exactly one of --manifest, --sums, --lock, --digest and --git-tree")
	}
	root, err := realPath(filepath.Join(slices.Concat(e.args, []string{"."})...))
	if err != nil {
		root = t.base // the errors of t say why
	}
	p := &plan{targets: t, root: filepath.ToSlash(root), top: topSkills(t.dirs)}
	flag, value := given[0], c.String(given[0])
	switch flag {
	case "digest":
		return p, p.sum(flag, value, digest.SHA256)
	case "git-tree":
		return p, p.sum(flag, value, digest.GitTree)
	}
	text, err := e.readInput(value)
	if err != nil {
		return nil, fmt.Errorf("--%s: %q: %w", flag, value, plainError(err))
	}
	if err := p.file(flag, value, text); err != nil {
		return nil, fmt.Errorf("--%s: %q: %w", flag, value, err)
	}
	return p, nil
}

// sum plans one digest for one skill.
func (p *plan) sum(flag, value string, algorithm digest.Algorithm) error {
	if algorithm == digest.SHA256 && strings.HasPrefix(value, "h1:") {
		algorithm = digest.H1
	}
	if err := digest.CheckSum(algorithm, value); err != nil {
		return usagef("--%s: %w", flag, err).hintf("skilltool digest --algorithm %s prints one", algorithm)
	}
	return p.one(job{sum: &wantedSum{algorithm, value}})
}

// file plans what a file expects.
func (p *plan) file(flag, name string, text []byte) error {
	switch flag {
	case "sums":
		expected, err := digest.ReadSums(text)
		if err != nil {
			return err
		}
		if err = p.one(job{expected: &expected}); err == nil {
			p.nameSelf(name)
		}
		return err
	case "lock":
		lock, err := digest.ReadLock(text)
		if err == nil {
			p.lock(lock)
		}
		return err
	}
	list, err := digest.ReadManifest(text)
	if err == nil {
		p.manifest(list)
		p.nameSelf(name)
	}
	return err
}

// topSkills are the directories that lie in no other one of a sorted list.
func topSkills(dirs []string) []string {
	known := make(map[string]bool, len(dirs))
	for _, dir := range dirs {
		known[dir] = true
	}
	return slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool {
		for parent := filepath.Dir(dir); parent != filepath.Dir(parent); parent = filepath.Dir(parent) {
			if known[parent] {
				return true
			}
		}
		return false
	})
}

// isSkill reports whether the argument is one skill, and no folder of skills.
func (p *plan) isSkill() bool { return len(p.top) == 1 && p.targets.below[p.top[0]] == "." }

// one gives the one skill that there must be the job.
func (p *plan) one(j job) error {
	if len(p.top) > 1 {
		return usagef("%d skills were found; this compares one skill", len(p.top))
	}
	for _, dir := range p.top {
		j.dir = dir
		p.jobs = append(p.jobs, j)
	}
	return nil
}

// nameSelf lets a manifest in a skill's own directory be no extra file.
func (p *plan) nameSelf(name string) {
	dir, err := realPath(filepath.Dir(name))
	if err != nil || name == "-" {
		return
	}
	real := filepath.Join(dir, filepath.Base(name))
	for _, j := range p.jobs {
		if self, ok := strings.CutPrefix(real, j.dir+string(filepath.Separator)); ok && j.dir != "" {
			j.expected.Self = filepath.ToSlash(self)
		}
	}
}

// lock pairs the skills of a lock with the folders of their names.
func (p *plan) lock(lock digest.Lock) {
	names := sortedKeys(lock.Skills)
	p.pair(names, p.top, func(i int) job {
		return job{name: names[i], sum: &wantedSum{digest.SkillsLock, lock.Skills[names[i]].ComputedHash}}
	})
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// manifest pairs entries with skills: one with one whatever their names, and
// else by the ends of their paths. A nested skill may have an entry and needs
// none: its files are those of the skill around it.
func (p *plan) manifest(list []digest.Expected) {
	if len(list) == 1 && p.isSkill() {
		p.jobs = []job{{dir: p.top[0], name: expectedName(list[0]), expected: &list[0]}}
		return
	}
	paths := make([]string, len(list))
	for i := range list {
		paths[i] = expectedPath(list[i])
	}
	p.pair(paths, p.targets.dirs, func(i int) job { return job{name: expectedName(list[i]), expected: &list[i]} })
}

// pair makes a job for each path that something is expected of. What has no
// partner is missing, unless only one skill was asked about.
func (p *plan) pair(paths, dirs []string, newJob func(i int) job) {
	slashed := make([]string, len(dirs))
	for i, dir := range dirs {
		slashed[i] = filepath.ToSlash(dir)
	}
	used := map[string]bool{}
	for i, j := range matchPaths(paths, slashed) {
		next := newJob(i)
		switch {
		case j >= 0:
			next.dir = dirs[j]
			used[next.dir] = true
		case p.isSkill():
			continue
		default:
			next.place = path.Join(p.root, "/"+path.Clean("/"+paths[i]))
		}
		p.jobs = append(p.jobs, next)
	}
	p.unlisted = slices.DeleteFunc(slices.Clone(p.top), func(dir string) bool { return used[dir] })
}
