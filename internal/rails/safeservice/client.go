package safeservice

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/go-json-experiment/json"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/remote"
	"slipway/internal/platform/secret"
	"slipway/internal/standards/safe"
)

// Limits of one request, and of waiting after a refusal to serve.
const (
	defaultTimeout = 10 * time.Second
	maxAnswer      = 1 << 20 // bytes: a SafeTx with 60 confirmations has 60 KB
	firstPause     = 5 * time.Second
	longestPause   = 10 * time.Minute
	maxConfirmed   = 60
)

// Config configures the connection to the service of one network.
type Config struct {
	URL       string            // such as https://api.safe.global/tx-service/eth
	Key       secret.Text       // API key; empty: none is sent
	Delegate  secret.Text       // private key of a delegate, 64 hexadecimal digits; empty: there is none
	Timeout   time.Duration     // of one request; 0: 10 s
	Transport http.RoundTripper // nil: the network
	Clock     *clock.Clock      // nil: the wall clock
}

// Client asks the service. After 429, a 5xx or silence it asks nothing for a while, twice as long each time: meanwhile
// every call returns ErrBusy. It is safe for concurrent use.
type Client struct {
	url      string
	key      secret.Text
	delegate *ecdsa.PrivateKey
	party    *remote.Party
	clock    *clock.Clock

	mu    sync.Mutex
	until time.Time
	pause time.Duration
}

// NewClient returns a client. It calls nobody.
func NewClient(c Config) (*Client, error) {
	if !remote.IsAddress(c.URL) {
		return nil, errors.New("the address of the Safe transaction service is not an http or https address")
	}

	var delegate *ecdsa.PrivateKey
	if c.Delegate != "" {
		var err error
		if delegate, err = crypto.HexToECDSA(c.Delegate.Reveal()); err != nil {
			return nil, errors.New("the delegate's key is not 64 hexadecimal digits of a private key")
		}
	}

	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}

	if c.Clock == nil {
		c.Clock = clock.New()
	}

	return &Client{
		url:      strings.TrimSuffix(c.URL, "/"),
		key:      c.Key,
		delegate: delegate,
		party:    remote.New(c.Timeout, maxAnswer, c.Transport),
		clock:    c.Clock,
	}, nil
}

// ProposeByDelegate shows a SafeTx to the owners in the name of the delegate, who signs it here. A delegate is a key
// that an owner has let propose at the service: it is no owner, so its signature confirms nothing and moves nothing.
// done is false if there is no delegate, or none that the service takes for this Safe.
func (c *Client) ProposeByDelegate(ctx context.Context, p Proposal) (done bool, err error) {
	if c.delegate == nil {
		return false, nil
	}

	signed, err := safe.Sign(common.HexToHash(p.Hash), func(hash []byte) ([]byte, error) {
		return crypto.Sign(hash, c.delegate)
	})
	if err != nil {
		return false, err
	}

	p.Sender = signed.Owner.Hex()
	p.Signature = hexutil.Encode(signed.Bytes())

	err = c.Propose(ctx, p)
	if errors.Is(err, ErrRefused) {
		return false, nil
	}

	return err == nil, err
}

// wireProposal is what the service takes. Its numbers of gas are texts.
type wireProposal struct {
	To             string `json:"to"`
	Value          string `json:"value"`
	Data           string `json:"data"`
	Operation      int64  `json:"operation"`
	SafeTxGas      string `json:"safeTxGas"`
	BaseGas        string `json:"baseGas"`
	GasPrice       string `json:"gasPrice"`
	GasToken       string `json:"gasToken"`
	RefundReceiver string `json:"refundReceiver"`
	Nonce          int64  `json:"nonce"`
	Hash           string `json:"contractTransactionHash"`
	Sender         string `json:"sender"`
	Signature      string `json:"signature"`
	Origin         string `json:"origin"`
}

