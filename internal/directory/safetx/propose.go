package safetx

import (
	"context"
	"strings"
	"time"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/standards/safe"
)

// forgotten is how long a SafeTx that nobody has confirmed keeps its nonce from others.
const forgotten = 7 * 24 * time.Hour

// Propose returns the SafeTx that a payment needs, and keeps it. nil means that the wallet is no Safe. A second call
// returns the same one, while its nonce is free and it has the same calls. Otherwise a new one takes its nonce: of two
// with one nonce the Safe can carry out only one.
func (s *Service) Propose(ctx context.Context, n Need) (*View, error) {
	state, ok, err := s.read(ctx, n.Wallet)
	if err != nil || !ok {
		return nil, err
	}

	want, purposes, err := s.plan(ctx, n, state)
	if err != nil {
		return nil, err
	}

	var out *View

	err = s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		t, found, err := kept(ctx, tx, n, state, want)
		if err != nil {
			return err
		}

		if !found {
			if t, err = s.keep(ctx, tx, n, state, want, purposes); err != nil {
				return err
			}
		}

		out, err = s.view(ctx, tx, n.Network, t, state)

		return err
	})

	return out, err
}

// kept finds the SafeTx that was made for a payment before, if it can still be carried out and does what is wanted.
func kept(ctx context.Context, q db.Querier, n Need, state safe.State, want safe.Tx) (Transaction, bool, error) {
	all, err := ofPayment(ctx, q, n.Wallet, n.Payment, state.Nonce)
	if err != nil {
		return Transaction{}, false, err
	}

	for _, t := range all {
		x := t.tx()
		x.Nonce = want.Nonce

		if t.Version == state.Version && x.Hash() == want.Hash() {
			return t, true, nil
		}
	}

	return Transaction{}, false, nil
}

// keep stores a SafeTx with the nonce that it is to have.
func (s *Service) keep(
	ctx context.Context,
	tx *db.Tx,
	n Need,
	state safe.State,
	want safe.Tx,
	purposes []string,
) (Transaction, error) {
	var err error
	if want.Nonce, err = nextNonce(ctx, tx, n, state, tx.Now); err != nil {
		return Transaction{}, err
	}

	t := Transaction{
		ID:           id.New("stx", tx.Now),
		Wallet:       n.Wallet.ID,
		Organisation: n.Wallet.Organisation,
		Payment:      n.Payment,
		Network:      n.Wallet.Network,
		Account:      n.Wallet.Address,
		Version:      state.Version,
		Nonce:        int64(want.Nonce),
		To:           want.To.Hex(),
		Data:         hexOf(want.Data),
		Operation:    int64(want.Operation),
		Purposes:     strings.Join(purposes, ","),
		CreatedAt:    tx.Now,
	}

	d, err := t.domain(n.Network)
	if err != nil {
		return t, err
	}

	t.Hash = d.TxHash(want).Hex()
	transactionTable.Insert(tx, &t)
	trail.Audit(ctx, tx, t.Organisation, "safe.propose", t.Wallet, t.Hash)

	return t, nil
}

// nextNonce returns the nonce of a payment's earlier SafeTx, which the new one replaces, or else the first that no
// other SafeTx waits for.
func nextNonce(
	ctx context.Context,
	q db.Querier,
	n Need,
	state safe.State,
	now time.Time,
) (uint64, error) {
	earlier, err := ofPayment(ctx, q, n.Wallet, n.Payment, state.Nonce)
	if err != nil {
		return 0, err
	}

	if len(earlier) > 0 {
		return uint64(earlier[0].Nonce), nil
	}

	waiting, err := waitingNonces(ctx, q, n.Wallet, state.Nonce, now.Add(-forgotten))
	if err != nil {
		return 0, err
	}

	taken := map[uint64]bool{}
	for _, w := range waiting {
		taken[uint64(w)] = true
	}

	next := state.Nonce
	for taken[next] {
		next++
	}

	return next, nil
}
