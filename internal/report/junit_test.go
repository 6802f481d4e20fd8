package report_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/spec"
)

// node is an XML element.
type node struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []node     `xml:",any"`
}

func (n node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (n node) number(t testing.TB, name string) int {
	t.Helper()
	number, err := strconv.Atoi(n.attr(name))
	if err != nil {
		t.Errorf("%s of %s: %v", name, n.XMLName.Local, err)
	}
	return number
}

func parseXML(t testing.TB, text string) node {
	t.Helper()
	var n node
	if err := xml.Unmarshal([]byte(text), &n); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return n
}

// xsd is a schema's elements by name; it holds what junit.xsd uses of the
// language, so that the schema is applied also where xmllint is missing.
type xsd map[string]xsdElement

type xsdElement struct {
	Name     string `xml:"name,attr"`
	Type     string `xml:"type,attr"`
	Sequence []struct {
		Ref string `xml:"ref,attr"`
		Max string `xml:"maxOccurs,attr"`
	} `xml:"complexType>sequence>element"`
	Attributes []struct {
		Name string `xml:"name,attr"`
		Use  string `xml:"use,attr"`
	} `xml:"complexType>attribute"`
}

func readXSD(t testing.TB) xsd {
	t.Helper()
	text, err := os.ReadFile("testdata/junit.xsd")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Elements []xsdElement `xml:"element"`
	}
	if err := xml.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	elements := xsd{}
	for _, e := range schema.Elements {
		elements[e.Name] = e
	}
	if len(elements["testcase"].Sequence) != 5 || len(elements["testcase"].Attributes) != 5 {
		t.Fatal("the schema is not read as it should be")
	}
	return elements
}

// check gives what the schema forbids in n.
func (s xsd) check(n node) []string {
	element, ok := s[n.XMLName.Local]
	if !ok {
		return []string{"no element is called " + n.XMLName.Local}
	}
	problems := element.checkAttributes(n)
	place, times := 0, 0
	for _, child := range n.Children {
		name := child.XMLName.Local
		for place < len(element.Sequence) && element.Sequence[place].Ref != name {
			place, times = place+1, 0
		}
		times++
		if place == len(element.Sequence) {
			problems = append(problems, fmt.Sprintf("%s may not stand here in %s", name, element.Name))
			break
		}
		if times > 1 && element.Sequence[place].Max != "unbounded" {
			problems = append(problems, fmt.Sprintf("%s has more than one %s", element.Name, name))
		}
		problems = append(problems, s.check(child)...)
	}
	return problems
}

func (e xsdElement) checkAttributes(n node) []string {
	var problems []string
	known := map[string]bool{}
	for _, a := range e.Attributes {
		known[a.Name] = true
		if a.Use == "required" && !slices.ContainsFunc(n.Attrs, func(x xml.Attr) bool { return x.Name.Local == a.Name }) {
			problems = append(problems, e.Name+" lacks "+a.Name)
		}
	}
	for _, a := range n.Attrs {
		if !known[a.Name.Local] {
			problems = append(problems, e.Name+" may not have "+a.Name.Local)
		}
	}
	return problems
}

func TestXSDRefuses(t *testing.T) {
	schema := readXSD(t)
	for _, bad := range []string{
		`<testsuites><suite/></testsuites>`,
		`<testsuites><testsuite name="a"/></testsuites>`,
		`<testsuites><testsuite name="a" tests="1" passed="1"/></testsuites>`,
		`<testcase name="a"><failure/><error/></testcase>`,
		`<testcase name="a"><skipped/><skipped/></testcase>`,
	} {
		if schema.check(parseXML(t, bad)) == nil {
			t.Errorf("the schema accepts %s", bad)
		}
	}
}

func TestJUnitConforms(t *testing.T) {
	schema := readXSD(t)
	for _, r := range []*report.Report{clean(), rich(), {}} {
		text := write(t, "junit", report.Options{}, r)
		if problems := schema.check(parseXML(t, text)); problems != nil {
			t.Errorf("%s in:\n%s", strings.Join(problems, "\n"), text)
		}
		checkCounts(t, parseXML(t, text))
	}
}

// checkCounts compares the numbers in attributes with the elements.
func checkCounts(t testing.TB, suites node) {
	t.Helper()
	total := map[string]int{}
	for _, suite := range suites.Children {
		sum := map[string]int{"tests": len(suite.Children)}
		for _, c := range suite.Children {
			if c.attr("classname") != suite.attr("name") {
				t.Errorf("a case of %s has the class %s", suite.attr("name"), c.attr("classname"))
			}
			if len(c.Children) > 0 {
				sum[map[string]string{"failure": "failures", "error": "errors"}[c.Children[0].XMLName.Local]]++
			}
		}
		for _, name := range []string{"tests", "failures", "errors"} {
			total[name] += sum[name]
			if got := suite.number(t, name); got != sum[name] {
				t.Errorf("%s has %d %s, it says %d", suite.attr("name"), sum[name], name, got)
			}
		}
	}
	for name, want := range total {
		if got := suites.number(t, name); got != want {
			t.Errorf("all suites have %d %s, the document says %d", want, name, got)
		}
	}
}

func TestJUnitXMLLint(t *testing.T) {
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("xmllint is not installed; TestJUnitConforms applies the schema without it")
	}
	for name, fixture := range fixtures {
		file := filepath.Join(t.TempDir(), name+".xml")
		if err := os.WriteFile(file, []byte(write(t, "junit", report.Options{}, fixture())), 0o600); err != nil {
			t.Fatal(err)
		}
		var output bytes.Buffer
		command := exec.Command(xmllint, "--noout", "--nonet", "--schema", "testdata/junit.xsd", file)
		command.Stdout, command.Stderr = &output, &output
		if err := command.Run(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, output.String())
		}
	}
}

func TestJUnitFailLevel(t *testing.T) {
	for level, want := range map[spec.Severity]string{0: "6", spec.Error: "6", spec.Warning: "8", spec.Info: "9"} {
		r := rich()
		r.FailLevel = level
		if got := parseXML(t, write(t, "junit", report.Options{}, r)).attr("failures"); got != want {
			t.Errorf("fail level %v: %s failures, want %s", level, got, want)
		}
	}
}

// A finding outside every skill must not be lost.
func TestJUnitFindingWithoutSkill(t *testing.T) {
	r := clean()
	f := find("", "file-size", "", "", "the tree is too deep")
	f.Path, f.Severity = "deep", spec.Error
	r.Findings = []report.Finding{f}
	suites := parseXML(t, write(t, "junit", report.Options{}, r))
	if n := len(suites.Children); n != 2 || suites.attr("failures") != "1" {
		t.Errorf("there are %d suites and %s failures, want 2 and 1", n, suites.attr("failures"))
	}
}
