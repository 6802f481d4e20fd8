package main_test

//go:generate go test . -run TestContributingShowsFiles -update

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadmeSession types what README.md's console blocks type, in a copy of
// testdata/readme, and compares what comes back. -update rewrites them.
func TestReadmeSession(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell here")
	}
	readme := readFile(t, "README.md")
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "readme"))); err != nil {
		t.Fatal(err)
	}
	got := block("console").ReplaceAllStringFunc(readme, func(session string) string {
		var b strings.Builder
		for line := range strings.Lines(session) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				b.WriteString(line + typed(t, dir, strings.TrimSpace(command)))
			} else if strings.HasPrefix(line, "```") {
				b.WriteString(line)
			}
		}
		return b.String()
	})
	wantPage(t, "README.md", readme, got)
}

// TestContributingShowsFiles compares the code that CONTRIBUTING.md shows below
// a file's name with that file. -update copies it.
func TestContributingShowsFiles(t *testing.T) {
	page := readFile(t, "CONTRIBUTING.md")
	shown := regexp.MustCompile("(?ms)^`([^`\n]+)`:\n\n```[a-z]+\n(.*?)^```$")
	if len(shown.FindAllString(page, -1)) != 2 {
		t.Fatal("CONTRIBUTING.md does not show two files")
	}
	got := shown.ReplaceAllStringFunc(page, func(whole string) string {
		m := shown.FindStringSubmatch(whole)
		return strings.TrimSuffix(whole, m[2]+"```") + readFile(t, filepath.FromSlash(m[1])) + "```"
	})
	wantPage(t, "CONTRIBUTING.md", page, got)
}

// wantPage compares a page with what it should be. -update rewrites it.
func wantPage(t *testing.T, name, page, want string) {
	t.Helper()
	if page == want {
		return
	}
	if flag.Lookup("update").Value.String() != "true" {
		t.Fatalf("%s is not up to date (-shown +real):\n%s", name, cmp.Diff(page, want))
	}
	if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}

var elapsed = regexp.MustCompile(`checked in <?[0-9.]+ m?s`)

// typed runs a command in a shell and gives what a terminal would show.
func typed(t *testing.T, dir, command string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatalf("%s: %v", command, err)
	}
	return elapsed.ReplaceAllString(string(out), "checked in 2 ms")
}

// TestReadmeProgram builds and runs README.md's example of the library.
func TestReadmeProgram(t *testing.T) {
	programs := block("go").FindAllStringSubmatch(readFile(t, "README.md"), -1)
	if len(programs) != 1 {
		t.Fatalf("README.md has %d Go programs, want 1", len(programs))
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	// An overlay puts the program into the module without writing it there.
	source := filepath.Join(t.TempDir(), "main.go")
	place := filepath.Join(root, "testdata", "example", "main.go")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{place: source}})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, source, programs[0][1])
	writeFile(t, source+".json", string(overlay))
	out, err := exec.Command("go", "run", "-overlay", source+".json", "./testdata/example").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	skills, err := os.ReadDir(filepath.Join("testdata", "skills"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(out), "\n"); lines != len(skills) {
		t.Errorf("%d lines for %d skills without a fault:\n%s", lines, len(skills), out)
	}
}

// TestPagesAreTrue holds the words of README.md and CONTRIBUTING.md to what
// there is: commands and flags to docs/cli.md, links to files.
func TestPagesAreTrue(t *testing.T) {
	cli := readFile(t, filepath.Join("docs", "cli.md"))
	for _, page := range []string{"README.md", "CONTRIBUTING.md"} {
		text := readFile(t, page)
		for _, m := range regexp.MustCompile(`skilltool((?: [a-z]+)+)`).FindAllStringSubmatch(code(text), -1) {
			if command := strings.Fields(m[1])[0]; !strings.Contains(cli, "\n## skilltool "+command+"\n") {
				t.Errorf("%s: there is no command %q", page, command)
			}
		}
		for _, line := range strings.Split(code(text), "\n") {
			if strings.HasPrefix(line, "go ") || strings.HasPrefix(line, "bash ") {
				continue
			}
			for _, m := range regexp.MustCompile(`(?:^| )(--[a-z-]+)`).FindAllStringSubmatch(line, -1) {
				if !regexp.MustCompile("[`, ]" + m[1] + "[` ]").MatchString(cli) {
					t.Errorf("%s: there is no flag %s", page, m[1])
				}
			}
		}
		for _, m := range regexp.MustCompile(`\]\(([^)#]+)\)`).FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(m[1]); err != nil && !strings.Contains(m[1], "://") {
				t.Errorf("%s: the link to %s leads nowhere", page, m[1])
			}
		}
	}
}

// code gives the code of a page, spans and blocks, each span on its own line.
func code(page string) string {
	var b strings.Builder
	for i, part := range strings.Split(page, "`") {
		if i%2 == 1 {
			b.WriteString(part + "\n")
		}
	}
	for _, m := range block("(?:sh|console|yaml)").FindAllStringSubmatch(page, -1) {
		b.WriteString(m[1])
	}
	return b.String()
}

// block matches the fenced blocks of a language.
func block(language string) *regexp.Regexp {
	return regexp.MustCompile("(?ms)^```" + language + "\n(.*?)^```$")
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
