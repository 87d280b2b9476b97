package chain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"slipway/internal/platform/db"
)

// Status is the state of a send, for the API and for people.
type Status struct {
	Key, Network, Object string
	State                State
	Note                 string // why it waits, was refused or is on hold; "" for none
	// Stopped reports that it has not left yet, and that nothing new leaves on its network: a person has paused it, its
	// signer is frozen, or a check has halted it.
	Stopped      bool
	StoppedSince time.Time // when a person has paused it; zero: nobody has
	Nonce        int64     // -1: none yet
	Hash         string    // of the attempt in a block, otherwise of the latest; "" before there is one
	Block        int64     // -1: in no block
	BlockHash    string
	OK           bool // for FINAL: the call did not revert
	GasUsed      int64
	GasPrice     string
	Attempts     []Attempt
}

// Attempt is one signed transaction of a send.
type Attempt struct {
	Number     int64
	Hash       string
	Tip        string // wei
	FeeCap     string // wei
	Broadcasts int64
	Outcome    Outcome // of the latest broadcast; proves nothing
	At         time.Time
}

// Status returns the state of a send; db.ErrNone if nothing was planned under the key.
func (r *Rail) Status(ctx context.Context, q db.Querier, key string) (Status, error) {
	found, err := r.Statuses(ctx, q, []string{key})
	if err != nil {
		return Status{}, err
	}

	s, ok := found[key]
	if !ok {
		return s, fmt.Errorf("status of %s: %w", key, db.ErrNone)
	}

	return s, nil
}

// Statuses returns the states of several sends by their keys, without those under which nothing was planned. The number
// of statements does not depend on the number of sends.
func (r *Rail) Statuses(ctx context.Context, q db.Querier, keys []string) (map[string]Status, error) {
	rows, err := sendsByKey(ctx, q, keys)
	if err != nil {
		return nil, fmt.Errorf("status of %d sends: %w", len(keys), err)
	}

	signed, err := attempts(ctx, q, rows)
	if err != nil {
		return nil, fmt.Errorf("attempts of %d sends: %w", len(rows), err)
	}

	receipts, err := evidenceOf(ctx, q, rows)
	if err != nil {
		return nil, fmt.Errorf("evidence of %d sends: %w", len(rows), err)
	}

	signers, err := waitingSigners(ctx, q, rows)
	if err != nil {
		return nil, fmt.Errorf("signers of %d sends: %w", len(rows), err)
	}

	out := make(map[string]Status, len(rows))

	for _, row := range rows {
		s := statusOf(row, signed[row.ID])

		switch row.State {
		case StateFinal:
			e, ok := receipts[row.ID]
			if !ok {
				return nil, fmt.Errorf("evidence of %s: %w", row.Key, db.ErrNone)
			}

			s.OK = e.ok
			s.GasUsed = e.gasUsed
			s.GasPrice = e.gasPrice

		case StatePlanned, StateNonced, StateSigned, StateSent:
			signer := signers[signerKey{row.Network, row.Signer}]
			s.Note = waiting(signer)
			s.Stopped = row.State == StatePlanned && signer.stopped()

			if s.Stopped && signer.paused {
				s.StoppedSince = db.Time(signer.pausedAt)
			}

		case StateSeen, StateRefused, StateHold: // the row holds everything
		}

		out[row.Key] = s
	}

	return out, nil
}

// statusOf returns what the row of a send and its attempts hold.
func statusOf(row sendRow, signed []attemptRow) Status {
	s := Status{
		Key:       row.Key,
		Network:   row.Network,
		Object:    row.Object,
		State:     row.State,
		Note:      row.Reason,
		Nonce:     row.Nonce,
		Hash:      row.TxHash,
		Block:     row.Block,
		BlockHash: row.BlockHash,
	}

	for _, a := range signed {
		s.Attempts = append(s.Attempts, Attempt{
			Number:     a.Number,
			Hash:       a.Hash,
			Tip:        a.Tip,
			FeeCap:     a.FeeCap,
			Broadcasts: a.Broadcasts,
			Outcome:    Outcome(a.Outcome),
			At:         db.Time(a.CreatedAt),
		})
		if row.TxHash == "" {
			s.Hash = a.Hash
		}
	}

	return s
}

// signerKey names a signer: an address on a network.
type signerKey struct{ network, address string }

