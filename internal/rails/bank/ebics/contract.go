package ebics

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"slipway/internal/platform/db"
	"slipway/internal/platform/remote"
)

// ContractConfig configures a subscriber at a bank.
type ContractConfig struct {
	DB         *db.DB
	URL        string
	Subscriber Subscriber
	Version    Version           // "": the newest that both sides speak
	Name       string            // subject of our certificates
	Transport  http.RoundTripper // nil: the network
	// SegmentSize is how many bytes of an encrypted order one segment carries; 0: 700,000.
	SegmentSize int
}

// Contract is a subscriber with its keys, which are stored in the database, sealed.
type Contract struct {
	c     ContractConfig
	party *remote.Party
}

// NewContract returns the subscriber. It checks the identifiers and asks nobody.
func NewContract(c ContractConfig) (*Contract, error) {
	if c.Name == "" {
		c.Name = c.Subscriber.User
	}

	return &Contract{c: c, party: NewParty(c.Transport)}, c.Subscriber.Check()
}

// client returns a client with the stored keys.
func (c *Contract) client(s *Stored) *Client {
	return &Client{
		URL:        c.c.URL,
		Version:    s.Version,
		Subscriber: c.c.Subscriber,
		Keys:       s.Keys,
		Bank:       s.Bank,
		Party:      c.party,
		Now:        c.c.DB.Now,

		SegmentSize: c.c.SegmentSize,
	}
}

// Stored returns the contract as it is stored. It returns db.ErrNone before Init.
func (c *Contract) Stored(ctx context.Context) (*Stored, error) {
	return ReadContract(ctx, c.c.DB, c.c.Subscriber)
}

// Init makes our keys and sends them (INI, HIA), each step once. It continues where an earlier call was interrupted,
// and does nothing once both were sent. remarks are sentences for people.
func (c *Contract) Init(ctx context.Context) (s *Stored, remarks []string, err error) {
	s, err = c.Stored(ctx)
	if errors.Is(err, db.ErrNone) {
		s, err = c.create(ctx)
	}

	if err != nil {
		return nil, nil, err
	}

	if s.State == ContractNew {
		remark, err := accepted("INI", c.client(s).SendINI(ctx))
		if err == nil {
			err = c.write(ctx, func(tx *db.Tx) error { return moveContract(tx, s, ContractINI) })
		}

		remarks = append(remarks, remark...)
		if err != nil {
			return s, remarks, err
		}
	}

	if s.State == ContractINI {
		remark, err := accepted("HIA", c.client(s).SendHIA(ctx))
		if err == nil {
			err = c.write(ctx, func(tx *db.Tx) error { return moveContract(tx, s, ContractSent) })
		}

		remarks = append(remarks, remark...)
		if err != nil {
			return s, remarks, err
		}
	}

	return s, remarks, nil
}

// accepted returns the error of a step that sends keys. That the bank has keys already is none, but a remark: an
// earlier call was interrupted after the bank had them, or somebody else's are there. The letter decides.
func accepted(step string, err error) (remarks []string, _ error) {
	if r, _ := Refused(err); r != nil && hadBefore(r.Code()) {
		return []string{
			fmt.Sprintf("the bank says that it has the keys of %s already (%s): it activates the user only if "+
				"the letter's hashes are those of the keys that it has", step, r.Code()),
		}, nil
	}

	if err != nil {
		return nil, fmt.Errorf("%s: %w", step, err)
	}

	return nil, nil
}

// hadBefore reports whether a code says that the keys arrived before.
func hadBefore(code string) bool { return code == CodeUserState || code == CodeUserStateHint }

// write runs a write body.
func (c *Contract) write(ctx context.Context, body func(tx *db.Tx) error) error {
	return c.c.DB.Write(ctx, body)
}

