package chain

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

// A nonce that nothing is sent under holds up every later one (E-05). Two things leave one: a signer that refuses a
// single send, and a reorganisation that undoes another's transaction under a nonce of ours. Such a nonce is filled
// with a transfer of nothing from the signer to itself. It is a send like any other (stored, repeated, raised,
// proven), only that nobody has planned it.
//
// A nonce is never given to another send: the signer may have signed the first one after all, and whoever has those
// bytes could send them. Once the filler is final they are worth nothing, and only then can the send have another
// nonce.

// fillerPrefix begins the keys of fillers; no business key does.
const fillerPrefix = "filler/"

// perFill bounds the nonces that are filled in one round.
const perFill = 64

// IsFiller reports whether a send's key is of a transfer that only fills a nonce. Its effect is the gas it costs.
func IsFiller(key string) bool { return strings.HasPrefix(key, fillerPrefix) }

var insertFiller = db.InsertInto(
	"chain_sends",
	"id, key, network, signer, recipient, data, value, gas_asked, object, state, nonce, gas_limit, created_at, "+
		"updated_at",
)

// planFiller writes a filler with its nonce, to be signed next.
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

// fillerGas is what a transfer of the signer to itself needs, with a quarter to spare.
func (l *lane) fillerGas(ctx context.Context) (int64, error) {
	gas, err := l.client.EstimateGas(ctx, CallMsg{From: l.from, To: l.from})
	if err != nil {
		return 0, fmt.Errorf("estimate gas of a filler: %w", err)
	}

	return int64(min(gas+gas/4, l.net.MaxGas)), nil
}

// fill looks for nonces at the front of the queue that none of our sends has, and fills them. Enough nodes must agree
// on where the front is: one that lies about it must not have us spend gas.
func (l *lane) fill(ctx context.Context, v view) error {
	front := int64(v.mined)
	if !l.sure || !v.exact || l.row.frozen != "" || l.row.next < 0 || front >= l.row.next {
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

	l.r.log.Error("nonces are filled that nothing is sent under", "network", l.net.ID, "from", front, "until", until)

	return l.write(ctx, func(tx *db.Tx) error {
		for nonce := front; nonce < until; nonce++ {
			l.planFiller(tx, nonce, gas)
		}

		return nil
	})
}

// firstNonce is the lowest nonce, from one on, that a send has.
func (l *lane) firstNonce(ctx context.Context, from int64) (int64, error) {
	return db.Value[int64](
		ctx,
		l.r.db,
		"SELECT nonce FROM chain_sends WHERE network = ? AND signer = ? AND nonce >= ? ORDER BY nonce LIMIT 1",
		l.net.ID,
		l.address,
		from,
	)
}

// unsigned decides what becomes of a send that the signer did not sign, and reports whether the signer can be asked
// for others.
//
// A refusal is counted; enough of them put the send aside. Everything else, a limit of the signer's included, says
// nothing about this send: it keeps its nonce and is signed when the signer signs again. No further nonces are taken
// meanwhile.
func (l *lane) unsigned(ctx context.Context, s sendRow, cause error) (goOn bool, err error) {
	l.waitsForSigner = fmt.Sprintf("the signer does not sign %s with nonce %d: %v", s.Key, s.Nonce, cause)

	var refusal *Refusal
	if !errors.As(cause, &refusal) || refusal.Later {
		return false, cause
	}

	l.refusals[s.ID]++
	if l.refusals[s.ID] < l.net.RefuseAfter || IsFiller(s.Key) {
		return true, nil
	}

	return true, l.setAside(ctx, s, refusal.Reason)
}

// setAside puts a send on HOLD that the signer refuses to sign, and fills its nonce, in one write.
func (l *lane) setAside(ctx context.Context, s sendRow, reason string) error {
	gas, err := l.fillerGas(ctx)
	if err != nil {
		return err
	}

	err = l.write(ctx, func(tx *db.Tx) error {
		if err := noteAside(tx, s, "the signer refuses it: "+reason); err != nil {
			return err
		}

		l.planFiller(tx, s.Nonce, gas)

		return nil
	})
	if err != nil {
		return fmt.Errorf("put %s aside: %w", s.Key, err)
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

// newsOnly tells an Observer what it does not know yet: nothing of fillers but their end, and nothing of a send it
// was told the end of.
type newsOnly struct{ Observer }

// Seen passes on what is news.
func (n newsOnly) Seen(ctx context.Context, tx *db.Tx, s Sent) error {
	if s.Again || IsFiller(s.Key) {
		return nil
	}

	return n.Observer.Seen(ctx, tx, s)
}

// Lost passes on what is news.
func (n newsOnly) Lost(ctx context.Context, tx *db.Tx, s Sent) error {
	if s.Again || IsFiller(s.Key) {
		return nil
	}

	return n.Observer.Lost(ctx, tx, s)
}

// Final passes on what is news.
func (n newsOnly) Final(ctx context.Context, tx *db.Tx, s Sent) error {
	if s.Again {
		return nil
	}

	return n.Observer.Final(ctx, tx, s)
}
