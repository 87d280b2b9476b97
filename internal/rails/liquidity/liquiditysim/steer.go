//go:build !nosandbox

package liquiditysim

// Behaviour is how the provider treats requests.
type Behaviour string

// The behaviours.
const (
	Normal Behaviour = "normal"
	Slow   Behaviour = "slow"   // orders are taken, and answered only when the caller has gone away
	Drop   Behaviour = "drop"   // orders are taken, and the connection is cut instead of an answer
	Reject Behaviour = "reject" // new orders are rejected, for ever
	Hold   Behaviour = "hold"   // new orders are accepted and not carried out until this ends
	Down   Behaviour = "down"   // nothing is taken: 503
)
