package main_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
)

// BenchmarkManifest measures whole processes, as a user starts them, beside
// testdata/hashing, which walks, reads and hashes the same files with the same
// workers and does no more:
//
//	go test -run '^$' -bench Manifest .
//
// "tree" has 2,000 skills with 14,000 files of 160 MB; "files" has ten times as
// many skills as "tenth", with 100,000 files, to show that time grows linearly.
// Peaks are resident memory.
func BenchmarkManifest(b *testing.B) {
	bin := b.TempDir()
	tool, hashing := buildProgram(b, bin, "."), buildProgram(b, bin, "./testdata/hashing")
	b.Run("tree", func(b *testing.B) {
		tree := b.TempDir()
		writeHashTree(b, tree, 2000, 7, 80_000)
		runs := inTurn(b, []string{tool, "manifest", "-f", "json", tree}, []string{hashing, tree})
		b.ReportMetric(runs[0].ms(), "tool-ms")
		b.ReportMetric(runs[1].ms(), "hashing-ms")
		b.ReportMetric(runs[0].ms()/runs[1].ms(), "ratio")
		b.ReportMetric(runs[0].peak(), "tool-MiB")
		b.ReportMetric(runs[1].peak(), "hashing-MiB")
	})
	b.Run("files", func(b *testing.B) {
		tenth, files := b.TempDir(), b.TempDir()
		writeHashTree(b, tenth, 200, 50, 50_000)
		writeHashTree(b, files, 2000, 50, 50_000)
		runs := inTurn(b, []string{tool, "manifest", "-f", "json", tenth}, []string{tool, "manifest", "-f", "json", files})
		b.ReportMetric(runs[0].ms(), "tenth-ms")
		b.ReportMetric(runs[1].ms(), "files-ms")
		b.ReportMetric(runs[1].ms()/runs[0].ms()/10, "growth")
		b.ReportMetric(runs[1].peak(), "files-MiB")
	})
}

// writeHashTree writes n valid skills below root, each with some files and
// about so many bytes in all. A part of the files is a folder down.
func writeHashTree(tb testing.TB, root string, n, files, bytes int) {
	tb.Helper()
	w := treeWriter{tb: tb, random: rand.New(rand.NewPCG(1, 1))}
	for i := range n {
		name := fmt.Sprintf("%s-%s-%04d", w.word(), w.word(), i)
		dir := filepath.Join(root, fmt.Sprintf("team-%02d", i%20), "skills", name)
		w.file(filepath.Join(dir, "SKILL.md"), "---\nname: "+name+"\ndescription: "+w.sentence(12)+"\n---\n"+w.markdown(bytes/files))
		for j := 1; j < files; j++ {
			w.file(filepath.Join(dir, []string{"references", "scripts", "assets", "."}[j%4], fmt.Sprintf("%s-%d.txt", w.word(), j)), w.noise(bytes/files))
		}
	}
}

// noise gives text that costs little to make.
func (w treeWriter) noise(bytes int) string {
	text := make([]byte, bytes)
	for i := range text {
		text[i] = 'a' + byte(w.random.Uint32()%26)
	}
	return string(text)
}
