package cmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/pkg/spec"
)

// answer runs "new" with somebody at the terminal who types input.
func answer(t *testing.T, input string, flags ...string) (skill, stderr string, code int) {
	t.Helper()
	dir := t.TempDir()
	var out, errs bytes.Buffer
	e := &env{
		stdin: strings.NewReader(input), stdout: &out, stderr: &errs, interactive: true,
		getenv: func(string) string { return "" }, root: rootCommand(),
	}
	ctx := context.Background()
	code = conclude(ctx, e, run(ctx, e, append([]string{"new", "pdf-tools", "--dir", dir}, flags...)))
	written, err := os.ReadFile(filepath.Join(dir, "pdf-tools", "SKILL.md"))
	if err != nil && code == exitOK {
		t.Fatal(err)
	}
	return string(written), errs.String(), code
}

func TestNewAsks(t *testing.T) {
	tooLong := strings.Repeat("é", spec.MaxDescriptionLength+1)
	for _, test := range []struct {
		input string
		flags []string
		want  string
		asked int
	}{
		{"  Reads PDF files: all. \n", nil, `description: "Reads PDF files: all."`, 1},
		{"\n", nil, `description: "Helps with pdf tools. Use when a task is about pdf tools."`, 1},
		{"Says \"hi\"\n", nil, `description: 'Says "hi"'`, 1},
		{"a\x1bb\n" + tooLong + "\nfine\n", nil, `description: "fine"`, 3},
		{"never read\n", []string{"--yes"}, `description: "Helps with pdf tools.`, 0},
		{"never read\n", []string{"--description", "given"}, `description: "given"`, 0},
	} {
		skill, stderr, code := answer(t, test.input, test.flags...)
		if code != exitOK || !strings.Contains(skill, "\n"+test.want) {
			t.Errorf("%.20q: exit %d, stderr %s, wrote:\n%s", test.input, code, stderr, skill)
		}
		if asked := strings.Count(stderr, "\n> "); asked != test.asked {
			t.Errorf("%.20q: asked %d times, want %d", test.input, asked, test.asked)
		}
	}
	if _, stderr, code := answer(t, ""); code != exitFailure || !strings.Contains(stderr, "no answer") {
		t.Errorf("without an answer: exit %d, %s", code, stderr)
	}
}

// TestTemplatesValidate holds that whatever "new" writes has no finding at
// all, for names and texts that invite one.
func TestTemplatesValidate(t *testing.T) {
	longest := strings.Repeat("a", spec.MaxNameLength)
	for _, template := range templates() {
		for _, name := range []string{"pdf-tools", "null", "on", "1e3", "0x10", "2026-01-31", "1-2", "y", longest} {
			for _, text := range []string{"plain", "a: b # c", `"q" \ 'x'`, "- [*&!%@`", "日本語", "true", strings.Repeat("é", spec.MaxDescriptionLength)} {
				files, err := render(template, newSkill(name, text, text))
				if err != nil {
					t.Fatal(err)
				}
				checkScaffold(t, name, text, files)
			}
		}
	}
}

func checkScaffold(t *testing.T, name, text string, files []newFile) {
	t.Helper()
	parent := t.TempDir()
	s := &scaffold{parent: parent, name: name, files: files}
	if _, err := s.write(); err != nil {
		t.Fatal(err)
	}
	skill, err := spec.LoadDir(filepath.Join(parent, name))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range spec.Validate(skill) {
		t.Errorf("name %s, text %.20q: %s:%d: %s", name, text, d.Path, d.Range.Start.Line, d.Message)
	}
	got := skill.Frontmatter
	if got.Name != name || got.Description != text || got.License != text {
		t.Errorf("read back as %q, %q, %q; want %q, %q", got.Name, got.Description, got.License, name, text)
	}
}
