package signer

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/journal"
	"slipway/internal/rails/chain"
)

// entry is one line of the journal: a batch or a filler, before it is signed for the first time.
type entry struct {
	At      int64          `json:"at"` // microseconds
	Chain   uint64         `json:"chain"`
	Nonce   uint64         `json:"nonce"`
	Filler  bool           `json:"filler,omitempty"`
	Token   common.Address `json:"token"`
	Units   string         `json:"units"`
	Content common.Hash    `json:"content"`
}

// place is a nonce of a chain.
type place struct{ chain, nonce uint64 }

// Signer signs what its policy allows. It is safe for concurrent use, also by several processes on one journal.
type Signer struct {
	key    chain.Signer
	policy Policy
	clock  *clock.Clock

	mu     sync.Mutex // guards the following fields
	book   *journal.Journal[entry]
	signed map[place]common.Hash // the content that was signed for a nonce
	recent []entry               // what was signed in the last day, oldest first
}

// Open returns a signer with its journal in a file. Everything in the journal counts, whichever process wrote it.
func Open(key chain.Signer, p Policy, path string, c *clock.Clock) (*Signer, error) {
	if len(p.Routers) == 0 || p.MaxGas == 0 || p.MaxFeePerGasWei == nil {
		return nil, errors.New("a signer needs a router, a gas limit and a fee limit")
	}

	if path == "" {
		return nil, errors.New("a signer needs a journal: without one its limits would end with its process")
	}

	book, err := journal.Open[entry](path)
	if err != nil {
		return nil, fmt.Errorf("open the signer's journal: %w", err)
	}

	s := &Signer{
		key:    key,
		policy: p,
		clock:  c,
		book:   book,
		signed: map[place]common.Hash{},
	}
	if err := book.Alone(s.take, func() error { return nil }); err != nil {
		return nil, errors.Join(fmt.Errorf("read the signer's journal: %w", err), book.Close())
	}

	return s, nil
}

// Close closes the journal.
func (s *Signer) Close() error { return s.book.Close() }

// Address returns the address that it signs for.
func (s *Signer) Address() common.Address { return s.key.Address() }

// Sign signs a transaction, or returns an *Error with the reason. It signs the same batch with the same nonce any
// number of times, with any fees; it counts once.
func (s *Signer) Sign(ctx context.Context, tx *types.Transaction) (*types.Transaction, error) {
	r, err := s.policy.read(s.key.Address(), tx)
	if err != nil {
		return nil, err
	}

	if err := s.record(r); err != nil {
		return nil, err
	}

	// without the lock: a key that is held elsewhere takes its time, and what may be signed is decided
	return s.key.SignTx(ctx, tx, tx.ChainId())
}

// record puts what will be signed into the journal, or refuses it.
func (s *Signer) record(r request) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.book.Alone(s.take, func() error { return s.allow(r) })
}

// allow records what will be signed, unless it was recorded before. A refusal is not recorded.
func (s *Signer) allow(r request) error {
	content, known := s.signed[place{r.chain, r.nonce}]
	switch {
	case known && content == r.content:
		return nil
	case known && !r.filler:
		return refused("nonce %d of chain %d was signed for another batch", r.nonce, r.chain)
	}

	if err := s.withinLimits(r); err != nil {
		return err
	}

	e := entry{
		At:      s.clock.Now().UnixMicro(),
		Chain:   r.chain,
		Nonce:   r.nonce,
		Filler:  r.filler,
		Token:   r.token,
		Units:   r.units.String(),
		Content: r.content,
	}
	if err := s.book.Write(e); err != nil {
		return fmt.Errorf("record what is signed: %w", err)
	}

	s.take(e)

	return nil
}

// take applies a line of the journal.
func (s *Signer) take(e entry) {
	s.signed[place{e.Chain, e.Nonce}] = e.Content
	s.recent = append(s.recent, e)
}

// withinLimits temporarily refuses what exceeds the limits of an hour or a day. Entries in the future count: the clock
// was set back.
func (s *Signer) withinLimits(r request) error {
	bound, listed := s.policy.cap(r.chain, r.token)
	if !listed && !r.filler {
		return refused("token %s of chain %d is not configured", r.token, r.chain)
	}

	now := s.clock.Now()
	for len(s.recent) > 0 && s.recent[0].At <= now.Add(-24*time.Hour).UnixMicro() {
		s.recent = s.recent[1:]
	}

	for _, span := range []struct {
		name    string
		length  time.Duration
		batches int
		units   func(*Cap) *big.Int
	}{
		{"hour", time.Hour, s.policy.PerHour, func(c *Cap) *big.Int { return c.Hour }},
		{"day", 24 * time.Hour, s.policy.PerDay, func(c *Cap) *big.Int { return c.Day }},
	} {
		batches, units := s.since(now.Add(-span.length), r)
		if span.batches > 0 && batches > span.batches {
			return exhausted("%d batches in one %s are allowed", span.batches, span.name)
		}

		if bound != nil && !r.filler && units.Cmp(span.units(bound)) > 0 {
			return exhausted("%s units of %s in one %s are allowed", span.units(bound), r.token, span.name)
		}
	}

	return nil
}

// since counts the batches signed after a time, and the units of a request's token, including the request.
func (s *Signer) since(after time.Time, r request) (batches int, units *big.Int) {
	batches = 1

	units = new(big.Int).Set(r.units)
	for _, e := range s.recent {
		if e.At <= after.UnixMicro() {
			continue
		}

		batches++

		if n, ok := new(big.Int).SetString(e.Units, 10); ok && e.Chain == r.chain && e.Token == r.token {
			units.Add(units, n)
		}
	}

	return batches, units
}

// contentOf hashes what a transaction does, without its fees and its gas.
func contentOf(tx *types.Transaction) common.Hash {
	return crypto.Keccak256Hash(tx.To().Bytes(), common.LeftPadBytes(tx.Value().Bytes(), 32), tx.Data())
}

// exhausted is a refusal that ends with time.
func exhausted(format string, args ...any) error {
	return &Error{Code: chain.CodeLimit, Message: fmt.Sprintf(format, args...)}
}
