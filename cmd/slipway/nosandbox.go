//go:build nosandbox

package main

import (
	"slipway/internal/app"
	"slipway/internal/platform/config"
)

// sandboxCommands: a build for production has no demo and no dev.
type sandboxCommands struct{}

// outsideOf returns the outside parties of a tool's deployment. Without simulators, all are live.
func outsideOf(c *config.Config) (app.Outside, error) { return app.LiveTool(c) }
