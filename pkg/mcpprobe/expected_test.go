package mcpprobe

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestParseExpectedFailures(t *testing.T) {
	text := "\ufeff# known faults\r\n\r\n lock-approved \r\nexpected-content\tskill://a/** # until May\n\n#expected-content\nlock-approved pdf-*"
	list, err := ParseExpectedFailures([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range list {
		got = append(got, fmt.Sprintf("%d %s", x.Line, x))
	}
	want := []string{"3 lock-approved", "4 expected-content skill://a/**", "7 lock-approved pdf-*"}
	if !slices.Equal(got, want) {
		t.Errorf("read: %q, want %q", got, want)
	}
}

func TestParseExpectedFailuresRefuses(t *testing.T) {
	for _, test := range []struct{ text, want, check string }{
		{"lock-approved\nlock-aproved x", `line 2: there is no check "lock-aproved"`, "lock-aproved"},
		{"lock-approved a b", "line 1: 3 words; a line is the id of a check and, where wanted, one glob", ""},
		{"lock-approved [a", `line 1: "[a" is no glob`, ""},
		{"\xff", "the file is no UTF-8", ""},
		{strings.Repeat("\n", maxExpectedLines+1), "line 10001: the file has more than 10000 lines", ""},
		{strings.Repeat("#", maxExpectedBytes+1), "the file is larger than 1048576 bytes", ""},
	} {
		list, err := ParseExpectedFailures([]byte(test.text))
		var bad *ExpectedFailuresError
		if !errors.As(err, &bad) || err.Error() != test.want || bad.Check != test.check || list != nil {
			t.Errorf("%.30q: %v, want %q", test.text, err, test.want)
		}
	}
}

func TestMarkExpected(t *testing.T) {
	report := func() *Report {
		result := func(check *CheckInfo, status Status, skill, uri string) Result {
			return Result{Check: check, Status: status, Skill: skill, URI: uri, Count: 1}
		}
		return &Report{
			Skills: []SkillReport{{URI: "skill://a/pdf/SKILL.md", Name: "pdf"}},
			Results: []Result{
				result(checkLockApproved, Fail, "skill://a/pdf/SKILL.md", ""),
				result(checkLockApproved, Fail, "skill://b/charts/SKILL.md", ""),
				result(checkLockApproved, Pass, "", ""),
				result(checkExpectedContent, Warn, "skill://a/pdf/SKILL.md", "skill://a/pdf/x.md"),
				result(checkExpectedContent, Info, "skill://b/charts/SKILL.md", ""),
			},
		}
	}
	for _, test := range []struct {
		lines string
		mend  func(*Report)
		want  []int // the results that are expected
		stale []string
	}{
		{"lock-approved", nil, []int{0, 1}, nil},
		{"lock-approved skill://a/**", nil, []int{0}, nil},
		{"lock-approved skill://*/*/SKILL.md", nil, []int{0, 1}, nil},
		{"lock-approved pdf", nil, []int{0}, nil},
		{"lock-approved skill://b/*", nil, nil, []string{`fail : known.txt:1: "lock-approved skill://b/*" fits no failure any more; remove the line`}},
		{"expected-content **/x.md", nil, []int{3}, nil},
		{"expected-content skill://b/**", nil, nil, []string{`fail : known.txt:1: "expected-content skill://b/**" fits no failure any more; remove the line`}},
		{"lock-approved skill://a/**\n\nlock-approved pdf\nlock-approved x", nil, []int{0},
			[]string{`fail : known.txt:4: "lock-approved x" fits no failure any more; remove the line`}},
		{"expected-failure-stale", nil, nil, []string{`skip : known.txt:1: "expected-failure-stale" is not judged: the check was not made`}},
		{"lock-approved x", func(r *Report) { r.Fatal = errors.New("gone") }, nil,
			[]string{`skip : known.txt:1: "lock-approved x" is not judged: the audit ended early`}},
		{"lock-approved x\nlock-approved pdf", func(r *Report) { r.Bounds = []LimitError{{}} }, []int{0},
			[]string{`skip : known.txt:1: "lock-approved x" is not judged: the audit ended early`}},
	} {
		list, err := ParseExpectedFailures([]byte(test.lines))
		if err != nil {
			t.Fatal(err)
		}
		r := report()
		if test.mend != nil {
			test.mend(r)
		}
		var stale []string
		for _, result := range r.MarkExpected("known.txt", list) {
			stale = append(stale, describeResult(result))
		}
		var marked []int
		for i, result := range r.Results {
			if result.Expected {
				marked = append(marked, i)
			}
		}
		if !slices.Equal(marked, test.want) || !slices.Equal(stale, test.stale) {
			t.Errorf("%q: expected %v, want %v; stale %q, want %q", test.lines, marked, test.want, stale, test.stale)
		}
	}
}

// FuzzParseExpectedFailures: whatever is read reads the same when it is written
// line by line, and each line is one of the text.
func FuzzParseExpectedFailures(f *testing.F) {
	f.Add("lock-approved skill://a/** # x\n\nexpected-content")
	f.Add("lock-approved [")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseExpectedFailures([]byte(text))
		if err != nil {
			return
		}
		lines := strings.SplitAfter(text, "\n")
		for _, x := range list {
			if !strings.Contains(lines[x.Line-1], x.Check.ID) {
				t.Errorf("line %d of %q is no %s", x.Line, text, x)
			}
			again, err := ParseExpectedFailures([]byte(x.String()))
			if err != nil || len(again) != 1 || again[0].Glob != x.Glob {
				t.Errorf("%q: %v %v", x.String(), again, err)
			}
		}
	})
}
