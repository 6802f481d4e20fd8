package digest_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skilltool/skilltool/pkg/digest"
)

func sum(t *testing.T, dir string, a digest.Algorithm) string {
	t.Helper()
	text, err := digest.Sum(context.Background(), load(t, dir), a)
	if err != nil {
		t.Fatal(err)
	}
	if err := digest.CheckSum(a, text); err != nil {
		t.Errorf("%s: %v", a, err)
	}
	return text
}

// skills-lock.json: paths and contents without anything between them, in the
// order of en-US, where é stands before f and case counts last. node's own
// outcome is compared where there is one.
func TestSkillsLock(t *testing.T) {
	dir := writeSkill(t, map[string]string{
		"f.md": "f", "é.md": "e", "B": "b", "a": "a", "_x": "_", ".hidden": "h", "z-1": "1", "z_1": "2", "z10": "3", "z/2": "4",
		"node_modules/x": "no", "sub/node_modules/x": "no", "metadata.json": "{}",
	})
	order := []string{"_x", ".hidden", "a", "B", "é.md", "f.md", "metadata.json", "SKILL.md", "z_1", "z-1", "z/2", "z10"}
	var text strings.Builder
	for _, name := range order {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString(name + string(content))
	}
	got := sum(t, dir, digest.SkillsLock)
	if want := digest.Of([]byte(text.String())).Hex(); got != want {
		t.Errorf("computedHash is %s, want %s", got, want)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	script := `const fs=require('fs'),path=require('path'),h=require('crypto').createHash('sha256'),root=process.argv[1],all=[];
(function walk(d){for(const e of fs.readdirSync(d,{withFileTypes:true})){const p=path.join(d,e.name);
if(e.isDirectory()){if(e.name!=='.git'&&e.name!=='node_modules')walk(p)}else if(e.isFile())all.push(path.relative(root,p))}})(root);
all.sort((a,b)=>a.localeCompare(b,'en-US'));for(const f of all){h.update(f);h.update(fs.readFileSync(path.join(root,f)))}
process.stdout.write(h.digest('hex'))`
	out, err := exec.Command(node, "-e", script, dir).Output()
	if err != nil || string(out) != got {
		t.Errorf("node gives %s, %v; want %s", out, err, got)
	}
}

// The id of a Git tree is what git itself gives.
func TestGitTree(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	dir := writeSkill(t, map[string]string{"scripts/run.sh*": "#!/bin/sh\n", "a/..x": "1", "a.b": "2", "a-c/x": "3", "a0": "", "é": ""})
	if err := os.Symlink("SKILL.md", filepath.Join(dir, "link")); err != nil {
		t.Log(err)
	}
	run := func(args ...string) string {
		cmd := exec.Command(git, append([]string{"-C", dir, "-c", "core.autocrlf=false"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run("init", "-q")
	run("add", "-A")
	if got, want := sum(t, dir, digest.GitTree), run("write-tree"); got != want {
		t.Errorf("%s, git gives %s", got, want)
	}
}

func TestSumOfUnknown(t *testing.T) {
	if _, err := digest.Sum(context.Background(), load(t, writeSkill(t, nil)), "md5"); err == nil {
		t.Error("md5 is known")
	}
}

func TestCheckSum(t *testing.T) {
	for text, a := range map[string]digest.Algorithm{
		"sha256:" + emptySum + " ": digest.SHA256, emptySum: digest.SHA256, "h1:x": digest.H1, "h1:" + emptySum: digest.H1,
		"sha256:" + emptySum: digest.SkillsLock, emptySum[:40] + "0": digest.GitTree, strings.ToUpper(emptySum[:40]): digest.GitTree, "0" + emptySum: digest.GitTree,
	} {
		if err := digest.CheckSum(a, text); err == nil {
			t.Errorf("%s: %q is taken", a, text)
		}
	}
}

// Each algorithm explains what it can.
func TestVerifySum(t *testing.T) {
	files := map[string]string{"references/legend.md": "# Legend\n\nN\n", "f.md": "f\n", "é.md": "e\n", "ö.md": "o\n", "z.md": "z\n", "scripts/run.sh*": "#!/bin/sh\n"}
	original := writeSkill(t, files)
	crlf := map[string]string{"SKILL.md": strings.ReplaceAll(skillText, "\n", "\r\n")}
	for name, content := range files {
		crlf[name] = strings.ReplaceAll(content, "\n", "\r\n")
	}
	changed := map[string]string{}
	for name, content := range files {
		changed[name] = content
	}
	changed["f.md"] = "F\n"
	littered := map[string]string{"__pycache__/m.pyc": ""}
	flat := map[string]string{}
	installed := map[string]string{"SKILL.md": strings.Replace(skillText, "---\n\n", "metadata:\n  github-repo: a/b\n  github-ref: main\n---\n\n", 1)}
	for name, content := range files {
		littered[name] = content
		installed[name] = content
		flat[strings.TrimSuffix(name, "*")] = content
	}
	folders := map[string]string{
		"original": original, "crlf": writeSkill(t, crlf), "changed": writeSkill(t, changed), "littered": writeSkill(t, littered), "flat": writeSkill(t, flat),
		"installed": writeSkill(t, installed),
	}
	for _, c := range []struct {
		algorithm digest.Algorithm
		folder    string
		state     digest.State
		note      string
	}{
		{digest.SHA256, "original", digest.OK, ""},
		{digest.SHA256, "crlf", digest.Explained, "it fits with LF line ends"},
		{digest.SHA256, "changed", digest.Tampered, ""},
		{digest.SHA256, "littered", digest.OK, ""},
		{digest.SHA256, "installed", digest.Explained, "it fits without the metadata that an installer added"},
		{digest.H1, "original", digest.OK, ""},
		{digest.H1, "crlf", digest.Explained, "it fits with LF line ends"},
		{digest.SkillsLock, "original", digest.OK, ""},
		{digest.SkillsLock, "crlf", digest.Explained, "it fits with LF line ends"},
		{digest.SkillsLock, "changed", digest.Tampered, ""},
		{digest.SkillsLock, "littered", digest.Explained, "it fits without files that other tools left there"},
		{digest.GitTree, "original", digest.OK, ""},
		{digest.GitTree, "crlf", digest.Explained, "it fits with LF line ends"},
		{digest.GitTree, "changed", digest.Tampered, ""},
		{digest.GitTree, "littered", digest.Explained, "it fits without files that other tools left there"},
		{digest.GitTree, "flat", digest.Explained, "it fits with only the files of scripts/ executable"},
	} {
		r, err := digest.VerifySum(context.Background(), load(t, folders[c.folder]), c.algorithm, sum(t, original, c.algorithm))
		if err != nil || r.State != c.state || r.Note != c.note || (r.State == digest.OK) != (len(r.Faults) == 0) {
			t.Errorf("%s, %s: %s %q %v %v; want %s %q", c.algorithm, c.folder, r.State, r.Note, r.Faults, err, c.state, c.note)
		}
	}
	r, err := digest.VerifySum(context.Background(), load(t, original), digest.SkillsLock, "")
	if err != nil || r.State != digest.Unverifiable || r.Faults[0].Rule != digest.RuleDigestFormat {
		t.Errorf("without a digest: %+v, %v", r, err)
	}
}

// Some installers drop hidden files and metadata.json before they compute.
func TestDroppedFiles(t *testing.T) {
	files := map[string]string{"a.md": "a"}
	want := sum(t, writeSkill(t, files), digest.SkillsLock)
	for name, note := range map[string]string{
		".config/x":     "it fits without files and folders whose names start with a dot",
		"metadata.json": "it fits without metadata.json",
	} {
		r, err := digest.VerifySum(context.Background(), load(t, writeSkill(t, map[string]string{"a.md": "a", name: "x"})), digest.SkillsLock, want)
		if err != nil || r.State != digest.Explained || r.Note != note {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	r, err := digest.VerifySum(context.Background(), load(t, writeSkill(t, map[string]string{"a.md": "a", ".x": "", "metadata.json": ""})), digest.SkillsLock, want)
	if err != nil || r.Note != "it fits without metadata.json and hidden files" {
		t.Errorf("both: %+v, %v", r, err)
	}
}

// A digest that was computed in Sweden puts ö behind z.
func TestLocaleOrder(t *testing.T) {
	dir := writeSkill(t, map[string]string{"ö.md": "o", "z.md": "z"})
	text := "SKILL.md" + skillText + "z.mdz" + "ö.mdo"
	r, err := digest.VerifySum(context.Background(), load(t, dir), digest.SkillsLock, digest.Of([]byte(text)).Hex())
	if err != nil || r.State != digest.Explained || r.Note != "it fits in the Swedish order of file names" {
		t.Errorf("%+v, %v", r, err)
	}
}
