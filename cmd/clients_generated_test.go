package cmd

import (
	"testing"

	"github.com/skilltool/skilltool/internal/gen"
	"github.com/skilltool/skilltool/pkg/clients"
)

// TestGeneratedClients holds docs/clients to the profiles. With -update it
// writes the pages; go generate runs it by the start of its name.
func TestGeneratedClients(t *testing.T) {
	profiles, err := clients.Profiles()
	if err != nil {
		t.Fatal(err)
	}
	wanted := []string{"README.md"}
	for _, p := range profiles {
		older, err := olderProfiles(p)
		if err != nil {
			t.Fatal(err)
		}
		wanted = append(wanted, p.ID+".md")
		compare(t, "../docs/clients/"+p.ID+".md", gen.ClientPage(p, older))
	}
	compare(t, "../docs/clients/README.md", gen.ClientIndex(profiles))
	removeOthers(t, "../docs/clients", wanted)
}
