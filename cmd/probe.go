package cmd

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/internal/report"
	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// probeUsage names the two kinds of targets.
const probeUsage = "TARGET | -- COMMAND ARG..."

func probeCommand() *command {
	return &command{
		name:    "probe",
		aliases: []string{"mcpprobe"},
		usage:   probeUsage,
		summary: "audit the skills that an MCP server serves",
		description: "Connects to a server that declares the MCP Skills extension (io.modelcontextprotocol/skills) and " +
			"holds everything that it serves against the specification: the listing, each entry, the bytes of each " +
			"file, the directories, and what it has to refuse. Every check has a page; --list-checks names them.\n\n" +
			"The audit is read-only. No tool of the server is called, nothing that it serves is run, and its text is " +
			"shown with control characters made visible. Each wait, count and size has a bound; an audit that a bound " +
			"ended is never a pass.\n\n" +
			"A check passes, fails (MUST), warns (SHOULD), informs, is skipped with a reason, or ends in an error of " +
			"the tool's own. A skill is verified, failed, unverifiable (it is dynamic and has no digests) or incomplete.",
		arguments:    []argument{probeTargetArgument(), probeProgramArgument()},
		maxArgs:      1,
		takesProgram: true,
		flags: slices.Concat(probeTargetFlags(), probeBoundFlags(), probeScopeFlags(), probeKeepFlags(),
			outputFlagsOf(report.ProbeNames()), []cli.Flag{
				&cli.BoolFlag{Name: "timings", Usage: "give durations in the machine formats too"},
				listServersFlag(),
				&cli.BoolFlag{Name: "list-checks", Usage: "list the checks (text, json or markdown) and connect to nothing"},
			}),
		completeFlag: map[string]completer{
			"only": checkWords, "skip": checkWords, "report": probeReportWords,
		},
		examples: []example{
			{"a server on the web", "skilltool probe https://example.com/mcp"},
			{"a program that speaks over its standard input and output", "skilltool probe -- npx -y @example/skills-server"},
			{"in CI: annotations, and a report to keep", "skilltool probe --strict -f github --report json=p https://example.com/mcp"},
			{"only what is about digests, of one skill", "skilltool probe https://example.com/mcp --only integrity --skill pdf"},
			{"the names of the skills, without an audit", "skilltool probe list https://example.com/mcp"},
		},
		exits: slices.Concat([]exitCode{
			{exitOK, "no check failed (with --strict: none warned)"},
			{exitFindings, "at least one check failed"},
		}, probeExits()),
		subcommands: []*command{
			probeListCommand(), probeGetCommand(), probeReadCommand(), probeLsCommand(), probePullCommand(),
		},
		action: runProbe,
	}
}

func probeTargetArgument() argument {
	return argument{"TARGET", "the URL of a server (a bare host is https), or FILE#NAME for one of a configuration file"}
}

func probeProgramArgument() argument {
	return argument{"COMMAND", "a program that speaks MCP over its standard input and output; everything behind \"--\" is its command line"}
}

// checkWords completes what --only and --skip take.
func checkWords() []candidate {
	var list []candidate
	for _, group := range mcpprobe.Groups() {
		list = append(list, candidate{string(group), "all checks of the group"})
	}
	return append(list, checkIDs()...)
}

// checkIDs completes the ids of checks.
func checkIDs() []candidate {
	var list []candidate
	for _, check := range mcpprobe.Checks() {
		list = append(list, candidate{check.ID, check.Title})
	}
	return list
}

func probeReportWords() []candidate {
	var list []candidate
	for _, name := range report.ProbeNames() {
		list = append(list, candidate{word: name + "="})
	}
	return list
}

func runProbe(c *cli.Context, e *env) error {
	if c.Bool("list-checks") {
		return runListChecks(c, e)
	}
	if c.Bool("list-servers") {
		return runListServers(c, e)
	}
	p, err := newProbeRun(c, e)
	if err != nil {
		return err
	}
	outcome, err := p.run(c.Context)
	if err != nil {
		return err
	}
	return p.finish(c.Context, outcome)
}
