package chain

import "slipway/internal/core/state"

// State is the state of a send.
type State string

// The states of a send, and who acts next.
const (
	StatePlanned State = "PLANNED" // decided; the sender takes a nonce next
	StateNonced  State = "NONCED"  // the nonce is taken; the signer signs next
	StateSigned  State = "SIGNED"  // the bytes are stored; from here on they may be on the network
	StateSent    State = "SENT"    // broadcast at least once; the chain acts next, the sender repeats the same bytes
	StateSeen    State = "SEEN"    // one of the attempts is in a block that may still be replaced
	StateFinal   State = "FINAL"   // in a block that will not be replaced, whether the call succeeded or reverted
	StateRefused State = "REFUSED" // nothing was signed and nothing will be
	// nothing of it can take effect any more, or the effect is not the posted one; a person acts next
	StateHold State = "HOLD"
)

// unseen reports whether a send that is under way is in no block yet.
func (s State) unseen() bool {
	return s == StatePlanned || s == StateNonced || s == StateSigned || s == StateSent
}

// States returns the state table of a send.
func States() *state.Table[State] {
	return state.New(
		"Chain send",
		state.Move[State]{To: StatePlanned, On: "planned with the decision"},
		state.Move[State]{From: StatePlanned, To: StateNonced, On: "nonce taken"},
		state.Move[State]{
			From: StatePlanned,
			To:   StateRefused,
			On:   "would revert, needs more gas than allowed, or is withdrawn",
		},
		state.Move[State]{To: StateNonced, On: "fills a nonce that nothing else has"},
		state.Move[State]{From: StateNonced, To: StateSigned, On: "bytes stored"},
		state.Move[State]{From: StateSigned, To: StateSent, On: "broadcast"},
		state.Move[State]{From: StateSent, To: StateSent, On: "broadcast again, or fee raised"},
		state.Move[State]{From: StateSent, To: StateSeen, On: "an attempt is in a block"},
		state.Move[State]{From: StateSeen, To: StateSent, On: "the block was replaced"},
		state.Move[State]{From: StateSeen, To: StateFinal, On: "the block is final"},
		state.Move[State]{From: StatePlanned, To: StateSeen, On: "an attempt from before its release is in a block"},
		state.Move[State]{From: StateSeen, To: StatePlanned, On: "the block of such an attempt was replaced"},
		state.Move[State]{From: StateSent, To: StateHold, On: "another transaction holds the nonce at final height"},
		state.Move[State]{From: StatePlanned, To: StateHold, On: "posted before, and would revert now"},
		state.Move[State]{From: StateNonced, To: StateHold, On: "the signer refuses it: its nonce is filled"},
		state.Move[State]{From: StateSeen, To: StateHold, On: "final again, with another outcome than was posted"},
		state.Move[State]{
			From: StateFinal,
			To:   StateSent,
			On:   "its final block was replaced, and a person let the network go on",
		},
		state.Move[State]{From: StateHold, To: StateSeen, On: "an attempt is in a block after all"},
		state.Move[State]{From: StateHold, To: StateSent, On: "its nonce is free again after a reorganisation"},
		state.Move[State]{From: StateHold, To: StatePlanned, On: "a person released it"},
		state.Move[State]{From: StateNonced, To: StatePlanned, On: "released: the earlier signer can move nothing"},
		state.Move[State]{From: StateSigned, To: StatePlanned, On: "released: the earlier signer can move nothing"},
		state.Move[State]{From: StateSent, To: StatePlanned, On: "released: the earlier signer can move nothing"},
		state.Move[State]{From: StateHold, To: StateRefused, On: "a person gave it up"},
	)
}
