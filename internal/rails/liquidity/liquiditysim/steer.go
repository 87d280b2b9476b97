//go:build !nosandbox

package liquiditysim

// Behaviour is how the provider handles requests.
type Behaviour string

// The behaviours.
const (
	Normal Behaviour = "normal"
	Slow   Behaviour = "slow"   // orders are accepted, but answered only after the client has gone away
	Drop   Behaviour = "drop"   // orders are accepted, but the connection is closed instead of an answer
	Reject Behaviour = "reject" // new orders are rejected permanently
	Hold   Behaviour = "hold"   // new orders are accepted, but not executed until this ends
	Down   Behaviour = "down"   // nothing is accepted: 503
)
