package cmd

import (
	"cmp"
	"path"
	"slices"
)

// matchPaths pairs two lists of slash-separated paths that share as many of
// their last segments as possible, and at least one. It gives for each of a the
// index in b, or -1; each of b is taken at most once.
func matchPaths(a, b []string) []int {
	type pair struct{ i, j, shared int }
	byBase := map[string][]int{}
	for j, p := range b {
		byBase[path.Base(p)] = append(byBase[path.Base(p)], j)
	}
	var pairs []pair
	for i, p := range a {
		for _, j := range byBase[path.Base(p)] {
			pairs = append(pairs, pair{i, j, commonTail(p, b[j])})
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(y.shared, x.shared) })
	match := make([]int, len(a))
	for i := range match {
		match[i] = -1
	}
	taken := make([]bool, len(b))
	for _, p := range pairs {
		if match[p.i] < 0 && !taken[p.j] {
			match[p.i], taken[p.j] = p.j, true
		}
	}
	return match
}

// commonTail counts the segments that two paths share at their ends.
func commonTail(a, b string) int {
	n := 0
	for a != "." && b != "." && path.Base(a) == path.Base(b) && path.Base(a) != "/" {
		n++
		a, b = path.Dir(a), path.Dir(b)
	}
	return n
}
