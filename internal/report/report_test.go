package report_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skilltool/skilltool/internal/report"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// write gives what a format makes of a report.
func write(t testing.TB, format string, opts report.Options, r *report.Report) string {
	t.Helper()
	reporter, err := report.New(format, opts)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := reporter.Report(&b, r); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.String()
}

// golden compares got with a golden file, or writes the file with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got); -update rewrites it:\n%s", file, diff)
	}
}

func TestFormats(t *testing.T) {
	for name, fixture := range fixtures {
		for _, format := range report.Names() {
			t.Run(name+"/"+format, func(t *testing.T) {
				got := write(t, format, report.Options{}, fixture())
				golden(t, name+"."+format, got)
				if again := write(t, format, report.Options{}, fixture()); again != got {
					t.Error("the same report gives other bytes the second time")
				}
			})
		}
	}
}

func TestTerminal(t *testing.T) {
	opts := report.Options{Color: true, Links: true, Width: 72}
	for _, format := range []string{"text", "full", "concise"} {
		golden(t, "terminal."+format, strings.ReplaceAll(write(t, format, opts, rich()), "\x1b", "ESC"))
	}
}

// Colour and links may only add: without them the text is the same.
func TestColorAddsNothing(t *testing.T) {
	for _, format := range []string{"text", "full", "concise"} {
		colored := write(t, format, report.Options{Color: true, Links: true}, rich())
		if diff := cmp.Diff(write(t, format, report.Options{}, rich()), stripEscapes(colored)); diff != "" {
			t.Errorf("%s (-plain +coloured):\n%s", format, diff)
		}
	}
}

func TestMachineFormatsIgnoreOptions(t *testing.T) {
	for _, format := range []string{"json", "jsonl", "sarif", "github", "junit"} {
		opts := report.Options{Color: true, Links: true, Width: 40}
		if write(t, format, opts, rich()) != write(t, format, report.Options{}, rich()) {
			t.Errorf("%s depends on the terminal", format)
		}
	}
}

func TestReportsWriteError(t *testing.T) {
	for _, format := range report.Names() {
		reporter, err := report.New(format, report.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := reporter.Report(brokenWriter{}, rich()); !errors.Is(err, errBroken) {
			t.Errorf("%s gives %v, want the error of the writer", format, err)
		}
	}
}

var errBroken = errors.New("broken pipe")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestNewUnknown(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"jsno", "output format \"jsno\" is not known; did you mean \"json\"?\nformats: text, full, concise, json, jsonl, sarif, github, junit"},
		{"xml", "output format \"xml\" is not known\nformats: text, full, concise, json, jsonl, sarif, github, junit"},
		{"", "output format \"\" is not known\nformats: text, full, concise, json, jsonl, sarif, github, junit"},
	} {
		if _, err := report.New(test.name, report.Options{}); err == nil || err.Error() != test.want {
			t.Errorf("New(%q): %v, want %s", test.name, err, test.want)
		}
	}
}
