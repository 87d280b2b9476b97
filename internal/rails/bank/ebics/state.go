package ebics

import (
	"sync"

	"slipway/internal/core/state"
)

// ContractState is how far a subscriber is set up.
type ContractState string

// The states of a contract, and who acts next.
const (
	ContractNew  ContractState = "NEW"       // keys are made; init sends the first one
	ContractINI  ContractState = "INI_SENT"  // init sends the others
	ContractSent ContractState = "SENT"      // the bank compares its letter and activates the user; then activate
	ContractLive ContractState = "READY"     // two people have accepted the bank's keys
	ContractLost ContractState = "SUSPENDED" // suspended by ourselves; the bank acts next
)

// ContractStates returns the state table of a contract.
func ContractStates() *state.Table[ContractState] { return contractStates() }

var contractStates = sync.OnceValue(func() *state.Table[ContractState] {
	return state.New("EBICS contract",
		state.Move[ContractState]{To: ContractNew, On: "init makes the keys"},
		state.Move[ContractState]{From: ContractNew, To: ContractINI, On: "init sends INI"},
		state.Move[ContractState]{From: ContractINI, To: ContractSent, On: "init sends HIA"},
		state.Move[ContractState]{From: ContractSent, To: ContractLive, On: "two persons accept the bank's keys"},
		state.Move[ContractState]{From: ContractLive, To: ContractLive, On: "two persons accept new keys of the bank"},
		state.Move[ContractState]{From: ContractLive, To: ContractLost, On: "suspend"},
	)
})

// UploadState is how far an attempt to hand a payment file over is.
type UploadState string

// The states of an upload, and who acts next.
const (
	UploadStaged    UploadState = "STAGED"    // complete; nothing has left, or only the announcement without content
	UploadSending   UploadState = "SENDING"   // the bank has accepted the order; its last segment has not left
	UploadLast      UploadState = "LAST"      // the last segment may have left: only in this transaction, for ever
	UploadUnknown   UploadState = "UNKNOWN"   // the transaction cannot be continued; the customer protocol is asked
	UploadArrived   UploadState = "ARRIVED"   // the bank has the order
	UploadRefused   UploadState = "REFUSED"   // the bank says that it refused the order
	UploadDiscarded UploadState = "DISCARDED" // another attempt replaced it before its last segment left
)

// UploadStates returns the state table of an upload.
func UploadStates() *state.Table[UploadState] { return uploadStates() }

var uploadStates = sync.OnceValue(func() *state.Table[UploadState] {
	return state.New(
		"EBICS upload",
		state.Move[UploadState]{To: UploadStaged, On: "signed, encrypted and stored"},
		state.Move[UploadState]{From: UploadStaged, To: UploadSending, On: "the bank accepts the order"},
		state.Move[UploadState]{From: UploadStaged, To: UploadRefused, On: "the bank refuses the order"},
		state.Move[UploadState]{From: UploadStaged, To: UploadDiscarded, On: "another attempt"},
		state.Move[UploadState]{From: UploadSending, To: UploadSending, On: "a segment arrived"},
		state.Move[UploadState]{From: UploadSending, To: UploadLast, On: "before the last segment leaves"},
		state.Move[UploadState]{
			From: UploadSending,
			To:   UploadUnknown,
			On:   "the bank does not continue the transaction",
		},
		state.Move[UploadState]{From: UploadSending, To: UploadDiscarded, On: "another attempt"},
		state.Move[UploadState]{
			From: UploadLast,
			To:   UploadArrived,
			On:   "the bank, or its customer protocol, confirms it",
		},
		state.Move[UploadState]{From: UploadLast, To: UploadRefused, On: "the bank refuses the order"},
		state.Move[UploadState]{From: UploadLast, To: UploadUnknown, On: "the bank does not continue the transaction"},
		state.Move[UploadState]{From: UploadUnknown, To: UploadArrived, On: "the customer protocol confirms it"},
		state.Move[UploadState]{
			From: UploadUnknown,
			To:   UploadRefused,
			On:   "the customer protocol says it was refused",
		},
	)
})
