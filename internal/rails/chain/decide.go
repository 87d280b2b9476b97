package chain

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/platform/db"
)

// A person decides about a send whose attempts can take effect no more: it is sent anew, or given up. That they cannot
// is read from the chain, never taken on the person's word:
//
//   - A send on HOLD has a nonce that something else has used for good, or one that the signer refused and a filler has
//     used.
//   - A send of an earlier signer goes to another one only when, at a block that is final to two nodes, the router does
//     not have the earlier one as an operator any more. What is mined of it later is refused by the router.
//   - A send that does not go through the router would pay twice. It goes to another signer only when its nonce is used
//     for good, and not by an attempt of its own.
//
// See released.go for what the attempts from before do afterwards.

// Release plans a send again, with a new nonce, for a person who wants it sent anew: one on hold, or one that an
// earlier signer left in no block. From its return on no lane broadcasts the attempts that the send has. They stay on
// record, and what they have done ends the send. A second call returns ErrNotHeld.
//
// It returns ErrNotHeld if the send is neither, and an ErrNotDead, which says what has to happen first, while an
// attempt could still take effect.
func (r *Rail) Release(ctx context.Context, key string) error {
	var before heldSend

	err := r.end(ctx, key, false, func(tx *db.Tx, h heldSend) error {
		before = h
		noteReleased(tx, key, h)
		tx.OnCommit(r.Wake)

		return nil
	})
	if err != nil {
		return err
	}

	return r.awaitBroadcast(ctx, key, before.sendingUntil)
}

// awaitBroadcast blocks until a broadcast that was claimed until the given time is over. Nothing can claim the same
// bytes again.
func (r *Rail) awaitBroadcast(ctx context.Context, key string, until int64) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()

	for db.Time(until).After(r.db.ServerNow()) {
		now, err := sendingUntil(ctx, r.db, key)
		if err != nil {
			return fmt.Errorf("released %s, and look for its broadcast: %w", key, err)
		}

		if now != until {
			return nil
		}

		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}

	return nil
}

// GiveUp ends a send on hold, for a person who does not want it sent any more. The Observer receives Refused. It
// returns ErrNotHeld if the send is not on hold or something was posted for it, and an ErrNotDead while it could still
// take effect.
func (r *Rail) GiveUp(ctx context.Context, key string) error {
	return r.end(ctx, key, true, func(tx *db.Tx, _ heldSend) error {
		s, err := sendByKey(ctx, tx, key)
		if err != nil {
			return err
		}

		noteGivenUp(tx, key)

		return r.observer.Refused(ctx, tx, key, s.Reason)
	})
}

// heldSend is the state of a send that end reads.
type heldSend struct {
	network, signer, to string
	state               State
	nonce               int64
	reopened            bool // it was posted as final before its block was replaced
	refused             int64
	filled              bool   // the filler of the refused nonce is final
	attempts            int64  // the number of the latest
	sendingUntil        int64  // it may be being broadcast until then
	finalNonce          int64  // see signerRow
	deposed             bool   // see signerRow
	successor           string // its signer, or the first present one of its network if that was replaced
}

// end applies a person's decision to a send if nothing of it can take effect any more.
func (r *Rail) end(ctx context.Context, key string, forGood bool, decide func(tx *db.Tx, h heldSend) error) error {
	return r.db.Write(ctx, func(tx *db.Tx) error {
		h, err := r.endable(ctx, tx, key, forGood)
		if err != nil {
			return err
		}

		return decide(tx, h)
	})
}

// Endable returns nil if Release, or GiveUp if forGood, would accept the send, otherwise the error that it would
// return.
func (r *Rail) Endable(ctx context.Context, q db.Querier, key string, forGood bool) error {
	_, err := r.endable(ctx, q, key, forGood)
	return err
}

// endable reads a send that a person may decide about.
func (r *Rail) endable(ctx context.Context, q db.Querier, key string, forGood bool) (heldSend, error) {
	h, err := heldByKey(ctx, q, key)
	if errors.Is(err, db.ErrNone) {
		return h, fmt.Errorf("%w: %s", ErrNotHeld, key)
	}

	if err != nil {
		return h, err
	}

	lanes, err := r.present(h.network)
	if err != nil {
		return h, err
	}

	h.successor = lanes[0].address

	for _, l := range lanes {
		if l.address == h.signer {
			h.successor = h.signer
		}
	}

	left := h.earlier() && (h.state == StateNonced || h.state == StateSigned || h.state == StateSent)

	switch {
	case h.state != StateHold && (!left || forGood):
		return h, fmt.Errorf("%w: %s", ErrNotHeld, key)
	case forGood && h.reopened:
		return h, fmt.Errorf("%w: %s was posted as final", ErrNotHeld, key)
	}

	if err := h.dead(lanes[0].net.Router, forGood); err != nil {
		return h, fmt.Errorf("%s: %w", key, err)
	}

	return h, nil
}

// earlier reports whether the send's signer was replaced.
func (h heldSend) earlier() bool { return h.signer != h.successor }

// dead returns nil if the chain says, at finality, that nothing of the send can take effect any more.
func (h heldSend) dead(router common.Address, forGood bool) error {
	if !h.earlier() {
		if h.refused >= 0 && !h.filled {
			return ErrNotFilled
		}

		return nil
	}

	routed := router != (common.Address{}) && common.HexToAddress(h.to) == router
	used := h.filled || h.finalNonce > max(h.nonce, h.refused)

	switch {
	case h.finalNonce < 0:
		return ErrNotRead
	case routed && !h.deposed && (!forGood || !used):
		return ErrStillOperator
	case !routed && !used:
		return ErrNonceOpen
	case used && (h.state == StateSigned || h.state == StateSent):
		return ErrNotRead // by an attempt of its own, or by something else: its lane finds out
	}

	return nil
}
