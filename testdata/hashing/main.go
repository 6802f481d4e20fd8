// Hashing is what "skilltool manifest" is measured against: it walks the trees
// of its arguments, reads every file whole and hashes it with SHA-256, with one
// worker for each core, and prints a line for each file.
package main

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
)

func main() {
	var lines []string
	for _, root := range os.Args[1:] {
		lines = append(lines, hashTree(root)...)
	}
	slices.Sort(lines)
	out := bufio.NewWriter(os.Stdout)
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

func hashTree(root string) []string {
	names := make(chan string, 1024)
	var mu sync.Mutex
	var lines []string
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for name := range names {
				line := hashFile(name)
				mu.Lock()
				lines = append(lines, line)
				mu.Unlock()
			}
		})
	}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			names <- name
		}
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	close(names)
	workers.Wait()
	return lines
}

func hashFile(name string) string {
	content, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	return fmt.Sprintf("%s %x %d", name, sha256.Sum256(content), len(content))
}