// waitingSigners returns the signers of sends that are in no block. There are as many statements as signers, and a
// network has few.
func waitingSigners(ctx context.Context, q db.Querier, rows []sendRow) (map[signerKey]signerRow, error) {
	out := map[signerKey]signerRow{}

	for _, row := range rows {
		key := signerKey{row.Network, row.Signer}
		if _, known := out[key]; known || !row.State.unseen() {
			continue
		}

		signer, err := db.One(ctx, q, (*signerRow).dest, readSigner, key.network, key.address)
		if err != nil {
			return nil, err
		}

		out[key] = signer
	}

	return out, nil
}

// stopped reports whether nothing new leaves from the signer until a person, or the check that halted it, lets it.
func (s *signerRow) stopped() bool {
	return s.paused || s.frozen != "" || strings.HasPrefix(s.note, noteHalted)
}

// waiting returns why a signer's sends wait.
func waiting(s signerRow) string {
	var out []string
	if s.paused {
		out = append(out, "paused")
	}

	if s.frozen != "" {
		out = append(out, "frozen: "+s.frozen)
	}

	if s.note != "" {
		out = append(out, s.note)
	}

	return strings.Join(out, "; ")
}

// Attempts lists every transaction ever signed for a send, oldest first.
func (r *Rail) Attempts(ctx context.Context, q db.Querier, key string) ([]Attempt, error) {
	s, err := r.Status(ctx, q, key)
	return s.Attempts, err
}

// OldestOpen returns when the oldest send was planned that is neither final nor refused; the zero time if there is
// none.
func (r *Rail) OldestOpen(ctx context.Context, q db.Querier) (time.Time, error) {
	oldest := int64(0)
	for _, s := range []State{StatePlanned, StateNonced, StateSigned, StateSent, StateSeen, StateHold} {
		at, err := oldestIn(ctx, q, s)
		if errors.Is(err, db.ErrNone) {
			continue
		}

		if err != nil {
			return time.Time{}, fmt.Errorf("oldest open send: %w", err)
		}

		if oldest == 0 || at < oldest {
			oldest = at
		}
	}

	return db.Time(oldest), nil
}

// Health is the state of one network, for the readiness page and metrics.
type Health struct {
	Network   string
	Signer    string
	Holder    bool   // this process sends for the signer
	Paused    bool   // by a person
	Frozen    string // by a rule; a person must check
	Note      string // why planned sends wait
	LastErr   string // of the latest round; "" if it succeeded
	NextNonce int64
	Open      map[State]int64 // sends that are neither final nor refused
	Nodes     []ProviderHealth
	Counters  Counters
}

// Counters are for metrics. They only rise.
type Counters struct {
	Rounds, Failures, Broadcasts, Bumps, Seen, Lost, Final, Refused, Held int64
}

// Health returns the state of every network of this process, by id.
func (r *Rail) Health(ctx context.Context) ([]Health, error) {
	var out []Health
	for _, l := range r.all() {
		row, err := db.One(ctx, r.db, (*signerRow).dest, readSigner, l.net.ID, l.address)
		if err != nil {
			return nil, fmt.Errorf("health of %s: %w", l.net.ID, err)
		}

		open, err := l.openCounts(ctx)
		if err != nil {
			return nil, fmt.Errorf("health of %s: %w", l.net.ID, err)
		}

		l.mu.Lock()
		h := Health{Network: l.net.ID, Signer: l.address, Holder: l.holder, LastErr: l.lastErr}
		l.mu.Unlock()
		h.Paused = row.paused
		h.Frozen = row.frozen
		h.Note = row.note
		h.NextNonce = row.next
		h.Open = open
		h.Nodes = l.client.Providers()
		h.Counters = Counters{
			Rounds:     l.counts.rounds.Load(),
			Failures:   l.counts.failures.Load(),
			Broadcasts: l.counts.broadcasts.Load(),
			Bumps:      l.counts.bumps.Load(),
			Seen:       l.counts.seen.Load(),
			Lost:       l.counts.lost.Load(),
			Final:      l.counts.final.Load(),
			Refused:    l.counts.refused.Load(),
			Held:       l.counts.held.Load(),
		}
		out = append(out, h)
	}

	// a network's signer comes before its earlier ones
	slices.SortStableFunc(out, func(a, b Health) int { return strings.Compare(a.Network, b.Network) })

	return out, nil
}
