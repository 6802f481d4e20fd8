package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// A release build sets these with -ldflags "-X …". Left empty, they come from
// what the Go toolchain noted in the binary.
var (
	version string
	commit  string
	date    string
)

// buildInfo says which build of the tool this is. Commit and Date are empty
// where nobody noted them.
type buildInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Date    string `json:"date"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// build gives what is known about this binary.
func build() buildInfo {
	info := buildInfo{
		Name:    "skilltool",
		Version: version,
		Commit:  commit,
		Date:    date,
		Go:      runtime.Version(),
		OS:      runtime.GOOS,
		Arch:    runtime.GOARCH,
	}
	if embedded, ok := debug.ReadBuildInfo(); ok {
		info.complete(embedded)
	}
	if info.Version == "" {
		info.Version = "devel"
	}
	return info
}

// complete fills in what the linker was not told.
func (b *buildInfo) complete(embedded *debug.BuildInfo) {
	if b.Version == "" && embedded.Main.Version != "(devel)" {
		b.Version = embedded.Main.Version
	}
	for _, setting := range embedded.Settings {
		switch {
		case setting.Key == "vcs.revision" && b.Commit == "":
			b.Commit = setting.Value
		case setting.Key == "vcs.time" && b.Date == "":
			b.Date = setting.Value
		}
	}
}

func versionCommand() *command {
	return &command{
		name:    "version",
		summary: "print the version and what it was built from",
		flags:   []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print a JSON object"}},
		examples: []example{
			{"the version for a script", "skilltool version --json"},
		},
		exits:  []exitCode{{exitOK, "the version was printed"}},
		action: runVersion,
	}
}

func runVersion(c *cli.Context, e *env) error {
	if !c.Bool("json") {
		return printVersion(e.stdout)
	}
	return printJSON(e.stdout, build())
}

func printVersion(w io.Writer) error {
	info := build()
	text := info.Name + " " + info.Version
	if info.Commit != "" {
		text += " (" + info.Commit + ")"
	}
	_, err := fmt.Fprintf(w, "%s %s %s/%s\n", text, info.Go, info.OS, info.Arch)
	return err
}

// printJSON writes value as one indented document.
func printJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
