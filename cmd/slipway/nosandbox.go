//go:build nosandbox

package main

import (
	"context"
	"log/slog"

	"slipway/internal/app"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/config"
)

// sandboxCommands: a build for production has no demo and no dev.
type sandboxCommands struct{}

// outsideOf returns the outside parties of a tool's deployment. Without simulators, all are live.
func outsideOf(c *config.Config) (app.Outside, error) { return app.LiveTool(c) }

// testParties returns the outside parties of a deployment for tests, and what ends them. This build has no simulators:
// config.CheckTest refuses what would need one.
func testParties(_ context.Context, c *config.Config, _ *slog.Logger) (app.Outside, func() error, error) {
	out, err := app.Test(c, func(config.Simulated) (app.Outside, error) { return app.Outside{}, nil })

	return out, func() error { return nil }, err
}

// clockOf returns the time of a deployment: the wall clock's.
func clockOf(*config.Config) (*clock.Clock, error) { return clock.New(), nil }
