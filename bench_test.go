package main_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// rounds is how often each program runs, in turn with the one it is held
// against; medians are reported.
const rounds = 10

// BenchmarkProcess measures whole processes, as a user starts them:
//
//	go test -run '^$' -bench Process .
//
// "tree" checks 2,000 generated skills, or the tree that SKILLTOOL_BENCH_TREE
// names, beside testdata/baseline, which reads and parses them and no more.
// "one" checks one skill beside "skilltool version". Peaks are resident memory.
func BenchmarkProcess(b *testing.B) {
	bin := b.TempDir()
	tool, baseline := buildProgram(b, bin, "."), buildProgram(b, bin, "./testdata/baseline")
	tree := os.Getenv("SKILLTOOL_BENCH_TREE")
	if tree == "" {
		tree = b.TempDir()
		writeTree(b, tree, 1, 2000)
	}
	b.Run("tree", func(b *testing.B) {
		runs := inTurn(b, []string{tool, "validate", tree}, []string{baseline, tree})
		b.ReportMetric(runs[0].ms(), "tool-ms")
		b.ReportMetric(runs[1].ms(), "baseline-ms")
		b.ReportMetric(runs[0].ms()/runs[1].ms(), "ratio")
		b.ReportMetric(runs[0].peak(), "tool-MiB")
		b.ReportMetric(runs[1].peak(), "baseline-MiB")
	})
	b.Run("one", func(b *testing.B) {
		skill := filepath.Join("testdata", "skills", "read-csv")
		runs := inTurn(b, []string{tool, "validate", skill}, []string{tool, "version"})
		b.ReportMetric(runs[0].ms(), "validate-ms")
		b.ReportMetric(runs[1].ms(), "version-ms")
		b.ReportMetric(runs[0].ms()-runs[1].ms(), "above-ms")
	})
}

func buildProgram(b *testing.B, dir, pkg string) string {
	b.Helper()
	program := filepath.Join(dir, strings.Trim(filepath.Base(pkg), ".")+"-bench.exe")
	if out, err := exec.Command("go", "build", "-o", program, pkg).CombinedOutput(); err != nil {
		b.Fatalf("go build %s: %v\n%s", pkg, err, out)
	}
	return program
}

// samples are the runs of one command.
type samples struct {
	times []time.Duration
	peaks []float64 // MiB
}

func (s samples) ms() float64   { return float64(median(s.times).Microseconds()) / 1000 }
func (s samples) peak() float64 { return median(s.peaks) }

func median[T time.Duration | float64](values []T) T {
	if len(values) == 0 {
		return 0
	}
	values = slices.Sorted(slices.Values(values))
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// inTurn runs commands one after the other, rounds times over, after a run of
// each that warms the caches and is not counted.
func inTurn(b *testing.B, commands ...[]string) []samples {
	runs := make([]samples, len(commands))
	for _, command := range commands {
		measure(b, command)
	}
	for b.Loop() {
		for range rounds {
			for i, command := range commands {
				elapsed, peak := measure(b, command)
				runs[i].times = append(runs[i].times, elapsed)
				runs[i].peaks = append(runs[i].peaks, peak)
			}
		}
	}
	b.ReportMetric(0, "ns/op") // of ten rounds, which says nothing
	return runs
}

// measure runs a command and gives its time and its peak of resident memory in
// MiB, or 0 where the system does not tell. Findings are no failure.
func measure(b *testing.B, command []string) (time.Duration, float64) {
	b.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
	start := time.Now()
	err := cmd.Run()
	elapsed := time.Since(start)
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		b.Fatalf("%s: %v", strings.Join(command, " "), err)
	}
	return elapsed, peakMemory(cmd.ProcessState)
}

// peakMemory reads ru_maxrss, which only Unix has. Linux counts it in KiB and
// never below what the parent, this test, held when it started the process.
func peakMemory(state *os.ProcessState) float64 {
	usage := reflect.Indirect(reflect.ValueOf(state.SysUsage()))
	if usage.Kind() != reflect.Struct || !usage.FieldByName("Maxrss").IsValid() {
		return 0
	}
	peak := float64(usage.FieldByName("Maxrss").Int())
	if runtime.GOOS != "darwin" { // which counts bytes
		peak *= 1024
	}
	return peak / (1 << 20)
}

// TestTree holds the generator to its promise: a seed stands for one tree.
func TestTree(t *testing.T) {
	a, b, c := t.TempDir(), t.TempDir(), t.TempDir()
	writeTree(t, a, 1, 40)
	writeTree(t, b, 1, 40)
	writeTree(t, c, 2, 40)
	if x, y := readTree(t, a), readTree(t, b); x != y {
		t.Error("one seed gives two trees")
	}
	if x, y := readTree(t, a), readTree(t, c); x == y {
		t.Error("two seeds give one tree")
	}
}

