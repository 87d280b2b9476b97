package main

import (
	"context"
	"io"
	"os"

	"golang.org/x/term"

	"slipway/internal/app/setup"
)

type initCommand struct {
	Dir           string `help:"Folder of the settings, of this user alone." default:"." type:"path"`
	setup.Answers `embed:""`
}

// Run writes the configuration and the keys of a deployment. A second run completes what is missing and replaces
// nothing.
func (c initCommand) Run(ctx context.Context, g *globals) error {
	return setup.Run(ctx, setup.Config{Dir: c.Dir, Answers: c.Answers, In: terminalOf(os.Stdin), Out: g.out})
}

// terminalOf returns a file that people answer at, or nil if it is none.
func terminalOf(f *os.File) io.Reader {
	if !term.IsTerminal(int(f.Fd())) {
		return nil
	}

	return f
}
