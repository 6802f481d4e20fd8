package servers

import (
	"errors"
	"fmt"
	"io/fs"
)

// Find gives the server called name of the nearest file that has one, with a
// note for each other file that has one too. A file on the way that cannot be
// read ends the search: it might be the one that is meant. Later ones cannot
// change the answer.
func (p Place) Find(name string) (Server, []string, error) {
	var (
		found *Server
		notes []string
		all   []Server
	)
	for _, file := range p.Files() {
		servers, err := file.Read()
		switch {
		case errors.Is(err, fs.ErrNotExist), err != nil && found != nil:
			continue
		case err != nil:
			return Server{}, nil, err
		}
		for _, s := range servers {
			switch {
			case s.Name != name:
				all = append(all, s)
			case found == nil:
				found = &s
			case s.Where() != found.Where():
				notes = append(notes, fmt.Sprintf("%q stands in %s too; the nearer one is used, in %s", name, s.Where(), found.Where()))
			}
		}
	}
	if found == nil {
		return Server{}, nil, unknown(name, "the configuration files", all)
	}
	return *found, notes, nil
}

// FindIn gives the server called name of a file that a person names.
func (p Place) FindIn(path, name string) (Server, error) {
	all, err := p.In(path)
	if err != nil {
		return Server{}, err
	}
	for _, s := range all {
		if s.Name == name {
			return s, nil
		}
	}
	if name == "" {
		m := mistakef("%s: no server is named; write FILE#NAME", path)
		return Server{}, m.hintf("%s", unknown(name, path, all).Hint)
	}
	return Server{}, unknown(name, path, all)
}

// In gives all servers of a file that a person names; of those with one name
// the one that counts.
func (p Place) In(path string) ([]Server, error) {
	var all []Server
	for _, file := range p.Named(path) {
		servers, err := file.Read()
		if err != nil {
			return nil, err
		}
		all = append(all, servers...)
	}
	return firstByName(all), nil
}

// Listing is what the configuration files hold.
type Listing struct {
	// Servers are in the order in which they are looked up.
	Servers []Listed
	// Errors are of files that could not be read.
	Errors []error
}

// Listed is a server with the place of the one that is used in its stead, or
// "".
type Listed struct {
	Server
	HiddenBy string
}

// List gives the servers of all files in which names are looked up.
func (p Place) List() Listing {
	var l Listing
	first := map[string]string{}
	for _, file := range p.Files() {
		servers, err := file.Read()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			if len(l.Errors) == 0 || l.Errors[len(l.Errors)-1].Error() != err.Error() {
				l.Errors = append(l.Errors, err)
			}
			continue
		}
		for _, s := range servers {
			l.Servers = append(l.Servers, Listed{s, first[s.Name]})
			if first[s.Name] == "" {
				first[s.Name] = s.Where()
			}
		}
	}
	return l
}

// firstByName keeps of each name the first.
func firstByName(all []Server) []Server {
	var list []Server
	seen := map[string]bool{}
	for _, s := range all {
		if !seen[s.Name] {
			seen[s.Name] = true
			list = append(list, s)
		}
	}
	return list
}
