package cmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/pkg/clients"
)

// chosenProfiles are the clients that a run asks.
type chosenProfiles struct {
	// profiles are sorted by id, or in the order of --client.
	profiles []*clients.Profile
	// named are the ids of the clients that --client names; nil without it.
	named []string
	notes []string
}

// chooseProfiles reads --client and --profiles. Without --client, all clients
// that are known are asked, and those of the user's own.
func chooseProfiles(c *cli.Context) (*chosenProfiles, error) {
	own, err := readProfiles(c.String("profiles"))
	if err != nil {
		return nil, err
	}
	names := splitList(c.StringSlice("client"))
	if len(names) == 0 {
		if c.IsSet("client") {
			return nil, usagef("--client names no client")
		}
		all, err := clients.Profiles()
		return &chosenProfiles{profiles: mergeProfiles(all, own)}, err
	}
	chosen := &chosenProfiles{}
	for _, name := range names {
		p, err := findProfile(name, own)
		if err != nil {
			return nil, err
		}
		if note := versionNote(name, p); note != "" {
			chosen.notes = append(chosen.notes, note)
		}
		if !slices.ContainsFunc(chosen.profiles, func(q *clients.Profile) bool { return q.ID == p.ID && q.Version == p.Version }) {
			chosen.profiles, chosen.named = append(chosen.profiles, p), append(chosen.named, p.ID)
		}
	}
	return chosen, nil
}

// mergeProfiles puts profiles of the user's own among those that are known, in
// place of one with the same id.
func mergeProfiles(known, own []*clients.Profile) []*clients.Profile {
	if len(own) == 0 {
		return known
	}
	merged := slices.DeleteFunc(slices.Clone(known), func(p *clients.Profile) bool {
		return slices.ContainsFunc(own, func(o *clients.Profile) bool { return o.ID == p.ID })
	})
	merged = append(merged, own...)
	slices.SortStableFunc(merged, func(a, b *clients.Profile) int { return strings.Compare(a.ID, b.ID) })
	return merged
}

// findProfile gives a client by its id, or by id@version.
func findProfile(name string, own []*clients.Profile) (*clients.Profile, error) {
	id, version, versioned := strings.Cut(name, "@")
	for _, p := range own {
		if p.ID == id {
			if versioned && version != p.Version {
				return nil, usagef("the client %q has no version %q; its profile is about %q", id, version, p.Version)
			}
			return p, nil
		}
	}
	if versioned && !isVersion(version) {
		return nil, unknownVersion(id, version, own)
	}
	p, err := clients.Get(name)
	if errors.Is(err, clients.ErrUnknown) {
		return nil, unknownClient(id, own)
	}
	return p, err
}

// isVersion reports whether a word can be compared with versions: it starts with
// a digit.
func isVersion(word string) bool { return word != "" && word[0] >= '0' && word[0] <= '9' }

func unknownClient(id string, own []*clients.Profile) error {
	ids := clients.IDs()
	for _, p := range own {
		ids = append(ids, p.ID)
	}
	return usagef("there is no client %q", id).suggest(id, ids).hintf("for all clients, run: skilltool clients list")
}

func unknownVersion(id, version string, own []*clients.Profile) error {
	versions, err := clients.Versions(id)
	if err != nil {
		return unknownClient(id, own)
	}
	return usagef("%q is no version of the client %q; known are %s", version, id, strings.Join(versions, ", "))
}

// versionNote says which rules stand for a version that nobody has looked at.
func versionNote(name string, p *clients.Profile) string {
	_, version, versioned := strings.Cut(name, "@")
	if !versioned || version == p.Version {
		return ""
	}
	return fmt.Sprintf("%s: nobody has looked at this version; the rules of %s stand for it", name, p.Version)
}

// readProfiles reads the profiles in a folder; "" is none. A mistake in one is
// reported with its place.
func readProfiles(dir string) ([]*clients.Profile, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("--profiles: %s: %w", dir, plainError(err))
	}
	var own []*clients.Profile
	from := map[string]string{}
	for _, entry := range entries {
		name := filepath.Join(dir, entry.Name())
		if ext := filepath.Ext(name); ext != ".yaml" && ext != ".yml" || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		p, err := readProfile(name)
		if err != nil {
			return nil, err
		}
		if first, known := from[p.ID]; known {
			return nil, fmt.Errorf("--profiles: %s and %s are both about %q; give each an id of its own", first, filepath.ToSlash(name), p.ID)
		}
		from[p.ID] = filepath.ToSlash(name)
		own = append(own, p)
	}
	if len(own) == 0 {
		return nil, usagef("--profiles: %q holds no profile; a profile is a file that ends in .yaml or .yml", dir)
	}
	return own, nil
}

func readProfile(name string) (*clients.Profile, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--profiles: %s: %w", filepath.ToSlash(name), plainError(err))
	}
	defer file.Close()
	p, err := clients.Load(file)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", filepath.ToSlash(name), err)
	}
	return p, nil
}

// clientWords completes the names of clients, without reading their profiles.
func clientWords() []candidate { return words(clients.IDs()...)() }
