// Package endpoint delivers an organisation's events to addresses of its own: webhooks.
//
// The feed's sealer writes the deliveries of an event together with its number, so none is lost and none is invented. A
// job for each endpoint sends them: in the order of the feed for each record, at most four at once, so that an endpoint
// that hangs holds up nobody but itself. A delivery's bytes are made once; each try sends the same.
//
// An address proves that it wants events before it is told of any: the first message asks for an answer that only
// somebody gives who means to. A new address proves itself anew.
//
// What it promises: while an endpoint is on, each matching event arrives at least once, or is FAILED after seven days
// of tries. While it is off, its deliveries wait. What it does not promise: that an event arrives only once, since an
// answer may be lost. Receivers compare the id.
//
// Read in this order: endpoint.go (types), feed.go (which deliveries there are), deliver.go (sending), proof.go,
// service.go (what members do), replay.go, store.go, view.go, http.go.
package endpoint

import (
	"encoding/json"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/feed"
	"slipway/internal/rails/webhook"
)

// Prefixes of identifiers.
const (
	Prefix         = "whe"
	deliveryPrefix = "whd"
)

// Body is what a message holds of the record.
type Body string

// The bodies.
const (
	Full Body = "FULL" // as GET /events shows it
	Thin Body = "THIN" // its identifier alone
)

// Endpoint is an address that is told of events.
type Endpoint struct {
	ID, Organisation string
	URL, Description string
	Types            []string // none: all
	Body             Body
	APIVersion       string // of the messages, fixed when the endpoint is made
	Enabled          bool
	OffReason        string    // why the service switched it off; empty: it did not
	FailingSince     time.Time // first failure after the last success; zero: it works
	Keys             []Key     // the newest first
	Challenge        string    // what the address has to answer before it is told of anything; empty: it has
	Deleted          bool
	Version          int64
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// Key signs messages until its end: twice, so that receivers choose what they verify with.
type Key struct {
	Secret  string    `json:"secret"`            // whsec_…: receivers have it too
	Private string    `json:"private,omitempty"` // whsk_…: they have its public part; empty in a key of before there was one
	Until   time.Time `json:"until"`             // zero: until another one takes its place
}

// newKey returns a random key that has no end.
func newKey() Key { return Key{Secret: webhook.NewKey(), Private: webhook.NewPrivateKey()} }

// Why the service switches an endpoint off.
const (
	offGone    = "GONE"    // it answered 410
	offFailing = "FAILING" // nothing arrived for offAfter
)

// signers returns what signs at a time.
func (e *Endpoint) signers(now time.Time) (out []string) {
	for _, k := range e.Keys {
		if !k.Until.IsZero() && !now.Before(k.Until) {
			continue
		}

		out = append(out, k.Secret)
		if k.Private != "" {
			out = append(out, k.Private)
		}
	}

	return out
}

// rotate puts a new key in the place of the present one, which goes on signing for some time.
func (e *Endpoint) rotate(now time.Time, overlap time.Duration) {
	kept := []Key{newKey()}

	for _, k := range e.Keys {
		end := now.Add(overlap)
		if k.Until.IsZero() || k.Until.After(end) {
			k.Until = end
		}

		if now.Before(k.Until) && len(kept) < maxKeys {
			kept = append(kept, k)
		}
	}

	e.Keys = kept
}

// maxKeys limits the keys that sign at once.
const maxKeys = 5

// encodeKeys returns the keys as they are sealed.
func encodeKeys(keys []Key) string {
	text, err := json.Marshal(keys) //nolint:gosec // for the sealed column
	if err != nil {
		panic(err) // texts and times
	}

	return string(text)
}

// check adds what is wrong with an endpoint to l.
func (e *Endpoint) check(g webhook.Guard, l *fault.List) {
	if err := g.CheckURL(e.URL); err != nil {
		l.Add("/url", fault.WebhookURL, "%s.", err.Error())
	}
}

// wants reports whether the endpoint is told of a type.
func (e *Endpoint) wants(kind string) bool { return feed.Match(e.Types, kind) }

// Status is where a delivery stands.
type Status string

// The statuses.
const (
	Pending   Status = "PENDING"   // it is sent when its time has come and its endpoint is on
	Delivered Status = "DELIVERED" // the endpoint has answered 2xx
	Failed    Status = "FAILED"    // it was tried for seven days, and can be sent again
)

// Delivery is an event on its way to an endpoint.
type Delivery struct {
	ID, Organisation, Endpoint string
	Event, Type, Object        string
	Number                     int64
	Round                      string // "" as the feed brought it
	Body                       string
	Status                     Status
	Attempts                   int64
	NextAt                     time.Time
	CreatedAt, EndedAt         time.Time
	Version                    int64
}

// Attempt is one try of a delivery.
type Attempt struct {
	ID, Organisation, Delivery string
	CreatedAt                  time.Time
	Elapsed                    time.Duration
	HTTPStatus                 int64 // 0: there was no answer
	Problem                    string
	Signature                  string
	Answer                     string

	taken bool // the receiver has the message, and has proven itself where it was asked to; it is not stored
}
