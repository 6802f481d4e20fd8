package clients_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/spec"
)

// coreSkill writes a skill of the portable core.
func coreSkill(random *rand.Rand) (name, description, text string) {
	words := []string{"Maps", "letters", "of a shop", "in two colours", "by day", "Ästhetik", "for 12 guests", "it's late", "a, b; c", "note: this", "ticket #7", "50 %", "[draft]", "{x}", "a & b", "50€", "日本"}
	pick := func(n int) string {
		var parts []string
		for range n {
			parts = append(parts, words[random.IntN(len(words))])
		}
		return strings.Join(parts, " ")
	}
	name = fmt.Sprintf("skill-%d", random.IntN(1000))
	description = "Use " + pick(1+random.IntN(12))
	lines := []string{`license: "MIT"`, `compatibility: "Any system"`, `allowed-tools: "Read Grep"`, "metadata:\n  author: \"me\"\n  version: \"1.0\"", "argument-hint: none", "x-own: 1"}
	random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	fields := append([]string{"name: " + name, `description: "` + description + `"`}, lines[:random.IntN(len(lines)+1)]...)
	return name, description, "---\n" + strings.Join(fields, "\n") + "\n---\n\n# Title\n\n" + pick(20) + "\n"
}

// A skill of the portable core loads as it is written everywhere, and Portable
// finds nothing to say about it.
func TestCoreLoads(t *testing.T) {
	profiles := allProfiles(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		name, description, text := coreSkill(random)
		if len(description) > 240 {
			continue // what Kimi Code shows
		}
		s := spec.Parse([]byte(text))
		place := clients.Place{Dir: name}
		d := clients.NewDocument(s, place)
		for _, p := range profiles {
			got := d.Predict(p)
			if got.Outcome != clients.Loads || got.Warned || got.Name != name || got.Description != description {
				t.Fatalf("%s: %s %v, %q %q of\n%s", p.ID, got.Outcome, got.Reasons, got.Name, got.Description, text)
			}
		}
		if found := clients.Portable(s, place, profiles); len(found) > 0 {
			t.Fatalf("%v of\n%s", found, text)
		}
	}
}

// Safe fixes of Portable change no prediction for the worse, and applied again
// and again they end.
func TestPortableFixes(t *testing.T) {
	profiles := allProfiles(t)
	fixed := 0
	forEachCase(t, func(file string, s *spec.Skill, place clients.Place) {
		for range 10 {
			found := clients.Portable(s, place, profiles)
			i := slices.IndexFunc(found, func(d spec.Diagnostic) bool { return len(d.Fixes) > 0 })
			if i < 0 {
				return
			}
			fixed++
			edit := found[i].Fixes[0].Edits[0]
			changed := slices.Concat(s.Source[:edit.Range.Start.Offset], []byte(edit.Text), s.Source[edit.Range.End.Offset:])
			next := s.WithSource(changed)
			before, after := clients.NewDocument(s, place), clients.NewDocument(next, place)
			for _, p := range profiles {
				if a, b := before.Predict(p), after.Predict(p); clients.Worse(a, b) {
					t.Errorf("%s: %s makes it worse in %s: %s %q, then %s %q", file, found[i].Fixes[0].Title, p.ID, a.Outcome, a.Description, b.Outcome, b.Description)
				}
			}
			s = next
		}
		t.Errorf("%s: the fixes do not end", file)
	})
	if fixed < 20 {
		t.Errorf("only %d fixes were tried", fixed)
	}
}

// forEachCase reads the skills of the golden cases.
func forEachCase(t *testing.T, visit func(file string, s *spec.Skill, place clients.Place)) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		root := unpack(t, parseArchive(t, file))
		dirs, err := os.ReadDir(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			source, err := os.ReadFile(filepath.Join(root, dir.Name(), "SKILL.md"))
			if err != nil || len(source) > 100_000 {
				continue
			}
			visit(file+" "+dir.Name(), spec.Parse(source), clients.Place{Dir: dir.Name()})
		}
	}
}

