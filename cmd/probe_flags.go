package cmd

import (
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/skilltool/skilltool/pkg/mcpprobe"
)

// defaultMaxTime bounds a whole audit: a job in CI that waits longer hangs.
const defaultMaxTime = 5 * time.Minute

// probeBoundFlags are the flags that bound what is done and waited for (C-11),
// and what is said to the server.
func probeBoundFlags() []cli.Flag {
	size := func(name string, standard int64, usage string) cli.Flag {
		return &sizeFlag{&cli.StringFlag{Name: name, Value: formatSize(standard), Usage: usage}}
	}
	return []cli.Flag{
		&cli.DurationFlag{Name: "connect-timeout", Value: mcpprobe.DefaultConnectTimeout, Usage: "give up after `TIME` without a handshake"},
		&cli.DurationFlag{Name: "timeout", Value: mcpprobe.DefaultTimeout, Usage: "give up on a request after `TIME`"},
		&cli.DurationFlag{Name: "max-time", Value: defaultMaxTime, DefaultText: "5m", Usage: "end the whole run after `TIME`"},
		&cli.IntFlag{Name: "retries", Value: mcpprobe.DefaultRetries, Usage: "send a request that reached no server, or that was refused for now, `N` more times"},
		&cli.IntFlag{Name: "concurrency", Value: mcpprobe.DefaultConcurrency, Usage: "have up to `N` requests in flight"},
		&cli.Float64Flag{Name: "rate", Usage: "send at most `N` requests a second", DefaultText: "no bound"},
		&cli.IntFlag{Name: "max-skills", Value: mcpprobe.DefaultMaxSkills, Usage: "take at most `N` entries of a listing"},
		&cli.IntFlag{Name: "max-pages", Value: mcpprobe.DefaultMaxPages, Usage: "take at most `N` pages of a listing"},
		size("max-bytes", mcpprobe.DefaultMaxBytes, "take at most `SIZE` in all answers together"),
		size("max-file-bytes", mcpprobe.DefaultMaxFileBytes, "take files of at most `SIZE`"),
		&cli.StringFlag{Name: "protocol", Value: mcpprobe.ProtocolAuto, Usage: "speak `REVISION`: auto, " + mcpprobe.ProtocolModern + " or legacy"},
		&cli.StringSliceFlag{Name: "answer", Usage: "answer a server that asks for input: `KEY=VALUE`"},
		&cli.StringFlag{Name: "label", Usage: "call the server `NAME` in reports, locks and saved files; the host or the program's name without"},
		&cli.StringFlag{Name: "trace", Usage: "write each message to `FILE`, a line of JSON each, without credentials"},
	}
}

// probeScopeFlags say what of a server is audited.
func probeScopeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "skill", Usage: "audit only the skill with this `URI` or name"},
		&cli.StringSliceFlag{Name: "uri", Usage: "audit the skill at `URI` too, listed or not"},
		&cli.StringSliceFlag{Name: "only", Usage: "make only these checks: `CHECKS`, groups or globs, separated by commas"},
		&cli.StringSliceFlag{Name: "skip", Usage: "leave these checks out: `CHECKS`, groups or globs, separated by commas"},
		&cli.BoolFlag{Name: "no-negative", Usage: "ask for nothing that the server has to refuse"},
		&cli.BoolFlag{Name: "require-digests", Usage: "fail skills that carry no digests"},
		&cli.BoolFlag{Name: "content", Usage: "run the rules of validate on what is served"},
		&cli.BoolFlag{Name: "strict", Usage: "fail on warnings too"},
		&cli.BoolFlag{Name: "all", Usage: "audit every server of the configuration files, in one report"},
	}
}

