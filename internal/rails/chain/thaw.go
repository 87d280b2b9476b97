package chain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/platform/db"
)

// maxReplaced bounds the blocks that are looked through for where a reorganisation began.
const maxReplaced = 10_000

// Thaw lets a frozen network go on after a person has found out why. It asks the chain what became of each send, and
// goes on from there:
//
//   - The next nonce moves up to the chain's own count if that is ahead.
//   - If blocks were replaced on which something was posted, their sends are looked for again and, where the chain
//     lacks them, the same
//     bytes are sent again. What was posted stands; one that ends otherwise than it was posted is put on HOLD.
//   - A send on HOLD whose nonce is free again, since the other transaction was undone, goes on with its own bytes.
//
// Nothing gets another nonce by it: that is Release. A second call finds nothing more to do. ErrBehind or
// ErrUnreachable when the nodes cannot tell yet; the network stays frozen then.
func (r *Rail) Thaw(ctx context.Context, network string) error {
	lanes, err := r.signers(network)
	if err != nil {
		return err
	}

	for _, l := range lanes {
		found, err := l.askForThaw(ctx)
		if err != nil {
			return fmt.Errorf("thaw %s: %w", network, err)
		}

		if err := r.db.Write(ctx, func(tx *db.Tx) error { return l.noteThawed(tx, found) }); err != nil {
			return fmt.Errorf("thaw %s: %w", network, err)
		}

		l.poke()
	}

	return nil
}

// thawed is what the chain says when a network is let go on.
type thawed struct {
	mined    int64 // transactions of the signer, as enough nodes count at least
	replaced bool  // the newest block on which something was posted is another one now
	block    int64 // then: the newest one that is still there; -1: none
	hash     string
}

// askForThaw asks every node. Enough of them must agree.
func (l *lane) askForThaw(ctx context.Context) (thawed, error) {
	row, err := db.One(ctx, l.r.db, (*signerRow).dest, readSigner, l.net.ID, l.address)
	if err != nil {
		return thawed{}, fmt.Errorf("read signer: %w", err)
	}

	all, err := l.askEnough(ctx, []call{nonceCall(l.from, "latest")})
	if err != nil {
		return thawed{}, err
	}

	var counts []uint64
	for _, a := range all {
		n, err := a.answers[0].count()
		if err != nil {
			return thawed{}, err
		}

		counts = append(counts, n)
	}

	slices.Sort(counts) // counts only rise: enough nodes count at least this

	out := thawed{mined: int64(counts[len(counts)-l.client.enough()])}
	if row.finalBlock < 0 {
		return out, nil
	}

	there, err := l.stillThere(ctx, []postedBlock{{row.finalBlock, row.finalHash}})
	if err != nil || there[0] {
		return out, err
	}

	out.replaced = true
	out.block, out.hash, err = l.newestKept(ctx, row.finalBlock)

	return out, err
}

// postedBlock is a block on which something was posted.
type postedBlock struct {
	number int64
	hash   string
}

// newestKept is the newest block with something posted that was not replaced, below a height; -1 when there is none.
func (l *lane) newestKept(ctx context.Context, below int64) (number int64, hash string, err error) {
	for looked := 0; looked < maxReplaced; {
		blocks, err := db.Select(ctx, l.r.db, func(b *postedBlock) []any { return []any{&b.number, &b.hash} },
			`SELECT DISTINCT r.block, r.block_hash FROM chain_receipts r JOIN chain_sends s ON s.id = r.send_id
			 WHERE s.network = ? AND s.signer = ? AND s.state = 'FINAL' AND r.block < ? ORDER BY r.block DESC LIMIT ?`,
			l.net.ID, l.address, below, int64(maxCallsPerBatch))
		if err != nil {
			return 0, "", fmt.Errorf("read posted blocks: %w", err)
		}

		if len(blocks) == 0 {
			return -1, "", nil
		}

		there, err := l.stillThere(ctx, blocks)
		if err != nil {
			return 0, "", err
		}

		for i, b := range blocks {
			if there[i] {
				return b.number, b.hash, nil
			}
		}

		looked += len(blocks)
		below = blocks[len(blocks)-1].number
	}

	return 0, "", fmt.Errorf("more than %d blocks were replaced", maxReplaced)
}

