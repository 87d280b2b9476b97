// Package slipway calls the API of a Slipway service.
//
// Operations and types are generated from the service's OpenAPI document, so each method is named as its operation:
// New, then c.CreateReceiver, c.CreateTransaction, c.AcceptTransaction. What every call needs is written by hand:
//
//   - Tokens. Auth says who calls. A token that has expired is replaced once, for all calls that wait for it.
//   - Errors. A refusal is a *Problem, for errors.As. OutcomeUnknown reports whether a call may have had its effect.
//   - Once. A call that changes something gets an Idempotency-Key when it is made, and each repetition sends the same one.
//   - Pages. AllTransactions and its like read a list to its end, as an iterator.
//   - Money. A Decimal is the digits as they were sent, and never a float.
//   - Webhooks. A Verifier checks a message before it is read.
//   - Work. Where very many sign in, the service asks for a proof of work; it is computed and sent.
//
// A Client is safe for concurrent use. Contexts end everything that waits.
//
// Read in this order: slipway.go, option.go, problem.go, call.go, work.go, auth.go, webhook.go.
package slipway

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The limits that a client keeps.
const (
	answerLimit   = 32 << 20         // bytes of an answer
	timeout       = 60 * time.Second // of one request and its answer, for the HTTP client of New
	defaultTries  = 5                // of a call that may be repeated
	firstPause    = 200 * time.Millisecond
	longestPause  = 5 * time.Second
	longestWaited = time.Minute // longer than this nobody waits because of Retry-After
)

// Config says whom to call, and as whom.
type Config struct {
	Address      string       // such as https://pay.example.org
	Auth         Auth         // nil: calls carry no credentials
	Organisation string       // to act for, of a person who belongs to several; For says it for one call
	HTTP         *http.Client // nil: one that ends a request after a minute
	Tries        int          // of a call that may be repeated; 0: five, 1: nothing is repeated
}

// Client calls the API at one address.
type Client struct {
	base         string
	organisation string
	http         *http.Client
	tries        int
	session      *session
}

// New returns a client. It calls nothing yet.
func New(c Config) (*Client, error) {
	u, err := url.Parse(c.Address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, errors.New("slipway: Address must be the address of a service, such as https://pay.example.org")
	}

	if c.HTTP == nil {
		c.HTTP = &http.Client{Timeout: timeout}
	}

	if c.Tries <= 0 {
		c.Tries = defaultTries
	}

	return &Client{
		base:         strings.TrimSuffix(c.Address, "/"),
		organisation: c.Organisation,
		http:         c.HTTP,
		tries:        c.Tries,
		session:      newSession(c.Auth),
	}, nil
}
