package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/gen"
	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/internal/term"
	"github.com/skilltool/skilltool/pkg/clients"
)

func ownProfilesFlag() cli.Flag {
	return &cli.StringFlag{Name: "profiles", Usage: "take the profiles of clients of your own in `DIR` as well"}
}

func clientsListCommand() *command {
	return &command{
		name:    "list",
		summary: "list the clients whose behaviour is known",
		flags:   []cli.Flag{ruleFormatFlag(), ownProfilesFlag()},
		examples: []example{
			{"all clients", "skilltool clients list"},
			{"those that were run", "skilltool clients list -f json | jq -r '.[] | select(.certainty == \"run\").id'"},
		},
		exits:  []exitCode{{exitOK, "the clients were listed"}, {exitFailure, "usage error, or a profile with a mistake"}},
		action: runClientsList,
	}
}

func clientsShowCommand() *command {
	return &command{
		name:        "show",
		usage:       "NAME",
		summary:     "say in words what is known of a client, and from where",
		arguments:   []argument{{"NAME", "the client, or NAME@VERSION"}},
		minArgs:     1,
		maxArgs:     1,
		completeArg: clientWords,
		flags:       []cli.Flag{ruleFormatFlag(), ownProfilesFlag()},
		examples: []example{
			{"where Codex looks, and what it demands", "skilltool clients show codex"},
			{"the same of an older version", "skilltool clients show codex@0.120.0"},
		},
		exits:  []exitCode{{exitOK, "it was shown"}, {exitFailure, "there is no such client, or a profile has a mistake"}},
		action: runClientsShow,
	}
}

// clientDocument is a client in JSON. Rules and Evidence are only there when one
// client is shown.
type clientDocument struct {
	ID        string              `json:"id"`
	Title     string              `json:"title"`
	Kind      string              `json:"kind"`
	Version   string              `json:"version"`
	Versions  []string            `json:"versions"`
	Certainty clients.Certainty   `json:"certainty"`
	Told      clients.Told        `json:"told"`
	Project   []string            `json:"project_roots"`
	Home      []string            `json:"home_roots"`
	Sections  []gen.ClientSection `json:"sections,omitempty"`
	Evidence  []clientEvidence    `json:"evidence,omitempty"`
}

type clientEvidence struct {
	How  clients.Certainty `json:"how"`
	What string            `json:"what"`
	Date string            `json:"date"`
}

func newClientDocument(p *clients.Profile) clientDocument {
	versions, err := clients.Versions(p.ID)
	if err != nil {
		versions = []string{p.Version} // one of the user's own
	}
	return clientDocument{
		ID: p.ID, Title: p.Title, Kind: p.Kind, Version: p.Version, Versions: versions, Certainty: p.Certainty, Told: p.Told,
		Project: append([]string{}, p.Roots.Project...), Home: append([]string{}, p.Roots.Home...),
	}
}

func runClientsList(c *cli.Context, e *env) error {
	chosen, err := chooseProfiles(c)
	if err != nil {
		return err
	}
	switch c.String("output-format") {
	case "json":
		documents := make([]clientDocument, len(chosen.profiles))
		for i, p := range chosen.profiles {
			documents[i] = newClientDocument(p)
		}
		return writeDocument(e.stdout, documents)
	case "markdown":
		_, err := io.WriteString(e.stdout, gen.ClientTable(chosen.profiles, false))
		return err
	}
	_, err = io.WriteString(e.stdout, clientTable(chosen.profiles))
	return err
}

// writeDocument writes JSON as reports do.
func writeDocument(w io.Writer, document any) error {
	text, err := report.MarshalJSON(document)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// clientTable lists clients for people, in columns.
func clientTable(profiles []*clients.Profile) string {
	widths := [3]int{}
	for _, p := range profiles {
		for i, text := range []string{p.ID, p.Kind, p.Version} {
			widths[i] = max(widths[i], len(term.Escape(text)))
		}
	}
	var b strings.Builder
	for _, p := range profiles {
		fmt.Fprintf(&b, "%-*s  %-*s  %-*s  %-4s  %s\n", widths[0], term.Escape(p.ID), widths[1], term.Escape(p.Kind),
			widths[2], term.Escape(p.Version), p.Certainty, term.Escape(p.Title))
	}
	return b.String()
}

func runClientsShow(c *cli.Context, e *env) error {
	own, err := readProfiles(c.String("profiles"))
	if err != nil {
		return err
	}
	p, err := findProfile(e.args[0], own)
	if err != nil {
		return err
	}
	if note := versionNote(e.args[0], p); note != "" {
		e.notef("note: %s", term.Escape(note))
	}
	older, err := olderProfiles(p)
	if err != nil {
		return err
	}
	switch c.String("output-format") {
	case "json":
		document := newClientDocument(p)
		document.Sections = gen.ClientSections(p, older)
		document.Evidence = []clientEvidence{}
		for _, evidence := range p.Evidence {
			document.Evidence = append(document.Evidence, clientEvidence(evidence))
		}
		return writeDocument(e.stdout, document)
	case "markdown":
		_, err = io.WriteString(e.stdout, gen.ClientMarkdown(p, older))
		return err
	}
	_, err = io.WriteString(e.stdout, gen.ClientText(p, older))
	return err
}

// olderProfiles gives what is known of earlier versions than that of a profile,
// if it is the latest one.
func olderProfiles(p *clients.Profile) ([]*clients.Profile, error) {
	versions, err := clients.Versions(p.ID)
	if err != nil || len(versions) == 0 || versions[0] != p.Version {
		return nil, nil // one of the user's own, or an older version itself
	}
	var older []*clients.Profile
	for _, version := range versions[1:] {
		old, err := clients.Get(p.ID + "@" + version)
		if err != nil {
			return nil, err
		}
		older = append(older, old)
	}
	return older, nil
}
