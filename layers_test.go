package main_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/skilltool/skilltool"

// layers say what the packages of this module may import beside the standard
// library. A pattern ends at a path element: "golang.org/x/text" covers the
// packages below it. What is not listed is free in its third parties.
var layers = []struct {
	pkg string
	may []string
	why string
}{
	{"", []string{"cmd"}, "main is one statement: everything it could do belongs where it can be tested"},
	{"schemas", nil, "schemas are data for everybody, so they need nobody"},
	{"docs", nil, "pages are data for everybody, so they need nobody"},
	{"internal/near", nil, "it compares words"},
	{"internal/cause", nil, "it looks at errors of the standard library"},
	{"internal/jsonscan", nil, "it reads bytes that nobody has judged yet, before any library sees them"},
	{"internal/redact", nil, "it knows secrets, so it knows nobody"},
	{"internal/servers", []string{"internal/near", "internal/redact", "pkg/spec"}, "it reads files of settings, and reaches no server"},
	{"pkg/spec", []string{
		"schemas", "internal/cause", "internal/near",
		"github.com/goccy/go-yaml", "github.com/santhosh-tekuri/jsonschema/v5", "golang.org/x/text",
	}, "other programs build on the format library: each import of it is one of theirs"},
	{"pkg/digest", []string{"internal/cause", "pkg/spec", "golang.org/x/text"}, "digests need bytes and the format, and one order of names"},
	{"pkg/mcpprobe", []string{
		"internal/cause", "internal/jsonscan", "internal/near", "pkg/digest", "pkg/spec",
		"github.com/modelcontextprotocol/go-sdk", "github.com/bmatcuk/doublestar/v4", "golang.org/x",
	}, "a client needs the format, digests, and the protocol's SDK; it judges JSON by itself"},
	{"pkg/clients", []string{"schemas", "internal/cause", "internal/near", "pkg/spec", "github.com/goccy/go-yaml", "golang.org/x/text"}, "predictions need the format and data"},
}

// bans hold for what a package imports through others as well.
var bans = []struct{ from, what, why string }{
	{"pkg", module + "/cmd", "the core knows nothing of the command line above it"},
	{"internal", module + "/cmd", "cmd is the edge; what it shares belongs below it"},
	{"pkg", module + "/internal/report", "the core gives findings as values; only the edge writes them out"},
	{"pkg", "github.com/urfave/cli/v2", "a program that uses the library has a command line of its own"},
	{"pkg", "github.com/charmbracelet", "the core prints nothing, so it has no use for styles"},
	{"pkg", "golang.org/x/term", "the core does not know whether there is a terminal"},
	{"pkg/spec", "os/exec", "nothing that a skill holds is ever run"},
	{"internal", "github.com/urfave/cli/v2", "only cmd reads arguments"},
	{"pkg/spec", "net/http", "reading a skill speaks to nobody"},
	{"pkg/digest", "net/http", "digests are about bytes at hand"},
	{"pkg/clients", "net/http", "predictions rest on data at hand"},
	{"", "plugin", "rules are compiled in"},
	{"cmd", "testing", "test code stays out of the program"},
	{"pkg", "testing", "test code stays out of programs that use the library"},
	{"cmd", module + "/internal/mcptest", "the fixture server is for tests"},
}

type goPackage struct {
	ImportPath, Name string
	Imports, Deps    []string
}

// in reports whether a package of this module is dir or lies below it.
func (p goPackage) in(dir string) bool { return within(p.ImportPath, path.Join(module, dir)) }

func within(pkg, dir string) bool { return pkg == dir || strings.HasPrefix(pkg, dir+"/") }

// TestLayers holds every package to its layer.
func TestLayers(t *testing.T) {
	for _, p := range listPackages(t) {
		for _, layer := range layers {
			if p.ImportPath != path.Join(module, layer.pkg) {
				continue
			}
			for _, imported := range p.Imports {
				if strings.Contains(imported, ".") && !slices.ContainsFunc(layer.may, func(may string) bool {
					return within(imported, may) || within(imported, path.Join(module, may))
				}) {
					t.Errorf("%s imports %s: %s", p.ImportPath, imported, layer.why)
				}
			}
		}
		for _, ban := range bans {
			if !p.in(ban.from) {
				continue
			}
			if i := slices.IndexFunc(p.Deps, func(dep string) bool { return within(dep, ban.what) }); i >= 0 {
				t.Errorf("%s depends on %s: %s", p.ImportPath, p.Deps[i], ban.why)
			}
		}
	}
}

// TestOneMain: "go install module@version" and hooks that build every program
// of the module give one binary, so helpers of tests are no programs.
func TestOneMain(t *testing.T) {
	for _, p := range listPackages(t) {
		if p.Name == "main" && p.ImportPath != module {
			t.Errorf("%s is a second main package of the module", p.ImportPath)
		}
	}
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Name,Imports,Deps", "./...").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := decoder.Decode(&p); err == io.EOF {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
