package cmd

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/clients"
)

func clientsCommand() *command {
	return &command{
		name:    "clients",
		usage:   "[PATH...]",
		summary: "predict what agent clients do with skills, and what their models see",
		description: "Shows a matrix of skills and clients: which client loads a skill as it is written, which shows its " +
			"model another name or description, which hides it from the model, and which drops it, with the reasons below. " +
			"The worst comes first, and what loads as written everywhere is left out (--all shows it). --client asks about " +
			"some clients alone, and shows what was written beside what each model sees.\n\n" +
			"Predictions come from profiles of the clients: most were run on skills with one fault each, and of some the " +
			"source was read; \"skilltool clients show NAME\" says which, and when. Nothing is started and nothing is sent.\n\n" +
			"Each skill is judged as if its root were one that the client looks into. Its root is the nearest folder above " +
			"it called skills, or else the outermost one in the repository that holds folders of skills. Links to skills, " +
			"and Markdown files with frontmatter in a root, are looked at too.\n\n" +
			"With --fail-on, predictions for clients that were run count; those that rest on the source alone, or are " +
			"inferred, count for the clients that --client names.\n\n" +
			"--portable asks instead whether a skill keeps to the form that every client loads as written, and with --fix " +
			"mends what it can without making any prediction worse. --catalogue asks what is left of the descriptions of a " +
			"whole collection once a client has spent its budget. A folder called list or show is ./list or ./show.",
		arguments: []argument{
			{"PATH", "a skill's directory, a directory to search for skills, or any file of a skill; \"-\" reads a SKILL.md from standard input; none is \".\""},
		},
		maxArgs: anyArgs,
		flags: slices.Concat(clientFlags(), searchFlags(), inputFlags(), outputFlagsOf(clientsFormats()), []cli.Flag{
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "work on `N` skills at a time; 0 is one for each core"},
		}),
		completeFlag: map[string]completer{"client": clientWords, "report": clientReportWords},
		subcommands:  []*command{clientsListCommand(), clientsShowCommand()},
		examples: []example{
			{"which clients do something else with the skills below this directory", "skilltool clients"},
			{"what two models see of a skill", "skilltool clients skills/pdf-tools --client codex --client claude-code"},
			{"fail in CI where Codex drops a skill or its model sees something else", "skilltool clients skills --client codex --fail-on degrade"},
			{"the matrix as a page to look at", "skilltool clients skills -f html -o clients.html"},
			{"what is left of 200 descriptions in a small window", "skilltool clients --catalogue skills --client codex --window 100000"},
			{"mend what keeps skills from being portable", "skilltool clients --portable --fix skills"},
		},
		exits: []exitCode{
			{exitOK, "no outcome at or above that of --fail-on"},
			{exitFindings, "an outcome at or above it (--fail-on, --strict); with --portable, findings, or with --diff a difference"},
			{exitFailure, "usage error, a missing path, no skill found, a profile with a mistake, or something that could not be read: no verdict"},
			{exitInterrupted, "interrupted"},
		},
		action: runClients,
	}
}

// failOutcomes are the values of --fail-on, the lightest first.
var failOutcomes = []string{string(clients.Degrades), string(clients.Hidden), string(clients.Dropped), string(clients.BreaksOthers)}

func clientFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "client", Usage: "ask about the client `NAME`, or NAME@VERSION"},
		&cli.StringFlag{Name: "profiles", Usage: "take the profiles of clients of your own in `DIR` as well"},
		&cli.BoolFlag{Name: "all", Usage: "show what loads as written too"},
		&choiceFlag{
			StringFlag: &cli.StringFlag{Name: "fail-on", Value: string(clients.Dropped), Usage: "fail on `OUTCOME` and worse"},
			choices:    failOutcomes,
		},
		&cli.BoolFlag{Name: "strict", Usage: "fail on degrade and worse"},
		&cli.BoolFlag{Name: "exit-zero", Usage: "exit with 0 whatever is predicted"},
		&cli.BoolFlag{Name: "catalogue", Usage: "show what survives the budget of a client's catalogue"},
		&cli.IntFlag{Name: "window", Usage: "with --catalogue: the model's context has `N` tokens; 0 is not known"},
		&cli.BoolFlag{Name: "portable", Usage: "find what not every client loads as it is written"},
		&cli.BoolFlag{Name: "fix", Usage: "with --portable: apply safe fixes to the files"},
		&cli.BoolFlag{Name: "diff", Usage: "with --portable: show what --fix would change, and write nothing"},
	}
}

// clientsFormats are the formats of all ways to ask; each way checks its own.
func clientsFormats() []string {
	formats := report.ClientsNames()
	for _, name := range report.Names() {
		if !slices.Contains(formats, name) {
			formats = append(formats, name)
		}
	}
	return formats
}

func clientReportWords() []candidate {
	var list []candidate
	for _, name := range clientsFormats() {
		list = append(list, candidate{word: name + "="})
	}
	return list
}

