package mcptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/skilltool/skilltool/pkg/digest"
	"github.com/skilltool/skilltool/pkg/spec"
)

// builtIn is the collection that is served without Options.Dir: a skill without
// a prefix, one with every kind of file, and one nested in it.
func builtIn() map[string][]byte {
	return map[string][]byte{
		"read-csv/SKILL.md":              []byte(readCSV),
		"read-csv/references/formats.md": []byte("# Formats\n\nA comma, a semicolon or a tab. See [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180).\n"),
		"read-csv/scripts/sniff.py":      []byte("import csv, sys\n\nprint(csv.Sniffer().sniff(sys.stdin.read(4096)).delimiter)\n"),

		"acme/billing/refunds/SKILL.md":                       []byte(refunds),
		"acme/billing/refunds/assets/stamp.png":               stamp,
		"acme/billing/refunds/assets/empty.txt":               {},
		"acme/billing/refunds/references/windows.md":          []byte("# Windows\r\n\r\nThis file has the line ends of Windows.\r\n"),
		"acme/billing/refunds/references/Grüße an Zoë.md":     []byte("# Grüße\n\nLiebe Zoë, das Geld ist unterwegs: 12,50 €. 🎉\n"),
		"acme/billing/refunds/references/100% back.md":        []byte("# All of it\n\nWithin 14 days.\n"),
		"acme/billing/refunds/escalate-refund/SKILL.md":       []byte(escalate),
		"acme/billing/refunds/escalate-refund/assets/form.md": []byte("# Form\n\n- order:\n- reason:\n"),
	}
}

const readCSV = `---
name: read-csv
description: Reads CSV files of any dialect. Use when a table comes as text.
license: Apache-2.0
---

# Read CSV

1. Find the dialect with [sniff.py](scripts/sniff.py).
2. Look it up in [formats](references/formats.md).
`

const refunds = `---
name: refunds
description: "Decides on refunds: who gets how much, and when. Use for every request for money back."
license: Apache-2.0
metadata:
  owner: Zoë
  version: "1.10"
  reviewed: "2026-03-01"
---

# Refunds

Look at [the rules](references/100%25%20back.md), then write as in [the letter](references/Gr%C3%BC%C3%9Fe%20an%20Zo%C3%AB.md).
`

const escalate = `---
name: escalate-refund
description: Hands a refund to a person. Use when the amount is above 500 euros.
---

# Escalate a refund

Fill in [the form](assets/form.md).
`

// stamp is a PNG image of one pixel.
var stamp = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89" +
	"\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82")

// readDir reads the files of a skill, or of the skills below a folder. A skill
// is known by its folder's name, so that it keeps that.
func readDir(dir string) (map[string][]byte, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, start := dir, "."
	if _, err := os.Stat(filepath.Join(dir, spec.SkillFile)); err == nil {
		root, start = filepath.Dir(dir), filepath.Base(dir)
	}
	files := map[string][]byte{}
	fsys := os.DirFS(root)
	err = fs.WalkDir(fsys, start, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		files[name], err = fs.ReadFile(fsys, name)
		return err
	})
	return files, err
}

// collect makes what is served of files: an honest entry for each SKILL.md,
// and a resource for each file of a skill.
func collect(files map[string][]byte, prefix digest.Prefix, blobs bool) (*world, error) {
	fsys := fstest.MapFS{}
	for name, content := range files {
		fsys[name] = &fstest.MapFile{Data: content, Mode: 0o644}
	}
	w := &world{}
	served := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Base(name) != spec.SkillFile {
			continue
		}
		s, err := spec.Load(fsys, path.Dir(name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		frontmatter, err := s.Frontmatter.JSON()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		manifest, errs := digest.Build(context.Background(), s)
		if err := errors.Join(errs...); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		dir := prefix.Dir(path.Dir(name))
		k := &skill{uri: digest.FileURI(dir, spec.SkillFile), dir: dir, entry: decodeObject(digest.NewSkill(dir, frontmatter, manifest))}
		w.skills = append(w.skills, k)
		for _, e := range manifest.Entries {
			if uri := digest.FileURI(dir, e.Path); !served[uri] {
				served[uri] = true
				w.files = append(w.files, newFile(uri, path.Base(e.Path), files[path.Join(path.Dir(name), e.Path)], blobs))
			}
		}
	}
	w.describe()
	return w, nil
}

// decodeObject gives a value as the JSON object that it is written as.
func decodeObject(value any) object {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // the values are our own
	}
	return decode(raw).(object)
}

// decode reads JSON and keeps numbers as they are written.
func decode(raw []byte) any {
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(err)
	}
	return value
}