// Propose shows a SafeTx to the owners. A second call with the same one changes nothing.
func (c *Client) Propose(ctx context.Context, p Proposal) error {
	none := common.Address{}.Hex()

	body := wireProposal{
		To:             p.To,
		Value:          "0",
		Data:           p.Data,
		Operation:      p.Operation,
		SafeTxGas:      "0",
		BaseGas:        "0",
		GasPrice:       "0",
		GasToken:       none,
		RefundReceiver: none,
		Nonce:          p.Nonce,
		Hash:           p.Hash,
		Sender:         p.Sender,
		Signature:      p.Signature,
		Origin:         p.Origin,
	}

	return c.exchange(
		ctx,
		http.MethodPost,
		"/api/v2/safes/"+url.PathEscape(p.Safe)+"/multisig-transactions/",
		body,
		nil,
	)
}

// Confirm leaves an owner's signature.
func (c *Client) Confirm(ctx context.Context, hash, signature string) error {
	body := struct {
		Signature string `json:"signature"`
	}{signature}

	return c.exchange(
		ctx,
		http.MethodPost,
		"/api/v1/multisig-transactions/"+url.PathEscape(hash)+"/confirmations/",
		body,
		nil,
	)
}

// Confirmations returns the signatures that the service has of a SafeTx, at most 60; ErrUnknown if it does not know it.
// They may be anything: verify each.
func (c *Client) Confirmations(ctx context.Context, hash string) ([]string, error) {
	var answer struct {
		Hash          string `json:"safeTxHash"`
		Confirmations []struct {
			Signature string `json:"signature"`
		} `json:"confirmations"`
	}

	path := "/api/v2/multisig-transactions/" + url.PathEscape(hash) + "/"
	if err := c.exchange(ctx, http.MethodGet, path, nil, &answer); err != nil {
		return nil, err
	}

	if !strings.EqualFold(answer.Hash, hash) {
		return nil, fmt.Errorf("%w: it answered with another transaction", ErrUnknown)
	}

	var out []string
	for i, x := range answer.Confirmations {
		if i == maxConfirmed {
			break
		}

		out = append(out, x.Signature)
	}

	return out, nil
}

// exchange sends one request. body nil: none; into nil: the answer's body does not matter.
func (c *Client) exchange(ctx context.Context, method, path string, body, into any) error {
	if err := c.open(); err != nil {
		return err
	}

	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return err
		}
	}

	r, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(raw))
	if err != nil {
		return fmt.Errorf("ask the Safe transaction service: %w", err)
	}

	r.Header.Set("Accept", "application/json")

	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}

	if c.key != "" {
		r.Header.Set("Authorization", "Bearer "+c.key.Reveal())
	}

	status, answer, err := c.party.Exchange(r)
	if err != nil {
		c.rest()
		return fmt.Errorf("ask the Safe transaction service: %w", err)
	}

	switch {
	case status == http.StatusTooManyRequests || status >= http.StatusInternalServerError:
		c.rest()
		return fmt.Errorf("%w: it answered with status %d", ErrBusy, status)
	case status == http.StatusNotFound:
		err = ErrUnknown
	case status >= http.StatusMultipleChoices:
		err = fmt.Errorf("%w: status %d", ErrRefused, status)
	}

	c.served()

	if err != nil || into == nil {
		return err
	}

	if err := json.Unmarshal(answer, into); err != nil {
		return errors.New("the answer of the Safe transaction service is not its JSON")
	}

	return nil
}

// open returns ErrBusy while nothing is asked.
func (c *Client) open() error {
	c.mu.Lock()
	defer c.mu.Unlock()

	if c.clock.Now().Before(c.until) {
		return ErrBusy
	}

	return nil
}

func (c *Client) rest() {
	c.mu.Lock()
	defer c.mu.Unlock()

	c.pause = min(max(2*c.pause, firstPause), longestPause)
	c.until = c.clock.Now().Add(c.pause)
}

func (c *Client) served() {
	c.mu.Lock()
	defer c.mu.Unlock()

	c.pause = 0
}