// runClients does what the flags ask for: the matrix, a catalogue, or the
// portable core.
func runClients(c *cli.Context, e *env) error {
	start := time.Now()
	way, formats := "the matrix", report.ClientsNames()
	switch {
	case c.Bool("catalogue") && c.Bool("portable"):
		return usagef("--catalogue and --portable exclude each other")
	case c.Bool("catalogue"):
		way, formats = "--catalogue", report.CataloguesNames()
	case c.Bool("portable"):
		way, formats = "--portable", report.Names()
	}
	if err := checkClientFlags(c, way); err != nil {
		return err
	}
	if name := c.String("output-format"); !slices.Contains(formats, name) {
		return usagef("-f %s does not go with %s", name, way).hintf("formats: %s", strings.Join(formats, ", "))
	}
	reports, err := reportFiles(c, formats)
	if err != nil {
		return err
	}
	chosen, err := chooseProfiles(c)
	if err != nil {
		return err
	}
	switch {
	case c.Bool("portable"):
		return runPortable(c, e, chosen, reports, start)
	case c.Bool("catalogue"):
		return runCatalogue(c, e, chosen, reports)
	}
	return runMatrix(c, e, chosen, reports, start)
}

// checkClientFlags refuses flags that do nothing in one of the ways to ask.
func checkClientFlags(c *cli.Context, way string) error {
	unused := map[string][]string{
		"the matrix":  {"fix", "diff", "window"},
		"--catalogue": {"fix", "diff", "fail-on", "strict", "exit-zero"},
		"--portable":  {"client", "window", "all", "fail-on", "strict"},
	}[way]
	for _, name := range unused {
		if c.IsSet(name) {
			if goes := map[string]string{"fix": "--portable", "diff": "--portable", "window": "--catalogue"}[name]; goes != "" {
				return usagef("--%s goes with %s", name, goes)
			}
			return usagef("--%s does not go with %s", name, way)
		}
	}
	switch {
	case c.Bool("fix") && c.Bool("diff"):
		return usagef("--fix and --diff exclude each other")
	case c.Int("window") < 0:
		return usagef("--window takes a number from 0 on, not %d", c.Int("window"))
	case c.Int("jobs") < 0:
		return usagef("--jobs takes a number from 0 on, not %d", c.Int("jobs"))
	}
	return nil
}

// runMatrix predicts, writes the reports, and judges.
func runMatrix(c *cli.Context, e *env, chosen *chosenProfiles, reports []reportFile, start time.Time) error {
	found, err := predictArguments(c, e, chosen.profiles)
	if err != nil {
		return err
	}
	m := &report.Clients{Profiles: chosen.profiles, All: c.Bool("all"), Side: chosen.named != nil}
	if err := found.fill(c.Context, m, c.Int("jobs")); err != nil {
		return err
	}
	m.Notes = append(chosen.notes, m.Notes...)
	if err := describeRun(c, &m.Report); err != nil {
		return err
	}
	if !c.Bool("exit-zero") {
		m.FailOn = clients.Outcome(c.String("fail-on"))
		if c.Bool("strict") {
			m.FailOn = clients.Degrades
		}
	}
	m.ExitCode = matrixExit(m, chosen)
	for _, file := range reports {
		if err := e.writeFormatted(file.path, func(w io.Writer, o report.Options) error {
			reporter, err := report.NewClients(file.format, o)
			if err != nil {
				return err
			}
			return reporter.ReportClients(w, m)
		}); err != nil {
			return err
		}
	}
	m.Elapsed = time.Since(start)
	e.commentClients(&m.Report, report.ClientsSummary(m, e.options(e.stderr)))
	if m.ExitCode != exitOK {
		return exitStatus(m.ExitCode)
	}
	return nil
}

// describeRun says in a report who wrote it, and from where.
func describeRun(c *cli.Context, r *report.Report) error {
	workDir, err := realPath(".")
	if err != nil {
		return fmt.Errorf("the working directory cannot be found: %w", err)
	}
	tool := build()
	r.WorkDir, r.Command = filepath.ToSlash(workDir), c.Command.Name
	r.Tool = report.Tool{Name: tool.Name, Version: tool.Version, Commit: tool.Commit}
	return nil
}

// commentClients says on standard error how the run went.
func (e *env) commentClients(r *report.Report, summary string) {
	fmt.Fprint(e.stderr, report.ErrorLines(r, e.options(e.stderr)))
	if e.quiet {
		return
	}
	fmt.Fprint(e.stderr, report.NoteLines(r, e.options(e.stderr)))
	if summary != "" {
		fmt.Fprintln(e.stderr, summary)
	}
}

// matrixExit judges: what rests on less than a run of the client counts where
// the client was named.
func matrixExit(m *report.Clients, chosen *chosenProfiles) int {
	if len(m.Errors) > 0 {
		return exitFailure
	}
	for i := range m.Rows {
		for _, p := range m.Rows[i].Cells {
			counts := p.Certainty == clients.Run || slices.Contains(chosen.named, p.Client)
			if m.FailOn != "" && counts && !m.FailOn.Worse(p.Outcome) {
				return exitFindings
			}
		}
	}
	return exitOK
}

// comparePlaces orders the reasons of one skill.
func comparePlaces(a, b report.Finding) int {
	return cmp.Or(
		strings.Compare(a.Skill, b.Skill), strings.Compare(a.Path, b.Path),
		cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset), cmp.Compare(a.Range.End.Offset, b.Range.End.Offset),
		strings.Compare(a.RuleID, b.RuleID), strings.Compare(a.Message, b.Message),
	)
}
