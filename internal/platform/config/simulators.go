//go:build !nosandbox

package config

// simulators says whether this build has simulators of outside parties.
const simulators = true
