package clients

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unique"

	"github.com/skilltool/skilltool/pkg/spec"
)

//go:embed profiles/*.yaml
var files embed.FS

// ErrUnknown: there is no client of that name, or no such version of it.
var ErrUnknown = errors.New("the client is not known")

// IDs gives the names of the known clients, sorted, without reading a profile.
func IDs() []string {
	entries, err := files.ReadDir("profiles")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	ids := make([]string, len(entries))
	for i, entry := range entries {
		ids[i] = strings.TrimSuffix(entry.Name(), ".yaml")
	}
	return ids
}

// Profiles gives the profiles of all known clients in their latest version,
// sorted by id. They are read at the first call and shared: do not change them.
func Profiles() ([]*Profile, error) { return all() }

var all = sync.OnceValues(func() ([]*Profile, error) {
	ids := IDs()
	profiles, errs := make([]*Profile, len(ids)), make([]error, len(ids))
	var wait sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), len(ids)) {
		wait.Go(func() {
			for i := range next {
				profiles[i], errs[i] = Get(ids[i])
			}
		})
	}
	for i := range ids {
		next <- i
	}
	close(next)
	wait.Wait()
	return profiles, errors.Join(errs...)
})

// Get gives the profile of a client by its id, or by id@version for a client
// that changed. A version between two that are known stands for the older one's
// rules. It gives an error that is ErrUnknown for anything else.
func Get(name string) (*Profile, error) {
	id, version, versioned := strings.Cut(name, "@")
	if versioned && (version == "" || version[0] < '0' || '9' < version[0]) {
		return nil, fmt.Errorf("%w: %q has the version %q, which does not begin with a digit", ErrUnknown, name, version)
	}
	text, err := files.ReadFile("profiles/" + id + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("%w: %q; use %s", ErrUnknown, id, strings.Join(IDs(), ", "))
	}
	root, err := parseNode(text)
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", id, err)
	}
	p, err := build(variant(root, version))
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", id, err)
	}
	return p, nil
}

// Versions gives the versions of a client whose rules are known, the latest
// first.
func Versions(id string) ([]string, error) {
	p, err := Get(id)
	if err != nil {
		return nil, err
	}
	versions := []string{p.Version}
	text, err := files.ReadFile("profiles/" + id + ".yaml")
	if err != nil {
		return nil, err
	}
	root, err := parseNode(text)
	if err != nil {
		return nil, err
	}
	for _, v := range variantsOf(root) {
		versions = append(versions, v.Get("version").Text)
	}
	return versions, nil
}

// variantsOf gives the older versions in a profile, the newest first.
func variantsOf(root *spec.Node) []*spec.Node {
	n := root.Get("variants").Resolve()
	if n == nil {
		return nil
	}
	return n.Items
}

// variant gives the rules of one version: those of the profile, with what was
// different laid over them.
func variant(root *spec.Node, version string) *spec.Node {
	base := without(root, "variants")
	if version == "" {
		return base
	}
	chosen := base
	for _, v := range variantsOf(root) {
		before := v.Get("before").Resolve()
		if before == nil || compareVersions(version, before.Text) >= 0 {
			break
		}
		chosen = merge(base, v)
	}
	return chosen
}

// compareVersions compares numbers between dots and hyphens; other parts are
// compared as text.
func compareVersions(a, b string) int {
	split := func(r rune) bool { return r == '.' || r == '-' }
	x, y := strings.FieldsFunc(a, split), strings.FieldsFunc(b, split)
	for i := range min(len(x), len(y)) {
		m, errM := strconv.Atoi(x[i])
		n, errN := strconv.Atoi(y[i])
		if errM == nil && errN == nil && m != n {
			return m - n
		}
		if (errM != nil || errN != nil) && x[i] != y[i] {
			return strings.Compare(x[i], y[i])
		}
	}
	return len(x) - len(y)
}

// Load reads a profile of a user's own. With the key extends it starts from a
// known client, named as for Get, and what it says is laid over that. Errors
// name the place as line:column.
func Load(from io.Reader) (*Profile, error) {
	text, err := io.ReadAll(io.LimitReader(from, maxProfileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read a profile: %w", err)
	}
	root, err := parseNode(bytes.TrimPrefix(text, []byte(byteOrderMark)))
	if err != nil {
		return nil, err
	}
	return FromNode(root)
}

// FromNode is Load for a profile that stands within another file.
func FromNode(root *spec.Node) (*Profile, error) {
	root = root.Resolve()
	if root == nil || root.Kind != spec.Mapping {
		return nil, errors.New("a profile must be a mapping of keys and values")
	}
	base := root.Get("extends").Resolve()
	if base == nil {
		return build(root)
	}
	id, version, _ := strings.Cut(base.Text, "@")
	text, err := files.ReadFile("profiles/" + id + ".yaml")
	if err != nil {
		return nil, placed(base.Range, "%s: %q; use %s", ErrUnknown, id, strings.Join(IDs(), ", "))
	}
	known, err := parseNode(text)
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", id, err)
	}
	return build(merge(variant(known, version), without(root, "extends")))
}

// build makes a profile of its tree.
func build(root *spec.Node) (*Profile, error) {
	p := &Profile{}
	if err := decodeNode(root, reflect.ValueOf(p).Elem()); err != nil {
		return nil, err
	}
	if err := p.check(root); err != nil {
		return nil, err
	}
	p.fencesKey = unique.Make(fmt.Sprintf("%+v", p.Fences))
	p.yamlKey = unique.Make(fmt.Sprintf("%+v", p.YAML))
	for key := range p.Fields {
		if key != spec.FieldName && key != spec.FieldDescription {
			p.others = append(p.others, key)
		}
	}
	slices.Sort(p.others)
	return p, nil
}
