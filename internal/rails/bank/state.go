package bank

import (
	"sync"

	"slipway/internal/core/state"
)

// State is the state of a payout.
type State string

// The states of a payout, and who acts next.
const (
	Planned    State = "PLANNED"     // decided; the next file includes it
	Filed      State = "FILED"       // in a file; once the file is SENDING it may be at the bank
	HandedOver State = "HANDED_OVER" // the file is certainly at the bank; the bank acts next
	Accepted   State = "ACCEPTED"    // the bank intends to execute it; proves nothing
	Booked     State = "BOOKED"      // the debit is booked
	Rejected   State = "REJECTED"    // the bank refused it for good
	Held       State = "HELD"        // unknown whether it was or will be executed; a person acts next
	Returned   State = "RETURNED"    // executed, and the money was returned
)

// States returns the state table of a payout.
func States() *state.Table[State] { return states() }

var states = sync.OnceValue(func() *state.Table[State] {
	return state.New("Bank payout",
		state.Move[State]{To: Planned, On: "planned with the decision"},
		state.Move[State]{From: Planned, To: Filed, On: "taken into a file"},
		state.Move[State]{From: Planned, To: Held, On: "cannot be written into a file"},
		state.Move[State]{
			From: Planned,
			To:   HandedOver,
			On:   "the bank knows it already: this database is an older one",
		},
		state.Move[State]{From: Filed, To: HandedOver, On: "the file is at the bank"},
		state.Move[State]{From: Filed, To: Held, On: "unknown whether the file arrived, or refused by our own checks"},
		state.Move[State]{From: HandedOver, To: Accepted, On: "pain.002 says under way"},
		state.Move[State]{From: HandedOver, To: Booked, On: "debit booked"},
		state.Move[State]{From: Accepted, To: Booked, On: "debit booked"},
		state.Move[State]{From: HandedOver, To: Rejected, On: "pain.002 refuses it"},
		state.Move[State]{From: Accepted, To: Rejected, On: "pain.002 refuses it after all"},
		state.Move[State]{From: HandedOver, To: Held, On: "refused as a duplicate: the first may have gone through"},
		state.Move[State]{From: Accepted, To: Held, On: "refused as a duplicate: the first may have gone through"},
		state.Move[State]{From: Held, To: HandedOver, On: "a person, or a report that names the file, says it arrived"},
		state.Move[State]{From: Held, To: Filed, On: "two persons have the stored file sent again"},
		state.Move[State]{
			From: Held,
			To:   Planned,
			On:   "two persons have it put into another file: it was in none that left",
		},
		state.Move[State]{From: Held, To: Rejected, On: "two persons say it was not and will not be executed"},
		state.Move[State]{From: Booked, To: Returned, On: "the money came back as a booked credit"},
	)
})