// clientOptions reads the flags of probeBoundFlags.
func clientOptions(c *cli.Context) (mcpprobe.Options, error) {
	o := mcpprobe.Options{
		Protocol:       c.String("protocol"),
		ConnectTimeout: c.Duration("connect-timeout"),
		Timeout:        c.Duration("timeout"),
		Retries:        c.Int("retries"),
		Concurrency:    c.Int("concurrency"),
		Rate:           c.Float64("rate"),
		MaxSkills:      c.Int("max-skills"),
		MaxPages:       c.Int("max-pages"),
		MaxBytes:       sizeFlagValue(c, "max-bytes"),
		MaxFileBytes:   sizeFlagValue(c, "max-file-bytes"),
		Version:        build().Version,
	}
	if err := checkBounds(c, o); err != nil {
		return o, err
	}
	if o.Retries == 0 {
		o.Retries = -1 // none, for mcpprobe
	}
	var err error
	o.Answers, err = answers(c.StringSlice("answer"))
	return o, err
}

func checkBounds(c *cli.Context, o mcpprobe.Options) error {
	for _, name := range []string{"connect-timeout", "timeout", "max-time"} {
		if c.Duration(name) <= 0 {
			return usagef("--%s takes a time longer than none, not %s", name, c.Duration(name))
		}
	}
	for _, name := range []string{"concurrency", "max-skills", "max-pages"} {
		if c.Int(name) < 1 {
			return usagef("--%s takes a number from 1 on, not %d", name, c.Int(name))
		}
	}
	protocols := []string{mcpprobe.ProtocolAuto, mcpprobe.ProtocolModern, mcpprobe.ProtocolLegacy}
	switch {
	case o.Retries < 0:
		return usagef("--retries takes a number from 0 on, not %d", o.Retries)
	case o.Rate < 0 || c.IsSet("rate") && o.Rate == 0:
		return usagef("--rate takes a number above 0, not %v", o.Rate)
	case !slices.Contains(protocols, o.Protocol) && !isRevision(o.Protocol):
		return usagef("--protocol %q is not known; use auto, legacy, %s or a later revision", o.Protocol, mcpprobe.ProtocolModern).suggest(o.Protocol, protocols)
	}
	return nil
}

// isRevision reports whether text is a revision from ProtocolModern on.
func isRevision(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil && text >= mcpprobe.ProtocolModern
}

// answers reads the values of --answer.
func answers(values []string) (map[string]string, error) {
	list := map[string]string{}
	for _, value := range values {
		key, text, ok := strings.Cut(value, "=")
		if !ok || key == "" {
			return nil, usagef("--answer takes KEY=VALUE, not %q", value)
		}
		if _, twice := list[key]; twice {
			return nil, usagef("--answer: %q is answered twice", key)
		}
		list[key] = text
	}
	return list, nil
}

// auditOptions reads the flags of probeScopeFlags.
func auditOptions(c *cli.Context) (mcpprobe.AuditOptions, error) {
	o := mcpprobe.AuditOptions{
		Skills:         c.StringSlice("skill"),
		URIs:           c.StringSlice("uri"),
		Only:           splitList(c.StringSlice("only")),
		Leave:          splitList(c.StringSlice("skip")),
		NoNegative:     c.Bool("no-negative"),
		RequireDigests: c.Bool("require-digests"),
		Content:        c.Bool("content"),
	}
	if c.IsSet("only") && len(o.Only) == 0 || c.IsSet("skip") && len(o.Leave) == 0 {
		return o, usagef("--only and --skip take checks, groups or globs, not an empty list")
	}
	return o, unknownChecks(mcpprobe.CheckSelection(o.Only, o.Leave))
}

// unknownChecks makes a pattern that fits no check a mistake on the command line.
func unknownChecks(err error) error {
	var unknown *mcpprobe.SelectionError
	if !errors.As(err, &unknown) {
		return err
	}
	u := usagef("--only and --skip: there is no check or group %q", unknown.Pattern)
	u.suggestion = unknown.Near
	return u.hintf("for all checks, run: skilltool probe --list-checks")
}

// openTrace opens the file of --trace, which only its owner may read: what a
// server sends can be private.
func openTrace(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
}
