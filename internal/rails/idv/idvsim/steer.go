//go:build !nosandbox

package idvsim

// Behaviour is how the provider handles requests to its API.
type Behaviour string

// The behaviours.
const (
	Normal  Behaviour = "normal"
	Slow    Behaviour = "slow"    // performed, but answered only after the client has gone away
	Drop    Behaviour = "drop"    // performed, but the connection is closed instead of an answer
	Down    Behaviour = "down"    // not performed: 503
	Garbled Behaviour = "garbled" // a proxy's page, with status 200 or 404
)
