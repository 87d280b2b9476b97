//go:build nosandbox

package main

import (
	"slipway/internal/app"
	"slipway/internal/platform/config"
)

// sandboxCommands: a build for production has no demo and no dev.
type sandboxCommands struct{}

// outsideOf is whom a tool's deployment deals with: a build without simulators has live ones alone.
func outsideOf(c *config.Config) (app.Outside, error) { return app.LiveTool(c) }
