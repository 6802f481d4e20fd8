package cmd

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/clients"
	"github.com/skilltool/skilltool/pkg/spec"
)

// inputSkill is a SKILL.md from standard input, and where it belongs.
type inputSkill struct {
	dir, base string
	skill     *spec.Skill
}

// readInputSkill reads the text for the argument "-"; it gives nil without one.
func readInputSkill(c *cli.Context, e *env, fix fixMode) (*inputSkill, error) {
	v := &validation{c: c, e: e, check: check{fix: fix}}
	if err := v.checkInputFlags(); err != nil || !v.fromStdin() {
		return nil, err
	}
	source, err := io.ReadAll(io.LimitReader(e.stdin, spec.MaxSkillFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading standard input: %w", err)
	}
	workDir, err := realPath(".")
	if err != nil {
		return nil, fmt.Errorf("the working directory cannot be found: %w", err)
	}
	dir := absolute(workDir, filepath.Dir(c.String("stdin-filename")))
	if real, err := realPath(dir); err == nil {
		dir = real
	}
	skill := spec.Parse(source)
	skill.File, skill.DirName = spec.SkillFile, filepath.Base(dir)
	return &inputSkill{dir: dir, base: baseOf(workDir, []string{dir}), skill: skill}, nil
}

// predict asks all profiles about the text alone: what else stands in its root
// has no part in it.
func (i *inputSkill) predict(profiles []*clients.Profile) *predicted {
	slash := filepath.ToSlash(i.dir)
	row := report.ClientRow{Path: slash, Dir: slash, File: spec.SkillFile}
	document := clients.NewDocument(i.skill, clients.PlaceOf(i.skill))
	for _, p := range profiles {
		row.Cells = append(row.Cells, document.Predict(p))
	}
	return &predicted{
		targets: &clientTargets{targets: targets{base: i.base}}, profiles: profiles,
		rows: []report.ClientRow{row}, input: i.skill,
	}
}
