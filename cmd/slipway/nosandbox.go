//go:build nosandbox

package main

// sandboxCommands: a build for production has no demo and no dev.
type sandboxCommands struct{}