// create makes the keys and stores them before anything is sent. The version is decided here, once.
func (c *Contract) create(ctx context.Context) (*Stored, error) {
	version := c.c.Version
	if version == "" {
		spoken, err := (&Client{URL: c.c.URL, Subscriber: c.c.Subscriber, Party: c.party}).Versions(ctx)
		if err != nil {
			return nil, fmt.Errorf("ask the bank for its versions: %w", err)
		}

		if len(spoken) == 0 {
			return nil, errors.New("the bank speaks neither EBICS 3.0 nor 2.5")
		}

		version = spoken[0]
	}

	keys, err := NewKeys(c.c.Name, c.c.DB.Now())
	if err != nil {
		return nil, err
	}

	text, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}

	expires, err := keys.NotAfter()
	if err != nil {
		return nil, err
	}

	err = c.write(ctx, func(tx *db.Tx) error {
		addContract(tx, c.c.Subscriber, version, text, expires)
		return nil
	})
	if err != nil {
		return nil, err
	}

	return c.Stored(ctx) // another process may have been first
}

// ErrNotSent means that our keys were not sent completely: Init does it.
var ErrNotSent = errors.New("the keys were not sent to the bank: run slipway bank ebics init")

// FetchBankKeys fetches the bank's keys for two people to compare. They are not used before Accept.
func (c *Contract) FetchBankKeys(ctx context.Context) (*Stored, *BankKeys, error) {
	s, err := c.Stored(ctx)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotSent
	}

	if err != nil {
		return nil, nil, err
	}

	if s.State == ContractNew || s.State == ContractINI {
		return s, nil, ErrNotSent
	}

	keys, err := c.client(s).FetchBankKeys(ctx)

	return s, keys, err
}

// Accept stores keys of the bank, as two people have accepted them. text is what Text returned. A second call with the
// same keys changes nothing.
func (c *Contract) Accept(ctx context.Context, tx *db.Tx, text string) error {
	if _, err := ParseBankKeys([]byte(text)); err != nil {
		return err
	}

	s, err := ReadContract(ctx, tx, c.c.Subscriber)
	if err != nil {
		return err
	}

	if s.Bank != nil && s.Bank.Text() == text {
		return nil
	}

	return noteBankKeys(tx, c.c.Subscriber, s.State, []byte(text))
}

// Suspend locks our user at the bank, as after the loss of a key. Only the bank can unlock it.
func (c *Contract) Suspend(ctx context.Context) error {
	s, err := c.ready(ctx)
	if err != nil {
		return err
	}

	if err := c.client(s).Suspend(ctx); err != nil {
		return err
	}

	return c.write(ctx, func(tx *db.Tx) error { return moveContract(tx, s, ContractLost) })
}

// Rights asks the bank what our user may do (HTD).
func (c *Contract) Rights(ctx context.Context) (*Rights, error) {
	s, err := c.ready(ctx)
	if err != nil {
		return nil, err
	}

	return c.client(s).Rights(ctx)
}

// ErrNotReady means that the contract cannot be used yet, or no longer.
var ErrNotReady = errors.New("the EBICS contract is not ready")

// ready reads a contract that can be used.
func (c *Contract) ready(ctx context.Context) (*Stored, error) {
	s, err := c.Stored(ctx)
	if errors.Is(err, db.ErrNone) {
		return nil, fmt.Errorf("%w: run slipway bank ebics init", ErrNotReady)
	}

	if err != nil {
		return nil, err
	}

	if s.State != ContractLive || s.Bank == nil {
		return nil, fmt.Errorf("%w: it is %s", ErrNotReady, s.State)
	}

	return s, nil
}

// bankKeysJSON is how the keys of a bank are stored, and what two people approve.
type bankKeysJSON struct{ Authentication, Encryption publicKeyJSON }

type publicKeyJSON struct {
	Modulus     []byte
	Exponent    int
	Certificate []byte `json:",omitempty"`
}

// Text returns the keys as Accept takes them.
func (b *BankKeys) Text() string {
	of := func(p PublicKey) publicKeyJSON {
		return publicKeyJSON{Modulus: p.Key.N.Bytes(), Exponent: p.Key.E, Certificate: p.Certificate}
	}

	var out bytes.Buffer
	_ = json.NewEncoder(&out).Encode(bankKeysJSON{of(b.Authentication), of(b.Encryption)}) // a buffer takes everything

	return string(bytes.TrimSpace(out.Bytes()))
}