func readTree(t *testing.T, root string) string {
	t.Helper()
	var text strings.Builder
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		fmt.Fprintf(&text, "%s %q\n", strings.TrimPrefix(path, root), content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// writeTree writes n skills below root. Sizes are those of public collections:
// in the middle 6 KB of SKILL.md, two skills in five with other files, one in
// ten with a fault.
func writeTree(tb testing.TB, root string, seed uint64, n int) {
	tb.Helper()
	w := treeWriter{tb: tb, random: rand.New(rand.NewPCG(seed, seed))}
	for i := range n {
		name := fmt.Sprintf("%s-%s-%04d", w.word(), w.word(), i)
		w.skill(filepath.Join(root, fmt.Sprintf("team-%02d", i%20), "skills", name), name)
	}
}

type treeWriter struct {
	tb     testing.TB
	random *rand.Rand
}

var treeWords = strings.Fields(`access account alert archive audit backup batch branch browser budget build cache
calendar check clean cluster column commit config contract convert customer data deploy design diagram document
draft email error event export fetch field figure file filter forecast format history image import index invoice
issue label ledger letter library log market measure meeting merge message metric migrate model monitor network
note order package page parse patch payment plan policy price project query queue record refactor release report
request review route sample schema score script search server sheet source status store style summary survey table
task template test text ticket trace translate update user vendor version window`)

func (w treeWriter) word() string          { return treeWords[w.random.IntN(len(treeWords))] }
func (w treeWriter) chance(p float64) bool { return w.random.Float64() < p }

func (w treeWriter) sentence(words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = w.word()
	}
	return strings.ToUpper(list[0][:1]) + strings.Join(list, " ")[1:] + "."
}

func (w treeWriter) skill(dir, name string) {
	w.file(filepath.Join(dir, "SKILL.md"), "---\n"+w.frontmatter(name)+"---\n"+w.markdown(1500+w.random.IntN(11000)))
	if !w.chance(0.4) {
		return
	}
	for range 1 + w.random.IntN(4) {
		w.file(filepath.Join(dir, "references", w.word()+".md"), w.markdown(500+w.random.IntN(9000)))
	}
	if w.chance(0.5) {
		w.file(filepath.Join(dir, "scripts", w.word()+".py"), "#!/usr/bin/env python3\nprint(\""+w.word()+"\")\n")
	}
}

// frontmatter gives the fields of a skill, in the forms that people write.
func (w treeWriter) frontmatter(name string) string {
	description := w.sentence(8+w.random.IntN(14)) + " Use when " + strings.ToLower(w.sentence(6+w.random.IntN(10)))
	switch w.random.IntN(4) {
	case 0:
		description = `"` + description + `"`
	case 1:
		description = ">-\n  " + strings.ReplaceAll(description, ". ", ".\n  ")
	}
	text := "name: " + name + "\ndescription: " + description + "\n"
	if w.chance(0.3) {
		text += "license: Apache-2.0\n"
	}
	if w.chance(0.2) {
		text += "allowed-tools: Read Grep Bash(git log:*)\n"
	}
	if w.chance(0.25) {
		text += "metadata:\n  author: " + w.word() + "\n  version: \"1." + fmt.Sprint(w.random.IntN(9)) + "\"\n"
	}
	if w.chance(0.9) {
		return text
	}
	return w.fault(text)
}

// fault spoils a frontmatter in one of the ways that are seen most.
func (w treeWriter) fault(text string) string {
	switch w.random.IntN(7) {
	case 0:
		return strings.Replace(text, "name: ", "name: X_", 1)
	case 1:
		return text + "version: 1.0\n"
	case 2:
		return text + "allowed_tools: Read, Write\n"
	case 3:
		return strings.Replace(text, "description: ", "description: Note: it is ", 1)
	case 4:
		return text + "metadata:\n  reviewed: 3\n"
	case 5:
		return text + "compatibility: [\"linux\"]\n"
	}
	return strings.Replace(text, "description:", "summary:", 1)
}

// markdown gives a text of about so many bytes: headings, prose, lists, code.
func (w treeWriter) markdown(bytes int) string {
	var b strings.Builder
	for b.Len() < bytes {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", strings.TrimSuffix(w.sentence(3), "."), w.sentence(60+w.random.IntN(60)))
		for range w.random.IntN(6) {
			fmt.Fprintf(&b, "- %s See [%s](references/%s.md).\n", w.sentence(10), w.word(), w.word())
		}
		if w.chance(0.4) {
			fmt.Fprintf(&b, "\n```sh\n%s --%s %s\n```\n", w.word(), w.word(), w.word())
		}
	}
	return b.String()
}

func (w treeWriter) file(path, text string) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		w.tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		w.tb.Fatal(err)
	}
}