// stillThere reports of each block whether it is in the chain. It is an error while too few nodes agree, or are that
// far.
func (l *lane) stillThere(ctx context.Context, blocks []postedBlock) ([]bool, error) {
	calls := make([]call, len(blocks))
	for i, b := range blocks {
		calls[i] = blockCall(numberRef(uint64(b.number)))
	}

	all, err := l.askEnough(ctx, calls)
	if err != nil {
		return nil, err
	}

	out := make([]bool, len(blocks))
	for i, b := range blocks {
		var votes []vote[bool]

		for _, a := range all {
			got, ok, err := a.answers[i].block()
			if err == nil && ok {
				votes = append(votes, vote[bool]{by: a.by, said: got.Hash == common.HexToHash(b.hash)})
			}
		}

		said, _, ok := count(votes, l.client.enough())
		if !ok {
			return nil, fmt.Errorf(
				"%w: too few nodes agree on block %d, on which something was posted",
				ErrBehind,
				b.number,
			)
		}

		out[i] = said
	}

	return out, nil
}

// answered is what one node answered.
type answered struct {
	by      *provider
	answers []answer
}

// askEnough asks all nodes the same, and fails when fewer answer than must agree.
func (l *lane) askEnough(ctx context.Context, calls []call) ([]answered, error) {
	all := make([]answered, len(l.client.providers))
	errs := make([]error, len(all))

	var wg sync.WaitGroup
	for i, p := range l.client.providers {
		wg.Go(func() {
			all[i].by = p
			all[i].answers, errs[i] = l.client.askOne(ctx, p, calls)
		})
	}

	wg.Wait()

	var out []answered
	for i := range all {
		if errs[i] == nil {
			out = append(out, all[i])
		}
	}

	if len(out) < l.client.enough() {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, errors.Join(errs...))
	}

	return out, nil
}

// noteThawed writes what follows from what the chain says.
func (l *lane) noteThawed(tx *db.Tx, f thawed) error {
	now := db.Micros(tx.Now)

	type change struct {
		query string
		args  []any
	}

	changes := []change{
		{"UPDATE chain_signers SET frozen = '' WHERE network = ? AND address = ?", []any{l.net.ID, l.address}},
		{
			`UPDATE chain_signers SET next_nonce = ?
				WHERE network = ? AND address = ? AND next_nonce >= 0 AND next_nonce < ?`,
			[]any{f.mined, l.net.ID, l.address, f.mined},
		},
		{
			`UPDATE chain_sends SET state = 'SENT', reason = '', updated_at = ?
				WHERE network = ? AND signer = ? AND state = 'HOLD' AND nonce >= ?`,
			[]any{now, l.net.ID, l.address, f.mined},
		},
		{
			`UPDATE chain_sends
				SET state = 'REFUSED', reason = 'another transaction has its nonce', nonce = -1, updated_at = ?
				WHERE network = ? AND signer = ? AND state = 'HOLD' AND key LIKE ? AND nonce >= 0 AND nonce < ?`,
			[]any{now, l.net.ID, l.address, fillerPrefix + "%", f.mined},
		},
	}
	if f.replaced {
		changes = append(
			changes,
			change{
				"UPDATE chain_signers SET final_block = ?, final_hash = ? WHERE network = ? AND address = ?",
				[]any{f.block, f.hash, l.net.ID, l.address},
			},
			change{
				`UPDATE chain_sends
					SET state = 'SENT', reopened = TRUE, tx_hash = '', block = -1, block_hash = '', updated_at = ?
					WHERE network = ? AND signer = ? AND state = 'FINAL' AND block > ?`,
				[]any{now, l.net.ID, l.address, f.block},
			},
		)
	}

	for _, c := range changes {
		if _, err := tx.Exec(c.query, c.args...); err != nil {
			return err
		}
	}

	return nil
}

