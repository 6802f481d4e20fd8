// Command baseline is what BenchmarkProcess holds the tool against: the least
// that a checker of skills has to do. It walks the trees that it is given,
// reads every SKILL.md, cuts it at the fences and parses the frontmatter, with
// one worker for each core, as the tool has. It checks nothing.
//
// It stands below testdata so that "go install ./..." leaves it out.
package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/goccy/go-yaml/parser"
)

func main() {
	var (
		workers sync.WaitGroup
		parsed  atomic.Int64
		paths   = make(chan string)
	)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for path := range paths {
				if parse(path) {
					parsed.Add(1)
				}
			}
		})
	}
	for _, root := range os.Args[1:] {
		if err := walk(root, paths); err != nil {
			fmt.Fprintln(os.Stderr, "baseline:", err)
			os.Exit(2)
		}
	}
	close(paths)
	workers.Wait()
	fmt.Println(parsed.Load())
}

// walk sends every SKILL.md below root.
func walk(root string, paths chan<- string) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == "SKILL.md" && entry.Type().IsRegular() {
			paths <- path
		}
		return err
	})
}

// parse reports whether a SKILL.md has a frontmatter that is YAML.
func parse(path string) bool {
	text, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	text, ok := bytes.CutPrefix(text, []byte("---\n"))
	if !ok {
		return false
	}
	frontmatter, _, ok := bytes.Cut(text, []byte("\n---"))
	if !ok {
		return false
	}
	_, err = parser.ParseBytes(frontmatter, 0)
	return err == nil
}
