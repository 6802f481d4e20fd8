package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLiesAreDescribed: names are kebab-case and unique, and each lie says what
// it breaks.
func TestLiesAreDescribed(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	names, docs := map[string]bool{}, map[string]bool{}
	kinds := map[Kind]int{}
	for _, l := range Lies() {
		if !kebab.MatchString(l.Name) || names[l.Name] {
			t.Errorf("%s: names are kebab-case, and unique", l.Name)
		}
		if l.Doc == "" || docs[l.Doc] || strings.Contains(l.Doc, "\n") || strings.HasSuffix(l.Doc, ".") {
			t.Errorf("%s: %q; each has a line of its own", l.Name, l.Doc)
		}
		if l.Requirement == "" && l.Kind != KindFault {
			t.Errorf("%s: breaks nothing", l.Name)
		}
		names[l.Name], docs[l.Doc] = true, true
		kinds[l.Kind]++
	}
	if kinds[KindLie] < 60 {
		t.Errorf("%d lies, want 60", kinds[KindLie])
	}
	t.Logf("%d lies, %d faults, %d oddities", kinds[KindLie], kinds[KindFault], kinds[KindOddity])
}

// TestLiesAreTold: each lie and each oddity changes an answer, and one of the
// newer era changes none in the older.
func TestLiesAreTold(t *testing.T) {
	// These are in time, in a process, or in what is not there, and in no answer.
	elsewhere := []string{"odd-out-of-order", "odd-stderr", "odd-notifications"}
	for _, modern := range []bool{true, false} {
		honest := crawl(t, Options{}, modern)
		if again := crawl(t, Options{}, modern); !slices.Equal(honest, again) {
			t.Fatal("an honest server does not give the same answers twice")
		}
		for _, l := range Lies() {
			if l.Kind == KindFault || slices.Contains(elsewhere, l.Name) {
				continue
			}
			told := !slices.Equal(honest, crawl(t, Options{Lies: []string{l.Name}}, modern))
			if want := modern || l.Era == "" && !strings.HasPrefix(l.Name, "odd-ttl") && !strings.HasPrefix(l.Name, "odd-scope"); told != want {
				t.Errorf("%s, modern=%v: the lie is told: %v", l.Name, modern, told)
			}
		}
	}
}

// crawl asks for all that an honest server has and that this one has, and for
// what has to be refused.
func crawl(t *testing.T, o Options, modern bool) []string {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	c := &crawler{server: s, modern: modern}
	for _, method := range []string{methodDiscover, methodInitialize} {
		c.ask(method, object{})
	}
	c.pages(methodList, object{})
	c.ask(methodList, object{"cursor": "nobody gave this"})
	c.pages(methodResources, object{})
	uris := map[string]bool{"skill://nobody/SKILL.md": true, "skill://read-csv/nothing.md": true, "skill://read-csv/references/more": true}
	for _, f := range s.world.files {
		for uri := f.uri; uri != ""; uri = parent(uri) {
			uris[uri], uris[uri+"/"] = true, true
		}
	}
	for _, k := range slices.Concat(s.world.skills, s.world.hidden) {
		uris[k.uri] = true
	}
	for _, uri := range slices.Sorted(maps.Keys(uris)) {
		c.ask(methodGet, object{"uri": uri})
		c.ask(methodRead, object{"uri": uri})
		c.pages(methodDirectory, object{"uri": uri})
	}
	return c.answers
}

type crawler struct {
	server  *Server
	modern  bool
	answers []string
}

func (c *crawler) ask(method string, params object) any {
	asked := &call{ctx: context.Background(), server: c.server, id: json.RawMessage("1"), method: method, params: maps.Clone(params), modern: c.modern}
	c.server.count(asked)
	result, err := c.server.handle(asked)
	frame := answerFrame(asked.id, result, err)
	for _, change := range c.server.script.frames {
		frame = change(asked, frame)
	}
	c.answers = append(c.answers, fmt.Sprintf("%s %v: %s", method, params, frame))
	return result
}

// pages follows cursors for a while.
func (c *crawler) pages(method string, params object) {
	for range 8 {
		result, _ := c.ask(method, params).(object)
		cursor, ok := result["nextCursor"].(string)
		if !ok || cursor == "" {
			return
		}
		params = maps.Clone(params)
		params["cursor"] = cursor
	}
}
