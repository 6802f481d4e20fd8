package clients_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/skilltool/skilltool/pkg/clients"
)

var update = flag.Bool("update", false, "rewrite the wanted output of the golden cases")

// TestGolden runs testdata/*.txtar: prose, skills, and in the file "want" what
// every client does with them, clients of one mind together. What a text archive
// cannot hold is made by the lines of a file "setup":
//
//	escape FILE          read FILE as the inside of a Go string: \r \x00 \ufeff
//	repeat FILE TEXT N   replace @@ in FILE by N times TEXT (Go escapes)
//	symlink FILE TARGET  make a symbolic link
//	utf16 FILE ORDER     write FILE as UTF-16, le or be, with mark or without
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	profiles := allProfiles(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive := parseArchive(t, file)
			got := table(t, unpack(t, archive), profiles)
			i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
			if *update {
				if i < 0 {
					i = len(archive.Files)
					archive.Files = append(archive.Files, txtar.File{Name: "want"})
				}
				archive.Files[i].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if i < 0 {
				t.Fatal("there is no file want; run with -update")
			}
			if diff := cmp.Diff(string(archive.Files[i].Data), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func parseArchive(t testing.TB, file string) *txtar.Archive {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return archive
}

func allProfiles(t testing.TB) []*clients.Profile {
	t.Helper()
	profiles, err := clients.Profiles()
	if err != nil {
		t.Fatal(err)
	}
	return profiles
}

// unpack writes the skills of a case into a folder.
func unpack(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "skills")
	content := map[string][]byte{}
	setup := ""
	for _, f := range archive.Files {
		switch f.Name {
		case "setup":
			setup = string(f.Data)
		case "want":
		default:
			content[f.Name] = f.Data
		}
	}
	links := map[string]string{}
	for line := range strings.Lines(setup) {
		prepare(t, strings.Fields(line), content, links)
	}
	for name, data := range content {
		at := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range links {
		at := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.FromSlash(target), at); err != nil {
			t.Skip(err)
		}
	}
	return root
}

func prepare(t *testing.T, words []string, content map[string][]byte, links map[string]string) {
	t.Helper()
	unquote := func(text string) string {
		out, err := strconv.Unquote(`"` + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(text) + `"`)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return out
	}
	if len(words) == 0 {
		return
	}
	name := words[1]
	switch words[0] {
	case "escape":
		content[name] = []byte(unquote(strings.ReplaceAll(string(content[name]), "\\\n", "")))
	case "repeat":
		n, err := strconv.Atoi(words[3])
		if err != nil {
			t.Fatal(err)
		}
		content[name] = []byte(strings.ReplaceAll(string(content[name]), "@@", strings.Repeat(unquote(words[2]), n)))
	case "symlink":
		links[name] = words[2]
	case "utf16":
		var out []byte
		text := string(content[name])
		if len(words) > 3 {
			text = "\ufeff" + text
		}
		for _, r := range text {
			if words[2] == "le" {
				out = append(out, byte(r), byte(r>>8))
			} else {
				out = append(out, byte(r>>8), byte(r))
			}
		}
		content[name] = out
	default:
		t.Fatalf("setup has no %q", words[0])
	}
}

// table says what every client does with every skill below root.
func table(t *testing.T, root string, profiles []*clients.Profile) string {
	t.Helper()
	all, err := clients.PredictMany(context.Background(), os.DirFS(filepath.Dir(root)), filepath.Base(root), profiles)
	if err != nil {
		t.Fatal(err)
	}
	rows, reasons := map[string]map[string][]string{}, map[string]map[string]int{}
	for _, c := range all {
		for _, p := range c.Predictions {
			if rows[p.Path] == nil {
				rows[p.Path] = map[string][]string{}
			}
			key := classOf(p)
			if p.Outcome != clients.Dropped && p.Outcome != clients.BreaksOthers {
				key += fmt.Sprintf(" %.60q %.90q", p.Name, p.Description)
			}
			rows[p.Path][key] = append(rows[p.Path][key], p.Client)
			for _, r := range p.Reasons {
				if reasons[p.Path] == nil {
					reasons[p.Path] = map[string]int{}
				}
				place := "-"
				if !r.Range.IsZero() {
					place = fmt.Sprintf("%d:%d-%d:%d", r.Range.Start.Line, r.Range.Start.Column, r.Range.End.Line, r.Range.End.Column)
				}
				reasons[p.Path][fmt.Sprintf("%s %s: %.200s", place, r.ID, r.Message)]++
			}
		}
	}
	var b strings.Builder
	for _, path := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(&b, "%s\n", path)
		for _, key := range slices.Sorted(maps.Keys(rows[path])) {
			fmt.Fprintf(&b, "  %s: %s\n", key, strings.Join(rows[path][key], " "))
		}
		for _, reason := range slices.Sorted(maps.Keys(reasons[path])) {
			fmt.Fprintf(&b, "    %s (%d)\n", reason, reasons[path][reason])
		}
	}
	return b.String()
}
