// Package chatchannel tells rooms of Slack, Teams and Matrix what waits for an organisation and what has happened.
//
// The feed's sealer writes the messages of an event together with its number. A message is which event it is about, and
// no more: what it says is read when it is sent, so that nobody is asked for a decision that was made meanwhile. A job
// for each channel sends them. More than a few that wait together become one.
//
// It promises that a message leads to a page of the console and that nothing is decided by opening it; that it has no
// account number, no address of a wallet and no secret; and that what people have written stays text (package
// rails/chat). It is sent at least once while the channel is on, or given up after a day: an old message about a
// decision helps nobody. It does not promise that it is sent only once, since an answer may be lost, nor any order.
//
// Read in this order: channel.go (types), news.go (which event is which news), feed.go (which messages there are),
// say.go and say_payments.go (what they say), deliver.go (sending), service.go (what members do), store.go, view.go,
// http.go.
package chatchannel

import (
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/rails/chat"
	"slipway/internal/rails/webhook"
)

// Prefixes of identifiers.
const (
	Prefix        = "cch"
	messagePrefix = "ccm"
)

// Channel is a room that is told of an organisation's news.
type Channel struct {
	ID, Organisation string
	Name             string
	Kind             chat.Kind
	Address          string // of the incoming webhook: a secret
	Language         string
	News             []News
	Enabled          bool
	OffReason        string    // why the service switched it off; empty: it did not
	Failures         int64     // sends in a row that were not taken
	NextAt           time.Time // nothing is sent before
	FailingSince     time.Time // first failure after the last success; zero: it works
	Problem          string    // of the newest failure
	SentAt           time.Time // last success; zero: none
	CreatedBy        string
	Deleted          bool
	Version          int64
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// Why the service switches a channel off.
const (
	offGone    = "GONE"    // its address does not exist any more, or is forbidden
	offFailing = "FAILING" // nothing was taken for offAfter
)

// checkAddress adds what is wrong with a channel to l.
func (c *Channel) checkAddress(g webhook.Guard, l *fault.List) {
	if err := g.CheckURL(c.Address); err != nil {
		l.Add("/address", fault.WebhookURL, "%s.", err.Error())
		return
	}

	if err := chat.CheckAddress(c.Kind, c.Address); err != nil {
		l.Add("/address", fault.WebhookURL, "%s.", err.Error())
	}
}

// The states of a message.
const (
	Queued   = "QUEUED"   // the job acts next
	Sent     = "SENT"     // the room has it
	Failed   = "FAILED"   // the room refused it, or it was not taken for a day
	Unwanted = "UNWANTED" // what waited was decided by then, or the channel does not want it any more
	Doubtful = "DOUBTFUL" // it waited in a back-up that was restored: it may have been sent, and is not sent again
)

// Message is one event that a channel is told of.
type Message struct {
	ID, Organisation, Channel string
	Event, Type, Object       string
	State                     string
	Attempts                  int64
	CreatedAt                 time.Time // of the event
	EndedAt                   time.Time
}
