// Package schedule pays on a day, once or again and again: it keeps what an organisation wants paid, and makes an
// ordinary transaction of it on each day.
//
// It promises four things. On each planned day at most one transaction is made. It is paid only if the person who
// accepted the schedule may accept it on that day, if the payments and payees are those that he accepted, and if no
// more leaves the wallet than the schedule's bound; otherwise it waits for a person, who is told why. A stop that was
// committed before the acceptance wins. Of days that were missed, the latest is made up for, once. It does not promise
// that a payment is made: whatever keeps a person from submitting or accepting keeps the schedule from it.
//
// Read in this order: schedule.go (types and states), days.go (which days), service.go (create, accept, stop), run.go
// (what happens on a day), mails.go, store.go, view.go, http.go.
package schedule

import (
	"time"

	"slipway/internal/core/money"
	"slipway/internal/core/state"
	"slipway/internal/payments/transaction"
)

// Prefix begins the identifiers of schedules.
const Prefix = "sch"

// State is the state of a schedule.
type State string

// The states, and who acts next.
const (
	Waiting State = "WAITING" // somebody who may accept transactions accepts it
	Active  State = "ACTIVE"  // the job acts on the next day
	Stopped State = "STOPPED" // nothing is made; it may be accepted anew
	Ended   State = "ENDED"   // the last day is over
)

// States returns the table of moves.
func States() *state.Table[State] { return states }

var states = state.New("Schedule",
	state.Move[State]{To: Waiting, On: "create"},
	state.Move[State]{From: Waiting, To: Active, On: "accept"},
	state.Move[State]{From: Waiting, To: Stopped, On: "stop"},
	state.Move[State]{From: Active, To: Active, On: "the transaction of a day"},
	state.Move[State]{From: Active, To: Stopped, On: "stop"},
	state.Move[State]{From: Active, To: Ended, On: "the last day"},
	state.Move[State]{From: Stopped, To: Active, On: "accept"},
)

// DayState is the state of a day on which something was made.
type DayState string

// The states of a day, and who acts next.
const (
	Made    DayState = "MADE"    // its transaction exists; the job submits and accepts it
	Paid    DayState = "PAID"    // accepted; settlement acts
	Asked   DayState = "ASKED"   // the transaction waits for a person
	Halted  DayState = "STOPPED" // the schedule was stopped before it was accepted
	Dropped DayState = "DROPPED" // people have deleted or rejected its transaction
)

// DayStates returns the table of moves.
func DayStates() *state.Table[DayState] { return dayStates }

var dayStates = state.New("Day of a schedule",
	state.Move[DayState]{To: Made, On: "create"},
	state.Move[DayState]{To: Asked, On: "create is refused"},
	state.Move[DayState]{From: Made, To: Paid, On: "accept"},
	state.Move[DayState]{From: Made, To: Asked, On: "submit or accept is refused"},
	state.Move[DayState]{From: Made, To: Halted, On: "stop"},
	state.Move[DayState]{From: Made, To: Dropped, On: "the draft is deleted"},
)

// Schedule is one row.
type Schedule struct {
	ID, Organisation string
	State            State
	Input            transaction.Input // what is created on each day
	Payees           string            // names, for people
	Most             money.Amount      // that may leave the wallet on a day

	Plan
	Number  int       // of the next planned day; it only rises
	NextDay time.Time // on which it is paid; zero: there is none
	ToldDay time.Time // the newest NextDay that a mail was about

	CreatedBy    string
	AcceptedBy   string
	AcceptedFor  string // the member for whom a stand-in has accepted
	AcceptedAt   time.Time
	AcceptedHash string // transaction.PaymentsHash of what was accepted
	StoppedBy    string
	Version      int64
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Day is a day on which something was made.
type Day struct {
	Schedule    string
	Planned     time.Time
	State       DayState
	Transaction string // empty: none could be made
	Why         string // it waits for a person: a value of words.Phrase
	MadeAt      time.Time
}