// Release plans a send anew that is on hold, under a new nonce: for a person who has made sure that none of its
// attempts took effect. So it does with one that an earlier signer has left in no block; the person has taken that
// signer's power away before. Its old attempts stay on record and are still looked for. ErrNotHeld when it is
// neither; ErrNotDead while the nonce that the signer would not sign for it is not filled for good.
func (r *Rail) Release(ctx context.Context, key string) error {
	return r.end(ctx, key, func(tx *db.Tx, h heldSend) error {
		tx.Change(
			`UPDATE chain_sends
				SET state = 'PLANNED', signer = ?, reason = '', nonce = -1, refused_nonce = -1, updated_at = ?
				WHERE key = ? AND state = ?`,
			h.heir,
			db.Micros(tx.Now),
			key,
			string(h.state),
		)

		tx.OnCommit(r.Wake)

		return nil
	})
}

// GiveUp ends a send that is on hold: for a person who has made sure that none of its attempts took effect, and does
// not want it sent any more. The Observer is told that it was refused. ErrNotHeld when it is not on hold, or when
// something was posted of it; ErrNotDead as for Release.
func (r *Rail) GiveUp(ctx context.Context, key string) error {
	return r.end(ctx, key, func(tx *db.Tx, h heldSend) error {
		s, err := sendByKey(ctx, tx, key)
		if err != nil {
			return err
		}

		if err := h.forGood(key); err != nil {
			return err
		}

		tx.Change(
			"UPDATE chain_sends SET state = 'REFUSED', updated_at = ? WHERE key = ? AND state = 'HOLD'",
			db.Micros(tx.Now),
			key,
		)

		return r.observer.Refused(ctx, tx, key, s.Reason)
	})
}

// heldSend is what end finds of a send.
type heldSend struct {
	network, signer string
	state           State
	reopened        bool // it was posted as final before its block was replaced
	refused         int64
	filled          bool   // the nonce that the signer refused is final under a filler
	heir            string // who signs on its network now
}

// end takes a send out of the rail's hands, or back into them, by a person's decision, if nothing of it can take
// effect any more.
func (r *Rail) end(ctx context.Context, key string, decide func(tx *db.Tx, h heldSend) error) error {
	return r.db.Write(ctx, func(tx *db.Tx) error {
		h, err := r.endable(ctx, tx, key)
		if err != nil {
			return err
		}

		return decide(tx, h)
	})
}

// Endable returns nil for a send that Release would plan anew, or GiveUp end if forGood; else what that would return.
func (r *Rail) Endable(ctx context.Context, q db.Querier, key string, forGood bool) error {
	h, err := r.endable(ctx, q, key)
	if err == nil && forGood {
		err = h.forGood(key)
	}

	return err
}

// forGood refuses to end a send of which something was posted, or that is not on hold.
func (h heldSend) forGood(key string) error {
	switch {
	case h.state != StateHold:
		return fmt.Errorf("%w: %s", ErrNotHeld, key)
	case h.reopened:
		return fmt.Errorf("%w: it was posted as final", ErrNotHeld)
	}

	return nil
}

// endable finds a send of which a person may decide.
func (r *Rail) endable(ctx context.Context, q db.Querier, key string) (heldSend, error) {
	h, err := db.One(
		ctx,
		q,
		func(h *heldSend) []any {
			return []any{&h.network, &h.signer, (*string)(&h.state), &h.reopened, &h.refused, &h.filled}
		},
		`SELECT network, signer, state, reopened, refused_nonce, EXISTS(SELECT 1 FROM chain_sends f WHERE f.network = s.network
		 AND f.signer = s.signer AND f.nonce = s.refused_nonce AND f.state = 'FINAL') FROM chain_sends s WHERE s.key = ?`,
		key,
	)
	if errors.Is(err, db.ErrNone) {
		return h, fmt.Errorf("%w: %s", ErrNotHeld, key)
	}

	if err != nil {
		return h, err
	}

	l, err := r.lane(h.network)
	if err != nil {
		return h, err
	}

	h.heir = l.address
	left := h.signer != h.heir && (h.state == StateNonced || h.state == StateSigned || h.state == StateSent)

	switch {
	case h.state != StateHold && !left:
		return h, fmt.Errorf("%w: %s", ErrNotHeld, key)
	case h.refused >= 0 && !h.filled && h.signer == h.heir:
		return h, fmt.Errorf("%w: %s", ErrNotDead, key)
	}

	return h, nil
}
