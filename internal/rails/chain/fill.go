package chain

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

// A nonce without a transaction blocks every later one (E-05). There are two causes: a signer that refuses a single
// send, and a reorganisation that undoes someone else's transaction with one of our nonces. Such a nonce is filled with
// a transfer of zero from the signer to itself. The filler is a send like any other (stored, repeated, raised, proven),
// except that nobody planned it.
//
// A nonce is never given to another send: the signer may have signed the first one after all, and whoever has those
// bytes could broadcast them. Once the filler is final they are worthless, and only then may the send get another
// nonce.

// fillerPrefix begins the keys of fillers. Business keys never begin with it.
const fillerPrefix = "filler/"

// perFill limits the nonces that are filled in one round.
const perFill = 64

// IsFiller reports whether a key belongs to a transfer that only fills a nonce. Its only effect is the gas it costs.
func IsFiller(key string) bool { return strings.HasPrefix(key, fillerPrefix) }

// planFiller inserts a filler with its nonce, to be signed next.
func (l *lane) planFiller(tx *db.Tx, nonce, gas int64) {
	name := id.New("snd", tx.Now)
	now := db.Micros(tx.Now)

	tx.Insert(insertFiller,
		name,
		fmt.Sprintf("%s%s/%d/%s", fillerPrefix, l.net.ID, nonce, name),
		l.net.ID,
		l.address,
		l.address,
		[]byte{},
		"0",
		gas,
		"",
		string(StateNonced),
		nonce,
		gas,
		now,
		now,
	)
}

// fillerGas returns the gas of a transfer from the signer to itself, plus a quarter.
func (l *lane) fillerGas(ctx context.Context) (int64, error) {
	gas, err := l.client.EstimateGas(ctx, CallMsg{From: l.from, To: l.from})
	if err != nil {
		return 0, fmt.Errorf("estimate gas of a filler: %w", err)
	}

	return int64(min(gas+gas/4, l.net.MaxGas)), nil
}

// fill finds nonces at the front of the queue that no send has, and fills them. Enough nodes must agree on the front:
// one that lies must not make us spend gas.
func (l *lane) fill(ctx context.Context, v view) error {
	front := int64(v.mined)
	if !l.compared || !v.exact || l.row.frozen != "" || l.row.next < 0 || front >= l.row.next {
		return nil
	}

	until, err := l.firstNonce(ctx, front)
	if errors.Is(err, db.ErrNone) {
		until = l.row.next
	} else if err != nil {
		return fmt.Errorf("look for empty nonces: %w", err)
	}

	until = min(until, l.row.next, front+perFill)
	if until <= front {
		return nil
	}

	gas, err := l.fillerGas(ctx)
	if err != nil {
		return err
	}

	l.r.log.Error("filling unused nonces", "network", l.net.ID, "from", front, "until", until)

	return l.write(ctx, func(tx *db.Tx) error {
		for nonce := front; nonce < until; nonce++ {
			l.planFiller(tx, nonce, gas)
		}

		return nil
	})
}

// handleUnsigned decides what happens to a send that the signer did not sign, and reports whether the signer can be
// asked for others.
//
// A refusal is counted; after several the send is put on HOLD. Any other error, also an exhausted limit of the signer,
// proves nothing about this send: it keeps its nonce and is signed later. No further nonces are taken meanwhile.
func (l *lane) handleUnsigned(ctx context.Context, s sendRow, cause error) (more bool, err error) {
	l.waitsForSigner = fmt.Sprintf("the signer does not sign %s with nonce %d: %v", s.Key, s.Nonce, cause)

	var refusal *Refusal
	if !errors.As(cause, &refusal) || refusal.Later {
		return false, cause
	}

	l.refusals[s.ID]++
	if l.refusals[s.ID] < l.net.RefuseAfter || IsFiller(s.Key) {
		return true, nil
	}

	return true, l.holdRefused(ctx, s, refusal.Reason)
}

// holdRefused puts a send on HOLD that the signer refuses to sign, and fills its nonce, in one write.
func (l *lane) holdRefused(ctx context.Context, s sendRow, reason string) error {
	gas, err := l.fillerGas(ctx)
	if err != nil {
		return err
	}

	err = l.write(ctx, func(tx *db.Tx) error {
		if err := noteSignerRefused(tx, s, "the signer refuses it: "+reason); err != nil {
			return err
		}

		l.planFiller(tx, s.Nonce, gas)

		return nil
	})
	if err != nil {
		return fmt.Errorf("hold %s: %w", s.Key, err)
	}

	delete(l.refusals, s.ID)
	l.waitsForSigner = ""
	l.counts.held.Add(1)
	l.r.log.Error(
		"the signer refuses a send; its nonce is filled",
		"network",
		l.net.ID,
		"key",
		s.Key,
		"nonce",
		s.Nonce,
		"reason",
		reason,
	)

	return nil
}

// newsOnly passes to an Observer only what is new to it: of fillers only their end, and nothing about a send whose end
// was reported before.
type newsOnly struct{ Observer }

// Seen passes on what is new.
func (n newsOnly) Seen(ctx context.Context, tx *db.Tx, s Sent) error {
	if s.Again || IsFiller(s.Key) {
		return nil
	}

	return n.Observer.Seen(ctx, tx, s)
}

// Lost passes on what is new.
func (n newsOnly) Lost(ctx context.Context, tx *db.Tx, s Sent) error {
	if s.Again || IsFiller(s.Key) {
		return nil
	}

	return n.Observer.Lost(ctx, tx, s)
}

// Final passes on what is new.
func (n newsOnly) Final(ctx context.Context, tx *db.Tx, s Sent) error {
	if s.Again {
		return nil
	}

	return n.Observer.Final(ctx, tx, s)
}
