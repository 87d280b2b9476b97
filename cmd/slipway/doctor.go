package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"slipway/internal/app"
	"slipway/internal/app/setup"
	"slipway/internal/schema"
)

type doctorCommand struct {
	Output string `short:"o" enum:"table,json" default:"table" help:"table or json."`
}

// Run prints what was found, and fails if something is wrong.
func (c doctorCommand) Run(ctx context.Context, g *globals) error {
	settings, err := g.load()
	if err != nil {
		return report(g, c.Output, setup.Unreadable(err))
	}

	return report(g, c.Output, setup.Examine(ctx, settings, schema.Files()))
}

// report prints what was found, and returns an error if something is wrong.
func report(g *globals, output string, found []setup.Finding) error {
	wrong := 0

	rows := make([][]string, len(found))
	for i, f := range found {
		rows[i] = []string{string(f.State), f.Part, f.Found, f.Do}

		if f.State == setup.Wrong {
			wrong++
		}
	}

	var err error
	if output == "json" {
		err = encode(g, found)
	} else {
		err = columns(g.out, "state\tpart\tfound\twhat to do", rows)
	}

	if err == nil && wrong > 0 {
		err = fmt.Errorf("%d of %d parts are wrong", wrong, len(found))
	}

	return err
}

type upgradeCommand struct {
	Check  bool   `required:"" help:"Look, and change nothing. What upgrades is replacing the program; slipway migrate, or its first start, brings the schema up to date."`
	Backup string `help:"File or folder of the last back-up, to see how old it is."`
	Output string `short:"o" enum:"table,json" default:"table" help:"table or json."`
}

// Run prints what this program would do to the database, and fails if something stands against it.
func (c upgradeCommand) Run(ctx context.Context, g *globals) error {
	settings, err := g.load()
	if err != nil {
		return report(g, c.Output, setup.Unreadable(err))
	}

	return report(g, c.Output, setup.ExamineUpgrade(ctx, settings, schema.Files(), c.Backup))
}

func encode(g *globals, v any) error {
	e := json.NewEncoder(g.out)
	e.SetIndent("", "  ")

	return e.Encode(v)
}

type versionCommand struct {
	Output string `short:"o" enum:"text,json" default:"text" help:"text or json."`
}

// build is what is known of how the program was built.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Time     string `json:"time,omitempty"` // of the commit
	Modified bool   `json:"modified"`
	Tags     string `json:"tags,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Run prints the version and how it was built.
func (c versionCommand) Run(g *globals) error {
	b := build{Version: app.Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}

	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.time":
				b.Time = s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			case "-tags":
				b.Tags = s.Value
			}
		}
	}

	if c.Output == "json" {
		return encode(g, b)
	}

	_, err := fmt.Fprintf(g.out, "slipway %s, by %s for %s\n", b.Version, b.Go, b.Platform)
	if err == nil && b.Commit != "" {
		_, err = fmt.Fprintf(g.out, "commit %s of %s\n", b.Commit, b.Time)
	}

	if err == nil && b.Tags != "" {
		_, err = fmt.Fprintf(g.out, "tags %s\n", b.Tags)
	}

	return err
}