// Predictions depend neither on the order of profiles nor on what was asked
// before, nor on the file system, nor on where the test runs.
func TestIndependent(t *testing.T) {
	profiles := allProfiles(t)
	reversed := slices.Clone(profiles)
	slices.Reverse(reversed)
	forEachCase(t, func(file string, s *spec.Skill, place clients.Place) {
		d, again := clients.NewDocument(s, place), clients.NewDocument(s, place)
		got := map[string]clients.Prediction{}
		for _, p := range reversed {
			got[p.ID] = again.Predict(p)
		}
		for _, p := range profiles {
			if one := d.Predict(p); !reflect.DeepEqual(one, got[p.ID]) {
				t.Errorf("%s: %s says %+v, then %+v", file, p.ID, one, got[p.ID])
			}
		}
	})
	text := "---\nname: %s\ndescription: Has a name.\n---\nBody.\n"
	memory := fstest.MapFS{}
	disk := t.TempDir()
	for _, name := range []string{"b/one", "a/one", "two", ".dot", "b"} {
		content := fmt.Sprintf(text, filepath.Base(name))
		memory["root/"+name+"/SKILL.md"] = &fstest.MapFile{Data: []byte(content)}
		if err := os.MkdirAll(filepath.Join(disk, "root", name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(disk, "root", name, "SKILL.md"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a, err := clients.PredictMany(context.Background(), memory, "root", profiles)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(disk)
	b, err := clients.PredictMany(context.Background(), os.DirFS("."), "root", profiles)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Error("the same skills in memory and on disk have other predictions")
	}
}

// Each reason of a skill that is not loaded as written has a place in the file,
// within the file, and a message in the house's form.
func TestReasons(t *testing.T) {
	profiles := allProfiles(t)
	form := regexp.MustCompile(`^[^A-Z].*[^.]$`)
	forEachCase(t, func(file string, s *spec.Skill, place clients.Place) {
		d := clients.NewDocument(s, place)
		for _, p := range profiles {
			got := d.Predict(p)
			if got.Outcome != clients.Loads && len(got.Reasons) == 0 {
				t.Errorf("%s: %s has no reason for %s", file, p.ID, got.Outcome)
			}
			for _, r := range got.Reasons {
				if !form.MatchString(r.Message) || r.Range.End.Offset > len(s.Source) || r.Range.Start.Offset > r.Range.End.Offset {
					t.Errorf("%s: %s: %q at %v", file, p.ID, r.Message, r.Range)
				}
				if info := r.Diagnostic(); info.Severity == 0 {
					t.Errorf("%s is no rule", r.ID)
				}
			}
		}
	})
}

func TestCatalogue(t *testing.T) {
	var skills []clients.Prediction
	for i := range 200 {
		skills = append(skills, clients.Prediction{Outcome: clients.Loads, Name: fmt.Sprintf("skill-%04d", i), Description: strings.Repeat("d", 900)})
	}
	for _, c := range []struct {
		client string
		window int
		shown  clients.Shown
		want   int
		length int
	}{
		{"claude-code", 0, clients.Whole, 25, 900},
		{"claude-code", 200_000, clients.Whole, 8, 900},
		{"copilot-cli", 0, clients.Whole, 14, 900},
		{"codex", 272_000, clients.Shortened, 200, 74},
		{"qwen-code", 0, clients.Whole, 200, 900},
		{"zed", 0, clients.LeftOut, 148, 0},
		{"openclaw", 0, clients.LeftOut, 50, 0},
	} {
		p, err := clients.Get(c.client)
		if err != nil {
			t.Fatal(err)
		}
		n, length := 0, 0
		for _, e := range clients.Catalogue(skills, p, c.window) {
			if e.Shown == c.shown {
				n, length = n+1, len(e.Description)
			}
		}
		if n != c.want || length != c.length {
			t.Errorf("%s shows %d as %s with %d characters, want %d with %d", c.client, n, c.shown, length, c.want, c.length)
		}
	}
}

// FuzzPredict: no text makes a client panic, and none takes long.
func FuzzPredict(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		archive := parseArchive(f, file)
		for _, one := range archive.Files {
			if strings.HasSuffix(one.Name, ".md") && len(one.Data) < 2000 {
				f.Add(one.Data)
			}
		}
	}
	profiles := allProfiles(f)
	f.Fuzz(func(t *testing.T, source []byte) {
		s := spec.Parse(source)
		d := clients.NewDocument(s, clients.Place{Dir: "name"})
		start := time.Now()
		for _, p := range profiles {
			got := d.Predict(p)
			if got.Outcome != clients.Loads && len(got.Reasons) == 0 {
				t.Fatalf("%s has no reason for %s", p.ID, got.Outcome)
			}
			for _, r := range got.Reasons {
				if r.Range.End.Offset > len(source) || r.Range.Start.Offset > r.Range.End.Offset {
					t.Fatalf("%s: %v is no place", p.ID, r.Range)
				}
			}
			if got.Body.End.Offset > len(source) {
				t.Fatalf("%s: the body ends at %d", p.ID, got.Body.End.Offset)
			}
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Fatalf("%d bytes took %v", len(source), took)
		}
	})
}

// Hostile texts take time in proportion to their length. It wants a quiet
// machine: SKILLTOOL_GROWTH=1.
func TestGrowth(t *testing.T) {
	if os.Getenv("SKILLTOOL_GROWTH") == "" {
		t.Skip("set SKILLTOOL_GROWTH to measure, on a machine that does nothing else")
	}
	profiles := allProfiles(t)
	head := "---\nname: a\ndescription: b\n"
	for name, make := range map[string]func(n int) string{
		"fences":        func(n int) string { return head + strings.Repeat("---\n", n/4) },
		"indented":      func(n int) string { return head + "x: |\n" + strings.Repeat("  ---\n", n/6) + "---\nb" },
		"blanks":        func(n int) string { return strings.Repeat("\n", n) + head + "---\nb" },
		"openers":       func(n int) string { return strings.Repeat("---\na: b: c\n", n/12) },
		"returns":       func(n int) string { return head + strings.Repeat("\r", n) + "\n---\nb" },
		"invalid":       func(n int) string { return head + "---\n" + strings.Repeat("\xff", n) },
		"colons":        func(n int) string { return head + "x: " + strings.Repeat("a: ", n/3) + "\n---\nb" },
		"fields":        func(n int) string { return head + strings.Repeat("k: v: w\n", n/8) + "---\nb" },
		"hashes":        func(n int) string { return head + "---\n" + strings.Repeat("# h\n", n/4) },
		"long body":     func(n int) string { return head + "---\n" + strings.Repeat("word ", n/5) },
		"closed quotes": func(n int) string { return "---\nname: a\ndescription: " + strings.Repeat(`"x" `, n/4) + "\n---\nb" },
	} {
		took := func(n int) time.Duration {
			s := spec.Parse([]byte(make(n)))
			best := time.Hour
			for range 3 {
				start := time.Now()
				d := clients.NewDocument(s, clients.Place{Dir: "a"})
				for _, p := range profiles {
					d.Predict(p)
				}
				best = min(best, time.Since(start))
			}
			return best
		}
		once, twice := took(30_000), took(60_000)
		t.Logf("%s: %v, then %v", name, once, twice)
		if twice > 20*time.Millisecond && twice > 3*once {
			t.Errorf("%s: %v for 30,000 bytes and %v for 60,000", name, once, twice)
		}
	}
}

// BenchmarkPredict asks all clients about skills as they are found in the wild,
// beside a run of all rules of the specification over the same skills.
func BenchmarkPredict(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 4))
	var skills [][]byte
	var names []string
	for i := range 1000 {
		name, _, text := coreSkill(random)
		text += strings.Repeat("Some text of a body that is long, with words in it.\n", 20+random.IntN(200))
		switch i % 20 {
		case 3:
			text = strings.ReplaceAll(text, "\n", "\r\n")
		case 7:
			text = strings.Replace(text, "description: \"", "description: \"x\" ", 1)
		case 11, 12, 13:
			text = strings.Replace(text, "description: \"", "description: see: ", 1)
		}
		skills, names = append(skills, []byte(text)), append(names, name)
	}
	profiles := allProfiles(b)
	b.Run("validate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, source := range skills {
				spec.Validate(spec.Parse(source))
			}
		}
	})
	b.Run("predict", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for i, source := range skills {
				d := clients.NewDocument(spec.Parse(source), clients.Place{Dir: names[i]})
				for _, p := range profiles {
					d.Predict(p)
				}
			}
		}
	})
}

// BenchmarkProfiles decodes all profiles, as the first question does.
func BenchmarkProfiles(b *testing.B) {
	for b.Loop() {
		for _, id := range clients.IDs() {
			if _, err := clients.Get(id); err != nil {
				b.Fatal(err)
			}
		}
	}
}
