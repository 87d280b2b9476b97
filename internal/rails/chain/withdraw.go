package chain

import (
	"context"
	"fmt"

	"slipway/internal/platform/db"
)

// OpenSend is a send that is neither final nor refused.
type OpenSend struct {
	SendRef

	Unsigned bool // nothing of it was ever signed: it can still be withdrawn
}

// OpenSends returns the sends of a network that are neither final nor refused.
func (r *Rail) OpenSends(ctx context.Context, q db.Querier, network string) ([]OpenSend, error) {
	all, err := openSends(ctx, q, network)
	if err != nil {
		return nil, fmt.Errorf("open sends of %s: %w", network, err)
	}

	return all, nil
}

// Withdraw refuses a planned send of which nothing was ever signed, in the transaction that decides on it: the observer
// hears of it as of any refusal. Of a send that is not in that state any more, or that was final before, it changes
// nothing. If its nonce is taken at the same time, one of both transactions runs again and sees the other.
func (r *Rail) Withdraw(ctx context.Context, tx *db.Tx, key, reason string) error {
	s, err := sendByKey(ctx, tx, key)
	if err != nil {
		return fmt.Errorf("withdraw %s: %w", key, err)
	}

	if s.State != StatePlanned || s.Reopened {
		return nil
	}

	noteRefused(tx, s.ID, reason, StateRefused)

	return r.observer.Refused(ctx, tx, s.Key, reason)
}
