//go:build nosandbox

package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"slipway/internal/app"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/config"
)

// sandboxCommands: a build for production has no demo and no dev.
type sandboxCommands struct{}

// outsideOf returns the outside parties of a tool's deployment. Without simulators, all are live.
func outsideOf(c *config.Config) (app.Outside, error) { return app.LiveTool(c) }

// testParties returns the outside parties of a deployment for tests, and what ends them. This build has no simulators.
func testParties(_ context.Context, c *config.Config, _ *slog.Logger) (app.Outside, func() error, error) {
	out, err := app.Test(c, func(used config.Simulated) (app.Outside, error) {
		if missing := used.Missing(); len(missing) > 0 {
			const none = "this build has no simulators: set %s, or take the build that has them"
			return app.Outside{}, fmt.Errorf(none, strings.Join(missing, ", "))
		}

		return app.Outside{}, nil
	})

	return out, func() error { return nil }, err
}

// clockOf returns the time of a deployment: the wall clock's.
func clockOf(*config.Config) (*clock.Clock, error) { return clock.New(), nil }
