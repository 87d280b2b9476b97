//go:build !nosandbox

package main

import (
	"context"
	"fmt"

	"slipway/internal/app/cli"
	"slipway/internal/demo"
)

type triggerCommand struct {
	Flow    string `arg:"" optional:"" help:"Name of the flow. Without it, all are listed."`
	Chain   string `default:"http://127.0.0.1:8545" help:"URL of the sandbox's chain, as slipway dev prints it."`
	Profile string `help:"Name of the profile: slipway login to the sandbox first."`
}

// Run carries out a flow against a sandbox that runs.
func (c triggerCommand) Run(ctx context.Context, g *globals) error {
	if c.Flow == "" {
		return lines(g.out, demo.Flows())
	}

	s, err := cli.Connect(ctx, c.Profile)
	if err != nil {
		return err
	}

	if !s.Test {
		return fmt.Errorf("%s is not known to be without real money: slipway login %s --test", s.URL, s.URL)
	}

	return demo.Trigger{Client: s.Client, Chain: c.Chain, Flow: c.Flow, Out: g.out}.Run(ctx)
}
