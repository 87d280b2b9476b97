package ebics

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/beevik/etree"

	"slipway/internal/platform/remote"
)

// Client sends requests of one subscriber to one bank. It keeps no state: a transaction that it begins can be continued
// by another process.
type Client struct {
	URL        string
	Version    Version
	Subscriber Subscriber
	Keys       *Keys         // nil: only Versions works
	Bank       *BankKeys     // nil until FetchBankKeys: transactions need them
	Party      *remote.Party // the bank's server
	Now        func() time.Time
	// SegmentSize is how many bytes of an encrypted order one segment carries; 0: 700,000.
	SegmentSize int
	// Trace, if set, receives each request before it is sent. Tests hold them against the schemas.
	Trace func(request []byte)
}

// exchangeTimeout is how long one request may take. A segment has a megabyte.
const exchangeTimeout = 2 * time.Minute

// NewParty returns the bank's server over a transport; nil is the network.
func NewParty(transport http.RoundTripper) *remote.Party {
	return remote.New(exchangeTimeout, mostAnswer, transport)
}

// mostAnswer limits the bytes of one answer. Segments have one megabyte, and banks are known to send more.
const mostAnswer = 32 << 20

// errNotSet refuses to begin a transaction without keys.
var errNotSet = errors.New("the keys of this subscriber, or of its bank, are not set up")

// ready reports what is missing for a transaction.
func (c *Client) ready() error {
	if c.Keys == nil || c.Bank == nil {
		return errNotSet
	}

	return nil
}

// signed signs an envelope and sends it.
func (c *Client) signed(ctx context.Context, e *envelope) ([]byte, error) {
	if err := signEnvelope(e.root, e.signature, c.Keys.Authentication.Private); err != nil {
		return nil, fmt.Errorf("sign the request: %w", err)
	}

	return c.send(ctx, e.root)
}

// send posts a document and returns the answer's bytes (ch. 3.2: HTTP POST of text/xml to one URL).
func (c *Client) send(ctx context.Context, root *etree.Element) ([]byte, error) {
	text, err := write(root)
	if err != nil {
		return nil, err
	}

	if c.Trace != nil {
		c.Trace(text)
	}

	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}

	request.GetBody = nil // net/http sends a request with a body again if it can: it never may
	request.Header.Set("Content-Type", "text/xml; charset=UTF-8")

	status, out, err := c.Party.Exchange(request)
	if err != nil {
		return nil, fmt.Errorf("exchange with the bank: %w", err)
	}

	if status != http.StatusOK {
		return nil, fmt.Errorf("the bank's server answers %d %s", status, http.StatusText(status))
	}

	return out, nil
}
