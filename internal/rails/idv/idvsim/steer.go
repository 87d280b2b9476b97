//go:build !nosandbox

package idvsim

// Behaviour is how the provider treats requests to its API.
type Behaviour string

// The behaviours.
const (
	Normal  Behaviour = "normal"
	Slow    Behaviour = "slow"    // done, and answered only when the caller has gone away
	Drop    Behaviour = "drop"    // done, and the connection is cut instead of an answer
	Down    Behaviour = "down"    // not done: 503
	Garbled Behaviour = "garbled" // a page of some proxy, with status 200 or 404
)
