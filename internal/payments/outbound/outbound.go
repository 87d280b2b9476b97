// Package outbound does outside what settlement has decided that the house does itself: the treasury sends tokens, and
// a provider of liquidity converts. Each is an effect: one row, one key of package effect for ever, one state, written
// by Service.become alone.
//
// An effect is wanted in the write that decides so. From then on Drive asks outside and records what came of it, in
// one write for each step. A chain reports through RefusedByRail and FinalOnChain, the sweep asks about what is in
// doubt. What an effect's state means for its transaction is told to Deps.Moved, inside the same write.
//
// A transaction's own batch and its payouts are no rows here: there is one batch for each transaction, whose status
// says where it stands, and the bank's rail keeps the state of each payout. All of them have keys of package effect.
//
// Read in this order: outbound.go, final.go (what the chain reports), send.go and treasury.go (what the treasury sends,
// and why a send moved nothing), doubt.go, order.go (conversions), list.go and exposure.go (what is open), service.go
// (the one writer), store.go, effect.go (states and fields).
package outbound

import (
	"context"
	"errors"

	"slipway/internal/payments/transaction"
)

// Drive does what the given effects of a transaction wait for, each for itself, and reports whether one of them waits
// again at once. Of several errors it returns the gravest: that something waits for funds or for a provider is the
// least of them. A second call, at the same time or later, finds what the first has written.
func (s *Service) Drive(ctx context.Context, t transaction.Transaction, all []Effect) (more bool, err error) {
	for _, x := range all {
		advance := s.advanceSend
		if x.IsOrder() {
			advance = s.advanceOrder
		}

		again, failed := advance(ctx, t, x)
		more = more || again

		if failed != nil && (err == nil || Waiting(err)) {
			err = failed
		}
	}

	return more && err == nil, err
}

// Waiting reports whether an error says only that something is waited for: funds of the treasury, or a provider.
func Waiting(err error) bool { return errors.Is(err, ErrShort) || errors.Is(err, ErrPending) }
