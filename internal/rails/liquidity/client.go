package liquidity

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/remote"
	"slipway/internal/platform/secret"
)

// Limits of one exchange with a provider.
const (
	DefaultTimeout = 15 * time.Second
	maxAnswer      = 64 << 10
	maxKey         = 200
)

// ClientConfig configures the address of a provider and the signing of requests.
type ClientConfig struct {
	URL       string // without a slash at the end
	KeyID     string
	Secret    secret.Text
	Timeout   time.Duration     // of one exchange; 0: DefaultTimeout
	Transport http.RoundTripper // nil: the default
	Clock     *clock.Clock
}

// Client implements docs/reference/liquidity-contract.md over HTTP. It does not retry by itself. net/http may, if an
// idle connection turns out to be closed; the order's key makes that harmless. It is safe for concurrent use.
type Client struct {
	config ClientConfig
	party  *remote.Party
}

// NewClient returns a client. It does not call the provider.
func NewClient(c ClientConfig) (*Client, error) {
	if !remote.IsAddress(c.URL) {
		return nil, errors.New("a liquidity provider's address starts with http:// or https:// and names a host")
	}

	if c.Secret == "" || c.KeyID == "" {
		return nil, errors.New("a liquidity provider needs a key id and a secret")
	}

	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}

	if c.Clock == nil {
		c.Clock = clock.New()
	}

	return &Client{config: c, party: remote.New(c.Timeout, maxAnswer, c.Transport)}, nil
}

// Place implements Provider.
func (c *Client) Place(ctx context.Context, o Order) (Result, error) {
	sent := o.wire()
	if err := sent.Check(); err != nil {
		return Result{}, fmt.Errorf("order %.200q: %w: %w", o.Key, ErrRefused, err)
	}

	body, err := json.Marshal(sent)
	if err != nil {
		return Result{}, fmt.Errorf("encode order %s: %w", o.Key, err)
	}

	var got WireResult

	err = c.exchange(ctx, http.MethodPost, PathOrders, o.Key, body, &got)
	if err != nil {
		return Result{}, fmt.Errorf("place order %s: %w", o.Key, err)
	}

	if got.WireOrder != sent {
		return Result{}, fmt.Errorf(
			"place order %s: %w: the provider answers with %s for %s",
			o.Key,
			ErrKeyTaken,
			got.Sell.Asset,
			got.Buy.Asset,
		)
	}

	return c.read(o.Key, got)
}

// Look implements Provider.
func (c *Client) Look(ctx context.Context, key string) (Result, error) {
	var got WireResult

	err := c.exchange(ctx, http.MethodGet, PathOrders+"?key="+url.QueryEscape(key), key, nil, &got)
	if err != nil {
		return Result{}, fmt.Errorf("look at order %s: %w", key, err)
	}

	if got.Key != key {
		return Result{}, fmt.Errorf("look at order %s: %w: the answer is of another", key, ErrUnknown)
	}

	return c.read(key, got)
}

// read returns the result of a complete answer; for any other answer the outcome stays unknown.
func (c *Client) read(key string, w WireResult) (Result, error) {
	r, err := w.result()
	if err != nil {
		return Result{}, fmt.Errorf("order %s: %w: %w", key, ErrUnknown, err)
	}

	return r, nil
}

// exchange sends one signed request and decodes the answer into out. Only an answer of the provider itself gives an
// error other than ErrUnknown. key is that of an order, or "".
func (c *Client) exchange(ctx context.Context, method, target, key string, body []byte, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, c.config.URL+target, bytes.NewReader(body))
	if err != nil {
		return err
	}

	stamp := strconv.FormatInt(c.config.Clock.Now().Unix(), 10)
	req.Header.Set("Content-Type", "application/json")

	if key != "" {
		req.Header.Set(HeaderIdempotency, key)
	}

	req.Header.Set(HeaderKeyID, c.config.KeyID)
	req.Header.Set(HeaderTimestamp, stamp)
	req.Header.Set(HeaderSignature, Sign([]byte(c.config.Secret.Reveal()), stamp, method, req.URL.RequestURI(), body))

	status, raw, err := c.party.Exchange(req)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnknown, err)
	}

	if status != http.StatusOK && status != http.StatusCreated {
		return refusal(status, raw)
	}

	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("%w: the answer is not of the contract", ErrUnknown)
	}

	return nil
}

// refusal classifies an error answer. A status alone proves nothing: proxies also answer 404 and 403.
func refusal(status int, raw []byte) error {
	var f WireFault
	if status >= 500 || status == http.StatusTooManyRequests || json.Unmarshal(raw, &f) != nil {
		return fmt.Errorf("%w: HTTP status %d", ErrUnknown, status)
	}

	switch {
	case f.Code == CodeNoOrder && status == http.StatusNotFound:
		return ErrNoOrder
	case f.Code == CodeNoStatement && status == http.StatusNotFound:
		return ErrNoStatement
	case f.Code == CodeKeyTaken && status == http.StatusConflict:
		return fmt.Errorf("%w: %.200s", ErrKeyTaken, f.Detail)
	case (f.Code == CodeInvalid || f.Code == CodeSignature) && status >= 400:
		return fmt.Errorf("%w: %s: %.200s", ErrRefused, f.Code, f.Detail)
	}

	return fmt.Errorf("%w: HTTP status %d", ErrUnknown, status)
}
