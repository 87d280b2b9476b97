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

// maxReplaced limits the blocks that are searched for the beginning of a reorganisation.
const maxReplaced = 10_000

// Thaw resumes a frozen network after a person has found the cause. It asks the chain what happened to each send, and
// continues from there:
//
//   - The next nonce moves up to the chain's own count if that is higher.
//   - If blocks were replaced on which something was posted, their sends are searched again. Those that the chain lacks
//     are broadcast again with the same bytes. What was posted stays posted; a send with another outcome than the
//     posted one is put on HOLD.
//   - A send on HOLD whose nonce is free again, since the other transaction was undone, continues with its own bytes.
//
// No send gets another nonce: that is Release. A second call finds nothing to do. Thaw returns ErrBehind or
// ErrUnreachable if the nodes cannot answer yet; the network stays frozen then.
func (r *Rail) Thaw(ctx context.Context, network string) error {
	lanes, err := r.signers(network)
	if err != nil {
		return err
	}

	for _, l := range lanes {
		found, err := l.readForThaw(ctx)
		if err != nil {
			return fmt.Errorf("thaw %s: %w", network, err)
		}

		if err := r.db.Write(ctx, func(tx *db.Tx) error { return l.noteThawed(tx, found) }); err != nil {
			return fmt.Errorf("thaw %s: %w", network, err)
		}

		l.notify()
	}

	return nil
}

// thawed is what the chain shows when a network is resumed.
type thawed struct {
	mined    int64 // transactions of the signer that enough nodes count at least
	replaced bool  // the newest block on which something was posted was replaced
	block    int64 // if so, the newest one that was not replaced; -1: none
	hash     string
}

// readForThaw asks every node. Enough of them must agree.
func (l *lane) readForThaw(ctx context.Context) (thawed, error) {
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

	there, err := l.inChain(ctx, []postedBlock{{row.finalBlock, row.finalHash}})
	if err != nil || there[0] {
		return out, err
	}

	out.replaced = true
	out.block, out.hash, err = l.newestUnreplaced(ctx, row.finalBlock)

	return out, err
}

// postedBlock is a block on which something was posted.
type postedBlock struct {
	number int64
	hash   string
}

// newestUnreplaced returns the newest block with something posted that was not replaced, below a height; -1 if there is
// none.
func (l *lane) newestUnreplaced(ctx context.Context, below int64) (number int64, hash string, err error) {
	for looked := 0; looked < maxReplaced; {
		blocks, err := l.postedBelow(ctx, below, maxCallsPerBatch)
		if err != nil {
			return 0, "", fmt.Errorf("read posted blocks: %w", err)
		}

		if len(blocks) == 0 {
			return -1, "", nil
		}

		there, err := l.inChain(ctx, blocks)
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

// inChain reports for each block whether it is in the chain. It fails if too few nodes agree, or have reached it.
func (l *lane) inChain(ctx context.Context, blocks []postedBlock) ([]bool, error) {
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
				votes = append(votes, vote[bool]{by: a.by, value: got.Hash == common.HexToHash(b.hash)})
			}
		}

		agreed, _, ok := count(votes, l.client.enough())
		if !ok {
			return nil, fmt.Errorf(
				"%w: too few nodes agree on block %d, on which something was posted",
				ErrBehind,
				b.number,
			)
		}

		out[i] = agreed
	}

	return out, nil
}

// answered is the answer of one node.
type answered struct {
	by      *provider
	answers []answer
}

// askEnough asks all nodes the same, and fails if fewer answer than must agree.
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

// Release plans a send on hold again, with a new nonce, for a person who has made sure that none of its attempts took
// effect. It also accepts a send that an earlier signer left in no block, after that signer has lost its power. The old
// attempts stay on record and are still searched. It returns ErrNotHeld if the send is neither, and ErrNotDead until
// the nonce that the signer refused is filled for good.
func (r *Rail) Release(ctx context.Context, key string) error {
	return r.end(ctx, key, func(tx *db.Tx, h heldSend) error {
		noteReleased(tx, key, h)
		tx.OnCommit(r.Wake)

		return nil
	})
}

// GiveUp ends a send on hold, for a person who has made sure that none of its attempts took effect and who does not
// want it sent any more. The Observer receives Refused. It returns ErrNotHeld if the send is not on hold or something
// was posted for it, and ErrNotDead as Release does.
func (r *Rail) GiveUp(ctx context.Context, key string) error {
	return r.end(ctx, key, func(tx *db.Tx, h heldSend) error {
		s, err := sendByKey(ctx, tx, key)
		if err != nil {
			return err
		}

		if err := h.forGood(key); err != nil {
			return err
		}

		noteGivenUp(tx, key)

		return r.observer.Refused(ctx, tx, key, s.Reason)
	})
}

// heldSend is the state of a send that end reads.
type heldSend struct {
	network, signer string
	state           State
	reopened        bool // it was posted as final before its block was replaced
	refused         int64
	filled          bool   // the filler of the refused nonce is final
	successor       string // its signer, or the first present one of its network if that was replaced
}

// end applies a person's decision to a send if nothing of it can take effect any more.
func (r *Rail) end(ctx context.Context, key string, decide func(tx *db.Tx, h heldSend) error) error {
	return r.db.Write(ctx, func(tx *db.Tx) error {
		h, err := r.endable(ctx, tx, key)
		if err != nil {
			return err
		}

		return decide(tx, h)
	})
}

// Endable returns nil if Release, or GiveUp if forGood, would accept the send, otherwise the error that it would
// return.
func (r *Rail) Endable(ctx context.Context, q db.Querier, key string, forGood bool) error {
	h, err := r.endable(ctx, q, key)
	if err == nil && forGood {
		err = h.forGood(key)
	}

	return err
}

// forGood refuses to end a send that is not on hold, or for which something was posted.
func (h heldSend) forGood(key string) error {
	switch {
	case h.state != StateHold:
		return fmt.Errorf("%w: %s", ErrNotHeld, key)
	case h.reopened:
		return fmt.Errorf("%w: it was posted as final", ErrNotHeld)
	}

	return nil
}

// endable reads a send that a person may decide about.
func (r *Rail) endable(ctx context.Context, q db.Querier, key string) (heldSend, error) {
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

	left := h.signer != h.successor && (h.state == StateNonced || h.state == StateSigned || h.state == StateSent)

	switch {
	case h.state != StateHold && !left:
		return h, fmt.Errorf("%w: %s", ErrNotHeld, key)
	case h.refused >= 0 && !h.filled && h.signer == h.successor:
		return h, fmt.Errorf("%w: %s", ErrNotDead, key)
	}

	return h, nil
}
